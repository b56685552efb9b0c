import { addDays, addMonths, monthOf } from '../../../../../core/values/day.ts'
import type { Period } from '../reading/periods.ts'
import type { Named, Then } from '../understood.ts'
import { comparedTimes, toPrevious } from './compared-times.ts'
import { currenciesIn } from './currency-words.ts'
import { ordinalOf, type Said } from './said.ts'

/** How a tool takes a time. With ! the tool needs one, and without one it is this year until today or this month. */
type TimeField =
  | 'then'
  | 'from-to'
  | 'from-to!'
  | 'dateFrom-dateTo'
  | 'month'
  | 'month!'
  | 'year'
  | 'year!'
  | 'asOf'
  | 'date'
  | 'year-quarter!'

/** Which fields of a tool take what a sentence says apart from the request. `then` is what the answer does with the result. */
type Fields = {
  time?: TimeField
  amounts?: 'then' | 'minAmount-maxAmount'
  customer?: 'customerId' | 'id' | 'then'
  supplier?: 'supplierId' | 'search' | 'then'
  item?: 'itemId' | 'search'
  employee?: 'employeeId' | 'then'
  /** For orders and the like: whoever is named, customer or supplier. */
  sort?: { amount?: string; day?: string }
  limit?: true
}

const fieldsOf: Record<string, Fields> = {
  invoices_list: {
    time: 'then',
    amounts: 'then',
    customer: 'customerId',
    sort: { amount: 'total', day: 'issueDate' },
    limit: true,
  },
  invoices_payments_list: { time: 'then', amounts: 'then', customer: 'customerId', limit: true },
  expenses_list: {
    time: 'dateFrom-dateTo',
    amounts: 'minAmount-maxAmount',
    sort: { amount: 'amount', day: 'date' },
    limit: true,
  },
  expenses_payments_list: { time: 'then', amounts: 'then', supplier: 'supplierId', limit: true },
  expenses_csv: { time: 'dateFrom-dateTo' },
  orders_list: { time: 'dateFrom-dateTo', amounts: 'then', sort: { day: 'orderDate' }, limit: true },
  logistics_stock_levels: { item: 'search', limit: true },
  logistics_stock_movements: { time: 'dateFrom-dateTo', item: 'itemId', limit: true },
  reports_stock_valuation: { time: 'asOf' },
  reports_receivables_aging: { time: 'asOf', amounts: 'then', customer: 'then', limit: true },
  reports_payables_aging: { time: 'asOf', amounts: 'then', supplier: 'then', limit: true },
  reports_income: { time: 'from-to!', amounts: 'then', customer: 'then', limit: true },
  reports_expenses: { time: 'from-to!', amounts: 'then', supplier: 'then', limit: true },
  reports_profit_and_loss: { time: 'from-to' },
  reports_balance_sheet: { time: 'date' },
  reports_trial_balance: { time: 'from-to' },
  reports_general_ledger: { time: 'from-to' },
  reports_journal: { time: 'from-to!' },
  reports_journal_entries: { time: 'from-to' },
  reports_tax_compliance: { time: 'from-to!' },
  reports_gst_f5: { time: 'from-to!' },
  reports_sales_tax: { time: 'from-to!' },
  reports_iras_audit_file: { time: 'from-to!' },
  reports_statutory_file: { time: 'from-to!' },
  reports_1099_nec: { time: 'year!' },
  reports_customer_statement: { time: 'from-to', customer: 'id' },
  reports_customer_statement_send: { time: 'from-to' },
  reports_exchange_rates: { time: 'date' },
  dashboard_get: { time: 'year' },
  payroll_summary: { time: 'month', employee: 'then' },
  payroll_payslips_list: { time: 'month', employee: 'employeeId', limit: true },
  payroll_payments: { time: 'month' },
  payroll_my_payslips: { time: 'year' },
  payroll_generate: { time: 'month!' },
  payroll_approve: { time: 'month!' },
  payroll_payslips_send: { time: 'month!' },
  payroll_bank_file: { time: 'month' },
  payroll_form_102: { time: 'month' },
  payroll_form_cpf: { time: 'month' },
  payroll_form_106: { time: 'year!' },
  payroll_form_126: { time: 'year!' },
  payroll_form_ir8a: { time: 'year!' },
  payroll_form_940: { time: 'year!' },
  payroll_form_941: { time: 'year-quarter!' },
  payroll_form_w2: { time: 'year!' },
  payroll_form_w3: { time: 'year!' },
  automations_runs: { time: 'from-to' },
  organizations_audit: { time: 'from-to' },
  customers_list: { limit: true },
  suppliers_list: { limit: true },
}

export type Filled = { input: Record<string, unknown>; result: Then }

/** What the sentence says about time, amounts, names and order, as the tool takes it. */
export function fill(tool: string, said: Said, known: Record<string, unknown> = {}, isFollowUp = false): Filled {
  const fields = fieldsOf[tool] ?? {}
  const filled: Filled = { input: {}, result: {} }
  if (fields.time) fillTime({ tool, field: fields.time, isFollowUp }, said, filled)
  if (fields.amounts) fillAmounts(fields.amounts, said, filled)
  fillName(fields, said, filled, known)
  fillOrder(fields, said, filled)
  fillFigures(tool, said, filled)
  return filled
}

/** "How many invoices", כמה חשבוניות: a number, not a sum. */
export function counts({ hits, tokens, has }: Said): boolean {
  if (has('howMany') && !has('howMuch')) return true
  const at = hits.findIndex(({ concepts }) => concepts.includes('howMany'))
  const next = hits[at + 1]
  return (
    at >= 0 &&
    next?.first === hits[at]?.end &&
    isPlural(tokens[next?.first ?? 0]?.text ?? '') &&
    !next?.concepts.some((concept) => concept === 'revenue' || concept === 'expense')
  )
}

const isPlural = (word: string): boolean => /(ים|ות)$/.test(word)

/** "The last invoice" is one, "the last invoices" are several. */
function isOne({ hits, tokens, text }: Said): boolean {
  if (superlative.test(text)) return true
  const things = hits
    .filter(({ concepts }) => concepts.some((concept) => single.has(concept)))
    .map(({ first }) => tokens[first]?.text ?? '')
  return things.length > 0 && things.every((word) => !/(s|ים|ות)$/.test(word))
}

/** "Which is the oldest?", מה הכי ישנה?: one of those before. */
const superlative =
  /^\s*(and )?(which|what|who)( one)? (is|was) the \p{L}+(est|most \p{L}+)( one)?\s*\??$|^\s*(ו?איזו|ו?איזה|ו?מה|ו?מי) (הכי \p{L}+|ה\p{L}+ ביותר)\s*\??$/iu

const single = new Set<string>(
  'invoice document receipt request creditMemo expense order payment payslip customer supplier invoiceReceipt topic'.split(
    ' ',
  ),
)

type TimeOf = { tool: string; field: TimeField; isFollowUp: boolean }

function fillTime({ tool, field, isFollowUp }: TimeOf, said: Said, { input, result }: Filled): void {
  const { today } = said.around
  const compared = isFollowUp ? undefined : comparedTimes(said, tool)
  if (compared?.other) Object.assign(result, { compareFrom: compared.other.from, compareTo: compared.other.to })
  const given = compared?.main ?? spanOf(said, isFollowUp)
  const isNeeded = field.endsWith('!') && !isFollowUp
  const span = given ?? (isNeeded ? { from: `${today.slice(0, 4)}-01-01`, to: today } : undefined)
  if (!span) return
  const { from, to } = span
  const last = to ?? from ?? today
  if (field === 'then') Object.assign(result, { ...(from && { from }), ...(to && { to }) })
  else if (tool === 'reports_trial_balance' && from !== undefined && from === to)
    Object.assign(input, { from: `${from.slice(0, 4)}-01-01`, to: earlier(to, today) })
  else if (field === 'from-to')
    Object.assign(input, { ...(from && { from }), ...(to && { to: isStatement(tool) ? earlier(to, today) : to }) })
  else if (field === 'from-to!')
    Object.assign(input, { from: from ?? `${last.slice(0, 4)}-01-01`, to: to ?? later(from, today) })
  else if (field === 'dateFrom-dateTo')
    Object.assign(input, { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) })
  else if (field === 'asOf' && isOpenSpan(said)) result.from = from ?? last
  else if (field === 'asOf' && isClosedSpan(said, tool))
    Object.assign(result, { ...(from && { from }), ...(to && { to }) })
  else if (field === 'asOf' || field === 'date') input[field] = earlier(last, today)
  else if (field === 'month' && from && to && monthOf(from) !== monthOf(to))
    Object.assign(result, { from, to: earlier(to, lastDay(today)) })
  else if (field === 'month' || field === 'month!') input.month = given ? monthOf(from ?? last) : monthOf(today)
  else input.year = Number((from ?? last).slice(0, 4))
  if (field === 'year-quarter!') input.quarter = Math.ceil(Number((from ?? last).slice(5, 7)) / 3)
  if (field.startsWith('year') && !given && isNeeded) previousYear(input, today, field)
}

export const takesTime = (tool: string): boolean => fieldsOf[tool]?.time !== undefined

/** A time in the fields of a tool, if it takes one. */
export function timeFields(tool: string, from: string, to: string): Record<string, unknown> {
  const time = fieldsOf[tool]?.time
  if (time === 'from-to' || time === 'from-to!') return { from, to }
  if (time === 'dateFrom-dateTo') return { dateFrom: from, dateTo: to }
  if (time === 'month' || time === 'month!') return { month: monthOf(from) }
  return time === 'year' || time === 'year!' ? { year: Number(from.slice(0, 4)) } : {}
}

/** "Since summer" says from when, not on which day. */
const isOpenSpan = ({ period, text }: Said): boolean => period?.kind === 'since' && !/\bas (of|at)\b|נכון ל/i.test(text)

/** "Who has not paid for October" means the documents of that month; "as of October" a day. */
const isClosedSpan = ({ period, text, has }: Said, tool: string): boolean =>
  tool === 'reports_receivables_aging' &&
  has('unpaid') &&
  (period?.kind === 'month' || period?.kind === 'quarter' || period?.kind === 'range') &&
  !/\bas (of|at)\b|\bat the end\b|נכון ל|לסוף/i.test(text)

/** Forms of a year are asked for when it is over. */
function previousYear(input: Record<string, unknown>, today: string, field: TimeField): void {
  if (field === 'year!') input.year = Number(today.slice(0, 4)) - 1
  else {
    const before = addMonths(today, -3)
    Object.assign(input, { year: Number(before.slice(0, 4)), quarter: Math.ceil(Number(before.slice(5, 7)) / 3) })
  }
}

const isStatement = (tool: string): boolean => tool === 'reports_customer_statement_send'

/** The last day of the month. */
export const lastDay = (day: string): string => addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1)

const earlier = (day: string, other: string): string => [day, other].toSorted()[0] ?? day

const later = (from: string | undefined, today: string): string => (from && from > today ? from : today)

/** From the first time to the last one, where they follow each other: "September and October". */
function spanOf({ slots }: Said, isFollowUp: boolean): Pick<Period, 'from' | 'to'> | undefined {
  const [first, second] = slots.periods
  if (!first) return undefined
  if (!second || isFollowUp) return first
  const [early, late] = [first, second].toSorted((one, other) => (one.from ?? '').localeCompare(other.from ?? ''))
  const isNext = early?.to !== undefined && late?.from !== undefined && addDays(early.to, 1) === late.from
  return isNext ? { ...(early.from && { from: early.from }), ...(late.to && { to: late.to }) } : first
}

/** Lists whose rows are sums of money. */
const summed = new Set(['invoices_list', 'expenses_list', 'invoices_payments_list', 'expenses_payments_list'])

/** "In dollars", "on average", "a month": what the answer does with the figures. */
function fillFigures(tool: string, { text, slots, has }: Said, { result }: Filled): void {
  if (!summed.has(tool)) {
    if (has('average') && tool === 'reports_income') result.average = true
    return
  }
  const [currency] = has('currencyWord') && slots.amounts.length === 0 ? currenciesIn(text) : []
  if (currency) result.currency = currency
  const isMonthly = has('byMonth') || /\b(a|per|each|every) month\b|בחודש\s*\??$|לחודש\s*\??$/i.test(text)
  const isLength = slots.durations.some(({ meaning }) => meaning !== 'plain' && meaning !== 'every')
  if (isMonthly && !isLength && slots.periods.every(({ kind }) => kind !== 'month')) result.byMonth = true
  else if (has('average')) result.average = true
}

function fillAmounts(field: 'then' | 'minAmount-maxAmount', { slots }: Said, { input, result }: Filled): void {
  for (const { value, comparison } of slots.amounts) {
    if (field === 'then') {
      if (comparison === 'over') result.over = value
      else if (comparison === 'under') result.under = value
      else
        Object.assign(result, {
          ...(comparison !== 'to' && { atLeast: value }),
          ...(comparison !== 'from' && { atMost: value }),
        })
    } else {
      if (comparison !== 'under' && comparison !== 'to') input.minAmount = String(value)
      if (comparison !== 'over' && comparison !== 'from') input.maxAmount = String(value)
    }
  }
}

function fillName(fields: Fields, said: Said, { input, result }: Filled, known: Record<string, unknown>): void {
  const put = (field: string, kind: Named['$named'], words: string) => {
    if (field === 'then') result.name = words
    else if (!(field in known)) input[field] = field === 'search' ? words : { $named: kind, words }
  }
  const customers = said.around.shown.filter(({ kind }) => kind === 'customer')
  const ordinal = ordinalOf(said)
  const shown = ordinal !== undefined ? customers[ordinal] : said.has('them', 'it') ? customers[0] : undefined
  if (shown && fields.customer === 'customerId' && said.name('customer') === undefined) input.customerId = shown.id
  else if (fields.customer) named(said, 'customer', (words) => put(fields.customer ?? '', 'customer', words))
  else if (fields.supplier) named(said, 'supplier', (words) => put(fields.supplier ?? '', 'supplier', words))
  else if (fields.item) named(said, 'item', (words) => put(fields.item ?? '', 'item', withoutFrom(words)))
  else if (fields.employee) named(said, 'employee', (words) => put(fields.employee ?? '', 'employee', words))
}

/** כמה יש מהמדפסת asks for מדפסת; מהדקים are staples. */
const withoutFrom = (words: string): string => words.replace(/^מה(?!דק|יר)(?=[א-ת]{3})/, '')

function named(said: Said, kind: 'customer' | 'supplier' | 'item' | 'employee', put: (words: string) => void): void {
  const words = said.name(kind)
  if (words !== undefined) put(words)
}

function fillOrder({ sort, limit }: Fields, said: Said, { input, result }: Filled): void {
  const { slots, has } = said
  const { first } = slots.counts
  const order = toPrevious(said.text) ? undefined : (slots.order ?? (has('top') ? 'largest' : undefined))
  if (order) result.order = order
  const [quantity] = slots.quantities
  const counted =
    order && quantity && Number.isInteger(quantity.value) && quantity.value <= 100 ? quantity.value : undefined
  const count = first ?? counted ?? (order && isOne(said) ? 1 : undefined)
  if (count !== undefined && limit) result.first = count
  const column = order === 'largest' || order === 'smallest' ? sort?.amount : sort?.day
  if (!order || !column) return
  Object.assign(input, { sortBy: column, sortOrder: order === 'largest' || order === 'newest' ? 'desc' : 'asc' })
}
