-- The journal in parts: one function for each thing that is booked, so that a rule stands in one place and changes there.
-- `journal_lines()` unites them, turns round what we owe, and books what rounding leaves.

-- A line before it is signed: as for what is owed to us, and `times` is -1 for a reversal. `subject` is a tax category, or
-- `CATEGORY:` and the id of an expense category. `rest` is the account of the difference that rounding leaves in the home currency.
create type journal_part_line as (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, direction text,
  times integer, line integer, account text, subject text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home text,
  exchange_rate numeric, rest text);

-- Documents that became final, of kinds whose lines have no expense category.
create function journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, b.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.tax_category, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.* from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
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
    exists (select from account_periods m where m.subject like 'TAX:%') and exists (select from document_lines l
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

-- Approved expenses and credits of suppliers, by category. A credit reduces the categories of its expense.
create function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, e.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from documents i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event, case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net
    from (select 'CATEGORY:' || case when s.line_id is null then x.category_id else s.category_id end as subject, sum(l.amount_minor)::bigint as net
      from document_lines l
      join expenses x on x.organization_id = l.organization_id and x.id = coalesce(i.source_document_id, i.id)
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case e.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * p.net),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
  ) l (line, account, subject, minor)
  where i.kind = 'EXPENSE' and i.issue_date between first_day and last_day
    and (i.issue_date, i.id) >= (first_day, first_id) and (i.issue_date, i.id) <= (last_day, last_id)
    and i.issued_at is not null and (i.payment_id is null or i.document_type = 'CREDIT_MEMO')
$$;

-- Documents that were cancelled or converted: what was asked for without an invoice is no longer owed once it was cancelled or invoiced.
create function journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select d.organization_id, e.day, e.event, d.id, d.id, null::uuid, d.direction, 1, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, d.exchange_rate, 'ROUNDING'
  from (
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
    (2, unbilled_account(d.organization_id, d.document_type, d.id), open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
  where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
$$;

-- Payments and their voids. A refund gives back what was received: the same accounts, the other way round.
create function journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select p.organization_id, p.day, p.event, p.id, null::uuid, p.id, r.direction, r.times, l.line, l.account, null::text, l.bank_account_id, l.minor, p.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
      is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
  from (
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
  ) p
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
    case when p.refund_of is null then p.times else -p.times end as times) r
  cross join lateral (values
    (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (3, 'PREPAYMENTS', null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
  ) l (line, account, bank_account_id, minor, home)
  where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
$$;

-- Allocations and their voids: a payment or credit is used for a document.
create function journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
  from (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where a.booked_on between first_day and last_day and (a.booked_on, a.id) >= (first_day, first_id) and (a.booked_on, a.id) <= (last_day, last_id)
    union all
    select a.organization_id, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), 'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id
    where a.voided_at is not null and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ) a
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  join documents d on d.organization_id = a.organization_id and d.id = a.document_id
  join all_ledger_kinds() k on k.kind = d.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (values (1, 'PREPAYMENTS', a.amount_minor, coalesce(a.payment_home_minor, a.amount_minor)),
    (2, k.balance_account, -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor))) l (line, account, minor, home)
  where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
$$;
grant execute on function journal_of_documents(date, uuid, date, uuid), journal_of_expenses(date, uuid, date, uuid), journal_of_closed(date, uuid, date, uuid),
  journal_of_payments(date, uuid, date, uuid), journal_of_allocations(date, uuid, date, uuid) to kontor_confined, kontor_across;

create or replace function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer,
    account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, first_id, last_day, last_id)
      union all select * from journal_of_expenses(first_day, first_id, last_day, last_id)
      union all select * from journal_of_closed(first_day, first_id, last_day, last_id)
      union all select * from journal_of_payments(first_day, first_id, last_day, last_id)
      union all select * from journal_of_allocations(first_day, first_id, last_day, last_id)) l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.subject,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  -- entries that people made
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day and (e.date, e.id) >= (first_day, first_id) and (e.date, e.id) <= (last_day, last_id)
$$;
