-- Guards the lock of a period: it moves forward, only owners move it back, and it waits for transactions that are booking.

-- The last locked day of an organization, or null. A transaction that books takes a shared lock until its end, and one that moves
-- the period lock an exclusive one, so that no entry gets into a period while it is being locked. An advisory lock needs no write,
-- unlike a lock on the row, and also works for an organization without a row of settings. This function and the next ones run with
-- the rights of the triggers that call them: rights and a search path of their own would double their cost.
create or replace function locked_until(organization uuid) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(organization::text || ':period lock', 0));
  return (select s.locked_until from organization_settings s where s.organization_id = organization);
end $$;

-- Takes the exclusive lock. It waits for the transactions that book; later ones wait for it, and may hold rows that the first ones
-- wait for, so it gives up after a moment and tries again.
create or replace function hold_period_lock(organization uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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

create or replace function guard_period_lock() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date;
begin
  perform hold_period_lock(new.organization_id);
  today := day_of_organization(new.organization_id, now());
  if new.locked_until > today then
    raise exception 'A period is locked until today at most.' using errcode = 'check_violation', constraint = 'lock_not_in_future', detail = today::text;
  end if;
  if tg_op = 'UPDATE' and old.locked_until > coalesce(new.locked_until, '-infinity') then
    perform require_acting_owner(new.organization_id, 'owner_unlocks_period');
  end if;
  return new;
end $$;

create or replace function follow_period_lock() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from period_locks l where l.organization_id = new.organization_id and l.last_day > coalesce(new.locked_until, '-infinity');
  if new.locked_until is not null then
    insert into period_locks (organization_id, last_day, locked_by) values (new.organization_id, new.locked_until, current_person())
      on conflict (organization_id, last_day) do nothing;
  end if;
  return null;
end $$;

-- The lines of the journal with the account of their day, added up by day, account and home currency.
create or replace function booked_by_account(first_day date, last_day date)
  returns table(organization_id uuid, day date, account_id uuid, currency text, debit_minor bigint, credit_minor bigint)
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
grant execute on function booked_by_account(date, date) to kontor_across, kontor_confined;

create or replace trigger guard_period_lock_of_new before insert on organization_settings
  for each row when (new.locked_until is not null) execute function guard_period_lock();
create or replace trigger guard_period_lock before update of locked_until on organization_settings
  for each row when (old.locked_until is distinct from new.locked_until) execute function guard_period_lock();
create or replace trigger follow_period_lock_of_new after insert on organization_settings
  for each row when (new.locked_until is not null) execute function follow_period_lock();
create or replace trigger follow_period_lock after update of locked_until on organization_settings
  for each row when (old.locked_until is distinct from new.locked_until) execute function follow_period_lock();
