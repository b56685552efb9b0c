-- Expenses in the books: bills that were entered twice are found.

create index on expenses (organization_id, document_number) where document_number is not null;

-- The expense categories that an organization starts with are booked to the accounts that the chart of its country has for them.
-- Organizations that exist keep their mappings.
alter table default_accounts add column categories text[] not null default '{}';
update default_accounts a set categories = array[c.name] from (values
  ('IL', '6010', 'Office'),
  ('IL', '6020', 'Software'),
  ('IL', '6030', 'Travel'),
  ('IL', '6040', 'Meals'),
  ('IL', '6050', 'Marketing'),
  ('IL', '6060', 'Professional services'),
  ('IL', '6070', 'Rent and utilities'),
  ('SG', '453', 'Office'),
  ('SG', '463', 'Software'),
  ('SG', '493', 'Travel'),
  ('SG', '420', 'Meals'),
  ('SG', '400', 'Marketing'),
  ('SG', '412', 'Professional services'),
  ('SG', '469', 'Rent and utilities'),
  ('US', '6050', 'Office'),
  ('US', '6080', 'Software'),
  ('US', '6090', 'Travel'),
  ('US', '6040', 'Meals'),
  ('US', '6010', 'Marketing'),
  ('US', '6060', 'Professional services'),
  ('US', '6070', 'Rent and utilities')
) c (country, code, name) where (a.country, a.code) = (c.country, c.code);
create function map_first_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  since text := coalesce(current_setting('app.booked_from', true), '');
begin
  perform set_config('app.booked_from', '-infinity', true);
  insert into account_mappings (organization_id, account_id, account_type, category_id)
    select a.organization_id, a.id, a.type, new.id
    from organizations o
    join default_accounts d on d.country = o.country and new.name = any (d.categories)
    join accounts a on a.organization_id = o.id and a.code = d.code and a.type = 'EXPENSE' and a.active
    where o.id = new.organization_id;
  perform set_config('app.booked_from', since, true);
  return null;
end $$;
create trigger map_first_category after insert on expense_categories for each row when (new.is_default) execute function map_first_category();

-- What the journal keeps by itself, such as receivables, cash and input tax, is no cost: an asset with a purpose takes no category.
create function require_no_control_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from account_mappings m join accounts a on a.organization_id = m.organization_id and a.id = m.account_id
      where m.organization_id = new.organization_id and m.category_id is not null and a.type = 'ASSET' and a.purpose is not null
        and a.id = (to_jsonb(new) ->> case tg_table_name when 'accounts' then 'id' else 'account_id' end)::uuid) then
    raise exception 'An account that the journal keeps by itself takes no expense category.'
      using errcode = 'check_violation', constraint = 'control_account';
  end if;
  return null;
end $$;
create trigger control_account after insert or update on account_mappings for each row when (new.category_id is not null)
  execute function require_no_control_account();
create trigger control_account after update of purpose on accounts for each row when (new.purpose is not null)
  execute function require_no_control_account();

-- Tax that is withheld from suppliers is owed to the authority, so it has an account of its own.
create or replace function fits_purpose(type text, purpose text) returns boolean language sql immutable parallel safe as $$
  select case
    when purpose in ('CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING') then type = 'ASSET'
    when purpose in ('PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX', 'WITHHOLDING_PAYABLE', 'UNBILLED', 'PAYROLL_PAYABLES') then type = 'LIABILITY'
    when purpose = 'OPENING_BALANCES' then type = 'EQUITY'
    when purpose = 'REVENUE' then type = 'INCOME'
    when purpose in ('EXPENSES', 'PAYROLL') then type = 'EXPENSE'
    when purpose in ('EXCHANGE_DIFFERENCES', 'ROUNDING') then type in ('EXPENSE', 'INCOME')
    else true end
$$;
update default_accounts set purpose = 'WITHHOLDING_PAYABLE' where (country, code) = ('IL', '2220');
insert into default_accounts (country, code, name, name_he, type, purpose) values
  ('SG', '835', 'Tax withheld from suppliers', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE'),
  ('US', '2320', 'Tax withheld from vendors', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE');
-- Organizations that exist get the account; one that they use under its code for something else stays as it is.
select set_config('app.booked_from', '-infinity', true);
update accounts a set purpose = d.purpose from organizations o, default_accounts d
  where o.id = a.organization_id and d.country = o.country and d.purpose = 'WITHHOLDING_PAYABLE'
    and (a.code, a.name, a.type) = (d.code, d.name, d.type) and a.active and a.purpose is null;
insert into accounts (organization_id, id, code, name, name_he, type, purpose)
  select o.id, new_id(), (select c from unnest(array[d.code, d.code || '-1', d.code || '-2', d.code || '-3']) with ordinality n (c, turn)
      where not exists (select from accounts a where a.organization_id = o.id and lower(a.code) = lower(c)) order by turn limit 1),
    d.name, d.name_he, d.type, d.purpose
  from organizations o join default_accounts d on d.country = o.country and d.purpose = 'WITHHOLDING_PAYABLE'
  where not exists (select from accounts a where a.organization_id = o.id and a.purpose = d.purpose);
select set_config('app.booked_from', '', true);
