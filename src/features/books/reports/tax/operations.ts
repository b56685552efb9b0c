import { invalid } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, OneOf, Type, type Warning } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { addDays, addMonths } from '../../../../core/values/day.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { requiredDay } from '../../../../ledger/organization-context.ts'
import { fxWarnings } from '../fx-warnings.ts'
import { type ReportContext, ReportDay, reportContext } from '../report-context.ts'
import { type FileFormat, type ReportColumn, reportFile, reportFormat, reportOutput } from '../report-file.ts'
import { purchaseProblems, salesProblems } from './problems.ts'
import { readAdvances } from './read-advances.ts'
import { readManualTax } from './read-entries.ts'
import { readStoredTax } from './read-stored-tax.ts'
import { ratesIn, readTax, type TaxSum } from './read-tax.ts'
import { idsMax, type ManualTax, problemsMax, type TaxAdvance, TaxReport, type TaxRow } from './tax.ts'

const months = { month: 1, twoMonths: 2, quarter: 3 } as const

export const taxCompliance = operation({
  name: 'reports_tax_compliance',
  http: 'GET /api/reports/tax-compliance',
  does: "Shows output and input tax by rate, category and filing period in the country's currency, and what is missing on which document.",
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    from: ReportDay,
    to: ReportDay,
    period: Type.Optional(
      Type.Unsafe<keyof typeof months>({
        ...OneOf('month', 'twoMonths', 'quarter'),
        description: 'The length of a filing period; that of the country if not given.',
      }),
    ),
    ...reportFormat,
  }),
  output: reportOutput(TaxReport),
  async run({ db }, { period, format, ...days }) {
    const organization = await reportContext(db)
    const { rules, currency: home } = organization
    const [from, to] = [requiredDay('from', days.from, organization), requiredDay('to', days.to, organization)]
    if (to < from) throw invalid('to', 'to is before from.')
    const asked = { from, to, home, currency: rules.currency, rates: ratesIn(rules, from, to) }
    const periodMonths = period ? months[period] : rules.taxPeriodMonths
    // what is stored is in the currency of the books
    const sums = home === rules.currency ? await readStoredTax(db, asked) : await readTax(db, asked)
    if (!sums) throw invalid('to', 'The period is too long to be summed up in one request. Give a shorter one.')
    const rows = toRows(sums, { periodMonths, rules, organization })
    const manualEntries = await readManualTax(db, asked)
    const advances = await readAdvances(db, { from, to, rules })
    if (format !== 'json') return fileOf({ rows, advances, manualEntries }, { from, to, format, organization })
    const [sales, purchases] = [await salesProblems(db, asked), await purchaseProblems(db, asked, rules)]
    const warnings = fxWarnings(
      sums.flatMap(({ faceValues }) => faceValues),
      [],
    )
    const [output, input] = [totalOf(sums, 'OUTPUT'), totalOf(sums, 'INPUT')]
    const problems = [...sales.problems, ...purchases.problems]
    const report = {
      ...{
        from,
        to,
        periodMonths,
        country: rules.code,
        currency: rules.currency,
        fxIncomplete: warnings.length > 0,
        rows,
      },
      totals: {
        output: toFigures(output, rules.currency),
        input: toFigures(input, rules.currency),
        payable: toMajor(BigInt(output.taxMinor - input.taxMinor), rules.currency),
      },
      advances,
      manualEntries,
      problems: problems.slice(0, problemsMax),
      problemsIncomplete: !sales.isWhole || !purchases.isWhole || problems.length > problemsMax,
    }
    return withWarnings(report, [...warnings, ...advanceWarnings(advances), ...manualWarnings(manualEntries)])
  },
})

function advanceWarnings({ length }: readonly TaxAdvance[]): Warning[] {
  if (length === 0) return []
  const message = `Customers have paid before a tax invoice was issued (${length === 1 ? 'once' : `${length} times`}), and tax may be due on that. It is not in the rows and totals.`
  return [{ code: 'TAX_ON_ADVANCES', path: 'advances', message }]
}

function manualWarnings(entries: readonly ManualTax[]): Warning[] {
  if (entries.length === 0) return []
  const accounts = [...new Set(entries.map(({ accountCode }) => accountCode))].join(', ')
  const message = `People made entries on accounts of tax (${accounts}), which no document explains. They are not in the rows and totals.`
  return [{ code: 'TAX_UNEXPLAINED', path: 'manualEntries', message }]
}

type Minors = Pick<TaxSum, 'baseMinor' | 'taxMinor' | 'creditedBaseMinor' | 'creditedTaxMinor'>

const noMinors: Minors = { baseMinor: 0, taxMinor: 0, creditedBaseMinor: 0, creditedTaxMinor: 0 }

const plus = (one: Minors, other: Minors): Minors => ({
  baseMinor: one.baseMinor + other.baseMinor,
  taxMinor: one.taxMinor + other.taxMinor,
  creditedBaseMinor: one.creditedBaseMinor + other.creditedBaseMinor,
  creditedTaxMinor: one.creditedTaxMinor + other.creditedTaxMinor,
})

const totalOf = (sums: readonly TaxSum[], side: TaxSum['side']) =>
  sums.filter((sum) => sum.side === side).reduce(plus, noMinors)

function toFigures(minors: Minors, currency: string) {
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  return {
    base: major(minors.baseMinor),
    tax: major(minors.taxMinor),
    creditedBase: major(minors.creditedBaseMinor),
    creditedTax: major(minors.creditedTaxMinor),
  }
}

type Shown = { periodMonths: number; rules: Country; organization: ReportContext }

/** The sums of months as rows of filing periods: by period, output before input, the highest rate first. */
function toRows(sums: readonly TaxSum[], { periodMonths, rules, organization }: Shown): TaxRow[] {
  const groups = new Map<string, TaxSum[]>()
  for (const sum of sums) {
    const key = JSON.stringify([periodOf(sum.month, periodMonths), sum.side, sum.rate, sum.category])
    groups.set(key, [...(groups.get(key) ?? []), sum])
  }
  const rows = [...groups.values()].flatMap((group): TaxRow[] => {
    const [first] = group
    if (!first) return []
    const { side, rate, category } = first
    const period = periodOf(first.month, periodMonths)
    const line = { amountMinor: 0n, taxRate: rate, taxCategory: category }
    return [
      {
        ...{
          period,
          from: `${period}-01`,
          to: addDays(addMonths(`${period}-01`, periodMonths), -1),
          side,
          rate,
          category,
        },
        categoryName: rules.documents.taxCategoryOf(line, organization.language)?.name ?? category,
        ...toFigures(group.reduce(plus, noMinors), rules.currency),
        count: group.reduce((all, { count }) => all + count, 0),
        documentIds: group.flatMap(({ documentIds }) => documentIds).slice(0, idsMax),
      },
    ]
  })
  return rows.toSorted(
    (one, other) =>
      one.period.localeCompare(other.period) ||
      other.side.localeCompare(one.side) ||
      (other.rate ?? -1) - (one.rate ?? -1) ||
      (one.category ?? '').localeCompare(other.category ?? ''),
  )
}

/** The first month of the period that a month is in; periods begin in January. */
function periodOf(month: string, periodMonths: number): string {
  const [year, number] = [month.slice(0, 4), Number(month.slice(5))]
  const first = number - ((number - 1) % periodMonths)
  return `${year}-${String(first).padStart(2, '0')}`
}

type FileOf = { from: string; to: string; format: FileFormat; organization: ReportContext }

type Listed = { rows: readonly TaxRow[]; advances: readonly TaxAdvance[]; manualEntries: readonly ManualTax[] }

function fileOf({ rows, advances, manualEntries }: Listed, { from, to, format, organization }: FileOf) {
  const { id, language, rules } = organization
  const table = {
    name: `tax-${from}-${to}`,
    columns,
    rows: [
      ...rows.map((row) => [
        ...[row.from, row.to, row.side, row.rate, row.category, row.categoryName, rules.currency],
        ...[row.base, row.tax, row.creditedBase, row.creditedTax, row.count],
      ]),
      ...advances.map(({ date, number, currency, base, tax }) => [
        ...[date, date, 'ADVANCE', null, null, `${inAdvance[language]} (${number ?? '–'})`, currency],
        ...[base, tax, 0, 0, 1],
      ]),
      ...manualEntries.map(({ side, accountCode, currency, amount, count }) => [
        ...[from, to, side, null, null, `${byHand[language]} (${accountCode})`, currency, 0, amount, 0, 0, count],
      ]),
    ],
  }
  return reportFile(table, { format, organizationId: id, language })
}

const inAdvance: Record<Language, string> = {
  en: 'Paid before a tax invoice; tax may be due',
  he: 'התקבל לפני חשבונית מס; ייתכן שחל מס',
}

const byHand: Record<Language, string> = {
  en: 'Entries by hand, explained by no document',
  he: 'רישומים ידניים, ללא מסמך',
}

const columns: readonly ReportColumn[] = [
  { key: 'from', title: 'From', titleHe: 'מתאריך', type: 'date' },
  { key: 'to', title: 'To', titleHe: 'עד תאריך', type: 'date' },
  { key: 'side', title: 'Side', titleHe: 'עסקאות או תשומות', type: 'text' },
  { key: 'rate', title: 'Rate %', titleHe: 'שיעור %', type: 'number' },
  { key: 'category', title: 'Category', titleHe: 'קוד', type: 'text' },
  { key: 'categoryName', title: 'Category name', titleHe: 'סיווג', type: 'text' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'base', title: 'Taxable amount', titleHe: 'סכום חייב', type: 'money' },
  { key: 'tax', title: 'Tax', titleHe: 'מס', type: 'money' },
  { key: 'creditedBase', title: 'Credited amount', titleHe: 'זיכויים', type: 'money' },
  { key: 'creditedTax', title: 'Credited tax', titleHe: 'מס בזיכויים', type: 'money' },
  { key: 'count', title: 'Documents', titleHe: 'מסמכים', type: 'number' },
]
