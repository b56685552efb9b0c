-- Guards the chart of accounts: codes, default accounts, purposes, and which accounts are control accounts.

-- Gives every organization the chart of its country, whatever code creates it.
create or replace function add_default_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (organization_id, id, code, name, name_he, type, purpose)
    select new.id, new_id(), a.code, a.name, a.name_he, a.type, a.purpose from default_accounts a where a.country = new.country
    order by a.code;
  perform set_config('app.booked_from', '-infinity', true);
  insert into account_mappings (organization_id, account_id, account_type, tax_category)
    select a.organization_id, a.id, a.type, c from default_accounts d
    join accounts a on a.organization_id = new.id and a.code = d.code, unnest(d.tax_categories) c
    where d.country = new.country;
  perform set_config('app.booked_from', '', true);
  return null;
end $$;

-- Refuses codes of accounts that differ only in case. Existing ones stay.
create or replace function guard_account_code() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts a where a.organization_id = new.organization_id and a.id <> new.id and lower(a.code) = lower(new.code))
    and (tg_op = 'INSERT' or new.code <> old.code) then
    raise exception 'There is an account with that code.' using errcode = 'unique_violation', constraint = 'one_account_per_code';
  end if;
  return new;
end $$;

-- Refuses to leave a purpose without an account; it can move to another one.
create or replace function require_account_of_purpose() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organizations o where o.id = old.organization_id)
    and not exists (select from accounts a where a.organization_id = old.organization_id and a.purpose = old.purpose) then
    raise exception 'The journal needs an account for %.', old.purpose using errcode = 'check_violation', constraint = 'purpose_has_account';
  end if;
  return null;
end $$;

-- Refuses a category on an asset with a purpose, such as receivables, cash and input tax: the journal keeps these by itself, and
-- they are no cost.
create or replace function require_no_control_account() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from account_mappings m join accounts a on a.organization_id = m.organization_id and a.id = m.account_id
      where m.organization_id = new.organization_id and m.category_id is not null and a.type = 'ASSET' and a.purpose is not null
        and a.id = (to_jsonb(new) ->> case tg_table_name when 'accounts' then 'id' else 'account_id' end)::uuid) then
    raise exception 'An account that the journal keeps by itself takes no expense category.'
      using errcode = 'check_violation', constraint = 'control_account';
  end if;
  return null;
end $$;

create or replace trigger add_default_accounts after insert on organizations for each row execute function add_default_accounts();
create or replace trigger guard_account_code before insert or update of code on accounts
  for each row execute function guard_account_code();
create constraint trigger purpose_has_account after update on accounts deferrable initially deferred
  for each row when (old.purpose is not null and old.purpose is distinct from new.purpose) execute function require_account_of_purpose();
create or replace trigger control_account after insert or update on account_mappings
  for each row when (new.category_id is not null) execute function require_no_control_account();
create or replace trigger control_account after update of purpose on accounts
  for each row when (new.purpose is not null) execute function require_no_control_account();
