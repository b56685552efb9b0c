import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { periodWords, tellSome } from './report-words.ts'
import { missingWords } from './statements.ts'

/** The returns of the tax on sales in Singapore and the United States, and the journal. */

type GstF5 = {
  from: string
  to: string
  currency: string
  boxes: { box: number; name: string; amount: number }[]
  problems: unknown[]
}

/** Box 8 is what is to be paid; 6 and 7 are what it is made up of. */
export async function* gstF5(talk: Talk, _: Understood, { from, to, currency, boxes, problems }: GstF5): Steps {
  const box = (number: number) => boxes.find((each) => each.box === number)?.amount ?? 0
  const money = (amount: number) => talk.money(amount, currency)
  const period = periodWords(talk, from, to)
  yield* talk.say(
    box(8) < 0
      ? talk.in(`IRAS refunds ${money(-box(8))} of GST ${period}.`, `החזר ה-GST ${period} הוא ${money(-box(8))}.`)
      : talk.in(`The GST to pay ${period} is ${money(box(8))}.`, `ה-GST לתשלום ${period} הוא ${money(box(8))}.`),
  )
  yield* talk.line(
    talk.in(
      `Output tax: ${money(box(6))} on supplies of ${money(box(4))}`,
      `מס עסקאות: ${money(box(6))} על עסקאות של ${money(box(4))}`,
    ),
  )
  yield* talk.line(
    talk.in(
      `Input tax: ${money(box(7))} on purchases of ${money(box(5))}`,
      `מס תשומות: ${money(box(7))} על רכישות של ${money(box(5))}`,
    ),
  )
  yield* problemNote(talk, problems)
}

type SalesTax = {
  from: string
  to: string
  currency: string
  totals: { sales: number; taxable: number; tax: number }
  states: { state: string | null; tax: number; sales: number }[]
  problems: unknown[]
}

export async function* salesTax(
  talk: Talk,
  _: Understood,
  { from, to, currency, totals, states, problems }: SalesTax,
): Steps {
  const money = (amount: number) => talk.money(amount, currency)
  const period = periodWords(talk, from, to)
  yield* talk.say(
    talk.in(
      `Sales tax ${period}: ${money(totals.tax)} on sales of ${money(totals.sales)}.`,
      `מס מכירה ${period}: ${money(totals.tax)} על מכירות של ${money(totals.sales)}.`,
    ),
  )
  const rows = states.map(({ state, tax, sales }) => ({
    name: state ?? talk.in('state unknown', 'מדינה לא ידועה'),
    amount: tax,
    currency,
    more: [talk.in(`on ${money(sales)}`, `על ${money(sales)}`)],
  }))
  yield* tellSome(talk, rows, rows.length)
  yield* problemNote(talk, problems)
}

async function* problemNote(talk: Talk, problems: readonly unknown[]): Steps {
  if (problems.length > 0)
    yield* talk.line(
      talk.in(
        `Something is missing on ${counted('en', problems.length, nouns.document)}.`,
        missingWords(problems.length),
      ),
    )
}

type Journal = {
  from: string
  to: string
  currency: string
  entries: {
    date: string
    number: string | null
    description: string
    accountName: string | null
    accountNameHe: string | null
    debit: number
    credit: number
  }[]
  totals: { debit: number }
  pagination: { total: number }
}

export async function* journal(
  talk: Talk,
  _: Understood,
  { from, to, currency, entries, totals, pagination }: Journal,
): Steps {
  if (entries.length === 0)
    return yield* talk.say(
      talk.in(`Nothing was booked ${periodWords(talk, from, to)}.`, `לא נרשם דבר ${periodWords(talk, from, to)}.`),
    )
  const lines = counted(talk.language, pagination.total, nouns.line)
  yield* talk.say(
    talk.in(
      `Journal ${periodWords(talk, from, to)}: ${lines}, debits and credits ${talk.money(totals.debit, currency)} each.`,
      `יומן ${periodWords(talk, from, to)}: ${lines}, חובה וזכות ${talk.money(totals.debit, currency)} כל אחד.`,
    ),
  )
  const rows = entries.map(({ date, number, description, accountName, accountNameHe, debit, credit }) => ({
    name: (talk.language === 'he' && accountNameHe) || (accountName ?? ''),
    more: [
      debit !== 0
        ? talk.in(`debit ${talk.money(debit, currency)}`, `חובה ${talk.money(debit, currency)}`)
        : talk.in(`credit ${talk.money(credit, currency)}`, `זכות ${talk.money(credit, currency)}`),
      talk.data([number ?? '', description].filter(Boolean).join(' ')),
      talk.day(date),
    ],
  }))
  yield* tellSome(talk, rows, pagination.total)
}
