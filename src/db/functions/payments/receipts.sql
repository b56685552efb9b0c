-- Guards that the money of a payment is stated by one legal document, not by two.

-- Refuses a payment with a valid receipt on a receipt or invoice-receipt, which would state the same money a second time, and
-- receipts of a payment that together state more than its amount. Both triggers lock the payment before they look, so that of two
-- at the same time the second sees the first. On allocations it fires after apply_allocation(), which has locked the document and
-- then the payment.
create or replace function refuse_second_statement() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment uuid := new.payment_id;
  paying payments;
  stated boolean;
begin
  if tg_table_name = 'documents' then
    perform from payments p where p.organization_id = new.organization_id and p.id = payment for no key update;
    stated := exists (select from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null);
  else
    if not exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT')) then return null; end if;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = payment;
    if new.is_advance and new.amount_minor > paying.amount_minor - paying.allocated_minor - paying.refunded_minor then
      raise exception 'An advance is within the open remainder.' using errcode = 'check_violation', constraint = 'allocated_within_payment';
    end if;
    stated := exists (select from documents r where r.organization_id = new.organization_id and r.payment_id = payment
        and r.document_type = 'RECEIPT' and r.cancelled_at is null)
      -- an advance stays an open remainder, so its amount could be stated again
      or paying.amount_minor < (select sum(a.amount_minor) from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
        where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'));
  end if;
  if stated then
    raise exception 'The payment is stated by a receipt already.' using errcode = 'check_violation', constraint = 'payment_stated_once';
  end if;
  return null;
end $$;

create or replace trigger refuse_second_statement after insert on allocations
  for each row execute function refuse_second_statement();
create or replace trigger refuse_second_statement after insert on documents
  for each row when (new.document_type = 'RECEIPT'::text and new.payment_id is not null) execute function refuse_second_statement();
