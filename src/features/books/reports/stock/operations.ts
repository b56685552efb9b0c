import { sql } from 'kysely'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { Id, nullable, type Static, Text, Type, Warnings } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { minorDigits, toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { entryName } from '../entry-names.ts'
import { fxWarnings } from '../fx-warnings.ts'
import { AsOf, asOfDay, type ReportContext, reportContext } from '../report-context.ts'
import { type FileFormat, type ReportColumn, reportFile, reportFormat, reportOutput } from '../report-file.ts'

const ValuationRow = Type.Object({
  itemId: Id,
  sku: nullable(Text),
  name: Text,
  unit: nullable(Text),
  quantity: Type.Number(),
  averageCost: nullable(Type.Number({ description: 'The value of one unit; null if nothing is in stock.' })),
  value: Type.Number(),
})
type ValuationRow = Static<typeof ValuationRow>

const Valuation = Type.Object({
  asOf: Text,
  currency: Type.String({ description: 'The main currency of the organization.' }),
  fxIncomplete: Type.Boolean({ description: 'Items counted in an earlier main currency are not in the report.' }),
  items: Type.Array(ValuationRow, { description: 'By their value, the highest first.' }),
  total: Type.Number({ description: 'The value of the items of all pages.' }),
  openingBalance: Type.Number({
    description: 'What was entered on the stock account as an opening balance, without items.',
  }),
  journalEntries: Type.Number({ description: 'What was entered on the stock account by other journal entries.' }),
  accountBalance: Type.Number({ description: 'The total with both: the balance of the stock account.' }),
  pagination: Pagination,
  warnings: Type.Optional(Warnings),
})

export const stockValuation = operation({
  name: 'reports_stock_valuation',
  http: 'GET /api/reports/stock-valuation',
  does: 'Shows quantity, average cost and value of each item in stock at the end of a day.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, asOf: AsOf, ...paging({ limit: 100, max: 1_000 }), ...reportFormat }),
  output: reportOutput(Valuation),
  async run({ db, now }, { asOf, page, limit, format }) {
    const organization = await reportContext(db)
    const { currency } = organization
    const day = asOfDay(asOf, organization, now)
    const { levels, entered } = await pipeline({ levels: readLevels(db, day), entered: readEntries(db, day) })
    const own = levels.filter(({ homeCurrency }) => homeCurrency === currency)
    const rows = own.map((level) => toRow(level, currency))
    const entries = entered.filter(({ homeCurrency }) => homeCurrency === currency)
    const sumOf = (kind: Entered['kind']) => entries.find((each) => each.kind === kind)?.minor ?? 0
    const [opening, manual] = [sumOf('OPENING'), sumOf('MANUAL')]
    if (format !== 'json') return fileOf(rows, { day, format, organization, opening, manual })
    const earlier = [...levels, ...entered].map(({ homeCurrency }) => homeCurrency).filter((each) => each !== currency)
    const warnings = fxWarnings([], earlier)
    const value = own.reduce((sum, { valueMinor }) => sum + valueMinor, 0)
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    const report = {
      ...{ asOf: day, currency, fxIncomplete: warnings.length > 0 },
      items: rows.slice((page - 1) * limit, page * limit),
      total: major(value),
      ...{
        openingBalance: major(opening),
        journalEntries: major(manual),
        accountBalance: major(value + opening + manual),
      },
      pagination: { page, limit, total: rows.length, totalPages: Math.ceil(rows.length / limit) },
    }
    return withWarnings(report, warnings)
  },
})

type Level = {
  itemId: string
  sku: string | null
  name: string
  unit: string | null
  quantity: number
  valueMinor: number
  homeCurrency: string
}

/** The levels now less what was moved after the day: of today, the movements are not read. */
async function readLevels(db: Database, day: string): Promise<Level[]> {
  const { rows } = await sql<Level>`
    select i.id as item_id, i.sku, i.name, i.unit, (s.quantity - coalesce(m.quantity, 0))::float8 as quantity,
      (s.value_minor - coalesce(m.value, 0))::float8 as value_minor, s.home_currency
    from stock_levels s
    join items i on i.organization_id = s.organization_id and i.id = s.item_id
    left join (select m.organization_id, m.item_id, sum(m.quantity) as quantity, sum(m.value_minor) as value from stock_movements m
      where m.date > ${day}::date group by 1, 2) m on m.organization_id = s.organization_id and m.item_id = s.item_id
    where s.quantity <> coalesce(m.quantity, 0) or s.value_minor <> coalesce(m.value, 0)
    order by value_minor desc, lower(i.name), i.id`.execute(db)
  return rows
}

type Entered = { kind: 'OPENING' | 'MANUAL'; homeCurrency: string; minor: number }

/** What people entered on the stock account. */
async function readEntries(db: Database, day: string): Promise<Entered[]> {
  const { rows } = await sql<Entered>`
    select e.kind, e.home_currency, sum(e.home_minor)::float8 as minor from entry_balances('{STOCK}', ${day}::date) e group by 1, 2`.execute(
    db,
  )
  return rows
}

/** Costs have four decimals more than amounts. */
const toRow = ({ valueMinor, homeCurrency: _, ...level }: Level, currency: string): ValuationRow => {
  const unit = 10 ** ((minorDigits(currency) ?? 2) + 4)
  const value = toMajor(BigInt(valueMinor), currency)
  return {
    ...level,
    averageCost: level.quantity > 0 ? Math.round((value / level.quantity) * unit) / unit : null,
    value,
  }
}

type FileOf = { day: string; format: FileFormat; organization: ReportContext; opening: number; manual: number }

function fileOf(rows: readonly ValuationRow[], { day, format, organization, opening, manual }: FileOf) {
  const { id, language, currency } = organization
  const entered = (
    [
      ['OPENING', opening],
      ['MANUAL', manual],
    ] as const
  ).filter(([, minor]) => minor !== 0)
  const table = {
    name: `stock-valuation-${day}`,
    columns,
    rows: [
      ...rows.map((row) => [
        ...[row.itemId, row.sku, row.name, row.unit, row.quantity, row.averageCost, currency, row.value],
      ]),
      ...entered.map(([kind, minor]) => [
        ...[null, null, entryName(kind, language), null, null, null, currency, toMajor(BigInt(minor), currency)],
      ]),
    ],
  }
  return reportFile(table, { format, organizationId: id, language, shortenBy: 'asOf' })
}

const columns: readonly ReportColumn[] = [
  { key: 'itemId', title: 'Id', titleHe: 'מזהה', type: 'text' },
  { key: 'sku', title: 'SKU', titleHe: 'מק"ט', type: 'text' },
  { key: 'name', title: 'Item', titleHe: 'פריט', type: 'text' },
  { key: 'unit', title: 'Unit', titleHe: 'יחידה', type: 'text' },
  { key: 'quantity', title: 'Quantity', titleHe: 'כמות', type: 'number' },
  { key: 'averageCost', title: 'Average cost', titleHe: 'עלות ממוצעת', type: 'number' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'value', title: 'Value', titleHe: 'שווי', type: 'money' },
]
