-- The journal, computed from the rows of the ledger: each source of entries has its function.

-- The computed journal, in the currencies of its documents and payments, with the names of accounts that the code uses.
create or replace function journal()
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, account text, debit_minor bigint, credit_minor bigint, currency text)
  language sql stable parallel safe as $$
  select l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.account, greatest(sum(l.minor), 0)::bigint,
    greatest(-sum(l.minor), 0)::bigint, l.currency
  from journal_lines('-infinity', 'infinity') l where l.entry_id is null
  group by l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.line, l.account, l.currency having sum(l.minor) <> 0
$$;
grant execute on function journal() to kontor_across, kontor_confined;

-- The entries of documents. Whether a line is divided by tax category depends on the accounts of its own organization, also if
-- several organizations are read at once.
create or replace function journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, b.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.tax_category, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.* from documents d where d.kind = 'SALES' and d.document_type <> 'RECEIPT' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all -- apart, since sales have an index of their own
    select d.* from documents d where d.kind not in ('SALES', 'EXPENSE') and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event) e
  left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and e.event = 'CREDITED'
  cross join lateral (select e.event, coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
    exists (select from account_periods m where m.organization_id = i.organization_id and m.subject like 'TAX:%') and exists (select from document_lines l
      where l.organization_id = i.organization_id and l.document_id = i.id and l.tax_category is not null) as split,
    unbilled_account(i.organization_id, coalesce(s.document_type, i.document_type), coalesce(s.id, i.id)) as unbilled,
    case e.event when 'CREDITED' then -1 else 1 end as side) b
  cross join lateral (
    select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax where b.billed and not b.split
    union all
    select null, true, i.total_minor, 0 where not b.billed
    union all
    -- the net amount and the tax by tax category, in proportion to the lines
    select c.tax_category, c.is_first,
      (case when c.all_net = 0 then case when c.is_first then i.subtotal_minor else 0 end
        else round(i.subtotal_minor * c.net_upto / c.all_net) - round(i.subtotal_minor * (c.net_upto - c.net) / c.all_net) end)::bigint,
      (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
        else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
    from (select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
        sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
        sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
      from (select tax_code(l.tax_category) as tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
        from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by 1) g) c
    where b.billed and b.split
  ) p
  cross join lateral (values
    (1, case b.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
    (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
    (3, 'TAX', p.tax_category, -b.side * p.tax),
    (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
  ) l (line, account, tax_category, minor)
$$;
grant execute on function journal_of_documents(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The entries of approved expenses and of credits of suppliers, by category. A credit reduces the categories of its expense; a
-- voided one is booked the other way round on the day of the void. The goods of an order are not an expense. A deleted category
-- keeps its subject. The expense of each document is read by index.
create or replace function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.day, i.event, i.id, i.id, i.payment_id, i.direction, i.times, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.*, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times
    from documents d where d.kind = 'EXPENSE' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.*, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date), 'CANCELLED', -1
    from documents d join organizations o on o.id = d.organization_id
    where d.kind = 'EXPENSE' and d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day)
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net,
      -- of the goods as much as fits into each category, one after the other
      greatest(0, least(c.net, c.goods - (sum(c.net) over (order by c.subject nulls first) - c.net)))::bigint as goods
    from (select 'CATEGORY:' || case when s.line_id is null then coalesce(x.category_id, x.deleted_category_id)
          else coalesce(s.category_id, s.deleted_category_id) end as subject, sum(l.amount_minor)::bigint as net,
        max(case when i.document_type = 'EXPENSE' then x.goods_minor else i.goods_minor end) as goods
      from document_lines l
      -- not coalesce(): under row security PostgreSQL would read all expenses for each document
      join expenses x on x.organization_id = l.organization_id and x.id = case when i.source_document_id is null then i.id else i.source_document_id end
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case when i.payment_id is not null then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * (p.net - p.goods)),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end),
    (5, 'GOODS_RECEIVED', null, -e.side * p.goods)
  ) l (line, account, subject, minor)
  where i.day between first_day and last_day and (i.day, i.id) >= (first_day, first_id) and (i.day, i.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_expenses(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The entries of cancelled and voided documents. A voided payslip is booked back on its own account and its own day, because the
-- month is generated again, and a locked month has no voids.
create or replace function journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select d.organization_id, e.day, e.event, d.id, d.id, null::uuid, d.direction, 1, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, d.exchange_rate, 'ROUNDING'
  from (
    select d.organization_id, case when d.kind in ('PAYSLIP', 'LEAVE_CLAIM') then d.issue_date
        else greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) end as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null and (d.kind, d.document_type) <> ('SALES', 'RECEIPT')
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ) e
  join documents d on d.organization_id = e.organization_id and d.id = e.id
  join organizations o on o.id = d.organization_id
  join all_ledger_kinds() k on k.kind = d.kind
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
  cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
    (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
  cross join lateral (select case when d.document_type = 'INVOICE_RECEIPT' then d.tax_minor else 0 end as minor,
    case when d.document_type = 'INVOICE_RECEIPT' then home_minor(d.tax_minor, d.currency, h.home, d.exchange_rate) else 0 end as home) tax
  cross join lateral (values (1, k.balance_account, -open.minor, -open.home),
    (2, case when d.kind in ('SALES', 'EXPENSE') then unbilled_account(d.organization_id, d.document_type, d.id) else k.result_account end, open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
  where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_closed(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The entries of payments. The open rest of a payment is booked where its kind says: wages paid in advance are part of what is owed
-- for payroll.
create or replace function journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select p.organization_id, p.day, p.event, p.id, null::uuid, p.id, r.direction, r.times, l.line, l.account, null::text, l.bank_account_id, l.minor, p.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
      is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
  from (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
      and (p.paid_at, p.id) >= (first_day, first_id) and (p.paid_at, p.id) <= (last_day, last_id)
    union all
    select p.organization_id, p.voided_on, 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ) p
  join all_ledger_kinds() k on k.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
    case when p.refund_of is null then p.times else -p.times end as times) r
  cross join lateral (values
    (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (3, k.advances_account, null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
  ) l (line, account, bank_account_id, minor, home)
  where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_payments(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The entries of allocations and their voids: a payment or credit is used for a document. Money on a receipt of an issuer who is
-- not registered for tax is income, at the rate of the payment. An advance is booked with its payment alone. An allocation that is
-- voided with its payment is reversed on the same day.
create or replace function journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid)
  returns setof journal_part_line
  language sql stable parallel safe as $$
  select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
  from (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where not a.is_advance and a.booked_on between first_day and last_day and (a.booked_on, a.id) >= (first_day, first_id) and (a.booked_on, a.id) <= (last_day, last_id)
    union all
    select a.organization_id, greatest(a.booked_on, case when v.voided_at = a.voided_at then v.voided_on else (a.voided_at at time zone o.timezone)::date end),
      'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id join payments v on v.organization_id = a.organization_id and v.id = a.payment_id
    where a.voided_at is not null and not a.is_advance and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ) a
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  join documents d on d.organization_id = a.organization_id and d.id = a.document_id
  join all_ledger_kinds() k on k.kind = d.kind
  join all_ledger_kinds() m on m.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select (d.kind, d.document_type) = ('SALES', 'RECEIPT') as is_receipt, coalesce(a.payment_home_minor, a.amount_minor) as home) u
  cross join lateral (values (1, m.advances_account, a.amount_minor, u.home),
    (2, case when u.is_receipt then unbilled_account(d.organization_id, d.document_type, d.id) else k.balance_account end, -a.amount_minor,
      case when u.is_receipt then -u.home else -coalesce(a.document_home_minor, a.amount_minor) end)) l (line, account, minor, home)
  where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_allocations(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The entries of movements of the stock, at cost, in the home currency, and of the clearing when an order is closed.
create or replace function journal_of_stock(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select m.organization_id, m.date, 'STOCK', m.id, m.document_id, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, m.home_currency,
    l.minor, m.home_currency, 1::numeric, 'ROUNDING'
  from stock_movements m
  left join orders o on o.organization_id = m.organization_id and o.id = m.order_id
  cross join lateral (values (1, 'STOCK', m.value_minor),
    (2, case when m.source = 'OPENING' then 'OPENING_BALANCES' when m.source = 'MANUAL' then 'STOCK_ADJUSTMENTS'
      when m.source = 'ORDER' and o.kind = 'PURCHASE' then 'GOODS_RECEIVED' else 'COST_OF_GOODS_SOLD' end, -m.value_minor - m.difference_minor),
    (3, 'COST_OF_GOODS_SOLD', m.difference_minor)) l (line, account, minor)
  where m.date between first_day and last_day and (m.date, m.id) >= (first_day, first_id) and (m.date, m.id) <= (last_day, last_id)
  union all
  select o.organization_id, c.day, 'ORDER_CLOSED', o.id, null::uuid, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, o.cleared_currency,
    l.minor, o.cleared_currency, 1::numeric, 'ROUNDING'
  from orders o join organizations g on g.id = o.organization_id
  cross join lateral (select (o.ended_at at time zone g.timezone)::date as day) c
  cross join lateral (values (1, 'GOODS_RECEIVED', o.cleared_minor), (2, o.cleared_account, -o.cleared_minor)) l (line, account, minor)
  where o.cleared_minor <> 0 and o.ended_at >= (first_day - 2)::timestamptz and o.ended_at < (last_day + 3)::timestamptz
    and c.day between first_day and last_day and (c.day, o.id) >= (first_day, first_id) and (c.day, o.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_stock(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The day and id at which a part of the journal ends that has this many documents, payments, allocations and entries; no row if
-- fewer are left. Cancellations, conversions and voids in between are included. Each table returns at most that many rows, in the
-- order of an index.
create or replace function journal_part(first_day date, first_id uuid, last_day date, events integer, out day date, out id uuid)
  returns setof record
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
    (select m.date, m.id from stock_movements m where m.date between first_day and last_day
      and (m.date, m.id) >= (first_day, first_id) order by m.date, m.id limit events)
    union all
    (select e.date, e.id from journal_entries e where e.date between first_day and last_day
      and (e.date, e.id) >= (first_day, first_id) order by e.date, e.id limit events)) e
  order by day, id offset events - 1 limit 1
$$;
grant execute on function journal_part(date, uuid, date, integer) to kontor_across, kontor_confined;
