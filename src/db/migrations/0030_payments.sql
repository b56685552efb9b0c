-- Payments: their details, tax withheld at source, refunds, one customer per payment, one valid receipt per payment.

-- `amount_minor` is what a payment settles. `withheld_minor` is the part of it that the payer withheld as tax; the rest is cash.
-- A refund is a payment of its own in the other direction, which names the payment that it gives back (`refund_of`) and adds to
-- its `refunded_minor`. The open remainder of a payment is amount - allocated - refunded.
alter table payments
  add column withheld_minor bigint not null default 0,
  add column reference text,
  add column details jsonb,
  add column bank_account_id uuid,
  add column refund_of uuid,
  add column refunded_minor bigint not null default 0,
  add constraint payment_bank_account foreign key (organization_id, bank_account_id) references bank_accounts (organization_id, id),
  add constraint refunded_payment foreign key (organization_id, refund_of) references payments (organization_id, id),
  drop constraint payments_source_check,
  add constraint payments_source_check check (source in ('DOCUMENT', 'MARK_PAID', 'PAYMENT', 'CREDIT_MEMO', 'REFUND')),
  drop constraint allocated_within_payment,
  add constraint allocated_within_payment
    check (allocated_minor >= 0 and refunded_minor >= 0 and allocated_minor + refunded_minor <= amount_minor),
  add constraint withheld_within_payment
    check (withheld_minor >= 0 and withheld_minor <= amount_minor and (withheld_minor = 0 or source not in ('REFUND', 'CREDIT_MEMO'))),
  add constraint refund_names_payment check ((source = 'REFUND') = (refund_of is not null)),
  add constraint refund_stands_alone check (source <> 'REFUND' or (allocated_minor = 0 and refunded_minor = 0)),
  add constraint refunded_payment_stays check (voided_at is null or refunded_minor = 0);
create index on payments (organization_id, refund_of) where refund_of is not null;
create index on payments (organization_id, bank_account_id) where bank_account_id is not null;
grant insert (withheld_minor, reference, details, bank_account_id, refund_of) on payments to kontor_confined;

-- A refund reduces the open remainder of the payment that it gives back; a voided refund opens it again.
create function apply_refund() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set refunded_minor = p.refunded_minor + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
    where p.organization_id = new.organization_id and p.id = new.refund_of
      and (tg_op = 'UPDATE' or (p.voided_at is null and p.source <> 'REFUND' and p.currency = new.currency
        and p.direction <> new.direction and p.counterparty_id is not distinct from new.counterparty_id));
  if not found then
    raise exception 'That payment cannot be refunded.' using errcode = 'check_violation', constraint = 'refund_fits_payment';
  end if;
  return null;
end $$;
create trigger apply_refund_of_new after insert on payments for each row
  when (new.refund_of is not null) execute function apply_refund();
create trigger apply_refund_of_voided after update of voided_at on payments for each row
  when (new.refund_of is not null and old.voided_at is null and new.voided_at is not null) execute function apply_refund();

-- A payment that names a customer settles documents of that customer only. One that names none takes the customer of its
-- documents, if there is only one. Fires after apply_allocation(), which has locked the documents and then the payments.
create function hold_to_customer() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from added a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id where d.counterparty_id <> p.counterparty_id) then
    raise exception 'The payment is of another customer.' using errcode = 'check_violation', constraint = 'payment_of_customer';
  end if;
  update payments p set counterparty_id = owing.customer
    from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.voided_at is null and (a.organization_id, a.payment_id) in (select n.organization_id, n.payment_id from added n)
      group by 1, 2 having count(distinct d.counterparty_id) = 1) owing
    where p.organization_id = owing.organization_id and p.id = owing.payment_id and p.counterparty_id is null;
  return null;
end $$;
create trigger hold_to_customer after insert on allocations referencing new table as added
  for each statement execute function hold_to_customer();

-- Payments of older versions whose allocations all go to one customer.
update payments p set counterparty_id = a.customer
  from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    where a.voided_at is null group by 1, 2 having count(distinct d.counterparty_id) = 1) a
  where p.organization_id = a.organization_id and p.id = a.payment_id and p.counterparty_id is null;

-- A single allocation can be taken back: its amount is an open remainder of the payment again. It stays taken back.
grant update (voided_at) on allocations to kontor_confined;
create function refuse_reallocating() returns trigger language plpgsql as $$
begin
  raise exception 'An allocation that was taken back stays so.' using errcode = 'check_violation', constraint = 'allocation_not_voided';
end $$;
create trigger refuse_reallocating before update on allocations for each row
  when (old.voided_at is not null and new.voided_at is distinct from old.voided_at) execute function refuse_reallocating();

-- A payment has one valid receipt.
create unique index one_receipt_per_payment on documents (organization_id, payment_id)
  where document_type = 'RECEIPT' and payment_id is not null and cancelled_at is null;

-- Cash is what was received or paid: the amount without the tax that was withheld.
create or replace function update_cash_totals() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  times integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  with gone as (
    delete from cash_by_day s where s.ctid = any (array(select t.ctid from cash_by_day t
      where t.organization_id = new.organization_id and t.day = new.paid_at and t.direction = new.direction and t.currency = new.currency
      for update skip locked))
    returning s.payments, s.amount_minor
  )
  insert into cash_by_day
    select new.organization_id, new.paid_at, new.direction, new.currency, sum(a.payments), sum(a.amount_minor)
    from (select * from gone union all select times, times * (new.amount_minor - new.withheld_minor)) a (payments, amount_minor)
    having (sum(a.payments), sum(a.amount_minor)) <> (0, 0);
  return null;
end $$;

create or replace function cash_by_day_now() returns setof cash_by_day language sql stable as $$
  select p.organization_id, p.paid_at, p.direction, p.currency, count(*), sum(p.amount_minor - p.withheld_minor)::bigint
  from payments p where p.voided_at is null and p.source <> 'CREDIT_MEMO' group by 1, 2, 3, 4
$$;
