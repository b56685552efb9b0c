-- Records from which day on an account takes a category or purpose, so that a change does not rewrite earlier days.

-- Books a category or purpose to an account from a day on; with null, to the account of the purpose. The day is today in the time
-- zone of the organization, unless the transaction names another one (app.booked_from).
create or replace function book_from(organization uuid, booked text, account uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = organization);
  since date := coalesce(nullif(current_setting('app.booked_from', true), '')::date, today);
begin
  if today is null then return; end if; -- the organization is being deleted
  if since > today then
    raise exception 'A mapping begins today or before.' using errcode = 'check_violation', constraint = 'mapping_not_in_future';
  end if;
  if exists (select from account_periods p where p.organization_id = organization and p.subject = booked and p.account_id = account
      and p.first_day <= since and p.end_day = 'infinity') then
    return;
  end if;
  delete from account_periods p where p.organization_id = organization and p.subject = booked and p.first_day >= since;
  update account_periods p set end_day = since where p.organization_id = organization and p.subject = booked and p.end_day > since;
  if account is not null then
    insert into account_periods (organization_id, subject, first_day, account_id) values (organization, booked, since, account);
  end if;
end $$;

create or replace function date_mapping() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform book_from(old.organization_id, subject_of(old), null);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if subject_of(old) <> subject_of(new) then perform book_from(old.organization_id, subject_of(old), null); end if;
  end if;
  perform book_from(new.organization_id, subject_of(new), new.account_id);
  return null;
end $$;

-- The first account of a purpose takes all days; an account that gets the purpose later takes it from a day on.
create or replace function date_purpose() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into account_periods (organization_id, subject, first_day, account_id)
      values (new.organization_id, 'PURPOSE:' || new.purpose, '-infinity', new.id);
    return null;
  end if;
  if old.purpose is not null then perform book_from(old.organization_id, 'PURPOSE:' || old.purpose, null); end if;
  if new.purpose is not null then perform book_from(new.organization_id, 'PURPOSE:' || new.purpose, new.id); end if;
  return null;
end $$;

create or replace function map_first_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

create or replace function subject_of(mapping account_mappings) returns text language sql immutable parallel safe as $$
  select case when mapping.bank_account_id is not null then 'BANK:' || mapping.bank_account_id
    when mapping.category_id is not null then 'CATEGORY:' || mapping.category_id
    else 'TAX:' || mapping.account_type || ':' || tax_code(mapping.tax_category) end
$$;

-- The code of a tax category as users write it: ' es33' is ES33, 'zero rated' is ZERO_RATED (categoryCode in
-- countries/tax-category.ts).
create or replace function tax_code(category text) returns text language sql immutable parallel safe as $$
  select replace(upper(btrim(category)), ' ', '_')
$$;
grant execute on function tax_code(text) to kontor_across, kontor_confined;

-- The account that stands against a document that is not an invoice. A payment request is booked with its invoice. A receipt
-- without a payment is income of an issuer who is not registered for tax, and otherwise an advance of the customer. The
-- invoice-receipt of an issuer without registration, which is cancelled like a receipt, was income.
create or replace function unbilled_account(organization uuid, type text, document uuid) returns text
  language sql stable parallel safe as $$
  select case when type = 'INVOICE_RECEIPT' then 'REVENUE' when type <> 'RECEIPT' then 'UNBILLED'
    when (select c.registered from issued_copies c where c.organization_id = organization and c.document_id = document) then 'CUSTOMER_CREDITS'
    else 'REVENUE' end
$$;
grant execute on function unbilled_account(uuid, text, uuid) to kontor_across, kontor_confined;

create or replace trigger date_mapping after insert or delete or update on account_mappings
  for each row execute function date_mapping();
create or replace trigger date_purpose_of_new after insert on accounts
  for each row when (new.purpose is not null) execute function date_purpose();
create or replace trigger date_purpose after update of purpose on accounts
  for each row when (old.purpose is distinct from new.purpose) execute function date_purpose();
create or replace trigger map_first_category after insert on expense_categories
  for each row when (new.is_default) execute function map_first_category();
