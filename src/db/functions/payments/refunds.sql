-- Guards refunds: money is refunded once, up to what is left of the payment.

-- Applies a refund: it reduces the open remainder of the payment that it gives back, and a voided refund opens it again, also for a
-- credit. A refund is at most the cash, because tax that was withheld from the payment went to the state.
create or replace function apply_refund() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set refunded_minor = p.refunded_minor + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
    where p.organization_id = new.organization_id and p.id = new.refund_of
      and (tg_op = 'UPDATE' or (p.voided_at is null and p.source <> 'REFUND' and p.currency = new.currency
        and p.kind = new.kind and p.direction <> new.direction and p.counterparty_id is not distinct from new.counterparty_id
        and (p.withheld_minor = 0 or p.refunded_minor + new.amount_minor <= p.amount_minor - p.withheld_minor)));
  if not found then
    raise exception 'That payment cannot be refunded.' using errcode = 'check_violation', constraint = 'refund_fits_payment';
  end if;
  if tg_op = 'UPDATE' then perform apply_freed_credit(new.organization_id, new.refund_of); end if;
  return null;
end $$;

create or replace trigger apply_refund_of_new after insert on payments
  for each row when (new.refund_of is not null) execute function apply_refund();
create or replace trigger apply_refund_of_voided after update of voided_at on payments
  for each row when (new.refund_of is not null and old.voided_at is null and new.voided_at is not null) execute function apply_refund();
