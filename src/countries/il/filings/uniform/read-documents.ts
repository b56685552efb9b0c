import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { lowest } from '../../../../features/books/reports/read-journal.ts'
import type { PaymentDetails } from '../../../../ledger/payments/payment-details.ts'

/** An issued sales document. Amounts ending in `Ils` are in agorot, at the rate of the document. */
export type UniformDocument = {
  id: string
  documentType: string
  /** The authority's code when it was issued, or the type if it has none. */
  officialType: string
  number: string
  issueDate: string
  /** When it was issued, in the zone of the organization: `20260131` and `1545`. */
  issuedOn: string
  issuedAt: string
  customer: {
    name: string | null
    country: string | null
    registrationNumber: string | null
    address: string | null
  } | null
  phone: string | null
  currency: string
  rateKnown: boolean
  rate: string | null
  totalMinor: number
  taxIls: number
  totalIls: number
  isCancelled: boolean
  paymentMethod: string | null
  sourceType: string | null
  sourceNumber: string | null
  lines: UniformLine[]
  payments: UniformPayment[]
}

export type UniformLine = {
  description: string
  quantity: string
  unitPrice: string
  amountMinor: number
  hasDiscount: boolean
  taxRate: string
  itemId: string | null
}

/** A payment that a receipt states: what of it belongs to the document, and what of that was withheld as tax. */
export type UniformPayment = {
  method: string | null
  details: PaymentDetails | null
  paidAt: string
  amountIls: number
  withheldIls: number
}

type Asked = { from: string; to: string; timezone: string; until: number }

const documentsPerPart = 1_000
const documentsMax = 50_000

export const tooLong = () =>
  invalid('to', 'The period is too long for one file. Give a shorter one, such as a month or a quarter.')

/** The documents of a period by their date, which is how the instructions cut periods. */
export async function readDocuments(db: Database, { from, to, timezone, until }: Asked): Promise<UniformDocument[]> {
  const found: UniformDocument[] = []
  let after = { day: from, id: lowest }
  for (;;) {
    const rows = await readPart(db, { after, to, timezone })
    found.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < documentsPerPart) return found
    if (found.length > documentsMax || performance.now() > until) throw tooLong()
    after = { day: last.issueDate, id: last.id }
  }
}

/** The rate of a document to the shekel: the one that it was booked with, if the books are in shekels. */
const rate = sql`case when d.currency = 'ILS' then 1 when d.rate_currency = 'ILS' then d.exchange_rate else d.country_rate end`
const ils = (minor: string) => sql`home_minor(${sql.raw(minor)}, d.currency, 'ILS', r.rate)`

type Part = { after: { day: string; id: string }; to: string; timezone: string }

async function readPart(db: Database, { after, to, timezone }: Part): Promise<UniformDocument[]> {
  const { rows } = await sql<{ documents: UniformDocument[] }>`${sql.raw(unpreparedMark)}
    with wanted as materialized (
      select d.*, ${rate} as ils_rate from documents d
      where d.kind = 'SALES' and d.issued_at is not null and d.issue_date between ${after.day} and ${to}
        and (d.issue_date, d.id) > (${after.day}::date, ${after.id}::uuid)
      order by d.issue_date, d.id limit ${documentsPerPart}
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'documentType', d.document_type, 'officialType', coalesce(c.official_type, ''),
      'number', d.number, 'issueDate', d.issue_date, 'issuedOn', to_char(d.issued_at at time zone ${timezone}, 'YYYYMMDD'),
      'issuedAt', to_char(d.issued_at at time zone ${timezone}, 'HH24MI'),
      'customer', coalesce(c.customer, jsonb_build_object('name', coalesce(nullif(d.counterparty_name, ''), p.name), 'country', p.country,
        'registrationNumber', p.registration_number, 'address', p.address)), 'phone', p.phone, 'currency', d.currency,
      'rateKnown', r.rate is not null, 'rate', r.rate::text, 'totalMinor', d.total_minor, 'taxIls', ${ils('d.tax_minor')}, 'totalIls', ${ils('d.total_minor')},
      'isCancelled', d.cancelled_at is not null, 'paymentMethod', d.payment_method, 'sourceType', s.official_type, 'sourceNumber', s.number,
      'lines', l.lines, 'payments', m.payments) order by d.issue_date, d.id), '[]') as documents
    from wanted d
    cross join lateral (select d.ils_rate as rate) r
    left join issued_copies c on c.document_id = d.id
    left join customers p on p.id = d.counterparty_id
    left join lateral (select i.official_type, b.number from documents b join issued_copies i on i.document_id = b.id where b.id = d.source_document_id) s on true
    cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('description', l.description, 'quantity', l.quantity::text,
        'unitPrice', l.unit_price::text, 'amountMinor', l.amount_minor, 'hasDiscount', l.discount_percent is not null or l.discount_minor is not null,
        'taxRate', coalesce(l.tax_rate, d.tax_rate, 0)::text, 'itemId', l.catalog_item_id) order by l.position), '[]') as lines
      from document_lines l where l.document_id = d.id) l
    cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('method', y.method, 'details', y.details, 'paidAt', y.paid_at,
        'amountIls', ${ils('y.minor')}, 'withheldIls', ${ils('y.withheld')}) order by y.paid_at, y.id), '[]') as payments
      from (select y.id, y.method, y.details, y.paid_at, y.amount_minor as minor, y.withheld_minor as withheld
          from payments y where y.id = d.payment_id and d.document_type = 'RECEIPT'
        union all
        select y.id, y.method, y.details, y.paid_at, a.minor, round(y.withheld_minor::numeric * a.minor / y.amount_minor)::bigint
          from (select a.payment_id, sum(a.amount_minor)::bigint as minor from allocations a where a.document_id = d.id and a.voided_at is null and not a.is_credit
            group by 1) a join payments y on y.id = a.payment_id
          where d.payment_id is null and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT')) y) m`.execute(db)
  return rows[0]?.documents ?? []
}
