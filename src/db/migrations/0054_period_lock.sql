-- The period lock: nothing dated on or before organization_settings.locked_until is added, changed or voided.

alter table organization_settings add column locked_until date;
grant insert (locked_until), update (locked_until) on organization_settings to kontor_confined;

-- The last locked day of an organization, or null. Who books holds a shared lock until the end of the transaction, and who moves the
-- period lock an exclusive one: no entry slips into a period while it is being locked. The lock costs no write, unlike one on the row,
-- and it exists for an organization without a row of settings too. This function and the next ones run with the rights of the triggers
-- that call them: rights and a search path of their own would double what they cost.
create function locked_until(organization uuid) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(organization::text || ':period lock', 0));
  return (select s.locked_until from organization_settings s where s.organization_id = organization);
end $$;

-- The detail is the last locked day and the day of the entry.
create function refuse_locked_day(until date, day date) returns void language plpgsql as $$
begin
  raise exception 'The period is locked until %.', until using errcode = 'check_violation', constraint = 'period_is_open', detail = until || ' ' || day;
end $$;

create function require_open_period(organization uuid, day date) returns void language plpgsql as $$
declare
  until date := locked_until(organization);
begin
  if day <= until then perform refuse_locked_day(until, day); end if;
end $$;

create function day_of_organization(organization uuid, instant timestamptz) returns date language sql stable as $$
  select (instant at time zone o.timezone)::date from organizations o where o.id = organization
$$;

-- Documents and expenses: the issue date counts, also when one is taken back, changed or cancelled; and the day of a cancellation.
create function check_period_of_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger check_period_of_new after insert on documents for each row when (new.issued_at is not null) execute function check_period_of_document();
create trigger check_period_of_changed after update on documents for each row when (
  (old.issued_at is null) <> (new.issued_at is null)
  or new.issued_at is not null and (old.cancelled_at is distinct from new.cancelled_at or old.issue_date <> new.issue_date
    or old.document_type <> new.document_type or old.currency <> new.currency or old.subtotal_minor <> new.subtotal_minor
    or old.tax_minor <> new.tax_minor or old.total_minor <> new.total_minor or old.exchange_rate is distinct from new.exchange_rate
    or old.rate_currency is distinct from new.rate_currency or old.payment_id is distinct from new.payment_id
    or old.source_document_id is distinct from new.source_document_id))
  execute function check_period_of_document();

-- Payments: the payment date counts, also when one is voided; and the day of the void.
create function check_period_of_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger check_period_of_new after insert on payments for each row execute function check_period_of_payment();
create trigger check_period_of_changed after update on payments for each row when (
  old.voided_at is distinct from new.voided_at or old.paid_at <> new.paid_at or new.source <> 'CREDIT_MEMO'
    and (old.amount_minor <> new.amount_minor or old.withheld_minor <> new.withheld_minor or old.currency <> new.currency
      or old.exchange_rate is distinct from new.exchange_rate or old.rate_currency is distinct from new.rate_currency
      or old.bank_account_id is distinct from new.bank_account_id or old.refund_home_minor is distinct from new.refund_home_minor))
  execute function check_period_of_payment();

-- Allocations: the day on which one is booked counts, also when it is taken back; and the day of that. What was allocated to a draft is
-- not booked. A payment request that is converted keeps its entries: its payments move to the invoice on the day of the conversion.
create function check_period_of_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger check_period_of_new after insert on allocations for each row execute function check_period_of_allocation();
create trigger check_period_of_changed after update on allocations for each row when (
  old.voided_at is distinct from new.voided_at or old.booked_on is distinct from new.booked_on or old.amount_minor <> new.amount_minor
    or old.document_home_minor is distinct from new.document_home_minor or old.payment_home_minor is distinct from new.payment_home_minor)
  execute function check_period_of_allocation();

-- Categories of approved expenses: the lines of the expense and of its credits are booked by them.
create function check_period_of_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger check_period after update of category_id, goods_minor on expenses for each row
  when (old.category_id is distinct from new.category_id or old.goods_minor <> new.goods_minor) execute function check_period_of_category();
create trigger check_period_of_changed after update of category_id on expense_splits for each row
  when (old.category_id is distinct from new.category_id) execute function check_period_of_category();
create trigger check_period_of_replaced after insert or delete on expense_splits for each row execute function check_period_of_category();

-- Journal entries, with opening balances and reversals, and stock movements: their own date counts. They never change.
create function check_period_of_date() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_open_period(new.organization_id, new.date);
  return null;
end $$;
create trigger check_period after insert on journal_entries for each row execute function check_period_of_date();
create trigger check_period after insert on stock_movements for each row execute function check_period_of_date();

-- Closing an order may clear what is left in "goods received, not billed", on the day of the closing.
create function check_period_of_closed_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.ended_at));
  return null;
end $$;
create trigger check_period after update on orders for each row when (old.cleared_minor <> new.cleared_minor) execute function check_period_of_closed_order();

-- Accounts: the first day counts from which lines are booked to another account. The first account of a purpose or category, from the
-- beginning, moves nothing: nothing was booked there before.
create function check_period_of_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform require_open_period(new.organization_id, case when (old.account_id, old.first_day) = (new.account_id, new.first_day)
      then least(old.end_day, new.end_day) else least(old.first_day, new.first_day) end);
  elsif tg_op = 'DELETE' then
    if not exists (select from organizations o where o.id = old.organization_id) then return null; end if; -- it is being deleted
    perform require_open_period(old.organization_id, old.first_day);
  elsif new.first_day > '-infinity' or exists (select from account_periods p
      where p.organization_id = new.organization_id and p.subject = new.subject and p.first_day <> new.first_day) then
    perform require_open_period(new.organization_id, new.first_day);
  end if;
  return null;
end $$;
create trigger check_period after insert or update or delete on account_periods for each row execute function check_period_of_account();

-- The time zone decides on which day a void or cancellation is booked, and the currency what a document without an exchange rate is
-- worth. Neither changes a locked period.
create function check_period_of_organization() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger check_period after update of timezone, currency on organizations for each row
  when (old.timezone <> new.timezone or old.currency <> new.currency) execute function check_period_of_organization();

-- A locked period, while it is locked. kontor verify compares its balances with the journal.
create table period_locks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null default new_id(),
  last_day date not null,
  locked_by uuid references users on delete set null,
  locked_at timestamptz not null default now(),
  summed_up_at timestamptz, -- null until the job sum-up-locked-period has stored the balances
  primary key (organization_id, id),
  constraint one_lock_per_day unique (organization_id, last_day)
);
create index on period_locks (locked_by);
select organization_table('period_locks');
revoke insert, update, delete on period_locks from kontor_confined;
grant update (summed_up_at) on period_locks to kontor_confined;

-- What the journal had booked to each account up to the last day of a locked period, in the home currency.
create table locked_balances (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  lock_id uuid not null,
  account_id uuid not null,
  currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  primary key (organization_id, lock_id, account_id, currency),
  constraint balance_of_lock foreign key (organization_id, lock_id) references period_locks (organization_id, id) on delete cascade,
  constraint balance_of_account foreign key (organization_id, account_id) references accounts (organization_id, id)
);
create index on locked_balances (organization_id, account_id);
select organization_table('locked_balances');
revoke update, delete on locked_balances from kontor_confined;

-- A lock waits for the transactions that book. Those behind it wait for the lock, and may hold rows that the first ones wait for, so the
-- lock gives way after a moment and tries again.
create function hold_period_lock(organization uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  usual text := current_setting('lock_timeout');
begin
  for attempt in 1..10 loop
    begin
      perform set_config('lock_timeout', '150ms', true);
      perform pg_advisory_xact_lock(hashtextextended(organization::text || ':period lock', 0));
      perform set_config('lock_timeout', usual, true);
      return;
    exception when lock_not_available then
      perform pg_sleep(0.02 * random());
    end;
  end loop;
  raise exception 'Others are booking.' using errcode = 'lock_not_available';
end $$;

create function guard_period_lock() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date;
begin
  perform hold_period_lock(new.organization_id);
  today := day_of_organization(new.organization_id, now());
  if new.locked_until > today then
    raise exception 'A period is locked until today at most.' using errcode = 'check_violation', constraint = 'lock_not_in_future', detail = today::text;
  end if;
  if tg_op = 'UPDATE' and old.locked_until > coalesce(new.locked_until, '-infinity') and current_person() is not null
    and not exists (select from memberships m where m.organization_id = new.organization_id and m.user_id = current_person() and m.role = 'OWNER') then
    raise exception 'An owner unlocks a period.' using errcode = 'check_violation', constraint = 'owner_unlocks_period';
  end if;
  return new;
end $$;
create trigger guard_period_lock_of_new before insert on organization_settings for each row
  when (new.locked_until is not null) execute function guard_period_lock();
create trigger guard_period_lock before update of locked_until on organization_settings for each row
  when (old.locked_until is distinct from new.locked_until) execute function guard_period_lock();

create function follow_period_lock() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from period_locks l where l.organization_id = new.organization_id and l.last_day > coalesce(new.locked_until, '-infinity');
  if new.locked_until is not null then
    insert into period_locks (organization_id, last_day, locked_by) values (new.organization_id, new.locked_until, current_person())
      on conflict (organization_id, last_day) do nothing;
  end if;
  return null;
end $$;
create trigger follow_period_lock_of_new after insert on organization_settings for each row
  when (new.locked_until is not null) execute function follow_period_lock();
create trigger follow_period_lock after update of locked_until on organization_settings for each row
  when (old.locked_until is distinct from new.locked_until) execute function follow_period_lock();

-- The lines of the journal with the account of their day, by day, account and home currency.
create function booked_by_account(first_day date, last_day date)
  returns table (organization_id uuid, day date, account_id uuid, currency text, debit_minor bigint, credit_minor bigint)
  language sql stable parallel safe as $$
  select j.organization_id, j.day, coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.home_currency,
    sum(greatest(j.home_minor, 0))::bigint, sum(greatest(-j.home_minor, 0))::bigint
  from journal_lines(first_day, last_day) j
  left join account_periods bank on bank.organization_id = j.organization_id and j.account = 'CASH' and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods tax on tax.organization_id = j.organization_id and tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
    when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
    else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
    when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
    when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
    when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
    else j.account end and j.day >= standard.first_day and j.day < standard.end_day
  where j.home_minor <> 0 and coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id) is not null
  group by 1, 2, 3, 4
$$;
grant execute on function booked_by_account(date, date) to kontor_confined, kontor_across;
