import { nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import type { ReportTable } from '../report-file.ts'
import { yearBefore } from './period.ts'
import {
  type Account,
  Amount,
  accountFields,
  accountOf,
  byCode,
  completenessFields,
  gapsOf,
  gapWarnings,
  shown,
  sumOf,
  toAmount,
} from './statement.ts'
import type { SumRow } from './sums.ts'

const figures = {
  total: Amount,
  previousTotal: Amount,
  months: Type.Array(
    Type.Object({ month: Type.String({ description: 'Such as 2026-01.' }), amount: Amount, previousAmount: Amount }),
  ),
}
const Figures = Type.Object(figures)
type Figures = Static<typeof Figures>
const Section = Type.Object({ accounts: Type.Array(Type.Object({ ...accountFields, ...figures })), ...figures })
type Section = Static<typeof Section>

export const ProfitAndLoss = Type.Object({
  from: Text,
  to: Text,
  previousFrom: Text,
  previousTo: Text,
  basis: OneOf('accrual', 'cash'),
  currency: Text,
  income: Section,
  costOfGoodsSold: Section,
  grossProfit: Figures,
  expenses: Section,
  netProfit: Figures,
  margin: nullable(Type.Number({ description: 'The net profit in percent of the income; null without income.' })),
  previousMargin: nullable(Type.Number()),
  ...completenessFields,
})
export type ProfitAndLoss = Static<typeof ProfitAndLoss>

/** Amounts by month of the period, and by the same month of the year before. */
type Minor = { now: Map<string, bigint>; before: Map<string, bigint> }

type Given = {
  from: string
  to: string
  previousFrom: string
  previousTo: string
  basis: 'accrual' | 'cash'
  currency: string
  months: readonly string[]
  accounts: ReadonlyMap<string, Account>
}

export function profitAndLoss(now: SumRow[], before: SumRow[], given: Given): ProfitAndLoss {
  const { currency, months, accounts, from, to, previousFrom, previousTo, basis } = given
  const isResult = ({ accountId }: SumRow) => ['INCOME', 'EXPENSE'].includes(accountOf(accounts, accountId).type ?? '')
  const [counted, countedBefore] = [now.filter(isResult), before.filter(isResult)]
  const minors = minorsOf(counted, countedBefore, given)
  const toFigures = figuresIn(currency, months)
  const section = (belongs: (account: Account) => boolean, sign: 1n | -1n) => {
    const rows = [...minors]
      .map(([id, minor]) => ({ account: accountOf(accounts, id), minor: signed(minor, sign) }))
      .filter(({ account }) => belongs(account))
      .toSorted((one, other) => byCode(one.account, other.account))
    const total = totalOf(rows.map(({ minor }) => minor))
    const shownRows = rows.map(({ account, minor }) => ({ ...shown(account), ...toFigures(minor) }))
    return { total, section: { accounts: shownRows, ...toFigures(total) } }
  }
  const income = section(({ type }) => type === 'INCOME', 1n)
  const goods = section(({ type, isCostOfGoods }) => type === 'EXPENSE' && isCostOfGoods, -1n)
  const expenses = section(({ type, isCostOfGoods }) => type === 'EXPENSE' && !isCostOfGoods, -1n)
  const gross = totalOf([income.total, signed(goods.total, -1n)])
  const net = totalOf([gross, signed(expenses.total, -1n)])
  const gaps = gapsOf([...counted, ...countedBefore], currency)
  return withWarnings(
    {
      from,
      to,
      previousFrom,
      previousTo,
      basis,
      currency,
      income: income.section,
      costOfGoodsSold: goods.section,
      grossProfit: toFigures(gross),
      expenses: expenses.section,
      netProfit: toFigures(net),
      margin: percentOf(sumOf(net.now.values()), sumOf(income.total.now.values())),
      previousMargin: percentOf(sumOf(net.before.values()), sumOf(income.total.before.values())),
      fxIncomplete: gaps.faceValues.length > 0,
    },
    gapWarnings(gaps),
  )
}

/** Credit less debit of each account, by month. A month of the year before counts under the month that it is compared with. */
function minorsOf(now: SumRow[], before: SumRow[], { currency }: Given): Map<string | null, Minor> {
  const minors = new Map<string | null, Minor>()
  const add = (rows: SumRow[], key: keyof Minor, monthIn: (month: string) => string) => {
    for (const { accountId, home, part, debit, credit } of rows) {
      if (home !== currency) continue
      const minor = minors.get(accountId) ?? { now: new Map(), before: new Map() }
      minors.set(accountId, minor)
      const month = monthIn(part)
      minor[key].set(month, (minor[key].get(month) ?? 0n) + credit - debit)
    }
  }
  add(now, 'now', (month) => month)
  add(before, 'before', (month) => `${String(Number(month.slice(0, 4)) + 1).padStart(4, '0')}${month.slice(4)}`)
  return minors
}

const mapped = (amounts: Map<string, bigint>, sign: bigint) =>
  new Map([...amounts].map(([month, amount]) => [month, sign * amount]))

const signed = ({ now, before }: Minor, sign: 1n | -1n): Minor => ({
  now: mapped(now, sign),
  before: mapped(before, sign),
})

function totalOf(parts: readonly Minor[]): Minor {
  const total: Minor = { now: new Map(), before: new Map() }
  for (const part of parts)
    for (const key of ['now', 'before'] as const)
      for (const [month, amount] of part[key]) total[key].set(month, (total[key].get(month) ?? 0n) + amount)
  return total
}

const figuresIn = (currency: string, months: readonly string[]) => {
  const amount = toAmount(currency)
  return ({ now, before }: Minor): Figures => ({
    total: amount(sumOf(now.values())),
    previousTotal: amount(sumOf(before.values())),
    months: months.map((month) => ({
      month,
      amount: amount(now.get(month) ?? 0n),
      previousAmount: amount(before.get(month) ?? 0n),
    })),
  })
}

/** In percent with two decimals. */
const percentOf = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Math.round((Number(part) / Number(whole)) * 10_000) / 100

/** The period of the year before. */
export const previousOf = ({ from, to }: { from: string; to: string }) => ({
  from: yearBefore(from),
  to: yearBefore(to),
})

export function profitAndLossTable(report: ProfitAndLoss): ReportTable {
  const { from, to, income, costOfGoodsSold, expenses } = report
  const months = income.months.map(({ month }) => month)
  const cells = ({ total, previousTotal, months: each }: Figures) => [
    total,
    previousTotal,
    ...each.flatMap(({ amount, previousAmount }) => [amount, previousAmount]),
  ]
  const rows = (section: string, { accounts, ...total }: Section, name: string, nameHe: string) => [
    ...accounts.map((row) => [section, row.code, row.name, row.nameHe, row.accountId, ...cells(row)]),
    [section, null, name, nameHe, null, ...cells(total)],
  ]
  return {
    name: `profit-and-loss-${from}-${to}`,
    columns: [
      { key: 'section', title: 'Section', titleHe: 'סעיף', type: 'text' },
      { key: 'code', title: 'Account', titleHe: 'חשבון', type: 'text' },
      { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
      { key: 'nameHe', title: 'Hebrew name', titleHe: 'שם בעברית', type: 'text' },
      { key: 'accountId', title: 'Account id', titleHe: 'מזהה חשבון', type: 'text' },
      { key: 'total', title: 'Total', titleHe: 'סך הכול', type: 'money' },
      { key: 'previousTotal', title: 'Year before', titleHe: 'שנה קודמת', type: 'money' },
      ...months.flatMap((month) => [
        { key: month, title: month, titleHe: month, type: 'money' as const },
        {
          key: `${month} previous`,
          title: `${month}, year before`,
          titleHe: `${month}, שנה קודמת`,
          type: 'money' as const,
        },
      ]),
    ],
    rows: [
      ...rows('INCOME', income, 'Total income', 'סך ההכנסות'),
      ...rows('COST_OF_GOODS_SOLD', costOfGoodsSold, 'Total cost of goods sold', 'סך עלות המכר'),
      ['GROSS_PROFIT', null, 'Gross profit', 'רווח גולמי', null, ...cells(report.grossProfit)],
      ...rows('EXPENSES', expenses, 'Total expenses', 'סך ההוצאות'),
      ['NET_PROFIT', null, 'Net profit', 'רווח נקי', null, ...cells(report.netProfit)],
    ],
  }
}
