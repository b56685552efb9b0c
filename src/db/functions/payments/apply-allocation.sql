-- Guards paid amounts: they are sums of allocations, and no allocation exceeds its document or its payment.

-- Applies an allocation to its document and payment. The payment of a net pay also reimburses claims of the employee.
create or replace function apply_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change bigint := case when tg_op = 'INSERT' then new.amount_minor when old.voided_at is null and new.voided_at is not null then -new.amount_minor else 0 end;
  credit bigint := case when new.is_credit then change else 0 end;
  money bigint := change - credit;
  paying payments;
  last payments; -- the payment whose date and method a settled document shows
  paid documents;
begin
  if change = 0 then return null; end if;
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  last := paying;
  if new.is_credit then
    select p.* into last from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      where a.organization_id = new.organization_id and a.document_id = new.document_id and a.voided_at is null and not a.is_credit
      order by a.id desc limit 1;
  end if;
  update documents d set paid_minor = d.paid_minor + money, credited_minor = d.credited_minor + credit,
      status = case when k.open_status is null or d.issued_at is null then d.status
        when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then 'PAID'
        when d.status <> 'PAID' then d.status
        when d.sent_at is not null then coalesce(k.sent_status, k.open_status) else k.open_status end,
      payment_date = case when k.open_status is null then d.payment_date when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.paid_at
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_date end,
      payment_method = case when k.open_status is null then d.payment_method when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.method
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_method end,
      receipt_number = case when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.receipt_number end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.id = new.document_id and k.kind = d.kind and d.status = any (k.payable_statuses)
      and d.payment_id is null and (change < 0 or d.cancelled_at is null and d.converted_to_id is null)
      and d.currency = paying.currency and (k.kind = paying.kind or (k.kind, paying.kind, paying.source) = ('EXPENSE', 'PAYSLIP', 'NET')) and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
    returning d.* into paid;
  if not found then
    raise exception 'That document cannot be paid with this payment.' using errcode = 'check_violation', constraint = 'payment_fits_document';
  end if;
  if exists (select from ledger_kinds k where k.kind = paid.kind and k.pays_lines) then
    update document_lines l set paid_minor = l.paid_minor + change
      where l.organization_id = new.organization_id and l.document_id = new.document_id and l.id = new.line_id;
    if not found then
      raise exception 'The document has no such line.' using errcode = 'check_violation', constraint = 'payment_fits_document';
    end if;
  end if;
  update payments p set allocated_minor = p.allocated_minor + case when new.is_advance then 0 else change end
    where p.organization_id = new.organization_id and p.id = new.payment_id and (change < 0 or p.voided_at is null);
  if not found then
    raise exception 'The payment was voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
  end if;
  if money >= 0 then return null; end if;
  perform apply_open_credits(new.organization_id, new.document_id);
  -- a receipt without its payment acknowledges nothing
  update documents d set cancelled_at = new.voided_at
    where d.organization_id = new.organization_id and d.id = new.document_id and is_receipt_by_law(d.document_type, d.series)
      and d.paid_minor = 0 and d.cancelled_at is null;
  return null;
end $$;

-- Voids the allocations of a voided payment, and cancels the receipts that acknowledged it, which are never deleted. The open rest
-- of another credit takes the place of a voided one.
create or replace function void_allocations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  cancelled documents;
begin
  update allocations a set voided_at = new.voided_at
    where a.organization_id = new.organization_id and a.payment_id = new.id and a.voided_at is null;
  for cancelled in update documents d set cancelled_at = new.voided_at
      where d.organization_id = new.organization_id and d.payment_id = new.id and d.cancelled_at is null returning d.* loop
    if cancelled.document_type = 'CREDIT_MEMO' then perform apply_open_credits(cancelled.organization_id, cancelled.source_document_id); end if;
  end loop;
  return null;
end $$;

create or replace function refuse_reallocating() returns trigger language plpgsql as $$
begin
  raise exception 'An allocation that was taken back stays so.' using errcode = 'check_violation', constraint = 'allocation_not_voided';
end $$;

-- Refuses an allocation to a document of another customer, and gives a payment without a customer that of its documents. A payment
-- to authorities stays without a counterparty.
create or replace function hold_to_customer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from added a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id where d.counterparty_id <> p.counterparty_id
        or p.kind = 'EXPENSE' and p.counterparty_id is null and crosses_vendors(p.organization_id, p.id, d.id, array(select n.id from added n))) then
    raise exception 'The payment is of another customer.' using errcode = 'check_violation', constraint = 'payment_of_customer';
  end if;
  update payments p set counterparty_id = owing.customer
    from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.voided_at is null and (a.organization_id, a.payment_id) in (select n.organization_id, n.payment_id from added n)
      group by 1, 2 having count(distinct d.counterparty_id) = 1) owing
    where p.organization_id = owing.organization_id and p.id = owing.payment_id and p.counterparty_id is null and p.source <> 'STATUTORY';
  return null;
end $$;

create or replace trigger apply_allocation after insert or update on allocations for each row execute function apply_allocation();
create or replace trigger void_allocations after update of voided_at on payments
  for each row when (old.voided_at is null and new.voided_at is not null) execute function void_allocations();
create or replace trigger hold_to_customer after insert on allocations referencing new table as added
  for each statement execute function hold_to_customer();
create or replace trigger refuse_reallocating before update on allocations
  for each row when (old.voided_at is not null and new.voided_at is distinct from old.voided_at) execute function refuse_reallocating();
