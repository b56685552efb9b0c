-- What the dashboard adds up, kept as sums beside the ledger, and the journal that is read from it.

-- Sums are written by triggers, in the transaction of what they sum up, and never changed in place: whoever adds to a
-- sum takes the rows of it that nobody else holds and puts one in their stead. So nobody waits for anybody's sum, and a
-- sum that was busy is a few rows for a while; readers add them up.

-- The day is the one whose exchange rate counts. Where a rate is fixed, or today's counts, it is the first of the month.
create table sales_by_day (
  organization_id uuid not null references organizations on delete cascade,
  day             date not null,
  sort            text not null check (sort in ('SALE', 'OTHER', 'CREDIT')),
  status          text not null, -- of a credit memo, that of the document it credits
  currency        text not null,
  fixed_rate      numeric not null, -- that of the document; zero where it has none
  rate_currency   text not null, -- what that rate leads to; empty where there is none
  documents       bigint not null,
  total_minor     bigint not null,
  open_minor      bigint not null
);
create index on sales_by_day (organization_id, day, sort, status, currency);
select organization_table('sales_by_day');

-- What was paid by customers in a year; by day only where no rate is fixed, since the day then decides the rate.
create table sales_by_customer (
  organization_id uuid not null references organizations on delete cascade,
  year            integer not null,
  counterparty_id uuid not null, -- no reference: the documents have it
  currency        text not null,
  fixed_rate      numeric not null,
  rate_currency   text not null,
  documents       bigint not null,
  total_minor     bigint not null,
  credited_minor  bigint not null
);
create index on sales_by_customer (organization_id, year, counterparty_id, currency);
select organization_table('sales_by_customer');
create table sales_by_customer_day (
  organization_id uuid not null references organizations on delete cascade,
  day             date not null,
  counterparty_id uuid not null,
  currency        text not null,
  total_minor     bigint not null,
  credited_minor  bigint not null
);
create index on sales_by_customer_day (organization_id, counterparty_id, day, currency);
select organization_table('sales_by_customer_day');

-- Money that came and went. What a credit memo grants is no money.
create table cash_by_day (
  organization_id uuid not null references organizations on delete cascade,
  day             date not null,
  direction       text not null,
  currency        text not null,
  payments        bigint not null,
  amount_minor    bigint not null
);
create index on cash_by_day (organization_id, day, direction, currency);
select organization_table('cash_by_day');
revoke insert, update, delete on sales_by_day, sales_by_customer, sales_by_customer_day, cash_by_day from kontor_confined;

-- What a sales document is to the dashboard; null for a receipt that only acknowledges a payment. A document that asks for
-- money without being an invoice is no sale, and neither is what credits it.
create function sales_sort(document_type text, payment_id uuid, source_type text) returns text language sql immutable parallel safe as $$
  select case
    when payment_id is null then case when document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'SALE' else 'OTHER' end
    when document_type = 'CREDIT_MEMO' and source_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'CREDIT'
  end
$$;

-- The sums as the documents have them: what the tables above start with, and what they are compared with.
create function sales_by_day_now() returns setof sales_by_day language sql stable as $$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*), sum(d.total_minor)::bigint, sum(d.total_minor - d.paid_minor)::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
$$;
create function paid_sales() returns table (document documents, sort text) language sql stable as $$
  select d, s.sort
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort in ('SALE', 'CREDIT') and s.status = 'PAID'
$$;
create function sales_by_customer_now() returns setof sales_by_customer language sql stable as $$
  select d.organization_id, extract(year from d.issue_date)::integer, d.counterparty_id, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*) filter (where p.sort = 'SALE'),
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d group by 1, 2, 3, 4, 5, 6
$$;
create function sales_by_customer_day_now() returns setof sales_by_customer_day language sql stable as $$
  select d.organization_id, d.issue_date, d.counterparty_id, d.currency,
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d where d.exchange_rate is null group by 1, 2, 3, 4
$$;
create function cash_by_day_now() returns setof cash_by_day language sql stable as $$
  select p.organization_id, p.paid_at, p.direction, p.currency, count(*), sum(p.amount_minor)::bigint
  from payments p where p.voided_at is null and p.source <> 'CREDIT_MEMO' group by 1, 2, 3, 4
$$;

-- Adds a document to its sums, or takes it off them with times -1.
create function add_sales(document documents, sort text, status text, times integer) returns void
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
      select times, times * document.total_minor, times * (document.total_minor - document.paid_minor)) a (documents, total_minor, open_minor)
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

create function sum_up_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credited documents; -- what a memo credits
  memo documents;
  sort text;
begin
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = old.organization_id) then return null; end if;
  if tg_op <> 'INSERT' then
    sort := sales_sort(old.document_type, old.payment_id, null);
    if sort is not null then perform add_sales(old, sort, old.status, -1); end if;
  end if;
  if tg_op = 'DELETE' then return null; end if;
  select * into credited from documents d
    where d.organization_id = new.organization_id and d.id = new.source_document_id and new.document_type = 'CREDIT_MEMO';
  sort := sales_sort(new.document_type, new.payment_id, credited.document_type);
  if sort = 'CREDIT' then
    perform add_sales(new, sort, credited.status, 1);
  elsif sort is not null then
    perform add_sales(new, sort, new.status, 1);
  end if;
  if sort is distinct from 'SALE' or tg_op = 'INSERT' or old.status = new.status then return null; end if;
  for memo in select * from documents d where d.organization_id = new.organization_id and d.source_document_id = new.id and d.document_type = 'CREDIT_MEMO' loop
    perform add_sales(memo, 'CREDIT', old.status, -1);
    perform add_sales(memo, 'CREDIT', new.status, 1);
  end loop;
  return null;
end $$;
create trigger sum_up_new after insert on documents for each row
  when (new.kind = 'SALES' and new.direction = 'OUTGOING') execute function sum_up_document();
create trigger sum_up_deleted after delete on documents for each row
  when (old.kind = 'SALES' and old.direction = 'OUTGOING') execute function sum_up_document();
-- A receipt or a memo is issued in one go and never changes.
create trigger sum_up_changed after update on documents for each row
  when (new.kind = 'SALES' and new.direction = 'OUTGOING' and new.payment_id is null
    and (old.status, old.document_type, old.counterparty_id, old.currency, old.exchange_rate, old.issue_date, old.total_minor, old.paid_minor)
      is distinct from (new.status, new.document_type, new.counterparty_id, new.currency, new.exchange_rate, new.issue_date, new.total_minor, new.paid_minor))
  execute function sum_up_document();

create function sum_up_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  times integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  with gone as (
    delete from cash_by_day s where s.ctid = any (array(select t.ctid from cash_by_day t
      where t.organization_id = new.organization_id and t.day = new.paid_at and t.direction = new.direction and t.currency = new.currency
      for update skip locked))
    returning s.payments, s.amount_minor
  )
  insert into cash_by_day
    select new.organization_id, new.paid_at, new.direction, new.currency, sum(a.payments), sum(a.amount_minor)
    from (select * from gone union all select times, times * new.amount_minor) a (payments, amount_minor)
    having (sum(a.payments), sum(a.amount_minor)) <> (0, 0);
  return null;
end $$;
create trigger sum_up_new after insert on payments for each row when (new.source <> 'CREDIT_MEMO' and new.voided_at is null)
  execute function sum_up_payment();
create trigger sum_up_voided after update of voided_at on payments for each row
  when (new.source <> 'CREDIT_MEMO' and old.voided_at is null and new.voided_at is not null) execute function sum_up_payment();

insert into sales_by_day select * from sales_by_day_now();
insert into sales_by_customer select * from sales_by_customer_now();
insert into sales_by_customer_day select * from sales_by_customer_day_now();
insert into cash_by_day select * from cash_by_day_now();

-- The open invoices, those due first; what is due on no day is last.
create index on documents (organization_id, due_date, id) where kind = 'SALES' and direction = 'OUTGOING' and status in ('UNSENT', 'SENT');

revoke execute on function add_sales, sales_by_day_now, paid_sales, sales_by_customer_now, sales_by_customer_day_now, cash_by_day_now from public;

-- An amount at a rate that has the minor units in it already: `rate` of one currency's for `per` of the other's. What is
-- converted by the thousand works them out once for each rate; rounding is in one place.
create function convert_units(amount numeric, per numeric, rate numeric) returns numeric language sql immutable parallel safe as $$
  select sign(amount) * div(2 * abs(amount) * rate + per, 2 * per)
$$;
create or replace function convert_minor(amount numeric, from_currency text, to_currency text, from_rate numeric, to_rate numeric)
  returns numeric language sql immutable parallel safe as $$
  select convert_units(amount, from_rate * minor_units(from_currency), to_rate * minor_units(to_currency))
$$;

-- The journal: what happened to the books, in double entry, read from documents, payments and allocations and kept nowhere.
-- The entries of an event add up to zero in their currency. A draft and a receipt for a payment are no events; what was
-- voided is entered again the other way round, on the day of the void.
--
-- An invoice is revenue and tax when it is issued. What asks for money without being an invoice (a payment request, a
-- receipt without one) is UNBILLED until there is one. Money first belongs to the customer (PREPAYMENTS) and pays
-- documents from there, and so does what a credit memo grants. It is plain SQL without rights of its own: whoever asks
-- sees the entries of the rows that they see.
create function journal() returns table (
    organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid,
    account text, debit_minor bigint, credit_minor bigint, currency text)
  language sql stable parallel safe as $$
  with happened as (
    -- as for what is owed to us, debits positive; what we owe is turned round below
    select d.organization_id, d.issue_date as day, null::timestamptz as voided_at, 'ISSUED' as event, d.id as event_id, d.id as document_id,
      null::uuid as payment_id, d.currency, d.direction, e.account, e.minor
    from documents d cross join lateral (select d.direction = 'INCOMING' or d.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') as billed) b
    cross join lateral (values
      (case d.direction when 'OUTGOING' then 'RECEIVABLES' else 'PAYABLES' end, d.total_minor),
      (case when not b.billed then 'UNBILLED' when d.direction = 'OUTGOING' then 'REVENUE' else 'EXPENSES' end,
        case when b.billed then d.tax_minor else 0 end - d.total_minor),
      ('TAX', case when b.billed then -d.tax_minor else 0 end)) e (account, minor)
    where d.status <> 'DRAFT' and d.payment_id is null
    union all
    select d.organization_id, d.issue_date, null, 'CREDITED', d.id, d.id, d.payment_id, d.currency, d.direction, e.account, e.minor
    from documents d join documents s on s.organization_id = d.organization_id and s.id = d.source_document_id
    cross join lateral (select s.direction = 'INCOMING' or s.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') as billed) b
    cross join lateral (values
      ('PREPAYMENTS', -d.total_minor),
      (case when not b.billed then 'UNBILLED' when d.direction = 'OUTGOING' then 'REVENUE' else 'EXPENSES' end,
        d.total_minor - case when b.billed then d.tax_minor else 0 end),
      ('TAX', case when b.billed then d.tax_minor else 0 end)) e (account, minor)
    where d.document_type = 'CREDIT_MEMO' and d.payment_id is not null
    union all
    select p.organization_id, p.paid_at, p.voided_at, 'PAID', p.id, null, p.id, p.currency, p.direction, e.account, e.minor
    from payments p cross join lateral (values ('CASH', p.amount_minor), ('PREPAYMENTS', -p.amount_minor)) e (account, minor)
    where p.source <> 'CREDIT_MEMO'
    union all
    select a.organization_id, greatest(p.paid_at, d.issue_date), a.voided_at, 'ALLOCATED', a.id, a.document_id, a.payment_id, d.currency, d.direction,
      e.account, e.minor
    from allocations a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    cross join lateral (values ('PREPAYMENTS', a.amount_minor),
      (case d.direction when 'OUTGOING' then 'RECEIVABLES' else 'PAYABLES' end, -a.amount_minor)) e (account, minor)
  )
  select h.organization_id, t.day, h.event || t.voided, h.event_id, h.document_id, h.payment_id, h.account,
    greatest(t.minor, 0), greatest(-t.minor, 0), h.currency
  from happened h left join organizations o on o.id = h.organization_id and h.voided_at is not null
  cross join lateral (select case h.direction when 'OUTGOING' then h.minor else -h.minor end as minor) s
  cross join lateral (
    select h.day, '' as voided, s.minor
    union all select greatest(h.day, (h.voided_at at time zone o.timezone)::date), '_VOIDED', -s.minor where h.voided_at is not null) t
  where t.minor <> 0
$$;
