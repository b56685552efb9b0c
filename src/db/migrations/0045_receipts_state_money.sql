-- A receipt or invoice-receipt states money that was received. The credit of a memo is none: it pays invoices and payment requests,
-- and the document that the memo corrects.
create function refuse_credit_on_receipt() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not new.is_credit and exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
      and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'))
    and exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO') then
    raise exception 'A receipt states money that was received.' using errcode = 'check_violation', constraint = 'receipt_states_money';
  end if;
  return null;
end $$;
create trigger refuse_credit_on_receipt after insert on allocations for each row execute function refuse_credit_on_receipt();
