-- Keeps the totals of sales by day and customer exact: each change of a document changes them in its transaction.

-- How a sales document counts on the dashboard; null for a receipt that only acknowledges a payment. A document that asks for money
-- without being an invoice is not a sale, and neither is a memo that credits it.
create or replace function sales_sort(document_type text, payment_id uuid, source_type text) returns text
  language sql immutable parallel safe as $$
  select case
    when payment_id is null then case when document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'SALE' else 'OTHER' end
    when document_type = 'CREDIT_MEMO' and source_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'CREDIT'
  end
$$;

-- Payment requests and receipts that were cancelled or converted no longer count as documents, because nothing is owed for them.
create or replace function sales_count(d documents) returns integer language sql immutable parallel safe as $$
  select case when d.cancelled_at is not null or d.converted_to_id is not null then 0 else 1 end
$$;

-- A receipt acknowledges money and claims none. A receipt without a payment has an open balance, which a payment can settle, but it
-- is neither outstanding nor pending.
create or replace function sales_total(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.cancelled_at is not null or d.converted_to_id is not null or (d.document_type = 'RECEIPT' and d.status in ('UNSENT', 'SENT')) then 0
    when d.status = 'PAID' then d.total_minor else d.total_minor - d.credited_minor end
$$;

create or replace function paid_sales() returns table(document documents, sort text) language sql stable as $$
  select d, s.sort
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort in ('SALE', 'CREDIT') and s.status = 'PAID'
$$;

-- Adds a document to its sums, or subtracts it with times -1.
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

create or replace function update_sales_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credited documents; -- the document that a memo credits
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

-- The sums, computed from the documents: they fill the tables at first, and tests and checks compare them with the tables.
create or replace function sales_by_day_now() returns setof sales_by_day language sql stable as $$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), sum(sales_count(d)), sum(sales_total(d))::bigint, sum(outstanding_minor(d))::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
  having (sum(sales_count(d)), sum(sales_total(d)), sum(outstanding_minor(d))) <> (0, 0, 0)
$$;

create or replace function sales_by_customer_now() returns setof sales_by_customer language sql stable as $$
  select d.organization_id, extract(year from d.issue_date)::integer, d.counterparty_id, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*) filter (where p.sort = 'SALE'),
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d group by 1, 2, 3, 4, 5, 6
$$;

create or replace function sales_by_customer_day_now() returns setof sales_by_customer_day language sql stable as $$
  select d.organization_id, d.issue_date, d.counterparty_id, d.currency,
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d where d.exchange_rate is null group by 1, 2, 3, 4
$$;

create or replace trigger update_sales_totals_of_new after insert on documents
  for each row when (new.kind = 'SALES'::text and new.direction = 'OUTGOING'::text) execute function update_sales_totals();
create or replace trigger update_sales_totals_of_deleted after delete on documents
  for each row when (old.kind = 'SALES'::text and old.direction = 'OUTGOING'::text) execute function update_sales_totals();
create or replace trigger update_sales_totals_of_changed after update on documents
  for each row when (new.kind = 'SALES'::text and new.direction = 'OUTGOING'::text and new.payment_id is null and (old.status is distinct from new.status or old.document_type is distinct from new.document_type or old.counterparty_id is distinct from new.counterparty_id or old.currency is distinct from new.currency or old.exchange_rate is distinct from new.exchange_rate or old.issue_date is distinct from new.issue_date or old.total_minor is distinct from new.total_minor or old.paid_minor is distinct from new.paid_minor or old.credited_minor is distinct from new.credited_minor or old.cancelled_at is distinct from new.cancelled_at or old.converted_to_id is distinct from new.converted_to_id)) execute function update_sales_totals();
