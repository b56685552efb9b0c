import { invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { paging } from '../../../../core/define/page.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { requiredDay } from '../../../../ledger/organization-context.ts'
import { fxWarnings } from '../fx-warnings.ts'
import { type ReportContext, ReportDay, reportContext } from '../report-context.ts'
import { type FileFormat, type ReportColumn, reportFile, reportFormat, reportOutput } from '../report-file.ts'
import { addUp, type IncomeTotals } from './add-up.ts'
import { IncomeReport, type IncomeRow } from './income.ts'
import { type Grouping, type IncomeSum, readIncome, readManual, type Side } from './read-income.ts'

const common = {
  organizationId: Id,
  from: ReportDay,
  to: ReportDay,
  ...paging({ limit: 100, max: 1_000 }),
  ...reportFormat,
}

export const income = operation({
  name: 'reports_income',
  http: 'GET /api/reports/income',
  does: 'Shows the income of a period by month, customer, account or document type, net of credit memos, with the documents behind each figure.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ ...common, groupBy: defaulted(OneOf('month', 'customer', 'account', 'type'), 'month') }),
  output: reportOutput(IncomeReport),
  run: ({ db }, asked) => report(db, { ...asked, side: 'SALES' }),
})

export const expenses = operation({
  name: 'reports_expenses',
  http: 'GET /api/reports/expenses',
  does: 'Shows the approved expenses of a period by month, vendor, category, account or document type, net of credits, with the expenses behind each figure.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    ...common,
    groupBy: defaulted(OneOf('month', 'vendor', 'category', 'account', 'type'), 'month'),
  }),
  output: reportOutput(Type.Object(IncomeReport.properties)),
  run: ({ db }, asked) => report(db, { ...asked, side: 'EXPENSE' }),
})

type Asked = {
  side: Side
  from: string
  to: string
  groupBy: Exclude<Grouping, 'counterparty'> | 'customer' | 'vendor'
  page: number
  limit: number
  format: 'json' | FileFormat
}

async function report(db: Database, { side, groupBy, page, limit, format, ...days }: Asked) {
  const organization = await reportContext(db)
  const { currency } = organization
  const [from, to] = [requiredDay('from', days.from, organization), requiredDay('to', days.to, organization)]
  if (to < from) throw invalid('to', 'to is before from.')
  const asked = {
    side,
    groupBy: groupBy === 'customer' || groupBy === 'vendor' ? 'counterparty' : groupBy,
    from,
    to,
  } as const
  const [first, last] = format === 'json' ? [(page - 1) * limit + 1, page * limit] : [1, 0] // a file has no ids
  const { sums: all, faceValues } = await readIncome(db, asked, { currency, first, last })
  const sums = all.filter(({ homeCurrency }) => homeCurrency === currency)
  const rows = sums.map((sum) => toRow(sum, currency)).toSorted(orderOf(groupBy))
  if (format !== 'json') return fileOf(rows, { side, from, to, format, organization })
  const manual = await readManual(db, asked, currency)
  const warnings = fxWarnings(
    faceValues,
    all.map(({ homeCurrency }) => homeCurrency).filter((each) => each !== currency),
  )
  const answer = {
    ...{ from, to, groupBy, currency, fxIncomplete: warnings.length > 0 },
    rows: rows.slice((page - 1) * limit, page * limit),
    totals: amountsOf(addUp(sums), currency),
    manualEntries: toMajor(manual, currency),
    pagination: { page, limit, total: rows.length, totalPages: Math.ceil(rows.length / limit) },
  }
  return withWarnings(answer, warnings)
}

const toRow = (sum: IncomeSum, currency: string): IncomeRow => ({
  key: sum.key,
  name: sum.name,
  ...amountsOf(addUp([sum]), currency),
  documentIds: sum.documentIds,
})

function amountsOf({ count, ...minors }: IncomeTotals, currency: string) {
  const major = (field: keyof typeof minors) => toMajor(minors[field], currency)
  return {
    net: major('net'),
    tax: major('tax'),
    goods: major('goods'),
    rounding: major('rounding'),
    total: major('total'),
    count,
  }
}

const orderOf = (groupBy: string) => (one: IncomeRow, other: IncomeRow) => {
  const byKey = (one.key ?? '').localeCompare(other.key ?? '', 'en')
  return groupBy === 'month' ? byKey : other.net - one.net || byKey
}

type FileOf = { side: Side; from: string; to: string; format: FileFormat; organization: ReportContext }

function fileOf(rows: readonly IncomeRow[], { side, from, to, format, organization }: FileOf) {
  const { id, language, currency } = organization
  const table = {
    name: `${side === 'SALES' ? 'income' : 'expenses'}-${from}-${to}`,
    columns,
    rows: rows.map((row) => [
      ...[row.key, row.name, currency, row.net, row.tax, row.goods, row.rounding, row.total, row.count],
    ]),
  }
  return reportFile(table, { format, organizationId: id, language })
}

const columns: readonly ReportColumn[] = [
  { key: 'key', title: 'Group', titleHe: 'קבוצה', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'net', title: 'Net', titleHe: 'לפני מס', type: 'money' },
  { key: 'tax', title: 'Tax', titleHe: 'מס', type: 'money' },
  { key: 'goods', title: 'Goods', titleHe: 'סחורה למלאי', type: 'money' },
  { key: 'rounding', title: 'Rounding', titleHe: 'עיגול', type: 'money' },
  { key: 'total', title: 'Total', titleHe: 'סך הכול', type: 'money' },
  { key: 'count', title: 'Documents', titleHe: 'מסמכים', type: 'number' },
]
