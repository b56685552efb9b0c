-- Guards credited amounts: open credits settle documents, and a credit that becomes open again is applied again.

create or replace function mark_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- the memo is written after its credit, in the same transaction, so a credit without a memo belongs to the document
  new.is_credit := exists (select from payments p
      where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO')
    and not exists (select from documents m where m.organization_id = new.organization_id and m.payment_id = new.payment_id
      and m.document_type = 'CREDIT_MEMO' and m.source_document_id <> new.document_id);
  return new;
end $$;

-- Applies the open credits of a document's own memos to the document, up to its open balance, the oldest first, without voided
-- credits. The caller has locked the document; the credits are locked here, so that none of them is refunded or used meanwhile.
create or replace function apply_open_credits(organization uuid, corrected uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credit record;
  owed documents;
  part bigint;
begin
  for credit in select p.id, p.amount_minor - p.allocated_minor - p.refunded_minor as open, m.id as memo
      from documents m join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
      where m.organization_id = organization and m.source_document_id = corrected and m.document_type = 'CREDIT_MEMO' and p.voided_at is null
      order by m.sequence, m.id for update of p loop
    select * into owed from documents d where d.organization_id = organization and d.id = corrected;
    part := least(credit.open, open_minor(owed));
    continue when part <= 0;
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values (organization, new_id(), credit.id, corrected, part);
    insert into document_events (organization_id, id, document_id, type, payload) values (organization, new_id(), corrected, 'CREDIT_APPLIED',
      jsonb_build_object('memoId', credit.memo, 'amount', trim_scale(major_units(part, owed.minor_digits)), 'currency', owed.currency, 'userId', current_person()));
  end loop;
end $$;

-- Applies a credit of a memo that is open again to the document that the memo corrects, if that is open. Without an organization it
-- is that of the request.
create or replace function apply_freed_credit(organization uuid, credit uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  corrected uuid := (select m.source_document_id from documents m
    where m.organization_id = organization and m.payment_id = credit and m.document_type = 'CREDIT_MEMO');
begin
  if corrected is null then return; end if;
  perform from documents d where d.organization_id = organization and d.id = corrected for no key update;
  perform apply_open_credits(organization, corrected);
end $$;

create or replace function apply_freed_credit(credit uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$ select apply_freed_credit(current_organization(), credit) $$;
grant execute on function apply_freed_credit(uuid) to kontor_confined;

-- The open rest of the credit of a credit memo; zero for other documents and for a voided credit.
create or replace function open_credit(d documents) returns bigint language sql stable parallel safe as $$
  select case when d.document_type = 'CREDIT_MEMO' and d.cancelled_at is null then coalesce((select p.amount_minor - p.allocated_minor - p.refunded_minor
    from payments p where p.organization_id = d.organization_id and p.id = d.payment_id), 0) else 0 end
$$;
grant execute on function open_credit(documents) to kontor_across, kontor_confined;

create or replace function follow_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update documents d set status = case when new.amount_minor = new.allocated_minor + new.refunded_minor then 'PAID'
      when d.sent_at is null then k.open_status else coalesce(k.sent_status, k.open_status) end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.payment_id = new.id and d.document_type = 'CREDIT_MEMO' and k.kind = d.kind and k.open_status is not null;
  return null;
end $$;

-- Refuses to pay a receipt or invoice-receipt with the credit of a memo: they state money that was received. Such a credit pays
-- invoices, payment requests, and the document that the memo corrects.
create or replace function refuse_credit_on_receipt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not new.is_credit and exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
      and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'))
    and exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO') then
    raise exception 'A receipt states money that was received.' using errcode = 'check_violation', constraint = 'receipt_states_money';
  end if;
  return null;
end $$;

create or replace trigger mark_credit before insert on allocations for each row execute function mark_credit();
create or replace trigger follow_credit after update of allocated_minor, refunded_minor on payments
  for each row when (new.source = 'CREDIT_MEMO'::text and (old.amount_minor = (old.allocated_minor + old.refunded_minor)) <> (new.amount_minor = (new.allocated_minor + new.refunded_minor))) execute function follow_credit();
create or replace trigger refuse_credit_on_receipt after insert on allocations
  for each row execute function refuse_credit_on_receipt();
