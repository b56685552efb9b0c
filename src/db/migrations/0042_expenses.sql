-- Expenses: what the organization owes to suppliers, or to a person who paid for it.

insert into ledger_kinds (kind, direction, payment_direction, document_types, unbilled_types, statuses, draft_statuses, payable_statuses,
  transitions, open_status, sent_status, numbered, frozen_when_final, frozen_when_paid, pays_lines, counterparty_needed, balance_account,
  result_account, final_events)
values ('EXPENSE', 'INCOMING', 'INCOMING', '{EXPENSE,SUPPLIER_CREDIT}', '{}', '{DRAFT,PENDING_REVIEW,APPROVED,REJECTED}',
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

-- The kind of what a payment settles; a refund has that of the payment it gives back. Payments of one kind are not seen with the
-- scope of another.
alter table payments add column kind text not null default 'SALES' references ledger_kinds;
grant insert (kind) on payments to kontor_confined;
create index on payments (organization_id, kind, paid_at, id);
alter table documents add constraint document_kind foreign key (kind) references ledger_kinds;

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
