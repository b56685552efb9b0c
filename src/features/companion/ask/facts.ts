import type { Aging } from '../../reports/aging/aging.ts'
import type { IncomeReport } from '../../reports/income/income.ts'
import type { Statement } from '../../reports/statement/statement.ts'
import { viewFor } from '../assistant/answers/intent-views.ts'
import { applyThen, type Data, type Row, readRows, rowsIn, sumsOf } from '../assistant/answers/rows.ts'
import { call, type Steps, type Talk } from '../assistant/talk.ts'
import type { Understood } from '../assistant/understood.ts'
import { type Noun, nouns } from '../assistant/words/nouns.ts'
import type { ToolResult } from '../turns/assistant.ts'

/** What is known after a question was looked up, for filling in an answer. */
export type Facts = {
  /** The rows that the question is about, with all their fields; undefined if the result is no list. */
  rows?: FactRow[]
  /** The only row, or the first one of an order that was asked for: "who owes the most?" */
  one?: FactRow
  /** The names that the rows have in the result and in words: `invoices`, `חשבוניות`. */
  listNames: readonly string[]
  /** Whether no row is missing, so that counts and sums are exact. */
  isWhole: boolean
  /** The one amount that answers the question. Undefined if there is none, or several currencies. */
  amount?: number
  currency?: string
  /** Other single values of the result, by name. */
  fields: Data
  asksHowMany: boolean
  isAboutOpen: boolean
  isAboutOverdue: boolean
  today: string
}

export type FactRow = { data: Data; row: Row }

type Failed = Extract<ToolResult, { ok: false }>

/** Makes the calls for what was understood and collects what they say. */
export async function* factsOf(talk: Talk, understood: Understood): Steps<Facts | Failed> {
  const view = viewFor(understood)
  if (view) {
    const read = yield* readRows(talk, understood, { field: view.field, all: true, shown: 100 })
    if ('ok' in read) return read
    const kept = read.rows.filter((data) => view.keeps?.(data, talk) ?? true)
    const rows = kept.map((data) => ({ data, row: view.row(data, talk) }))
    return listFacts(talk, understood, rows, {
      isWhole: !read.isCut,
      listNames: [view.field, ...namesOf(view.noun), ...namesOf(otherNouns[view.field])],
    })
  }
  const result = yield* call(talk, understood.tool, { ...understood.input, ...largestPage(talk, understood.tool) })
  if (!result.ok) return result
  const output = (result.output ?? {}) as Data
  const facts = (special[understood.tool] ?? plainFacts)(talk, understood, output as never)
  return output.fxIncomplete === true ? withoutAmounts(facts) : facts
}

const namesOf = (noun: Noun | undefined): string[] => (noun ? [...noun.en, ...noun.he.slice(0, 2)] : [])
const otherNouns: Record<string, Noun> = { invoices: nouns.document }

/** A report gives as many rows at once as it can. */
function largestPage({ turn }: Talk, tool: string): Data {
  const limit = turn.tools.find(({ name }) => name === tool)?.input.properties.limit as { maximum?: number } | undefined
  return limit?.maximum ? { limit: limit.maximum } : {}
}

const about = ({ intent, then = {} }: Understood) => {
  const isAboutOverdue = then.overdue === true || then.overdueDays !== undefined || /overdue|late/.test(intent)
  const isAboutOpen = isAboutOverdue || then.open === true || then.dueDays !== undefined || /open|unpaid|due/.test(intent)
  return { isAboutOverdue, isAboutOpen, asksHowMany: then.count === true }
} // biome-ignore format: one line

/** Whether the question is about some of the rows, or their order, so that figures of all of them do not answer it. */
const isNarrowed = ({ then = {} }: Understood, ...except: string[]) =>
  Object.entries(then).some(([what, value]) => value !== undefined && !['count', 'add', ...except].includes(what))

/** The rows that were asked for, and their sum. */
function listFacts(
  talk: Talk,
  understood: Understood,
  all: readonly FactRow[],
  { isWhole: isRead, listNames }: Pick<Facts, 'isWhole' | 'listNames'>,
): Facts {
  const { today, organization } = talk.turn
  const { order, first, ...kept } = understood.then ?? {}
  const subject = about(understood)
  const amounts = all.map(({ data, row }) => ({ ...row, ...amountOf(data, row, subject.isAboutOpen), data }))
  const ordered = applyThen(amounts, { ...kept, ...(order && { order }) }, today) as (Row & { data: Data })[]
  const rows = ordered.slice(0, first).map(({ data, ...row }) => ({ data, row }))
  const sums = sumsOf(rows.map(({ row }) => row))
  const isWhole = isRead && !(isByAmount(order) && new Set(ordered.map(({ currency }) => currency)).size > 1)
  const isSummed = isWhole && rows.every(({ row }) => row.amount !== undefined && row.currency !== undefined)
  const isRanking = order !== undefined && first === undefined && rows.length > 1
  const total = rows.length === 0 ? { amount: 0, currency: organization.currency } : sums.length === 1 ? sums[0] : undefined
  const one = isWhole && (order ? isFirstAlone(ordered, order) : rows.length === 1) ? rows[0] : undefined
  return {
    ...subject,
    ...(isSummed && total && !isRanking && { amount: total.amount, currency: total.currency }),
    ...(isRanking && typeof one?.row.amount === 'number' && { amount: one.row.amount, currency: one.row.currency ?? '' }),
    ...(one && (isRanking || rows.length === 1) && { one }),
    rows,
    listNames,
    isWhole,
    fields: {},
    today,
  }
} // biome-ignore format: one line

const isByAmount = (order: string | undefined) => order === 'largest' || order === 'smallest'

/** Amounts or days that are the same leave open which row is the first. */
const isFirstAlone = ([first, second]: readonly Row[], order: string): boolean =>
  first !== undefined &&
  (second === undefined || (isByAmount(order) ? first.amount !== second.amount : first.date !== second.date))

/** A list shows what is open of a document that is open; who asks for all documents wants their totals. */
const amountOf = ({ openBalance, total }: Data, { kind, amount }: Row, isAboutOpen: boolean): Partial<Row> => {
  const own = kind === 'document' && !isAboutOpen && typeof openBalance === 'number' ? total : amount
  return typeof own === 'number' ? { amount: own } : {}
}

/** A record, or a report: its fields by name, and the rows of its list if it has one. */
function plainFacts({ turn }: Talk, understood: Understood, output: Data): Facts {
  const field = 'id' in output ? undefined : Object.keys(output).find((key) => key !== 'warnings' && isRows(output[key]))
  const fields = { ...withoutLists(part(output.totals)), ...withoutLists(output) }
  const facts = { ...about(understood), fields, today: turn.today }
  if (field === undefined) return { ...facts, listNames: [], isWhole: true }
  const rows = rowsIn(output, field).map((data) => ({ data, row: { name: String(data.name ?? '') } }))
  const { total = 0 } = part(output.pagination) as { total?: number }
  // which rows a condition keeps is known for lists only
  const isWhole = total <= rows.length && !isNarrowed(understood)
  const [one, ...others] = rows
  return { ...facts, rows, ...(one && others.length === 0 && isWhole && { one }), listNames: [field], isWhole }
} // biome-ignore format: one line

const isRows = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)
const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
const withoutLists = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value)))

/** Amounts in currencies without a rate are not in the figures of a report, so they are no exact answer. */
const withoutAmounts = ({ amount: _, ...facts }: Facts): Facts => ({
  ...facts,
  isWhole: false,
  fields: Object.fromEntries(Object.entries(facts.fields).filter(([, value]) => typeof value === 'string')),
})

/** With the amount that the words of the answer begin with. */
const withFigure = (amount: (output: never) => unknown, more: (output: never) => Data = () => ({})) =>
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
  } // biome-ignore format: one line

type Statements = Record<'income' | 'expenses' | 'netProfit' | 'grossProfit' | 'costOfGoodsSold', { total: number }>
type Sheet = Record<'assets' | 'liabilities' | 'equity', { total: { amount: number } }>
type Tax = { totals: { payable: number; output: { tax: number }; input: { tax: number } } }

const special: Record<string, (talk: Talk, understood: Understood, output: never) => Facts> = {
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
    ({ totals }: Tax) => ({ outputTax: totals.output.tax, inputTax: totals.input.tax, tax: totals.payable, vat: totals.payable }),
  ),
  payroll_summary: withFigure(() => undefined),
  dashboard_get: withFigure(
    () => undefined,
    (output: Record<string, unknown>) => ({
      ...{ revenue: output.totalRevenue, income: output.totalRevenue, expenses: output.expenseTotal, net: output.netTotal },
      ...{ profit: output.netTotal, outstanding: output.outstandingAmount, currency: output.displayCurrency },
    }),
  ),
} // biome-ignore format: a report a line

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
function agingFacts(talk: Talk, understood: Understood, { counterparties, totals, currency, pagination }: Aging): Facts {
  const isPayable = understood.tool === 'reports_payables_aging'
  const { isAboutOverdue } = about(understood)
  const overdueOf = ({ buckets, total }: Pick<Aging['totals'], 'buckets' | 'total'>) => toMills(total - buckets.current.amount)
  const owed = (figures: Pick<Aging['totals'], 'buckets' | 'total'>) => (isAboutOverdue ? overdueOf(figures) : figures.total)
  const rows = counterparties.map((each) => {
    const { counterpartyId: id, name, disputed, credits, total } = each
    const amount = owed(each)
    const data: Data = { id, name, amount, total: amount, owed: amount, open: total, overdue: overdueOf(each), disputed }
    const party = { [isPayable ? 'supplier' : 'customer']: name, ...(!isAboutOverdue && { balance: each.balance }) }
    return { data: { ...data, ...party, currency, credits: credits.amount }, row: { name: name ?? '', amount, currency } }
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
} // biome-ignore format: one line

/** Without the noise of floating point. */
const toMills = (amount: number) => Math.round(amount * 1_000) / 1_000

/** What one customer owes. */
function statementFacts(talk: Talk, understood: Understood, { customerId, customerName, currencies }: Statement): Facts {
  const { today, organization } = talk.turn
  const subject = about(understood)
  const [first, ...others] = currencies
  const balances = currencies.map(({ currency, closingBalance }) => ({ currency, amount: closingBalance, balance: closingBalance }))
  const fields: Data = { customerId, customer: customerName, customerName, name: customerName, currencies: balances, balances }
  const one = { amount: first?.closingBalance ?? 0, currency: first?.currency ?? organization.currency }
  const isOne = others.length === 0 && !subject.isAboutOverdue
  return { ...subject, isAboutOpen: true, ...(isOne && one), listNames: [], isWhole: true, fields, today }
} // biome-ignore format: one line
