-- Expenses: what the organization owes to suppliers, or to a person who paid for it.

insert into ledger_kinds (kind, direction, payment_direction, document_types, unbilled_types, statuses, draft_statuses, payable_statuses,
  transitions, open_status, sent_status, numbered, frozen_when_final, frozen_when_paid, pays_lines, counterparty_needed, balance_account,
  result_account, final_events)
values ('EXPENSE', 'INCOMING', 'INCOMING', '{EXPENSE,CREDIT_MEMO}', '{}', '{DRAFT,PENDING_REVIEW,APPROVED,REJECTED}',
  '{DRAFT,PENDING_REVIEW,REJECTED}', '{DRAFT,PENDING_REVIEW,APPROVED}',
  '{"DRAFT": ["PENDING_REVIEW", "APPROVED", "REJECTED"], "PENDING_REVIEW": ["DRAFT", "APPROVED", "REJECTED"], "APPROVED": ["PENDING_REVIEW"], "REJECTED": ["DRAFT"]}',
  null, null, false,
  '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}',
  '{counterparty_id,currency,minor_digits}', false, false, 'PAYABLES', 'EXPENSES', '{expense.approved,expense.credited}');

-- The columns that only expenses have. The ledger's row has the same id: `tax_minor` there is the input tax that is deducted, the
-- tax that the supplier charged is here.
create table expenses (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  title text,
  vendor text,
  supplier_id uuid,
  claimant_id uuid,
  category_id uuid,
  source text not null check (source in ('MANUAL', 'SCAN', 'EMAIL')),
  charged_tax_minor bigint check (charged_tax_minor >= 0), -- null if nobody said
  deductible_tax_minor bigint check (deductible_tax_minor >= 0), -- null: all of it, if the organization deducts input tax
  notes text,
  document_number text check (document_number <> ''),
  vendor_tax_number text check (vendor_tax_number <> ''),
  allocation_number text check (allocation_number <> ''),
  order_id uuid,
  email_message_id text,
  status_reason text,
  reviewed_by uuid references users on delete set null,
  reviewed_at timestamptz,
  primary key (organization_id, id),
  constraint expense_document foreign key (organization_id, id) references documents on delete cascade,
  constraint expense_supplier foreign key (organization_id, supplier_id) references customers,
  constraint expense_claimant foreign key (organization_id, claimant_id) references customers,
  constraint expense_category foreign key (organization_id, category_id) references expense_categories on delete set null (category_id),
  constraint deductible_within_charged check (deductible_tax_minor is null or deductible_tax_minor <= coalesce(charged_tax_minor, 0))
);
select organization_table('expenses');
create index on expenses (id);
create index on expenses (organization_id, lower(vendor), id);
create index on expenses (organization_id, lower(vendor) desc nulls last, id desc);
create index on expenses (organization_id, category_id);
create index on expenses (organization_id, supplier_id);
create index on expenses (organization_id, claimant_id) where claimant_id is not null;
create index on expenses (reviewed_by);
create index search_expenses on expenses using gin (search_grams(organization_id, coalesce(title, '') || ' ' || coalesce(vendor, '') || ' '
  || coalesce(notes, '') || ' ' || coalesce(document_number, ''))) with (gin_pending_list_limit = 256);

create index on documents (organization_id, issue_date, id) where kind = 'EXPENSE';
create index on documents (organization_id, created_at, id) where kind = 'EXPENSE';
create index on documents (organization_id, major_units(total_minor, minor_digits), id) where kind = 'EXPENSE';
create index on documents (organization_id, status, issue_date, id) where kind = 'EXPENSE';

-- The category of a line, if the expense has more than one. Amounts include the tax.
create table expense_splits (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  expense_id uuid not null,
  line_id text not null,
  category_id uuid,
  description text check (description <> ''), -- null: the line of the ledger says the title of the expense
  amount_minor bigint not null check (amount_minor > 0),
  charged_tax_minor bigint check (charged_tax_minor >= 0),
  primary key (organization_id, expense_id, line_id),
  foreign key (organization_id, expense_id) references expenses on delete cascade,
  foreign key (organization_id, expense_id, line_id) references document_lines on delete cascade deferrable initially deferred,
  foreign key (organization_id, category_id) references expense_categories on delete set null (category_id)
);
select organization_table('expense_splits');
create index on expense_splits (organization_id, category_id);

create table expense_customers (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  expense_id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, expense_id, customer_id),
  foreign key (organization_id, expense_id) references expenses on delete cascade,
  constraint expense_customer foreign key (organization_id, customer_id) references customers on delete cascade
);
select organization_table('expense_customers');
create index on expense_customers (organization_id, customer_id, expense_id);

-- The ids of expenses whose title, vendor, notes or document number contain a text, by index.
create function search_expenses(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select e.id from expenses e where e.organization_id = current_organization()
    and search_grams(e.organization_id, coalesce(e.title, '') || ' ' || coalesce(e.vendor, '') || ' ' || coalesce(e.notes, '') || ' '
      || coalesce(e.document_number, '')) @> search_grams(current_organization(), wanted)
    and (e.title ilike pattern or e.vendor ilike pattern or e.notes ilike pattern or e.document_number ilike pattern)
    limit most;
end $$;
grant execute on function search_expenses(text, text, integer) to kontor_confined;

-- Of an approved expense the title, the notes and the category may change. The other columns follow the ledger's row, which is frozen.
create function guard_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $$;
create trigger guard_expense before update on expenses for each row
  when ((old.id, old.vendor, old.supplier_id, old.claimant_id, old.source, old.charged_tax_minor, old.deductible_tax_minor,
      old.document_number, old.vendor_tax_number, old.allocation_number)
    is distinct from (new.id, new.vendor, new.supplier_id, new.claimant_id, new.source, new.charged_tax_minor, new.deductible_tax_minor,
      new.document_number, new.vendor_tax_number, new.allocation_number))
  execute function guard_expense();

-- Who may be asked for money: a claim is owed to the person who paid, any other expense to the supplier.
create function guard_expense_parties() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.claimant_id is not null and not exists (select from customers c
      where c.organization_id = new.organization_id and c.id = new.claimant_id and c.kind = 'INDIVIDUAL') then
    raise exception 'The claimant is a person.' using errcode = 'check_violation', constraint = 'claimant_is_person';
  end if;
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id
      and d.counterparty_id is distinct from coalesce(new.claimant_id, new.supplier_id)) then
    raise exception 'An expense is owed to its claimant or its supplier.' using errcode = 'check_violation', constraint = 'owed_to_claimant_or_supplier';
  end if;
  return null;
end $$;
create constraint trigger guard_expense_parties after insert or update of supplier_id, claimant_id on expenses
  deferrable initially deferred for each row execute function guard_expense_parties();

-- A list of payments shows one kind.
create index on payments (organization_id, kind, paid_at, id);

-- How many scans an organization has used in a month of its time zone. Scanning counts here.
create table scan_usage (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  period text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  used integer not null check (used >= 0),
  primary key (organization_id, period)
);
select organization_table('scan_usage');

-- Who owns a document or payment of a kind: one of another kind is not found. Without a kind sales are meant.
create function owner_of_documents(row_id uuid, of_kind text) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = of_kind); end $$;
create function owner_of_payments(row_id uuid, of_kind text) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = of_kind); end $$;
create or replace function owner_of_documents(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = 'SALES'); end $$;
create or replace function owner_of_payments(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = 'SALES'); end $$;
grant execute on function owner_of_documents(uuid, text), owner_of_payments(uuid, text) to kontor_confined;

-- Sums of expenses for the dashboard, by vendor: approved ones by their fixed rate and month, or by day without one; those that wait
-- for approval by month. Credits of suppliers are deducted.
create table expenses_by_vendor (
  organization_id uuid not null references organizations on delete cascade,
  day date not null,
  state text not null check (state in ('APPROVED', 'PENDING')),
  vendor text not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  expenses bigint not null,
  total_minor bigint not null
);
create index on expenses_by_vendor (organization_id, day, state, vendor, currency);
select organization_table('expenses_by_vendor');
revoke insert, update, delete on expenses_by_vendor from kontor_confined;

-- What an expense or credit adds to these sums; no row for a rejected one.
create function expense_sum(d documents) returns setof expenses_by_vendor language sql stable set search_path = public, pg_temp as $$
  select d.organization_id, case when s.state = 'PENDING' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.state, case s.state when 'APPROVED' then coalesce((select e.vendor from expenses e
      where e.organization_id = d.organization_id and e.id = coalesce(d.source_document_id, d.id)), '') else '' end,
    d.currency, case s.state when 'APPROVED' then coalesce(d.exchange_rate, 0) else 0 end,
    case s.state when 'APPROVED' then coalesce(d.rate_currency, '') else '' end,
    case d.document_type when 'EXPENSE' then 1 else 0 end::bigint,
    case d.document_type when 'EXPENSE' then d.total_minor else -d.total_minor end
  from (select case d.status when 'APPROVED' then 'APPROVED' else 'PENDING' end as state) s where d.status <> 'REJECTED'
$$;

create function add_expense(document documents, times integer) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  added expenses_by_vendor;
begin
  select * into added from expense_sum(document);
  if not found then return; end if;
  with gone as (
    delete from expenses_by_vendor s where s.ctid = any (array(select t.ctid from expenses_by_vendor t
      where t.organization_id = added.organization_id and t.day = added.day and t.state = added.state and t.vendor = added.vendor
        and t.currency = added.currency and t.fixed_rate = added.fixed_rate and t.rate_currency = added.rate_currency for update skip locked))
    returning s.expenses, s.total_minor
  )
  insert into expenses_by_vendor
    select added.organization_id, added.day, added.state, added.vendor, added.currency, added.fixed_rate, added.rate_currency,
      sum(a.expenses), sum(a.total_minor)
    from (select * from gone union all select times * added.expenses, times * added.total_minor) a (expenses, total_minor)
    having (sum(a.expenses), sum(a.total_minor)) <> (0, 0);
end $$;

create function update_expense_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = old.organization_id) then return null; end if;
  if tg_op <> 'INSERT' then perform add_expense(old, -1); end if;
  if tg_op <> 'DELETE' then perform add_expense(new, 1); end if;
  return null;
end $$;
create trigger update_expense_totals_of_new after insert on documents for each row when (new.kind = 'EXPENSE') execute function update_expense_totals();
create trigger update_expense_totals_of_changed after update on documents for each row
  when (new.kind = 'EXPENSE' and (old.status, old.total_minor, old.currency, old.issue_date, old.exchange_rate)
    is distinct from (new.status, new.total_minor, new.currency, new.issue_date, new.exchange_rate))
  execute function update_expense_totals();
create trigger update_expense_totals_of_deleted after delete on documents for each row when (old.kind = 'EXPENSE') execute function update_expense_totals();

-- The same sums, computed anew.
create function expenses_by_vendor_now() returns setof expenses_by_vendor language sql stable as $$
  select s.organization_id, s.day, s.state, s.vendor, s.currency, s.fixed_rate, s.rate_currency, sum(s.expenses)::bigint, sum(s.total_minor)::bigint
  from documents d, lateral expense_sum(d) s where d.kind = 'EXPENSE' group by 1, 2, 3, 4, 5, 6, 7
  having (sum(s.expenses), sum(s.total_minor)) <> (0, 0)
$$;

-- The counterparties of the organization with this name or number. Row security lets no index for lower() be used, so the function
-- looks at the organization by itself.
create index on customers (organization_id, registration_number) where registration_number is not null;
create function counterparties_called(wanted_name text, wanted_number text) returns setof uuid
  language plpgsql stable security definer rows 1 set search_path = public, pg_temp as $$
begin
  return query select c.id from customers c where c.organization_id = current_organization()
    and (lower(c.name) = lower(wanted_name) or c.registration_number = wanted_number) order by c.id limit 2;
end $$;
grant execute on function counterparties_called(text, text) to kontor_confined;

-- The lines of the journal. As before, and expenses are booked by category: `tax_category` is then CATEGORY:<id>, the subject of account_periods.
create or replace function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text, event_id uuid,
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
      where b.billed and not b.split and i.kind <> 'EXPENSE'
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
      where b.billed and b.split and i.kind <> 'EXPENSE'
      union all
      -- the lines of an expense by category; the credit of a supplier reduces the categories of its expense
      select c.subject, row_number() over (order by c.subject nulls first) = 1, c.net,
        case when row_number() over (order by c.subject nulls first) = 1 then i.tax_minor else 0 end
      from (select 'CATEGORY:' || case when s.line_id is null then e.category_id else s.category_id end as subject, sum(l.amount_minor)::bigint as net
        from document_lines l
        join expenses e on e.organization_id = l.organization_id and e.id = coalesce(i.source_document_id, i.id)
        left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = e.id and s.line_id = l.id
        where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
      where i.kind = 'EXPENSE'
    ) p
    cross join lateral (values
      (1, case i.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
      (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
      (3, 'TAX', case when i.kind <> 'EXPENSE' then p.tax_category end, -b.side * p.tax),
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
