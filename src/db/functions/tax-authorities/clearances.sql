-- Guards numbers of a tax authority: a document gets one, which is final, and is submitted when it is issued.

-- Refuses changes of a number that the authority allocated.
create or replace function guard_clearance() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.source = 'AUTHORITY' then
    raise exception 'The authority has allocated a number to the document.' using errcode = 'check_violation', constraint = 'allocated_number_is_final';
  end if;
  return new;
end $$;

-- Ends the submission of a document whose number a person enters; that number does not replace the number of the authority.
create or replace function follow_allocation_number() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allocated text;
begin
  select c.number into allocated from clearances c
    where c.organization_id = new.organization_id and c.document_id = new.id and c.source = 'AUTHORITY';
  if found then
    if allocated is distinct from new.vat_allocation_number then
      raise exception 'The authority has allocated a number to the document.' using errcode = 'check_violation', constraint = 'allocated_number_is_final';
    end if;
    return null;
  end if;
  update clearances c set status = 'APPROVED', number = new.vat_allocation_number, source = 'MANUAL', decided_at = now(), error = null,
      reasons = '[]', claimed_until = null, next_attempt_at = null
    where c.organization_id = new.organization_id and c.document_id = new.id;
  return null;
end $$;

-- Submits a document when it is issued. Singapore also wants credit memos and untaxed documents; the job decides about each one.
create or replace function submit_on_issue() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organization_settings s where s.organization_id = new.organization_id and s.clear_on_issue)
    and ((new.tax_minor > 0 and new.document_type <> 'CREDIT_MEMO')
      or exists (select from organizations o where o.id = new.organization_id and o.country = 'SG')) then
    perform graphile_worker.add_job('clear-document', json_build_object('documentId', new.id), job_key => 'clear-document:' || new.id,
      flags => array['organization:' || new.organization_id]);
  end if;
  return null;
end $$;

-- Waiting submissions without a job, for example because the database failed while an answer was recorded.
create or replace function lost_clearances() returns table(organization_id uuid, id uuid, submitted_at timestamptz)
  language plpgsql stable as $$
begin
  return query select c.organization_id, c.document_id, c.submitted_at from public.clearances c
  where (c.status = 'PENDING' or (c.status = 'ERROR' and c.next_attempt_at is not null)) and coalesce(c.claimed_until < now(), true)
    and c.document_id::text not in (select queued_job_subjects('clear-document', 'documentId'));
end $$;

create or replace function requeue_lost_clearances(most integer) returns bigint language sql as $$
  select count(requeue_job('clear-document', 'documentId', lost.organization_id, lost.id))
  from (select * from lost_clearances() c order by c.submitted_at, c.id limit most) lost
$$;

create or replace trigger guard_clearance before update on clearances
  for each row when (old.source = 'AUTHORITY'::text and (new.status is distinct from old.status or new.number is distinct from old.number or new.source is distinct from old.source or new.request is distinct from old.request or new.authority is distinct from old.authority or new.environment is distinct from old.environment)) execute function guard_clearance();
create or replace trigger follow_allocation_number after update of vat_allocation_number on documents
  for each row when (new.kind = 'SALES'::text and new.vat_allocation_number is distinct from old.vat_allocation_number) execute function follow_allocation_number();
create or replace trigger submit_on_issue_of_new after insert on documents
  for each row when (new.kind = 'SALES'::text and new.issued_at is not null and (new.document_type = any (array['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'DEBIT_MEMO'::text, 'CREDIT_MEMO'::text]))) execute function submit_on_issue();
create or replace trigger submit_on_issue_when_final after update on documents
  for each row when (new.kind = 'SALES'::text and old.issued_at is null and new.issued_at is not null and new.vat_allocation_number is null and (new.document_type = any (array['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'DEBIT_MEMO'::text, 'CREDIT_MEMO'::text]))) execute function submit_on_issue();
