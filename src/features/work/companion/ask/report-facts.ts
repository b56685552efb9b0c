import type { Aging } from '../../../books/reports/aging/aging.ts'
import type { IncomeReport } from '../../../books/reports/income/income.ts'
import type { Statement } from '../../../books/reports/statement/statement.ts'
import type { Data } from '../assistant/answers/rows.ts'
import type { Talk } from '../assistant/talk.ts'
import type { Understood } from '../assistant/understood.ts'
import { nouns } from '../assistant/words/nouns.ts'
import { about, type Facts, isNarrowed, listFacts, namesOf, plainFacts } from './facts.ts'

/** With the amount that the words of the answer begin with. */
const withFigure =
  (amount: (output: never) => unknown, more: (output: never) => Data = () => ({})) =>
  (talk: Talk, understood: Understood, output: Data): Facts => {
    const facts = plainFacts(talk, understood, output)
    const figure = isNarrowed(understood) ? undefined : amount(output as never)
    const currency = output.currency ?? talk.turn.organization.currency
    return {
      ...facts,
      ...(typeof figure === 'number' && { amount: figure }),
      ...(typeof currency === 'string' && { currency }),
      fields: isNarrowed(understood) ? {} : { ...facts.fields, ...more(output as never) },
    }
  }

type Statements = Record<'income' | 'expenses' | 'netProfit' | 'grossProfit' | 'costOfGoodsSold', { total: number }>
type Sheet = Record<'assets' | 'liabilities' | 'equity', { total: { amount: number } }>
type Tax = { totals: { payable: number; output: { tax: number }; input: { tax: number } } }

/** The facts of reports that need more than the names of their fields. */
export const reportFacts: Record<string, (talk: Talk, understood: Understood, output: never) => Facts> = {
  reports_receivables_aging: agingFacts,
  reports_payables_aging: agingFacts,
  reports_customer_statement: statementFacts,
  reports_income: incomeFacts,
  reports_expenses: incomeFacts,
  reports_stock_valuation: withFigure(({ total }: { total: number }) => total),
  reports_profit_and_loss: withFigure(
    ({ netProfit }: Statements) => netProfit.total,
    ({ income, expenses, netProfit, grossProfit, costOfGoodsSold }: Statements) => ({
      ...{ income: income.total, revenue: income.total, expenses: expenses.total, grossProfit: grossProfit.total },
      ...{ netProfit: netProfit.total, profit: netProfit.total, costOfGoodsSold: costOfGoodsSold.total },
    }),
  ),
  reports_balance_sheet: withFigure(
    () => undefined,
    ({ assets, liabilities, equity }: Sheet) => ({
      ...{ assets: assets.total.amount, liabilities: liabilities.total.amount, equity: equity.total.amount },
    }),
  ),
  reports_tax_compliance: withFigure(
    ({ totals }: Tax) => totals.payable,
    ({ totals }: Tax) => ({
      outputTax: totals.output.tax,
      inputTax: totals.input.tax,
      tax: totals.payable,
      vat: totals.payable,
    }),
  ),
  payroll_summary: withFigure(() => undefined),
  dashboard_get: withFigure(
    () => undefined,
    (output: Record<string, unknown>) => ({
      ...{
        revenue: output.totalRevenue,
        income: output.totalRevenue,
        expenses: output.expenseTotal,
        net: output.netTotal,
      },
      ...{ profit: output.netTotal, outstanding: output.openBalance, currency: output.displayCurrency },
    }),
  ),
}

/**
 * Income or expenses by group. The words of the answer are about the amounts before tax, so `total` is too; what includes tax
 * is `gross`.
 */
function incomeFacts(talk: Talk, understood: Understood, report: IncomeReport): Facts {
  const { currency, groupBy, totals, pagination } = report
  const rows = report.rows.map(({ key, name, net, total: gross, tax, count }) => ({
    data: { id: key, name, [groupBy]: name, amount: net, total: net, net, gross, tax, count, currency },
    row: { name: name ?? '', amount: net, currency, date: key ?? '' },
  }))
  const isWhole = pagination.total <= rows.length
  const facts = listFacts(talk, understood, rows, { isWhole, listNames: [groupBy, `${groupBy}s`] })
  if (isNarrowed(understood)) return facts
  const { net, total: gross, tax, count } = totals
  const fields = { total: net, net, gross, tax, count, income: net, revenue: net, expenses: net, currency }
  return { ...facts, amount: net, currency, fields }
}

/** Who owes us, or whom we owe; only what is overdue if that was asked. */
function agingFacts(
  talk: Talk,
  understood: Understood,
  { counterparties, totals, currency, pagination }: Aging,
): Facts {
  const isPayable = understood.tool === 'reports_payables_aging'
  const { isAboutOverdue } = about(understood)
  const overdueOf = ({ buckets, total }: Pick<Aging['totals'], 'buckets' | 'total'>) =>
    toMills(total - buckets.current.amount)
  const owed = (figures: Pick<Aging['totals'], 'buckets' | 'total'>) =>
    isAboutOverdue ? overdueOf(figures) : figures.total
  const rows = counterparties.map((each) => {
    const { counterpartyId: id, name, disputed, credits, total } = each
    const amount = owed(each)
    const data: Data = {
      id,
      name,
      amount,
      total: amount,
      owed: amount,
      open: total,
      overdue: overdueOf(each),
      disputed,
    }
    const party = { [isPayable ? 'supplier' : 'customer']: name, ...(!isAboutOverdue && { balance: each.balance }) }
    return {
      data: { ...data, ...party, currency, credits: credits.amount },
      row: { name: name ?? '', amount, currency },
    }
  })
  const isWhole = pagination.total <= counterparties.length
  const noun = isPayable ? nouns.supplier : nouns.customer
  const others = isPayable ? ['vendors', 'creditors', 'counterparties'] : ['clients', 'debtors', 'counterparties']
  const owing = rows.filter(({ row }) => row.amount > 0)
  const facts = listFacts(talk, understood, owing, { isWhole, listNames: [...namesOf(noun), ...others] })
  const isFiltered = isNarrowed(understood, 'overdue')
  if (isFiltered) return { ...facts, isAboutOpen: true }
  const { balance, disputed, credits } = totals
  const fields = { overdue: overdueOf(totals), disputed, credits: credits.amount, ...(!isAboutOverdue && { balance }) }
  return { ...facts, isAboutOpen: true, amount: owed(totals), currency, fields }
}

/** Without the noise of floating point. */
const toMills = (amount: number) => Math.round(amount * 1_000) / 1_000

/** What one customer owes. */
function statementFacts(
  talk: Talk,
  understood: Understood,
  { customerId, customerName, currencies }: Statement,
): Facts {
  const { today, organization } = talk.turn
  const subject = about(understood)
  const [first, ...others] = currencies
  const balances = currencies.map(({ currency, closingBalance }) => ({
    currency,
    amount: closingBalance,
    balance: closingBalance,
  }))
  const fields: Data = {
    customerId,
    customer: customerName,
    customerName,
    name: customerName,
    currencies: balances,
    balances,
  }
  const one = { amount: first?.closingBalance ?? 0, currency: first?.currency ?? organization.currency }
  const isOne = others.length === 0 && !subject.isAboutOverdue
  return { ...subject, isAboutOpen: true, ...(isOne && one), listNames: [], isWhole: true, fields, today }
}
