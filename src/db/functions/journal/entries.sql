-- Guards manual entries: they are numbered without gaps and balanced, and their lines are complete.

-- Numbers an entry and checks it: it is not dated after today, and an account has one opening balance on a day. The account of
-- OPENING_BALANCES is the other side of all opening balances. An entry waits for the one before it, so that two at the same time
-- see each other.
create or replace function number_journal_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reversed journal_entries;
  organization organizations;
  last_day date;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text || ':journal entries', 0));
  new.number := coalesce((select max(e.number) from journal_entries e where e.organization_id = new.organization_id), 0) + 1;
  select * into organization from organizations o where o.id = new.organization_id;
  new.currency := organization.currency;
  select * into reversed from journal_entries e where e.organization_id = new.organization_id and e.id = new.reverses_id;
  if reversed.reverses_id is not null then
    raise exception 'A reversal is not reversed.' using errcode = 'check_violation', constraint = 'reversal_stays';
  end if;
  last_day := greatest((now() at time zone organization.timezone)::date, reversed.date);
  if new.date > last_day then
    raise exception 'An entry is not dated after today.' using errcode = 'check_violation', constraint = 'entry_not_in_future',
      detail = new.date || ' ' || last_day;
  end if;
  return new;
end $$;

create or replace function guard_entry_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  entry journal_entries;
begin
  select * into entry from journal_entries e where e.organization_id = new.organization_id and e.id = new.entry_id;
  if entry.created_at <> now() then
    raise exception 'An entry does not change.' using errcode = 'check_violation', constraint = 'entry_is_final';
  end if;
  if entry.reverses_id is null and exists (select from accounts a
      where a.organization_id = new.organization_id and a.id = new.account_id and not a.active) then
    raise exception 'The account is not active.' using errcode = 'check_violation', constraint = 'entry_uses_active_accounts';
  end if;
  if entry.kind = 'OPENING' and entry.reverses_id is null and opening_entry(entry, new.account_id) is not null then
    raise exception 'The account has an opening balance on this day.' using errcode = 'check_violation', constraint = 'one_opening_balance';
  end if;
  return new;
end $$;

create or replace function require_balanced_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from journal_entry_lines l where l.organization_id = new.organization_id and l.entry_id = new.id
      having count(*) >= 2 and sum(l.debit_minor) = sum(l.credit_minor)) then
    raise exception 'Debits and credits differ.' using errcode = 'check_violation', constraint = 'entry_is_balanced';
  end if;
  return null;
end $$;

-- Another opening balance of the account on the day of this entry that was not reversed.
create or replace function opening_entry(entry journal_entries, account uuid) returns uuid
  language sql stable set search_path = public, pg_temp as $$
  select e.id from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.organization_id = entry.organization_id and e.date = entry.date and e.kind = 'OPENING' and e.reverses_id is null
    and e.id <> entry.id and l.account_id = account
    and not exists (select from journal_entries r where r.organization_id = e.organization_id and r.reverses_id = e.id)
    and not exists (select from accounts a where a.organization_id = e.organization_id and a.id = account and a.purpose = 'OPENING_BALANCES')
  limit 1
$$;

create or replace trigger number_journal_entry before insert on journal_entries
  for each row execute function number_journal_entry();
create or replace trigger guard_entry_lines before insert on journal_entry_lines
  for each row execute function guard_entry_lines();
create constraint trigger entry_is_balanced after insert on journal_entries deferrable initially deferred
  for each row execute function require_balanced_entry();
