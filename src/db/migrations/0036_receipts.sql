-- Receipts: money is stated once.

-- A payment that has a valid receipt does not pay a receipt or invoice-receipt, which would state the same money a second time.
-- Both triggers hold the lock of the payment while they look, so that of two at the same time the second sees the first.
-- On allocations it fires after apply_allocation(), which has locked the document and then the payment.
create function refuse_second_statement() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment uuid := new.payment_id;
  stated boolean;
begin
  if tg_table_name = 'documents' then
    perform from payments p where p.organization_id = new.organization_id and p.id = payment for no key update;
    stated := exists (select from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null);
  else
    stated := exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'))
      and exists (select from documents r where r.organization_id = new.organization_id and r.payment_id = payment
        and r.document_type = 'RECEIPT' and r.cancelled_at is null);
  end if;
  if stated then
    raise exception 'The payment is stated by a receipt already.' using errcode = 'check_violation', constraint = 'payment_stated_once';
  end if;
  return null;
end $$;
create trigger refuse_second_statement after insert on allocations for each row execute function refuse_second_statement();
create trigger refuse_second_statement after insert on documents for each row
  when (new.document_type = 'RECEIPT' and new.payment_id is not null) execute function refuse_second_statement();

-- A receipt acknowledges money and claims none: one without a payment has an open balance, which a payment can settle, but it is
-- neither outstanding nor pending.
create or replace function sales_total(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.cancelled_at is not null or d.converted_to_id is not null or (d.document_type = 'RECEIPT' and d.status in ('UNSENT', 'SENT')) then 0
    when d.status = 'PAID' then d.total_minor else d.total_minor - d.credited_minor end
$$;
create function outstanding_minor(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.document_type = 'RECEIPT' and d.issued_at is not null then 0 else open_minor(d) end
$$;

create or replace function add_sales(document documents, sort text, status text, times integer) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
      select times, times * sales_total(document), times * outstanding_minor(document)) a (documents, total_minor, open_minor)
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

create or replace function sales_by_day_now() returns SETOF sales_by_day language sql stable as $$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*), sum(sales_total(d))::bigint, sum(outstanding_minor(d))::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
$$;

delete from sales_by_day;
insert into sales_by_day select * from sales_by_day_now();

-- Tax that was withheld from a payment went to the state and is not refunded: refunds are at most the cash.
create or replace function apply_refund() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set refunded_minor = p.refunded_minor + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
    where p.organization_id = new.organization_id and p.id = new.refund_of
      and (tg_op = 'UPDATE' or (p.voided_at is null and p.source <> 'REFUND' and p.currency = new.currency
        and p.direction <> new.direction and p.counterparty_id is not distinct from new.counterparty_id
        and (p.withheld_minor = 0 or p.refunded_minor + new.amount_minor <= p.amount_minor - p.withheld_minor)));
  if not found then
    raise exception 'That payment cannot be refunded.' using errcode = 'check_violation', constraint = 'refund_fits_payment';
  end if;
  return null;
end $$;

-- The notes of a receipt that was issued for a payment are final too, and so is its withheld tax by either name.
drop trigger guard_legal_content on documents;
create trigger guard_legal_content before update on documents for each row
  when (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at
    or old.converted_to_id is not null and new.converted_to_id is distinct from old.converted_to_id
    or old.issued_at is not null and (
      (old.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') or old.document_type = 'RECEIPT' and old.payment_id is not null)
        and new.notes is distinct from old.notes
      or old.document_type in ('RECEIPT', 'INVOICE_RECEIPT')
        and (new.country_specific_data -> 'withholdingTax' is distinct from old.country_specific_data -> 'withholdingTax'
          or new.country_specific_data -> 'withheldAmount' is distinct from old.country_specific_data -> 'withheldAmount')))
  execute function guard_legal_content();
