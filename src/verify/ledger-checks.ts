import type { Check } from './checks.ts'

/** What is owed, paid and numbered, worked out again from lines and allocations. */
export const ledgerChecks: Check[] = [
  {
    id: 'INV-01',
    says: 'Documents, payments and the currency agree on its minor units.',
    finds: `select currency, array_agg(distinct minor_digits)::text as digits
      from (select currency, minor_digits from documents union all select currency, minor_digits from payments) a
      group by currency having count(distinct minor_digits) > 1`,
  },
  {
    id: 'INV-02',
    says: 'The amounts of every issued document agree, within a minor unit for each line.',
    finds: `select d.organization_id, d.id, d.number from documents d
      left join lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount from document_lines l
        where l.organization_id = d.organization_id and l.document_id = d.id) s on true
      where d.status <> 'DRAFT' and (abs(s.amount - d.subtotal_minor) > s.lines or abs(d.subtotal_minor + d.tax_minor - d.total_minor) > s.lines)`,
  },
  {
    id: 'INV-03',
    says: 'No more of a payment is allocated than was paid, and of a voided one nothing.',
    finds: `select p.organization_id, p.id, p.amount_minor, p.allocated_minor, coalesce(sum(a.amount_minor), 0) as allocated
      from payments p left join allocations a on a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null
      group by p.organization_id, p.id having coalesce(sum(a.amount_minor), 0) <> p.allocated_minor or p.allocated_minor > p.amount_minor
        or (p.voided_at is not null and count(a.id) > 0)`,
  },
  {
    id: 'INV-04',
    says: 'What is paid of a document is the sum of what was allocated to it.',
    finds: `select d.organization_id, d.id, d.number, d.paid_minor, coalesce(sum(a.amount_minor), 0) as allocated
      from documents d left join allocations a on a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
      group by d.organization_id, d.id having coalesce(sum(a.amount_minor), 0) <> d.paid_minor`,
  },
  {
    id: 'INV-05',
    says: 'A document is PAID exactly when nothing of it is open.',
    finds: `select organization_id, id, number, status from documents where status <> 'DRAFT' and payment_id is null and total_minor > 0
      and (status = 'PAID') <> (paid_minor = total_minor)`,
  },
  {
    id: 'INV-06',
    says: 'Document numbers run from one to the counter without a gap.',
    finds: `select d.organization_id, d.document_type, count(*) as numbered, max(d.sequence) as last, max(n.next_number) - 1 as counted
      from documents d left join document_numbering n on n.organization_id = d.organization_id and n.document_type = d.document_type
      where d.sequence is not null group by d.organization_id, d.document_type, d.series
      having count(*) <> max(d.sequence) or count(distinct d.sequence) <> count(*) or max(d.sequence) is distinct from max(n.next_number) - 1
      union all select n.organization_id, n.document_type, 0, null, n.next_number - 1 from document_numbering n
        where n.next_number > 1 and not exists (select from documents d
          where d.organization_id = n.organization_id and d.document_type = n.document_type and d.sequence is not null)`,
  },
  {
    id: 'INV-06',
    says: 'What was issued has its number, and a draft has none; numbers follow the calendar.',
    finds: `select organization_id, id, status, number from (select d.*, lag(issue_date) over numbers as before from documents d
        window numbers as (partition by organization_id, document_type, series order by sequence)) d
      where (status = 'DRAFT') <> (sequence is null) or (sequence is null) <> (number is null) or (sequence is not null and issue_date < before)`,
  },
  {
    id: 'COUNTS',
    says: 'Of every type and status as many documents are counted as there are.',
    finds: `select organization_id, kind, document_type, status, sum(change) as counted, sum(there) as there
      from (select organization_id, kind, document_type, status, change, 0 as there from document_counts
        union all select organization_id, kind, document_type, status, 0, 1 from documents) c
      group by organization_id, kind, document_type, status having sum(change) <> sum(there)`,
  },
  {
    id: 'INV-10',
    says: 'A document that was made or issued has its events.',
    finds: `select d.organization_id, d.id, d.number from documents d where not exists (select from document_events e
        where e.organization_id = d.organization_id and e.document_id = d.id and e.type in ('CREATED', 'ISSUED'))
      or (d.sequence is not null and not exists (select from events e where e.organization_id = d.organization_id
        and e.type in ('invoice.issued', 'receipt.issued') and e.payload ->> 'id' = d.id::text))`,
  },
  {
    id: 'INV-19',
    says: 'The events of every document are an unbroken chain.',
    finds: `select organization_id, document_id, id, seq from (select e.*, lag(e.hash) over chain as before, row_number() over chain as place
        from document_events e window chain as (partition by e.organization_id, e.document_id order by e.seq)) e
      where e.seq <> e.place or e.prev_hash <> coalesce(e.before, '')
        or e.hash <> (select document_event_hash(x) from document_events x where x.organization_id = e.organization_id and x.id = e.id)`,
  },
  {
    id: 'SUMS',
    says: 'The sums of sales by day are those of the documents.',
    finds: differing(
      'sales_by_day',
      'organization_id, day, sort, status, currency, fixed_rate, rate_currency',
      'documents, total_minor, open_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The sums of sales by customer are those of the documents.',
    finds: differing(
      'sales_by_customer',
      'organization_id, year, counterparty_id, currency, fixed_rate, rate_currency',
      'documents, total_minor, credited_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The sums of sales by customer and day are those of the documents.',
    finds: differing(
      'sales_by_customer_day',
      'organization_id, day, counterparty_id, currency',
      'total_minor, credited_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The sums of money by day are those of the payments.',
    finds: differing('cash_by_day', 'organization_id, day, direction, currency', 'payments, amount_minor'),
  },
  {
    id: 'JOURNAL',
    says: 'The entries of every event in the journal add up to zero.',
    finds: `select organization_id, event, event_id, currency, sum(debit_minor - credit_minor) as difference from journal()
      group by organization_id, event, event_id, currency having sum(debit_minor - credit_minor) <> 0`,
  },
  {
    id: 'JOURNAL',
    says: 'What the journal says is owed, and not used of payments, is what documents and payments say.',
    finds: `select j.organization_id, j.account, j.currency, j.balance, k.balance as kept
      from (select organization_id, account, currency, sum(debit_minor - credit_minor) as balance from journal()
        where account in ('RECEIVABLES', 'PAYABLES', 'PREPAYMENTS') group by 1, 2, 3) j
      full join (select organization_id, account, currency, sum(minor) as balance from (
          select organization_id, case direction when 'OUTGOING' then 'RECEIVABLES' else 'PAYABLES' end as account, currency,
            case direction when 'OUTGOING' then total_minor - paid_minor else paid_minor - total_minor end as minor
          from documents where status <> 'DRAFT' and payment_id is null
          union all select organization_id, 'PREPAYMENTS', currency,
            case direction when 'OUTGOING' then allocated_minor - amount_minor else amount_minor - allocated_minor end
          from payments where voided_at is null) o group by 1, 2, 3) k using (organization_id, account, currency)
      where coalesce(j.balance, 0) <> coalesce(k.balance, 0)`,
  },
]

/** Sums that were kept and are not what they would be if added up now, or the other way round. */
function differing(table: string, key: string, sums: string): string {
  const added = sums.split(', ').map((sum) => `sum(${sum})`)
  const kept = `select ${key}, ${added} from ${table} group by ${key} having (${added}) <> (${added.map(() => 0)})`
  const now = `select ${key}, ${sums} from ${table}_now()`
  return `(${kept} except ${now}) union all (${now} except ${kept})`
}
