import { type Database, operation } from '../../../../core/define/operation.ts'
import { paging } from '../../../../core/define/page.ts'
import { Id, type Static, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { AsOf, asOfDay, type ReportContext, reportContext } from '../report-context.ts'
import { fileRowsMax, type ReportColumn, reportFile, reportFormat, reportOutput } from '../report-file.ts'
import { Aging, type AgingRow, bucketNames } from './aging.ts'
import { type AgedKind, readAging } from './read-aging.ts'
import { toAging } from './to-aging.ts'

const input = Type.Object({
  organizationId: Id,
  asOf: AsOf,
  ...paging({ limit: 100, max: 1_000 }),
  ...reportFormat,
})

export const receivablesAging = operation({
  name: 'reports_receivables_aging',
  http: 'GET /api/reports/receivables-aging',
  does: 'Shows what customers owe on a day by how long it is overdue, with the documents behind each figure, and their open credits.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input,
  output: reportOutput(Aging),
  run: ({ db, now }, asked) => aging(db, { kind: 'SALES', now, asked }),
})

export const payablesAging = operation({
  name: 'reports_payables_aging',
  http: 'GET /api/reports/payables-aging',
  does: 'Shows what is owed to suppliers and claimants on a day by how long it is overdue, with the expenses behind each figure, and open advances.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input,
  output: reportOutput(Type.Object(Aging.properties)),
  run: ({ db, now }, asked) => aging(db, { kind: 'EXPENSE', now, asked }),
})

type Asked = { kind: AgedKind; now: Date; asked: Static<typeof input> }

async function aging(db: Database, { kind, now, asked: { asOf, page, limit, format } }: Asked) {
  const organization = await reportContext(db)
  const { currency } = organization
  const day = asOfDay(asOf, organization, now)
  const [first, last] = format === 'json' ? [(page - 1) * limit + 1, page * limit] : [1, fileRowsMax + 1]
  const read = await readAging(db, { kind, asOf: day, currency, first, last })
  const { rows, totals, warnings } = toAging(read, organization)
  if (format !== 'json') return fileOf(rows, { kind, day, format, organization })
  const total = read.partyCount
  const report = {
    asOf: day,
    currency,
    fxIncomplete: warnings.length > 0,
    counterparties: rows,
    totals,
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
  }
  return withWarnings(report, warnings)
}

type FileOf = { kind: AgedKind; day: string; format: 'csv' | 'xlsx'; organization: ReportContext }

function fileOf(rows: readonly AgingRow[], { kind, day, format, organization }: FileOf) {
  const { currency, id, language } = organization
  const table = {
    name: `${kind === 'SALES' ? 'receivables' : 'payables'}-aging-${day}`,
    columns,
    rows: rows.map(({ counterpartyId, name, buckets, total, disputed, credits, balance }) => [
      ...[counterpartyId, name, currency, ...bucketNames.map((bucket) => buckets[bucket].amount)],
      ...[total, disputed, credits.amount, balance],
    ]),
  }
  return reportFile(table, { format, organizationId: id, language, shortenBy: 'asOf' })
}

const columns: readonly ReportColumn[] = [
  { key: 'counterpartyId', title: 'Id', titleHe: 'מזהה', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'current', title: 'Current', titleHe: 'שוטף', type: 'money' },
  { key: 'days1To30', title: '1–30 days', titleHe: '1–30 ימים', type: 'money' },
  { key: 'days31To60', title: '31–60 days', titleHe: '31–60 ימים', type: 'money' },
  { key: 'days61To90', title: '61–90 days', titleHe: '61–90 ימים', type: 'money' },
  { key: 'over90', title: 'Over 90 days', titleHe: 'מעל 90 ימים', type: 'money' },
  { key: 'total', title: 'Total', titleHe: 'סך הכול', type: 'money' },
  { key: 'disputed', title: 'In dispute', titleHe: 'במחלוקת', type: 'money' },
  { key: 'credits', title: 'Credits', titleHe: 'זיכויים ומקדמות', type: 'money' },
  { key: 'balance', title: 'Balance', titleHe: 'יתרה', type: 'money' },
]
