import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { addDays } from '../../../../core/values/day.ts'
import type { JournalRow } from '../../../../features/books/reports/journal.ts'
import { readPage } from '../../../../features/books/reports/read-journal.ts'
import { fileRowsMax } from '../../../../features/books/reports/report-file.ts'
import { beginning, readSums, storeSums } from '../../../../features/books/reports/statements/sums.ts'
import { tooLong } from './read-documents.ts'

export type UniformAccount = {
  id: string
  code: string
  name: string
  nameHe: string | null
  type: string
  purpose: string | null
  active: boolean
}

/** What the journal says of a document or payment: the authority's code and the number. */
export type Reference = { type: string; number: string }

export type UniformItem = {
  id: string
  name: string
  sku: string | null
  barcode: string | null
  kind: string
  unit: string | null
  tracked: boolean
  /** In hundredths. */
  openingQuantity: number
  quantityIn: number
  quantityOut: number
  /** The value of one piece at the end of the period, in agorot. */
  costMinor: number
}

export type Books = {
  lines: JournalRow[]
  /** Lines that are in an earlier main currency and not in the file. */
  otherHomes: string[]
  faceValues: string[]
  accounts: UniformAccount[]
  /** The balance of each account before the period, in minor units; more debit than credit is positive. */
  openings: Map<string | null, bigint>
  references: Map<string, Reference>
}

type Asked = { from: string; to: string; home: string; until: number }

/** The journal of a period with the accounts that it uses. */
export async function readBooks(db: Database, { from, to, home, until }: Asked): Promise<Books> {
  await storeSums(db)
  const period = { from, to, home, accountId: undefined }
  const withinMs = until - performance.now()
  const read = await readPage(db, period, { offset: 0, limit: fileRowsMax, most: fileRowsMax, withinMs })
  if (!read.isWhole || read.sums.count > fileRowsMax) throw tooLong()
  const [before = []] = await readSums(db, [
    { from: beginning, to: addDays(from, -1), basis: 'ACCRUAL', part: 'before' },
  ])
  const openings = new Map<string | null, bigint>()
  for (const { accountId, home: booked, debit, credit } of before)
    if (booked === home) openings.set(accountId, (openings.get(accountId) ?? 0n) + debit - credit)
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'code', 'name', 'nameHe', 'type', 'purpose', 'active'])
    .orderBy('code')
    .execute()
  const lines = read.lines.filter(({ homeCurrency, homeMinor }) => homeCurrency === home && homeMinor !== 0)
  const { otherHomes, faceValues } = read.sums
  return { lines, otherHomes, faceValues, accounts, openings, references: await readReferences(db, lines) }
}

/** The numbers of the documents that the lines are about; of a payment the receipt that states it. */
async function readReferences(db: Database, lines: readonly JournalRow[]): Promise<Map<string, Reference>> {
  const idsOf = (key: 'documentId' | 'paymentId') => [...new Set(lines.flatMap((line) => line[key] ?? []))]
  const { rows } = await sql<Reference & { id: string }>`
    select d.id, case when d.kind = 'EXPENSE' then case d.document_type when 'CREDIT_MEMO' then '710' else '700' end else coalesce(c.official_type, '') end as type,
      coalesce(d.number, x.document_number, '') as number
    from documents d left join issued_copies c on c.document_id = d.id left join expenses x on x.id = d.id
    where d.id = any(${idsOf('documentId')}::uuid[])
    union all
    select d.payment_id, coalesce(c.official_type, ''), d.number from documents d left join issued_copies c on c.document_id = d.id
    where d.payment_id = any(${idsOf('paymentId')}::uuid[]) and d.document_type = 'RECEIPT' and d.cancelled_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ id, type, number }) => [id, { type, number }]))
}

/** The goods that are kept in stock, and the other items that documents of the file name. */
export async function readItems(
  db: Database,
  { from, to, named }: { from: string; to: string; named: readonly string[] },
): Promise<UniformItem[]> {
  const { rows } = await sql<UniformItem>`
    select i.id, i.name, i.sku, i.barcode, i.kind, i.unit, i.tracked,
      round(100 * coalesce(sum(m.quantity) filter (where m.date < ${from}), 0))::float8 as "openingQuantity",
      round(100 * coalesce(sum(m.quantity) filter (where m.date >= ${from} and m.quantity > 0), 0))::float8 as "quantityIn",
      round(100 * coalesce(-sum(m.quantity) filter (where m.date >= ${from} and m.quantity < 0), 0))::float8 as "quantityOut",
      round(coalesce(case when sum(m.quantity) > 0 then greatest(sum(m.value_minor), 0) / sum(m.quantity) end, 0))::float8 as "costMinor"
    from items i left join stock_movements m on m.item_id = i.id and m.date <= ${to}
    where i.tracked or i.id = any(${named}::uuid[]) or exists (select from stock_movements m where m.item_id = i.id)
    group by i.organization_id, i.id order by i.id limit 100001`.execute(db)
  if (rows.length > 100_000) throw tooLong()
  return rows
}
