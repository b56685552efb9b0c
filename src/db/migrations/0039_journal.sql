-- The journal: accounts are given to purposes and mappings from a day on, a page is read in bounded time, receipts without an
-- invoice are sales or advances, and opening balances are entered once.

-- Which account takes what, from its first day until the day before end_day. The current rows follow accounts.purpose and
-- account_mappings, which stay what users and the version before write. The subject is PURPOSE:<purpose>, BANK:<id>,
-- CATEGORY:<id> or TAX:<type of the account>:<tax category>.
create table account_periods (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  subject         text not null check (subject ~ '^(PURPOSE|BANK|CATEGORY|TAX):.'),
  first_day       date not null,
  end_day         date not null default 'infinity',
  account_id      uuid not null,
  primary key (organization_id, subject, first_day),
  constraint period_has_days check (first_day < end_day),
  foreign key (organization_id, account_id) references accounts
);
create index on account_periods (organization_id, account_id);
select organization_table('account_periods');
revoke insert, update, delete on account_periods from kontor_confined;

-- A tax category as users write it: ' es33' is ES33, 'zero rated' is ZERO_RATED (categoryCode in countries/tax-category.ts).
create function tax_code(category text) returns text language sql immutable parallel safe as $$
  select replace(upper(btrim(category)), ' ', '_')
$$;
grant execute on function tax_code to kontor_confined, kontor_across;

create function subject_of(mapping account_mappings) returns text language sql immutable parallel safe as $$
  select case when mapping.bank_account_id is not null then 'BANK:' || mapping.bank_account_id
    when mapping.category_id is not null then 'CATEGORY:' || mapping.category_id
    else 'TAX:' || mapping.account_type || ':' || tax_code(mapping.tax_category) end
$$;

-- What was booked until now stays where it is.
insert into account_periods (organization_id, subject, first_day, account_id)
  select organization_id, 'PURPOSE:' || purpose, '-infinity'::date, id from accounts where purpose is not null
  union all select m.organization_id, subject_of(m), '-infinity', min(m.account_id::text)::uuid from account_mappings m group by 1, 2;

-- From a day on an account takes the subject; null: the account of the purpose does. The day is today in the time zone of the
-- organization, unless the transaction says since when (app.booked_from).
create function book_from(organization uuid, booked text, account uuid) returns void
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

create function date_mapping() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger date_mapping after insert or update or delete on account_mappings for each row execute function date_mapping();

-- The types of accounts that a purpose fits (purposeTypes in countries/chart.ts).
create function fits_purpose(type text, purpose text) returns boolean language sql immutable parallel safe as $$
  select case
    when purpose in ('CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING') then type = 'ASSET'
    when purpose in ('PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX', 'UNBILLED', 'PAYROLL_PAYABLES') then type = 'LIABILITY'
    when purpose = 'OPENING_BALANCES' then type = 'EQUITY'
    when purpose = 'REVENUE' then type = 'INCOME'
    when purpose in ('EXPENSES', 'PAYROLL') then type = 'EXPENSE'
    when purpose in ('EXCHANGE_DIFFERENCES', 'ROUNDING') then type in ('EXPENSE', 'INCOME')
    else true end
$$;
grant execute on function fits_purpose to kontor_confined;
alter table accounts add constraint purpose_fits_type check (purpose is null or fits_purpose(type, purpose));
grant update (purpose) on accounts to kontor_confined;

-- The first account of a purpose takes everything; one that gets the purpose later takes it from a day on.
create function date_purpose() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger date_purpose_of_new after insert on accounts for each row when (new.purpose is not null) execute function date_purpose();
create trigger date_purpose after update of purpose on accounts for each row
  when (old.purpose is distinct from new.purpose) execute function date_purpose();

-- A purpose moves to another account; it is never without one.
create function require_account_of_purpose() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organizations o where o.id = old.organization_id)
    and not exists (select from accounts a where a.organization_id = old.organization_id and a.purpose = old.purpose) then
    raise exception 'The journal needs an account for %.', old.purpose using errcode = 'check_violation', constraint = 'purpose_has_account';
  end if;
  return null;
end $$;
create constraint trigger purpose_has_account after update on accounts deferrable initially deferred for each row
  when (old.purpose is not null and old.purpose is distinct from new.purpose) execute function require_account_of_purpose();

-- New organizations book sales at the zero rate and exempt ones to the account that the chart of their country has for them.
-- Those that exist keep their mappings.
alter table default_accounts add column tax_categories text[] not null default '{}';
update default_accounts set tax_categories = '{ZR,Z,ZERO,ZERO_RATE,ZERO_RATED,EXEMPT,E}' where (country, code) = ('IL', '4010');
update default_accounts set tax_categories = '{ZR,ES33,ESN33}' where (country, code) = ('SG', '210');
update default_accounts set tax_categories = '{EXEMPT,RESALE,NON_TAXABLE,NONTAXABLE}' where (country, code) = ('US', '4100');
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

-- An entry is not dated after today, and an account has one opening balance on a day; the account of OPENING_BALANCES is the
-- other side of all of them. Who makes an entry waits for the one before, so two at the same time see each other.
create or replace function number_journal_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reversed journal_entries;
  organization organizations;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text || ':journal entries', 0));
  new.number := coalesce((select max(e.number) from journal_entries e where e.organization_id = new.organization_id), 0) + 1;
  select * into organization from organizations o where o.id = new.organization_id;
  new.currency := organization.currency;
  select * into reversed from journal_entries e where e.organization_id = new.organization_id and e.id = new.reverses_id;
  if reversed.reverses_id is not null then
    raise exception 'A reversal is not reversed.' using errcode = 'check_violation', constraint = 'reversal_stays';
  end if;
  if new.date > greatest((now() at time zone organization.timezone)::date, reversed.date) then
    raise exception 'An entry is not dated after today.' using errcode = 'check_violation', constraint = 'entry_not_in_future';
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

-- Another entry that gives the account an opening balance on the day of this one and was not reversed.
create function opening_entry(entry journal_entries, account uuid) returns uuid language sql stable set search_path = public, pg_temp as $$
  select e.id from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.organization_id = entry.organization_id and e.date = entry.date and e.kind = 'OPENING' and e.reverses_id is null
    and e.id <> entry.id and l.account_id = account
    and not exists (select from journal_entries r where r.organization_id = e.organization_id and r.reverses_id = e.id)
    and not exists (select from accounts a where a.organization_id = e.organization_id and a.id = account and a.purpose = 'OPENING_BALANCES')
  limit 1
$$;

-- A page of the journal is found by day and id.
create index allocations_by_day on allocations (organization_id, booked_on, id);
drop index allocations_organization_id_booked_on_idx;

-- The other side of a document that is no invoice: payment requests wait for theirs. A receipt states money for which there is
-- none: income of an issuer who is not registered for tax, an advance of the customer otherwise. The invoice-receipt of such an
-- issuer, which is cancelled like a receipt, was income.
create function unbilled_account(organization uuid, type text, document uuid) returns text language sql stable parallel safe as $$
  select case when type = 'INVOICE_RECEIPT' then 'REVENUE' when type <> 'RECEIPT' then 'UNBILLED'
    when (select c.registered from issued_copies c where c.organization_id = organization and c.document_id = document) then 'CUSTOMER_CREDITS'
    else 'REVENUE' end
$$;
grant execute on function unbilled_account to kontor_confined, kontor_across;

-- The lines of the events from one day and id of an event to another, both included. As before, except for receipts without an
-- invoice: of an issuer who is not registered for tax they are sales, of others an advance of the customer.
create function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text, event_id uuid,
    document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text,
    bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with kinds as materialized (
    select k.kind, k.balance_account, k.result_account, k.unbilled_types from all_ledger_kinds() k
  ), issued as (
    select d.organization_id, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.subtotal_minor, d.tax_minor, d.total_minor
    from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.organization_id, d.issue_date, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end, 1, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.subtotal_minor, d.tax_minor, d.total_minor
    from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ), closed as (
    -- what was asked for without an invoice is no longer owed once it was cancelled or invoiced
    select d.organization_id, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ), paid as (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
      and (p.paid_at, p.id) >= (first_day, first_id) and (p.paid_at, p.id) <= (last_day, last_id)
    union all
    select p.organization_id, greatest(p.paid_at, (p.voided_at at time zone o.timezone)::date), 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p join organizations o on o.id = p.organization_id
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ), allocated as (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where a.booked_on between first_day and last_day and (a.booked_on, a.id) >= (first_day, first_id) and (a.booked_on, a.id) <= (last_day, last_id)
    union all
    select a.organization_id, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), 'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id
    where a.voided_at is not null and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ), lines as (
    -- as for what is owed to us; what we owe is turned round below
    select i.organization_id, i.day, i.event, i.id as event_id, i.id as document_id, i.payment_id, i.direction, i.times, l.line, l.account,
      l.tax_category, null::uuid as bank_account_id, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate) as home_minor,
      h.home, i.exchange_rate, 'ROUNDING' as rest
    from issued i
    join organizations o on o.id = i.organization_id
    join kinds k on k.kind = i.kind
    left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and i.event = 'CREDITED'
    cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
      exists (select from account_periods m where m.subject like 'TAX:%') and exists (select from document_lines l
        where l.organization_id = i.organization_id and l.document_id = i.id and l.tax_category is not null) as split,
      unbilled_account(i.organization_id, coalesce(s.document_type, i.document_type), coalesce(s.id, i.id)) as unbilled,
      case i.event when 'CREDITED' then -1 else 1 end as side) b
    cross join lateral (
      select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax
      where b.billed and not b.split
      union all
      select null, true, i.total_minor, 0 where not b.billed
      union all
      -- the net amount and the tax by tax category, in proportion to the lines
      select c.tax_category, c.is_first,
        (case when c.all_net = 0 then case when c.is_first then n.net else 0 end
          else round(n.net * c.net_upto / c.all_net) - round(n.net * (c.net_upto - c.net) / c.all_net) end)::bigint,
        (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
          else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
      from (select i.subtotal_minor as net) n, (
        select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
          sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
          sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
        from (select tax_code(l.tax_category) as tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
          from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by 1) g) c
      where b.billed and b.split
    ) p
    cross join lateral (values
      (1, case i.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
      (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
      (3, 'TAX', p.tax_category, -b.side * p.tax),
      (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
      ) l (line, account, tax_category, minor)
    union all
    select d.organization_id, e.day, e.event, d.id, d.id, null, d.direction, 1, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, d.exchange_rate, 'ROUNDING'
    from closed e join documents d on d.organization_id = e.organization_id and d.id = e.id
    join organizations o on o.id = d.organization_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
      from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
    cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
      (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
    cross join lateral (select case when d.document_type = 'INVOICE_RECEIPT' then d.tax_minor else 0 end as minor,
      case when d.document_type = 'INVOICE_RECEIPT' then home_minor(d.tax_minor, d.currency, h.home, d.exchange_rate) else 0 end as home) tax
    cross join lateral (values (1, k.balance_account, -open.minor, -open.home),
      (2, unbilled_account(d.organization_id, d.document_type, d.id), open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
    where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
    union all
    -- a refund gives back what was received: the same accounts, the other way round
    select p.organization_id, p.day, p.event, p.id, null, p.id, r.direction, r.times, l.line, l.account, null, l.bank_account_id, l.minor, p.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
        is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
    from paid p
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
      case when p.refund_of is null then p.times else -p.times end as times) r
    cross join lateral (values
      (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (3, 'PREPAYMENTS', null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
    ) l (line, account, bank_account_id, minor, home)
    where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
    union all
    select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
    from allocated a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (values (1, 'PREPAYMENTS', a.amount_minor, coalesce(a.payment_home_minor, a.amount_minor)),
      (2, k.balance_account, -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor))) l (line, account, minor, home)
    where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from lines l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.tax_category,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day and (e.date, e.id) >= (first_day, first_id) and (e.date, e.id) <= (last_day, last_id)
$$;
grant execute on function journal_lines(date, uuid, date, uuid) to kontor_confined, kontor_across;

-- The lines from one day to another, both included.
create or replace function journal_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text, event_id uuid,
    document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text,
    bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  select * from journal_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;

-- The day and id at which a part of the journal ends that has so many documents, payments, allocations and entries; no row if
-- fewer are left. What was cancelled, converted or voided in between is also part of it. Each table gives at most as many rows,
-- in the order of an index.
create function journal_part(first_day date, first_id uuid, last_day date, events integer, out day date, out id uuid) returns setof record
  language sql stable parallel safe as $$
  select day, id from (
    (select d.issue_date as day, d.id from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select d.issue_date, d.id from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select p.paid_at, p.id from payments p where p.paid_at between first_day and last_day
      and (p.paid_at, p.id) >= (first_day, first_id) order by p.paid_at, p.id limit events)
    union all
    (select a.booked_on, a.id from allocations a where a.booked_on between first_day and last_day
      and (a.booked_on, a.id) >= (first_day, first_id) order by a.booked_on, a.id limit events)
    union all
    (select e.date, e.id from journal_entries e where e.date between first_day and last_day
      and (e.date, e.id) >= (first_day, first_id) order by e.date, e.id limit events)) e
  order by day, id offset events - 1 limit 1
$$;
grant execute on function journal_part to kontor_confined, kontor_across;

-- The original shows the terms of the issue, also if it is first printed after they changed. Documents that were issued before
-- have none here and show the present ones.
alter table issued_copies add column terms jsonb;
create or replace function issued_copy(d documents) returns setof issued_copies language sql stable as $$
  select d.organization_id, d.id,
    jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number,
      'taxNumber', o.tax_number, 'address', o.address, 'email', o.email, 'phone', o.phone, 'senderName', s.sender_name),
    case when c.id is not null then jsonb_build_object('name', nullif(d.counterparty_name, ''), 'email', c.email, 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address) end,
    case when b.id is not null then jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban, 'routingNumber', b.routing_number,
      'localBankCode', b.local_bank_code, 'bankAddress', b.bank_address, 'bankCountry', b.bank_country, 'notes', b.notes) end,
    document_language(o.country, c.country, s.language), r.registered,
    coalesce(t.official_type, d.document_type),
    jsonb_build_object('en', coalesce(t.title_en, d.document_type), 'he', coalesce(t.title_he, d.document_type)),
    s.logo_file_id, null::uuid, null::text, now(),
    jsonb_build_object('dueDate', d.due_date, 'payUntil', d.pay_until, 'notes', d.notes)
  from organizations o
  cross join lateral registered_for_numbering(o.id, d.document_type, d.source_document_id) r (registered)
  left join organization_settings s on s.organization_id = o.id
  left join customers c on c.organization_id = d.organization_id and c.id = d.counterparty_id
  left join bank_accounts b on b.organization_id = d.organization_id and b.id = d.bank_account_id
  left join official_document_types t on t.country = o.country and t.document_type = d.document_type
    and t.registered = r.registered
  where o.id = d.organization_id
$$;

-- Payment requests and receipts that were cancelled or converted no longer count as documents, as they are no longer owed.
create function sales_count(d documents) returns integer language sql immutable parallel safe as $$
  select case when d.cancelled_at is not null or d.converted_to_id is not null then 0 else 1 end
$$;
create or replace function add_sales(document documents, sort text, status text, times integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rate numeric := coalesce(document.exchange_rate, 0);
  rated text := coalesce(document.rate_currency, '');
  sold bigint := case sort when 'SALE' then times * document.total_minor else 0 end;
  credited bigint := case sort when 'CREDIT' then times * document.total_minor else 0 end;
  period date := case when status = 'DRAFT' or rate <> 0 then date_trunc('month', document.issue_date)::date else document.issue_date end;
begin
  with gone as (
    delete from sales_by_day s where s.ctid = any (array(select t.ctid from sales_by_day t
      where t.organization_id = document.organization_id and t.day = period and t.sort = add_sales.sort and t.status = add_sales.status
        and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.open_minor
  )
  insert into sales_by_day
    select document.organization_id, period, sort, status, document.currency, rate, rated, sum(a.documents), sum(a.total_minor), sum(a.open_minor)
    from (select * from gone union all
      select times * sales_count(document), times * sales_total(document), times * outstanding_minor(document)) a (documents, total_minor, open_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.open_minor)) <> (0, 0, 0);
  if status <> 'PAID' or sort = 'OTHER' then return; end if;
  with gone as (
    delete from sales_by_customer s where s.ctid = any (array(select t.ctid from sales_by_customer t
      where t.organization_id = document.organization_id and t.year = extract(year from document.issue_date)::integer
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.credited_minor
  )
  insert into sales_by_customer
    select document.organization_id, extract(year from document.issue_date)::integer, document.counterparty_id, document.currency, rate, rated,
      sum(a.documents), sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select case sort when 'SALE' then times else 0 end, sold, credited) a (documents, total_minor, credited_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.credited_minor)) <> (0, 0, 0);
  if rate <> 0 then return; end if;
  with gone as (
    delete from sales_by_customer_day s where s.ctid = any (array(select t.ctid from sales_by_customer_day t
      where t.organization_id = document.organization_id and t.day = document.issue_date
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency for update skip locked))
    returning s.total_minor, s.credited_minor
  )
  insert into sales_by_customer_day
    select document.organization_id, document.issue_date, document.counterparty_id, document.currency, sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select sold, credited) a (total_minor, credited_minor)
    having (sum(a.total_minor), sum(a.credited_minor)) <> (0, 0);
end $$;
create or replace function sales_by_day_now() returns setof sales_by_day language sql stable as $$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), sum(sales_count(d)), sum(sales_total(d))::bigint, sum(outstanding_minor(d))::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
  having (sum(sales_count(d)), sum(sales_total(d)), sum(outstanding_minor(d))) <> (0, 0, 0)
$$;
insert into sales_by_day
  select d.organization_id, case when d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    sales_sort(d.document_type, null, null), d.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), -count(*), 0, 0
  from documents d where d.kind = 'SALES' and d.direction = 'OUTGOING' and d.payment_id is null
    and (d.cancelled_at is not null or d.converted_to_id is not null)
  group by 1, 2, 3, 4, 5, 6, 7;
create index closed_documents on documents (organization_id, counterparty_id) where cancelled_at is not null or converted_to_id is not null;
