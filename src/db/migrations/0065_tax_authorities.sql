-- Tax authorities: the credentials of an organization, and the documents that it submitted for clearance.

-- Whether documents are submitted when they are issued.
alter table organization_settings add column clear_on_issue boolean not null default false;
grant insert (clear_on_issue), update (clear_on_issue) on organization_settings to kontor_confined;

-- What an organization entered for an integration. `tokens` is what the authority issued for it since: an access token and a
-- refresh token, which changes with every use, so one process at a time uses it (refreshing_until). The hash is of the state with
-- which a person was sent to the authority to sign in.
create table tax_authority_connections (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  integration_id text not null check (integration_id in ('il-ita-invoices', 'sg-invoicenow')),
  environment text not null default 'sandbox' check (environment in ('sandbox', 'production')),
  credentials bytea not null,
  tokens bytea,
  refreshing_until timestamptz,
  state_hash bytea,
  state_until timestamptz,
  is_validated boolean not null default false,
  last_validated_at timestamptz,
  validation_error text,
  failure_notified_at timestamptz,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint one_connection_per_integration unique (organization_id, integration_id),
  constraint validated_or_failed check (not is_validated or (last_validated_at is not null and validation_error is null))
);
select organization_table('tax_authority_connections');
select secret_column('tax_authority_connections', 'credentials', worker_only => false);
select secret_column('tax_authority_connections', 'tokens', worker_only => false);
create index on tax_authority_connections (id);
create index on tax_authority_connections (created_by);

-- Other credentials are another row: what was proven about the ones before, and their tokens, cannot be taken over (THR-19).
revoke update on tax_authority_connections from kontor_confined;
grant update (tokens, refreshing_until, state_hash, state_until, is_validated, last_validated_at, validation_error, failure_notified_at)
  on tax_authority_connections to kontor_confined;

-- A document that was submitted to an authority. `request` is recorded before it is sent and repeated with the same invoice_id.
create table clearances (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  authority text not null check (authority <> ''),
  environment text check (environment in ('sandbox', 'production')),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED', 'ERROR')),
  request jsonb,
  attempts integer not null default 0 check (attempts >= 0),
  claimed_until timestamptz,
  next_attempt_at timestamptz,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  number text check (number ~ '^[0-9]+$'),
  source text check (source in ('AUTHORITY', 'MANUAL')),
  reasons jsonb not null default '[]',
  error text check (error <> ''),
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, document_id),
  foreign key (organization_id, document_id) references documents on delete cascade,
  constraint approved_with_number check ((status = 'APPROVED') = (number is not null) and (number is null) = (source is null)),
  constraint decided_with_time check ((status in ('APPROVED', 'REJECTED')) = (decided_at is not null)),
  constraint rejected_with_reasons check (status <> 'REJECTED' or (error is not null and jsonb_array_length(reasons) > 0)),
  constraint failed_with_error check (status <> 'ERROR' or error is not null),
  constraint request_names_document check (request is null or request ->> 'invoice_id' = document_id::text),
  constraint approved_after_request check (source is distinct from 'AUTHORITY' or request is not null)
);
select organization_table('clearances');
revoke delete on clearances from kontor_confined;
create unique index one_document_per_allocation_number on clearances (organization_id, authority, environment, number) where source = 'AUTHORITY';
create index on clearances (created_by);
create index on clearances (submitted_at) where status in ('PENDING', 'ERROR');

-- The number that an authority allocated is final.
create function guard_clearance() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.source = 'AUTHORITY' then
    raise exception 'The authority has allocated a number to the document.' using errcode = 'check_violation', constraint = 'allocated_number_is_final';
  end if;
  return new;
end $$;
create trigger guard_clearance before update on clearances for each row
  when (old.source = 'AUTHORITY' and (new.status, new.number, new.source, new.request, new.authority, new.environment)
    is distinct from (old.status, old.number, old.source, old.request, old.authority, old.environment)) execute function guard_clearance();

-- A number that a person enters ends the submission of the document; it does not replace the number of the authority.
create function follow_allocation_number() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger follow_allocation_number after update of vat_allocation_number on documents for each row
  when (new.kind = 'SALES' and new.vat_allocation_number is distinct from old.vat_allocation_number) execute function follow_allocation_number();

-- Enqueues the submission with the issue, if the organization wants it. The job decides whether the document needs a number.
create function submit_on_issue() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organization_settings s where s.organization_id = new.organization_id and s.clear_on_issue) then
    perform graphile_worker.add_job('clear-document', json_build_object('documentId', new.id), job_key => 'clear-document:' || new.id,
      flags => array['organization:' || new.organization_id]);
  end if;
  return null;
end $$;
create trigger submit_on_issue_of_new after insert on documents for each row
  when (new.kind = 'SALES' and new.issued_at is not null and new.tax_minor > 0 and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO'))
  execute function submit_on_issue();
create trigger submit_on_issue_when_final after update on documents for each row
  when (new.kind = 'SALES' and old.issued_at is null and new.issued_at is not null and new.tax_minor > 0 and new.vat_allocation_number is null
    and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO'))
  execute function submit_on_issue();

-- Submissions that wait although no job will continue them, for example because the database failed while an answer was recorded.
create function lost_clearances() returns table (organization_id uuid, id uuid, submitted_at timestamptz) language plpgsql stable as $$
begin
  return query select c.organization_id, c.document_id, c.submitted_at from public.clearances c
  where (c.status = 'PENDING' or (c.status = 'ERROR' and c.next_attempt_at is not null)) and coalesce(c.claimed_until < now(), true)
    and c.document_id::text not in (select queued_job_subjects('clear-document', 'documentId'));
end $$;
create function requeue_lost_clearances(most integer) returns bigint language sql as $$
  select count(requeue_job('clear-document', 'documentId', lost.organization_id, lost.id))
  from (select * from lost_clearances() c order by c.submitted_at, c.id limit most) lost
$$;
