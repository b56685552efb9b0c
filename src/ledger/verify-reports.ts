import type { Check } from '../core/define/check.ts'

/** The days that are compared: today, and the last days of the month and year before. */
const days = `(select day::date from (values (now()), (date_trunc('month', now()) - interval '1 day'), (date_trunc('year', now()) - interval '1 day')) d (day))`

/** Checks that the reports from documents, payments and stock add up to the journal. */
export const reportChecks: Check[] = [
  {
    id: 'REPORTS',
    says: 'What the agings show as open equals receivables, payables, customer credits and supplier advances of the journal.',
    finds: `select * from (
        select organization_id, day, account, direction, home_currency, sum(booked) as booked, sum(open) as open from (
          select j.organization_id, d.day, case when j.account in ('RECEIVABLES', 'PAYABLES') then j.account else 'CREDITS' end as account, j.direction,
            j.home_currency, case when j.account = 'RECEIVABLES' or (j.account = 'PREPAYMENTS' and j.direction = 'INCOMING') then j.home_minor else -j.home_minor end as booked, 0 as open
          from ${days} d cross join lateral journal_lines('-infinity', d.day) j
          left join documents i on i.organization_id = j.organization_id and i.id = j.document_id
          left join payments p on p.organization_id = j.organization_id and p.id = j.payment_id
          where j.account in ('RECEIVABLES', 'PAYABLES', 'PREPAYMENTS', 'CUSTOMER_CREDITS') and coalesce(i.kind, p.kind) in ('SALES', 'EXPENSE')
          union all
          select b.organization_id, d.day, k.account, k.direction, b.home_currency, 0, b.home_minor
          from ${days} d cross join (values ('SALES', 'RECEIVABLES', 'OUTGOING'), ('EXPENSE', 'PAYABLES', 'INCOMING')) k (kind, account, direction)
          cross join lateral open_balances(k.kind, d.day) b
          union all
          select c.organization_id, d.day, 'CREDITS', k.direction, c.home_currency, 0, c.home_minor
          from ${days} d cross join (values ('SALES', 'OUTGOING'), ('EXPENSE', 'INCOMING')) k (kind, direction)
          cross join lateral open_credits(k.kind, d.day) c) b
        group by 1, 2, 3, 4, 5) s where booked <> open`,
  },
  {
    id: 'REPORTS',
    says: 'What the stock valuation shows equals the stock account of the journal.',
    finds: `select organization_id, day, home_currency, sum(booked) as booked, sum(valued) as valued from (
        select j.organization_id, d.day, j.home_currency, j.home_minor as booked, 0 as valued
        from ${days} d cross join lateral journal_lines('-infinity', d.day) j where j.account = 'STOCK'
        union all
        select s.organization_id, d.day, s.home_currency, 0, s.value_minor from ${days} d cross join stock_levels s
        union all
        select m.organization_id, d.day, m.home_currency, 0, -m.value_minor from ${days} d join stock_movements m on m.date > d.day) v
      group by 1, 2, 3 having sum(booked) <> sum(valued)`,
  },
]
