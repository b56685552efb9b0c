import type { Statement } from '../../../reports/statement/statement.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { statusWord } from '../words/statuses.ts'
import { andMore, rowText } from './list.ts'
import { number, text } from './record-rows.ts'
import type { Data } from './rows.ts'
import { asksWhy } from './why.ts'

/** Answers of single tools. */

async function* exchangeRates(
  talk: Talk,
  _: Understood,
  output: {
    date: string | null
    base: string
    rates: Record<string, number>
    missing: string[]
    source: string | null
  },
): Steps {
  const rates = Object.entries(output.rates)
  if (rates.length === 0) return yield* talk.say(talk.in('No exchange rate is known for that.', 'לא ידוע שער חליפין.'))
  const day = output.date ? talk.in(`On ${talk.day(output.date)}`, `נכון ל-${talk.day(output.date)}`) : ''
  yield* talk.say(
    talk.in(
      `${day}${output.source ? ` (${output.source})` : ''}:`,
      `${day}${output.source ? ` (${output.source})` : ''}:`,
    ),
  )
  for (const [currency, rate] of rates.slice(0, 10))
    yield* talk.line(`1 ${output.base} = ${talk.number(rate)} ${currency}`)
  if (rates.length > 10) yield* talk.line(andMore(talk, rates.length - 10))
}

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
    if (late > 0 && closingBalance > 0)
      yield* talk.say(
        talk.in(`${talk.money(late, currency)} of it is overdue.`, `מתוכם ${talk.money(late, currency)} באיחור.`),
      )
    if (intent !== 'customer-balance' || asksWhy(talk.turn.text)) yield* statementEntries(talk, entries, currency)
  }
  if (currencies.length > 1)
    yield* talk.line(talk.in('Different currencies are not added up.', 'מטבעות שונים אינם מחוברים יחד.'))
}

async function* statementEntries(
  talk: Talk,
  entries: Statement['currencies'][number]['entries'],
  currency: string,
): Steps {
  const latest = entries.slice(-10)
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
  for (const { itemId, name, quantity, value } of items.slice(0, 10))
    yield* talk.line(
      `• ${rowText(talk, { kind: 'item', id: itemId, name, amount: value, currency, more: [talk.in(`${talk.number(quantity)} in stock`, `${talk.number(quantity)} במלאי`)] })}`,
    )
  if (output.pagination.total > 10) yield* talk.line(andMore(talk, output.pagination.total - 10))
}

/** How the pay of a month is made up. */
async function* payslip(
  talk: Talk,
  _: Understood,
  output: Data & { lines: { kind: string; description: string; amount: number }[] },
): Steps {
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

export const tellOther: Record<string, (talk: Talk, understood: Understood, output: never) => Steps> = {
  reports_exchange_rates: exchangeRates,
  reports_customer_statement: statement,
  reports_stock_valuation: stockValuation,
  payroll_payslips_get: payslip,
  invoices_link: link,
  expenses_usage: usage,
  settings_get: settings,
}
