-- Money counts when it was received, so a payment, a receipt of money or a refund is not dated after today in the time zone of
-- the organization, and no expense or credit of a supplier is booked before its day. Before, an invoice was PAID, with a
-- receipt and revenue, by money of next year. Payments that were stored so stay as they are.
create function refuse_future_payment() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.paid_at > today then
    raise exception 'The payment is dated after today.' using errcode = 'check_violation', detail = new.paid_at || ' ' || today,
      constraint = case when new.source in ('DOCUMENT', 'MARK_PAID') then 'payment_date_not_in_future' else 'paid_at_not_in_future' end;
  end if;
  return new;
end $$;
-- in every time zone today is yesterday or later in UTC, so of most payments the organization need not be read
create trigger refuse_future_payment before insert or update of paid_at on payments
  for each row when (new.source <> 'CREDIT_MEMO' and new.paid_at >= (now() at time zone 'UTC')::date) execute function refuse_future_payment();

create function refuse_future_expense() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.issue_date > today then
    raise exception 'The expense is dated after today.' using errcode = 'check_violation', detail = new.issue_date || ' ' || today,
      constraint = case new.document_type when 'EXPENSE' then 'expense_not_in_future' else 'supplier_credit_not_in_future' end;
  end if;
  return null;
end $$;
create trigger refuse_future_expense_of_new after insert on documents
  for each row when (new.kind = 'EXPENSE' and new.issued_at is not null and new.issue_date >= (now() at time zone 'UTC')::date)
  execute function refuse_future_expense();
create trigger refuse_future_expense_when_final after update on documents
  for each row when (new.kind = 'EXPENSE' and old.issued_at is null and new.issued_at is not null and new.issue_date >= (now() at time zone 'UTC')::date)
  execute function refuse_future_expense();
