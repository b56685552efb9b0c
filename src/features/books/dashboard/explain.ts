import type { Database } from '../../../core/define/operation.ts'
import { type Static, Text, Type } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import { addUp } from '../reports/income/add-up.ts'
import { readIncome, readManual, type Side } from '../reports/income/read-income.ts'
import { readSums } from '../reports/statements/sums.ts'

const Amount = Type.Number({ description: 'In the currency of the dashboard.' })

/** The year without tax, and how the net total of the dashboard becomes the net profit of the books. */
export const explanation = {
  netOfTax: Type.Object(
    { revenue: Amount, expenses: Amount, net: Amount },
    {
      description:
        'Issued sales and approved expenses of the year without tax, as the income and expense reports have them.',
    },
  ),
  toProfitAndLoss: Type.Object({
    basis: Type.String({ description: 'The profit and loss statement that it leads to.', examples: ['accrual'] }),
    netTotal: Type.Number({ description: 'Revenue minus expenses, as on the dashboard.' }),
    lines: Type.Array(Type.Object({ code: Text, label: Text, amount: Amount }), {
      description: 'What has to be added; lines of nothing are left out.',
    }),
    netProfit: Type.Number({ description: 'The net total and all lines: the net profit of the statement.' }),
  }),
}
const Explanation = Type.Object(explanation)
export type Explanation = Static<typeof Explanation>

const labels = {
  OPEN_INVOICES: 'Invoices that are issued and not paid; the dashboard counts paid ones',
  SALES_TAX: 'Tax on sales; the dashboard counts it as revenue',
  OTHER_EXPENSES: 'Expenses and supplier credits that count on another day or at another exchange rate',
  INPUT_TAX: 'Tax on expenses that is deducted; the dashboard counts it as an expense',
  GOODS: 'Goods that were bought for stock; they become an expense when they are sold',
  COST_OF_GOODS_SOLD: 'Cost of goods sold and adjustments of stock',
  PAYROLL: 'Payroll, which the dashboard does not count',
  EXCHANGE_DIFFERENCES: 'Exchange differences',
  ROUNDING: 'Rounding',
  ENTRIES_BY_HAND: 'Entries by hand on the accounts of sales and expenses',
  OTHER: 'Other entries on accounts of income and expense',
} as const
type Code = keyof typeof labels

type Counted = { year: number; currency: string; revenueMinor: bigint; expensesMinor: bigint }

/** Explains the difference line by line. What is in no other line is the last one, so the lines always add up. */
export async function explain(
  db: Database,
  { year, currency, revenueMinor, expensesMinor }: Counted,
): Promise<Explanation> {
  const period = { from: `${year}-01-01`, to: `${year}-12-31` }
  const sales = await totalsOf(db, 'SALES', { ...period, currency })
  const spent = await totalsOf(db, 'EXPENSE', { ...period, currency })
  const { net, byPurpose } = await readResult(db, { ...period, currency })
  const ofPurpose = (...purposes: string[]) =>
    purposes.reduce((sum, purpose) => sum + (byPurpose.get(purpose) ?? 0n), 0n)
  const known: [Code, bigint][] = [
    ['OPEN_INVOICES', sales.gross - revenueMinor],
    ['SALES_TAX', -sales.tax],
    ['OTHER_EXPENSES', expensesMinor - spent.gross],
    ['INPUT_TAX', spent.tax],
    ['GOODS', spent.goods - sales.goods],
    ['COST_OF_GOODS_SOLD', ofPurpose('COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS')],
    ['PAYROLL', ofPurpose('PAYROLL')],
    ['EXCHANGE_DIFFERENCES', ofPurpose('EXCHANGE_DIFFERENCES')],
    ['ROUNDING', spent.rounding - sales.rounding + ofPurpose('ROUNDING')],
    ['ENTRIES_BY_HAND', sales.manual - spent.manual],
  ]
  const explained = known.reduce((sum, [, minor]) => sum + minor, revenueMinor - expensesMinor)
  const lines: [Code, bigint][] = [...known, ['OTHER', net - explained]]
  const major = (minor: bigint) => toMajor(minor, currency)
  return {
    netOfTax: { revenue: major(sales.net), expenses: major(spent.net), net: major(sales.net - spent.net) },
    toProfitAndLoss: {
      basis: 'accrual',
      netTotal: major(revenueMinor - expensesMinor),
      lines: lines
        .filter(([, minor]) => minor !== 0n)
        .map(([code, minor]) => ({ code, label: labels[code], amount: major(minor) })),
      netProfit: major(net),
    },
  }
}

type Period = { from: string; to: string; currency: string }

/** What the income or expense report says of a period. */
async function totalsOf(db: Database, side: Side, { currency, ...period }: Period) {
  const asked = { side, groupBy: 'type', ...period } as const
  const { sums } = await readIncome(db, asked, { currency, first: 1, last: 0 })
  const own = sums.filter(({ homeCurrency }) => homeCurrency === currency)
  const { total: gross, ...totals } = addUp(own)
  return { ...totals, gross, manual: await readManual(db, asked, currency) }
}

/** The net profit of the profit and loss statement, and what the accounts with a purpose of their own have of it. */
async function readResult(db: Database, { from, to, currency }: Period) {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'purpose'])
    .where('type', 'in', ['INCOME', 'EXPENSE'])
    .execute()
  const purposes = new Map(accounts.map(({ id, purpose }) => [id, purpose]))
  const [rows = []] = await readSums(db, [{ from, to, basis: 'ACCRUAL', part: 'all' }])
  const byPurpose = new Map<string, bigint>()
  let net = 0n
  for (const { accountId, home, debit, credit } of rows) {
    if (home !== currency || accountId === null || !purposes.has(accountId)) continue
    const purpose = purposes.get(accountId) ?? ''
    net += credit - debit
    byPurpose.set(purpose, (byPurpose.get(purpose) ?? 0n) + credit - debit)
  }
  return { net, byPurpose }
}
