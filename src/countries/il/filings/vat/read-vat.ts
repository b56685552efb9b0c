import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { lowest, type Part, partsOf } from '../../../../features/books/reports/read-journal.ts'
import { eventsPerResultPart, expenseOfDocument, resultLines } from '../../../../features/books/reports/result-lines.ts'
import { tooLong } from '../uniform/read-documents.ts'

/**
 * What a document changed about the tax in a period, in agorot: the same lines of the journal that the tax report adds up. What takes
 * something off, such as a credit memo, is negative.
 */
export type VatEvent = {
  documentId: string
  documentType: string
  side: 'OUTPUT' | 'INPUT'
  /** The date of the document, or the day on which it was cancelled. */
  day: string
  number: string | null
  /** The number of the customer or supplier as it was entered. */
  dealer: string | null
  country: string | null
  allocationNumber: string | null
  /** Whether the number is one of the sandbox of the authority, which is none. */
  isSandboxNumber: boolean
  /** Without tax. Of a sale the part of the lines that are taxed, and the rest. */
  taxedMinor: number
  untaxedMinor: number
  taxMinor: number
  /** Without tax, as the supplier charged it: tax that is not deducted is no part of it. */
  chargedNetMinor: number
  rateKnown: boolean
  /** Whether the bill is of a category that is booked to an account of assets, such as equipment. */
  isEquipment: boolean
}

type Asked = { from: string; to: string; home: string; until: number }

export async function readVat(db: Database, asked: Asked): Promise<VatEvent[]> {
  const events: VatEvent[] = []
  for await (const part of partsOf(db, asked, { day: asked.from, id: lowest }, eventsPerResultPart)) {
    events.push(...(await readPart(db, asked, part)))
    if (!part.isLast && performance.now() > asked.until) throw tooLong()
  }
  return events
}

async function readPart(db: Database, { home }: Asked, part: Part): Promise<VatEvent[]> {
  const isHome = home === 'ILS'
  const minor = isHome ? sql`j.home_minor` : sql`home_minor(j.minor, j.currency, 'ILS', d.country_rate)`
  const rate = isHome ? sql`d.exchange_rate` : sql`d.country_rate`
  const { rows } = await sql<{ events: VatEvent[] }>`${sql.raw(unpreparedMark)}
    with booked as materialized (
      select j.document_id, j.event, j.day, j.direction,
        coalesce(sum(case j.direction when 'OUTGOING' then -1 else 1 end * ${minor}) filter (where j.account <> 'TAX'), 0) as base,
        coalesce(sum(case j.direction when 'OUTGOING' then -1 else 1 end * ${minor}) filter (where j.account = 'TAX'), 0) as tax
      from ${resultLines(part)} j join documents d on d.id = j.document_id
      where (j.account in ('REVENUE', 'EXPENSES', 'TAX') or j.account = 'GOODS_RECEIVED' and j.event <> 'STOCK')
        and (${isHome} = false or j.home_currency = 'ILS')
      group by 1, 2, 3, 4
    )
    select coalesce(jsonb_agg(jsonb_build_object('documentId', d.id, 'documentType', d.document_type,
      'side', case b.direction when 'OUTGOING' then 'OUTPUT' else 'INPUT' end, 'day', b.day,
      'number', case b.direction when 'OUTGOING' then d.number else coalesce(own.document_number, x.document_number) end,
      'dealer', case b.direction when 'OUTGOING' then coalesce(c.customer ->> 'registrationNumber', p.registration_number)
        else coalesce(x.vendor_tax_number, s.tax_number, v.registration_number) end,
      'country', case b.direction when 'OUTGOING' then coalesce(c.customer ->> 'country', p.country) else v.country end,
      'allocationNumber', case b.direction when 'OUTGOING' then d.vat_allocation_number else x.allocation_number end,
      'isSandboxNumber', exists (select from clearances k where k.document_id = d.id and k.source = 'AUTHORITY' and k.environment = 'sandbox'),
      'untaxedMinor', u.minor, 'taxedMinor', b.base - u.minor, 'taxMinor', b.tax,
      'chargedNetMinor', case when b.base < 0 then -1 else 1 end * home_minor(d.total_minor - case d.document_type when 'EXPENSE' then coalesce(x.charged_tax_minor, 0)
        else d.tax_minor end, d.currency, 'ILS', ${rate}),
      'rateKnown', d.currency = 'ILS' or ${rate} is not null,
      'isEquipment', exists (select from account_periods a join accounts t on t.id = a.account_id and t.type = 'ASSET'
        where a.subject = 'CATEGORY:' || coalesce(x.category_id, x.deleted_category_id) and b.day >= a.first_day and b.day < a.end_day)) order by b.day, d.id), '[]') as events
    from booked b
    join documents d on d.id = b.document_id
    left join issued_copies c on c.document_id = d.id
    left join customers p on p.id = d.counterparty_id
    left join expenses own on own.id = d.id
    left join expenses x on x.id = ${expenseOfDocument} and b.direction = 'INCOMING'
    left join customers v on v.id = x.supplier_id
    left join suppliers s on s.id = x.supplier_id
    cross join lateral (select case when b.tax = 0 then b.base when t.all_net = 0 then 0 else round(b.base * t.untaxed / t.all_net) end as minor
      from (select coalesce(sum(l.amount_minor), 0) as all_net, coalesce(sum(l.amount_minor) filter (where coalesce(l.tax_rate, d.tax_rate) = 0), 0) as untaxed
        from document_lines l where l.document_id = d.id) t) u
    where b.base <> 0 or b.tax <> 0`.execute(db)
  return rows[0]?.events ?? []
}
