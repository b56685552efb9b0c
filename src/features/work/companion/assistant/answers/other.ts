import type { Statement } from '../../../../books/reports/statement/statement.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Then, Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { statusWord } from '../words/statuses.ts'
import { andMore, rowText, withLast } from './list.ts'
import { number, text } from './record-rows.ts'
import type { Data } from './rows.ts'
import { asksWhy } from './why.ts'

/** Answers of single tools. */

async function* exchangeRates(
  talk: Talk,
  { then }: Understood,
  output: {
    date: string | null
    base: string
    rates: Record<string, number>
    missing: string[]
    ageDays: number | null
  },
): Steps {
  const rates = Object.entries(output.rates)
  if (rates.length === 0) return yield* talk.say(talk.in('No exchange rate is known for that.', 'לא ידוע שער חליפין.'))
  const day = output.date ? talk.day(output.date) : ''
  const age = output.ageDays ?? 0
  const old =
    age > 4 ? talk.in(` (${counted('en', age, nouns.day)} old)`, ` (לפני ${counted('he', age, nouns.day)})`) : ''
  if (day) yield* talk.say(talk.in(`On ${day}${old}:`, `נכון ל-${day}${old}:`))
  // people think of what a foreign currency costs in their own
  const isOwn = output.base === talk.turn.organization.currency
  const shown = withLast(rates, 10)
  for (const [currency, rate] of shown)
    yield* talk.line(
      isOwn && rate > 0
        ? `1 ${currency} = ${talk.number(significant(1 / rate))} ${output.base}`
        : `1 ${output.base} = ${talk.number(rate)} ${currency}`,
    )
  if (then?.convert !== undefined) yield* convertedLine(talk, then.convert, output)
  if (old)
    yield* talk.line(
      talk.in(
        'There is no newer rate here; check it before you use it.',
        'אין כאן שער חדש יותר; כדאי לבדוק לפני השימוש.',
      ),
    )
  if (rates.length > shown.length) yield* talk.line(andMore(talk, rates.length - shown.length))
}

/** "1000 USD in SGD": each rate is what one unit of the base currency costs. */
async function* convertedLine(
  talk: Talk,
  { amount, from, to }: NonNullable<Then['convert']>,
  { base, rates }: { base: string; rates: Record<string, number> },
): Steps {
  const [first, second] = [from === base ? 1 : rates[from], to === base ? 1 : rates[to]]
  if (first && second)
    yield* talk.line(
      `${talk.money(amount, from)} = ${talk.money(Math.round((amount / first) * second * 100) / 100, to)}`,
    )
}

const significant = (rate: number) => Number(rate.toPrecision(6))

/** What a customer owes, in each currency, and the latest entries. */
async function* statement(
  talk: Talk,
  { intent }: Understood,
  { customerId, customerName, currencies }: Statement,
): Steps {
  talk.show('customer', customerId, customerName ?? '')
  const name = talk.data(customerName)
  if (currencies.length === 0)
    return yield* talk.say(talk.in(`${name} owes nothing.`, `${talk.to(customerName)} אין חוב.`))
  for (const { currency, closingBalance, entries, aging } of currencies) {
    const amount = talk.money(Math.abs(closingBalance), currency)
    yield* talk.line(
      closingBalance > 0
        ? talk.in(`${name} owes ${amount}.`, `${name} חייב ${amount}.`)
        : closingBalance < 0
          ? talk.in(`${name} has a credit of ${amount}.`, `${talk.to(customerName)} יש יתרת זכות של ${amount}.`)
          : talk.in(`${name} owes nothing in ${currency}.`, `${talk.to(customerName)} אין חוב ב-${currency}.`),
    )
    const late = aging.days1To30 + aging.days31To60 + aging.days61To90 + aging.over90
    yield* talk.say(overdueSentence(talk, { late: round(late), credits: aging.credits, closingBalance, currency }))
    if (intent !== 'customer-balance' || asksWhy(talk.turn.text)) yield* statementEntries(talk, entries, currency)
  }
  if (currencies.length > 1)
    yield* talk.line(talk.in('Different currencies are not added up.', 'מטבעות שונים אינם מחוברים יחד.'))
}

type Late = { late: number; credits: number; closingBalance: number; currency: string }

/** Payments that pay no document yet lower what is owed, and not what is overdue. */
function overdueSentence(talk: Talk, { late, credits, closingBalance, currency }: Late): string {
  const [overdue, unused] = [talk.money(late, currency), talk.money(credits, currency)]
  if (credits > 0 && round(closingBalance + credits) > 0)
    return talk.in(
      `Documents of ${talk.money(round(closingBalance + credits), currency)} are open${late > 0 ? `, ${overdue} of it overdue` : ''}; payments and credits of ${unused} are not allocated to them yet.`,
      `מסמכים פתוחים בסך ${talk.money(round(closingBalance + credits), currency)}${late > 0 ? `, מתוכם ${overdue} באיחור` : ''}; תשלומים וזיכויים בסך ${unused} טרם שויכו אליהם.`,
    )
  return late > 0 ? talk.in(`${overdue} of it is overdue.`, `מתוכם ${overdue} באיחור.`) : ''
}

/** Without the noise of floating point. */
const round = (amount: number) => Math.round(amount * 1_000) / 1_000

async function* statementEntries(
  talk: Talk,
  entries: Statement['currencies'][number]['entries'],
  currency: string,
): Steps {
  const latest = entries.slice(entries.length === 11 ? 0 : -10)
  if (entries.length > latest.length)
    yield* talk.line(
      talk.in(
        `(${entries.length - latest.length} earlier entries)`,
        `(${entries.length - latest.length} רישומים קודמים)`,
      ),
    )
  for (const entry of latest)
    yield* talk.line(
      `• ${talk.day(entry.date)}: ${talk.data(entry.description)}, ${talk.money(entry.amount, currency)}; ${talk.in('balance', 'יתרה')} ${talk.money(entry.balance, currency)}`,
    )
}

async function* stockValuation(
  talk: Talk,
  _: Understood,
  output: {
    currency: string
    total: number
    asOf: string
    items: { itemId: string; name: string; quantity: number; value: number }[]
    pagination: { total: number }
  },
): Steps {
  const { currency, total, items } = output
  yield* talk.say(
    talk.in(
      `The stock is worth ${talk.money(total, currency)} on ${talk.day(output.asOf)}.`,
      `שווי המלאי נכון ל-${talk.day(output.asOf)} הוא ${talk.money(total, currency)}.`,
    ),
  )
  const shown = withLast(items, 10, output.pagination.total)
  for (const { itemId, name, quantity, value } of shown)
    yield* talk.line(
      `• ${rowText(talk, { kind: 'item', id: itemId, name, amount: value, currency, more: [talk.in(`${talk.number(quantity)} in stock`, `${talk.number(quantity)} במלאי`)] })}`,
    )
  if (output.pagination.total > shown.length) yield* talk.line(andMore(talk, output.pagination.total - shown.length))
}

type Leave = { balance: number }

/** The days of vacation and sick leave that are left after a payslip. */
async function* leaveBalance(talk: Talk, output: Data & { vacation: Leave; sickLeave: Leave }): Steps {
  const [name, month] = [talk.data(text(output.employeeName)), talk.month(text(output.month))]
  const [vacation, sick] = [output.vacation, output.sickLeave].map(({ balance }) => talk.number(balance))
  yield* talk.say(
    talk.in(
      `After the payslip of ${month} ${name} has ${vacation} days of vacation and ${sick} days of sick leave.`,
      `אחרי התלוש של ${month} נשארו לעובד ${name} ${vacation} ימי חופשה ו-${sick} ימי מחלה.`,
    ),
  )
}

/** How the pay of a month is made up. */
async function* payslip(
  talk: Talk,
  { intent }: Understood,
  output: Data & { lines: { kind: string; description: string; amount: number }[]; vacation: Leave; sickLeave: Leave },
): Steps {
  if (intent === 'leave-balance') return yield* leaveBalance(talk, output)
  const currency = text(output.currency)
  const money = (value: unknown) => talk.money(number(value), currency)
  const [name, month] = [text(output.employeeName), talk.month(text(output.month))]
  talk.show('payslip', text(output.id), `${name}, ${text(output.month)}`)
  yield* talk.say(
    talk.in(
      `Payslip of ${talk.data(name)}, ${month} (${statusWord('en', text(output.status))}): net ${money(output.net)} of gross ${money(output.gross)}.`,
      `תלוש של ${talk.data(name)}, ${month} (${statusWord('he', text(output.status))}): נטו ${money(output.net)} מתוך ברוטו ${money(output.gross)}.`,
    ),
  )
  for (const { description, amount, kind } of output.lines.filter((line) => line.kind !== 'CONTRIBUTION').slice(0, 12))
    yield* talk.line(`• ${talk.data(description)}: ${kind === 'DEDUCTION' ? '−' : ''}${money(amount)}`)
  yield* talk.line(
    talk.in(
      `Contributions of the company: ${money(output.contributions)}; cost in total ${money(output.employerCost)}.`,
      `הפרשות המעסיק: ${money(output.contributions)}; עלות כוללת ${money(output.employerCost)}.`,
    ),
  )
}

async function* link(talk: Talk, _: Understood, output: Data): Steps {
  const address = ['url', 'link', 'address'].map((field) => text(output[field])).find(Boolean) ?? ''
  yield* talk.say(talk.in('The customer opens the document here:', 'הלקוח פותח את המסמך כאן:'))
  yield* talk.line(address)
}

async function* usage(talk: Talk, _: Understood, output: Data): Steps {
  const [used, limit] = [number(output.used), number(output.limit ?? output.cap ?? output.scansPerMonth)]
  yield* talk.say(
    talk.in(
      `${talk.number(used)} of ${talk.number(limit)} scans of this month are used.`,
      `נוצלו ${talk.number(used)} מתוך ${talk.number(limit)} סריקות החודש.`,
    ),
  )
}

async function* settings(talk: Talk, _: Understood, output: Data): Steps {
  const rate = output.defaultTaxRate
  yield* talk.say(talk.in('Settings:', 'הגדרות:'))
  yield* talk.line(
    `${talk.in('Default tax rate', 'שיעור מס ברירת מחדל')}: ${typeof rate === 'number' ? talk.percent(rate) : talk.in('the standard rate', 'השיעור הרגיל')}`,
  )
  yield* talk.line(
    `${talk.in('Books locked until', 'הספרים נעולים עד')}: ${output.lockedUntil ? talk.day(text(output.lockedUntil)) : talk.in('not locked', 'לא נעולים')}`,
  )
  yield* talk.line(`${talk.in('Language', 'שפה')}: ${text(output.language) === 'he' ? 'עברית' : 'English'}`)
  yield* talk.line(`${talk.in('Plan', 'תוכנית')}: ${talk.data(text(output.plan))}`)
}

type Clearance = {
  required: boolean
  status: string
  vatAllocationNumber: string | null
  error: string | null
  reasons: { message: string }[]
}

/** What the tax authority has said about a document. */
async function* clearance(
  talk: Talk,
  _: Understood,
  { required, status, vatAllocationNumber, error, reasons }: Clearance,
): Steps {
  if (!required && !vatAllocationNumber)
    return yield* talk.say(
      talk.in('This document needs no number of the tax authority.', 'למסמך הזה לא נדרש מספר הקצאה.'),
    )
  yield* talk.say(talk.in(`Tax authority: ${statusWord('en', status)}.`, `רשות המסים: ${statusWord('he', status)}.`))
  if (vatAllocationNumber)
    yield* talk.say(
      talk.in(`The number is ${talk.data(vatAllocationNumber)}.`, `מספר ההקצאה ${talk.data(vatAllocationNumber)}.`),
    )
  for (const message of [error, ...reasons.map((reason) => reason.message)].filter((each) => each !== null).slice(0, 3))
    yield* talk.line(`• ${talk.data(message, 300)}`)
}

type Match = {
  currency: string
  matched: boolean
  ordered: number
  received: number
  billed: number | null
  differences: { message: string }[]
}

/** Whether what was ordered, received and billed agrees. */
async function* orderMatch(
  talk: Talk,
  _: Understood,
  { currency, matched, ordered, received, billed, differences }: Match,
): Steps {
  const money = (amount: number) => talk.money(amount, currency)
  yield* talk.say(
    matched
      ? talk.in('Order, delivery and bill agree.', 'ההזמנה, הקבלה והחשבון תואמים.')
      : talk.in('Order, delivery and bill do not agree yet.', 'ההזמנה, הקבלה והחשבון עדיין אינם תואמים.'),
  )
  yield* talk.line(
    talk.in(
      `Ordered ${money(ordered)}, received ${money(received)}, billed ${money(billed ?? 0)}.`,
      `הוזמן ${money(ordered)}, התקבל ${money(received)}, חויב ${money(billed ?? 0)}.`,
    ),
  )
  for (const { message } of differences.slice(0, 5)) yield* talk.line(`• ${talk.data(message, 300)}`)
}

type Chain = {
  entries: { date: string; what: string; number: string | null; amount: number | null; currency: string | null }[]
}

/** What came of an order: deliveries, documents, expenses and payments. */
async function* orderChain(talk: Talk, _: Understood, { entries }: Chain): Steps {
  yield* talk.say(talk.in('What happened with the order:', 'מה קרה עם ההזמנה:'))
  for (const { date, what, number: numbered, amount, currency } of entries.slice(0, 12)) {
    const sum = amount === null ? '' : `, ${talk.money(amount, currency ?? undefined)}`
    yield* talk.line(`• ${talk.day(date)}: ${talk.data([what, numbered ?? ''].filter(Boolean).join(' '))}${sum}`)
  }
}

export const tellOther: Record<string, (talk: Talk, understood: Understood, output: never) => Steps> = {
  reports_exchange_rates: exchangeRates,
  reports_customer_statement: statement,
  reports_stock_valuation: stockValuation,
  payroll_payslips_get: payslip,
  invoices_link: link,
  invoices_clearance: clearance,
  orders_match: orderMatch,
  orders_chain: orderChain,
  expenses_usage: usage,
  settings_get: settings,
}
