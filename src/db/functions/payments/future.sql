-- Guards that money counts on its day: payments and expenses of the future are refused, and planned payments become payments on
-- their day.

-- Refuses a payment, a receipt of money or a refund that is dated after today in the time zone of the organization, and an expense
-- or credit of a supplier that is booked before its day: money counts when it is received, and an invoice must not be PAID by money
-- of next year. Stored payments with later dates stay.
create or replace function refuse_future_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.paid_at > today then
    raise exception 'The payment is dated after today.' using errcode = 'check_violation', detail = new.paid_at || ' ' || today,
      constraint = case when new.source in ('DOCUMENT', 'MARK_PAID') then 'payment_date_not_in_future' else 'paid_at_not_in_future' end;
  end if;
  return new;
end $$;

create or replace function refuse_future_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.issue_date > today then
    raise exception 'The expense is dated after today.' using errcode = 'check_violation', detail = new.issue_date || ' ' || today,
      constraint = case new.document_type when 'EXPENSE' then 'expense_not_in_future' else 'supplier_credit_not_in_future' end;
  end if;
  return null;
end $$;

create or replace function guard_planned_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.status <> 'PLANNED' and new.status <> old.status then
    raise exception 'The planned payment was recorded or cancelled before.'
      using errcode = 'check_violation', constraint = 'planned_payment_ends_once';
  end if;
  if new.status = 'RECORDED' and not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.id
      and p.amount_minor = new.amount_minor and p.currency = new.currency) then
    raise exception 'The payment is missing.' using errcode = 'check_violation', constraint = 'recorded_plan_has_payment';
  end if;
  return new;
end $$;

-- in every time zone today is yesterday in UTC or later, so for most payments the organization need not be read
create or replace trigger refuse_future_payment before insert or update of paid_at on payments
  for each row when (new.source <> 'CREDIT_MEMO'::text and new.paid_at >= (now() at time zone 'UTC'::text)::date) execute function refuse_future_payment();
create or replace trigger refuse_future_expense_of_new after insert on documents
  for each row when (new.kind = 'EXPENSE'::text and new.issued_at is not null and new.issue_date >= (now() at time zone 'UTC'::text)::date) execute function refuse_future_expense();
create or replace trigger refuse_future_expense_when_final after update on documents
  for each row when (new.kind = 'EXPENSE'::text and old.issued_at is null and new.issued_at is not null and new.issue_date >= (now() at time zone 'UTC'::text)::date) execute function refuse_future_expense();
create or replace trigger guard_planned_payment before update on planned_payments
  for each row execute function guard_planned_payment();
