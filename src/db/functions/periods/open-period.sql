-- Guards that nothing in a locked period is added, changed or voided.

-- Refuses a day in a locked period. The detail of the error is the last locked day and the day of the entry.
create or replace function refuse_locked_day(until date, day date) returns void language plpgsql as $$
begin
  raise exception 'The period is locked until %.', until using errcode = 'check_violation', constraint = 'period_is_open', detail = until || ' ' || day;
end $$;

create or replace function require_open_period(organization uuid, day date) returns void language plpgsql as $$
declare
  until date := locked_until(organization);
begin
  if day <= until then perform refuse_locked_day(until, day); end if;
end $$;

create or replace function day_of_organization(organization uuid, instant timestamptz) returns date language sql stable as $$
  select (instant at time zone o.timezone)::date from organizations o where o.id = organization
$$;

-- Documents and expenses: checks the issue date, also if one is taken back, changed or cancelled, and the day of a cancellation.
create or replace function check_period_of_document() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if old.issued_at is not null then perform require_open_period(old.organization_id, old.issue_date); end if;
    if new.cancelled_at is not null and old.cancelled_at is null then
      perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.cancelled_at));
    end if;
  end if;
  if new.issued_at is not null then perform require_open_period(new.organization_id, new.issue_date); end if;
  return null;
end $$;

-- Payments: checks the payment date, also if one is voided, and the day of the void.
create or replace function check_period_of_payment() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform require_open_period(old.organization_id, old.paid_at);
    if new.voided_at is not null then
      perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.voided_at));
    end if;
  end if;
  perform require_open_period(new.organization_id, new.paid_at);
  return null;
end $$;

-- Allocations: checks the day on which one is booked, also if it is taken back, and the day of that. An allocation to a draft is
-- not booked. A converted payment request keeps its entries: its payments move to the invoice on the day of the conversion.
create or replace function check_period_of_allocation() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until date := locked_until(new.organization_id);
  voided_on date;
begin
  if until is null then return null; end if;
  if tg_op = 'UPDATE' and new.voided_at is not null and not exists (select from documents d
      where d.organization_id = new.organization_id and d.id = new.document_id and d.issued_at is not null) then
    return null;
  end if;
  if tg_op = 'UPDATE' and new.voided_at is not null then
    voided_on := day_of_organization(new.organization_id, new.voided_at);
    if voided_on <= until then perform refuse_locked_day(until, voided_on); end if;
    if exists (select from documents i where i.organization_id = new.organization_id and i.source_document_id = new.document_id
        and i.document_type in ('INVOICE', 'INVOICE_RECEIPT') and i.issued_at = now()) then
      return null;
    end if;
  end if;
  if new.booked_on <= until then perform refuse_locked_day(until, new.booked_on); end if;
  return null;
end $$;

-- Categories of approved expenses: checks the day of the expense and its credits, whose lines are booked by category.
create or replace function check_period_of_category() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  organization uuid := (changed ->> 'organization_id')::uuid;
  expense uuid := coalesce(changed ->> 'expense_id', changed ->> 'id')::uuid;
  day date;
begin
  select min(d.issue_date) into day from documents d where d.organization_id = organization and d.issued_at is not null and d.kind = 'EXPENSE'
    and (d.id = expense or d.source_document_id = expense);
  if day is not null then perform require_open_period(organization, day); end if;
  return null;
end $$;

-- Journal entries, with opening balances and reversals, and movements of the stock: checks their own date. They never change.
create or replace function check_period_of_date() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_open_period(new.organization_id, new.date);
  return null;
end $$;

-- Orders: closing one may clear the rest of "goods received, not billed", on the day of the closing.
create or replace function check_period_of_closed_order() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.ended_at));
  return null;
end $$;

-- Accounts: checks the first day from which lines are booked to another account. The first account of a purpose or category, from
-- the beginning, moves nothing, because nothing was booked there before.
create or replace function check_period_of_account() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform require_open_period(new.organization_id, case when (old.account_id, old.first_day) = (new.account_id, new.first_day)
      then least(old.end_day, new.end_day) else least(old.first_day, new.first_day) end);
  elsif tg_op = 'DELETE' then
    if not exists (select from organizations o where o.id = old.organization_id) then return null; end if; -- the organization is being deleted
    perform require_open_period(old.organization_id, old.first_day);
  elsif new.first_day > '-infinity' or exists (select from account_periods p
      where p.organization_id = new.organization_id and p.subject = new.subject and p.first_day <> new.first_day) then
    perform require_open_period(new.organization_id, new.first_day);
  end if;
  return null;
end $$;

-- Refuses a change of the time zone or main currency that would change a locked period: the zone decides on which day a void or
-- cancellation is booked, and the currency how much a document without an exchange rate is worth.
create or replace function check_period_of_organization() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until date := locked_until(new.id);
  day date;
begin
  if until is null then return null; end if;
  if old.timezone <> new.timezone then
    select min(least(v.was, v.becomes)) into day from (
      select greatest(e.day, (e.instant at time zone old.timezone)::date) as was, greatest(e.day, (e.instant at time zone new.timezone)::date) as becomes
      from (select p.paid_at as day, p.voided_at as instant from payments p
          where p.organization_id = new.id and p.voided_at < (until + 3)::timestamptz and p.source <> 'CREDIT_MEMO'
        union all select a.booked_on, a.voided_at from allocations a where a.organization_id = new.id and a.voided_at < (until + 3)::timestamptz
        union all select d.issue_date, d.cancelled_at from documents d
          where d.organization_id = new.id and d.cancelled_at < (until + 3)::timestamptz and d.payment_id is null) e) v
    where v.was <> v.becomes;
    if day <= until then perform refuse_locked_day(until, day); end if;
  end if;
  if old.currency <> new.currency then
    select min(d.issue_date) into day from documents d where d.organization_id = new.id and d.issued_at is not null and d.rate_currency is null;
    if day <= until then perform refuse_locked_day(until, day); end if;
  end if;
  return null;
end $$;

create or replace trigger check_period_of_new after insert on documents
  for each row when (new.issued_at is not null) execute function check_period_of_document();
create or replace trigger check_period_of_changed after update on documents
  for each row when ((old.issued_at is null) <> (new.issued_at is null) or new.issued_at is not null and (old.cancelled_at is distinct from new.cancelled_at or old.issue_date <> new.issue_date or old.document_type <> new.document_type or old.currency <> new.currency or old.subtotal_minor <> new.subtotal_minor or old.tax_minor <> new.tax_minor or old.total_minor <> new.total_minor or old.exchange_rate is distinct from new.exchange_rate or old.rate_currency is distinct from new.rate_currency or old.payment_id is distinct from new.payment_id or old.source_document_id is distinct from new.source_document_id)) execute function check_period_of_document();
create or replace trigger check_period_of_new after insert on payments for each row execute function check_period_of_payment();
create or replace trigger check_period_of_changed after update on payments
  for each row when (old.voided_at is distinct from new.voided_at or old.paid_at <> new.paid_at or new.source <> 'CREDIT_MEMO'::text and (old.amount_minor <> new.amount_minor or old.withheld_minor <> new.withheld_minor or old.currency <> new.currency or old.exchange_rate is distinct from new.exchange_rate or old.rate_currency is distinct from new.rate_currency or old.bank_account_id is distinct from new.bank_account_id or old.refund_home_minor is distinct from new.refund_home_minor)) execute function check_period_of_payment();
create or replace trigger check_period_of_new after insert on allocations
  for each row execute function check_period_of_allocation();
create or replace trigger check_period_of_changed after update on allocations
  for each row when (old.voided_at is distinct from new.voided_at or old.booked_on is distinct from new.booked_on or old.amount_minor <> new.amount_minor or old.document_home_minor is distinct from new.document_home_minor or old.payment_home_minor is distinct from new.payment_home_minor) execute function check_period_of_allocation();
create or replace trigger check_period after update of category_id, goods_minor on expenses
  for each row when (old.category_id is distinct from new.category_id or old.goods_minor <> new.goods_minor) execute function check_period_of_category();
create or replace trigger check_period_of_changed after update of category_id on expense_splits
  for each row when (old.category_id is distinct from new.category_id) execute function check_period_of_category();
create or replace trigger check_period_of_replaced after insert or delete on expense_splits
  for each row execute function check_period_of_category();
create or replace trigger check_period after insert on journal_entries for each row execute function check_period_of_date();
create or replace trigger check_period after insert on stock_movements for each row execute function check_period_of_date();
create or replace trigger check_period after update on orders
  for each row when (old.cleared_minor <> new.cleared_minor) execute function check_period_of_closed_order();
create or replace trigger check_period after insert or delete or update on account_periods
  for each row execute function check_period_of_account();
create or replace trigger check_period after update of timezone, currency on organizations
  for each row when (old.timezone <> new.timezone or old.currency <> new.currency) execute function check_period_of_organization();
