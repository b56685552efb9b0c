-- Guards credit and debit memos: the document that they correct, their dates, and credits that were cancelled.

-- Checks the issue date of a sales memo, which can be given: it is not before that of the corrected document. A memo without a
-- given date is dated today, even if its document was dated after today by an earlier version. Issuing checks the same beforehand
-- (issuing/dates.ts), to name the first possible day; this trigger also covers memos that automations and imports make.
create or replace function guard_memo() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  source documents;
begin
  select * into source from documents d where d.organization_id = new.organization_id and d.id = new.source_document_id;
  if source.document_type = any (select unnest(k.unbilled_types) from ledger_kinds k where k.kind = new.kind)
    or is_receipt_by_law(source.document_type, source.series) then
    raise exception 'A document that is no tax document is cancelled.' using errcode = 'check_violation', constraint = 'memo_of_tax_document';
  end if;
  if new.kind = 'SALES' and new.issue_date_given and new.issue_date < source.issue_date then
    raise exception 'A memo is not dated before its document.' using errcode = 'check_violation', constraint = 'memo_not_before_document';
  end if;
  if new.document_type = 'CREDIT_MEMO' and new.total_minor + coalesce((select sum(m.total_minor) from documents m
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $$;

create or replace function guard_cancelled_credit() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.voided_at is not null) then
    raise exception 'A credit is cancelled with its payment.' using errcode = 'check_violation', constraint = 'cancelled_with_its_payment';
  end if;
  return null;
end $$;

create or replace trigger guard_memo before insert on documents
  for each row when ((new.document_type = any (array['CREDIT_MEMO'::text, 'DEBIT_MEMO'::text])) and new.source_document_id is not null) execute function guard_memo();
create or replace trigger guard_cancelled_credit after update of cancelled_at on documents
  for each row when (new.document_type = 'CREDIT_MEMO'::text and old.cancelled_at is null and new.cancelled_at is not null) execute function guard_cancelled_credit();
