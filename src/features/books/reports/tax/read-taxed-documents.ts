import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { lowest, partsOf } from '../read-journal.ts'
import { expenseOfDocument } from '../result-lines.ts'
import { type Asked, sharedTax } from './read-tax.ts'

/** What one event of a document has booked at one rate and category: its issue, a cancellation, a conversion. */
export type TaxedDocument = {
  documentId: string
  day: string
  event: string
  side: 'OUTPUT' | 'INPUT'
  rate: number | null
  category: string | null
  /** In minor units of the country's currency; credits are negative. */
  baseMinor: number
  taxMinor: number
  /** In minor units of `currency`. */
  originalBaseMinor: number
  originalTaxMinor: number
  currency: string
  /** Whether the rate to the country's currency was not known and the face value counts. */
  isFaceValue: boolean
  documentType: string
  /** Of a bill, the number that the supplier gave it. */
  number: string | null
  counterpartyId: string | null
  name: string | null
  /** The number of the customer or supplier with the authority. */
  partyNumber: string | null
  partyCountry: string | null
  partyAddress: string | null
  /** The tax on a bill, and what of it is deducted, in minor units of `currency`. */
  chargedTaxMinor: number | null
  deductedTaxMinor: number | null
  /** Of a memo that has none, those of the document that it corrects. */
  facts: Record<string, unknown> | null
  /** The lines of this rate and category. */
  lines: { description: string; amountMinor: number }[]
}

/** Documents, payments and allocations per statement, and how long a report reads. */
const [eventsPerPart, usualMs] = [4_000, 7_000]

/**
 * What was booked as income, expense and tax in a period, by document, rate and category, in the order of the journal. The amounts add
 * up to those of the tax report. Undefined if there are more than `most`, or if reading takes too long.
 */
export async function readTaxedDocuments(
  db: Database,
  asked: Asked,
  { most, withinMs = usualMs }: { most: number; withinMs?: number },
): Promise<TaxedDocument[] | undefined> {
  const until = performance.now() + withinMs
  const found: TaxedDocument[] = []
  for await (const part of partsOf(db, asked, { day: asked.from, id: lowest }, eventsPerPart)) {
    const { rows } = await sql<{ found: TaxedDocument[] }>`${sql.raw(unpreparedMark)}
      ${sharedTax(asked, part, { withOriginal: true })}
      select coalesce(jsonb_agg(${documentObject} order by s.day, s.document_id, s.event, s.rate desc nulls last, s.category), '[]') as found
      from shared s ${documentJoins}
      where s.base <> 0 or s.tax <> 0`.execute(db)
    for (const row of rows[0]?.found ?? []) found.push(row)
    if (found.length > most || (!part.isLast && performance.now() > until)) return undefined
  }
  return found
}

const documentObject = sql`jsonb_build_object('documentId', s.document_id, 'day', s.day, 'event', s.event,
  'side', case s.direction when 'OUTGOING' then 'OUTPUT' else 'INPUT' end, 'rate', s.rate, 'category', s.category,
  'baseMinor', s.base, 'taxMinor', s.tax, 'originalBaseMinor', s.original_base, 'originalTaxMinor', s.original_tax,
  'currency', d.currency, 'isFaceValue', s.face_value is not null, 'documentType', d.document_type,
  'number', case d.kind when 'EXPENSE' then x.document_number else d.number end,
  'counterpartyId', case d.kind when 'EXPENSE' then x.supplier_id else d.counterparty_id end,
  'name', case d.kind when 'EXPENSE' then coalesce(c.name, x.vendor) else coalesce(i.customer ->> 'name', nullif(d.counterparty_name, ''), c.name) end,
  'partyNumber', case d.kind when 'EXPENSE' then coalesce(x.vendor_tax_number, p.gst_number, p.tax_number, c.registration_number)
    else coalesce(i.customer ->> 'registrationNumber', c.registration_number) end,
  'partyCountry', coalesce(i.customer ->> 'country', c.country), 'partyAddress', coalesce(i.customer ->> 'address', c.address), 'chargedTaxMinor', x.charged_tax_minor,
  'deductedTaxMinor', case when d.kind = 'EXPENSE' then (select b.tax_minor from documents b where b.id = x.id) end,
  'facts', coalesce(d.country_specific_data, (select o.country_specific_data from documents o where o.id = d.source_document_id)),
  'lines', coalesce((select jsonb_agg(jsonb_build_object('description', l.description, 'amountMinor', l.amount_minor) order by l.position)
    from document_lines l where l.document_id = d.id and tax_code(l.tax_category) is not distinct from s.category
      and (d.kind = 'EXPENSE' or coalesce(l.tax_rate, d.tax_rate) is not distinct from s.rate)), '[]'))`

const documentJoins = sql`
  join documents d on d.id = s.document_id
  left join issued_copies i on i.document_id = d.id
  left join expenses x on d.kind = 'EXPENSE' and x.id = ${expenseOfDocument}
  left join customers c on c.id = case d.kind when 'EXPENSE' then x.supplier_id else d.counterparty_id end
  left join suppliers p on p.id = x.supplier_id`
