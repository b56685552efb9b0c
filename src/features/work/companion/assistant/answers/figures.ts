import type { Steps, Talk } from '../talk.ts'
import { counted, nouns } from '../words/nouns.ts'
import { shownField } from './record-rows.ts'
import type { Data } from './rows.ts'

/** A report or form without words of its own: its fields and totals by their names, and how many rows it has. */
export async function* tellFigures(talk: Talk, data: Data): Steps {
  yield* talk.say(talk.in('This is what it says:', 'אלה הנתונים:'))
  const totals = typeof data.totals === 'object' && data.totals !== null ? (data.totals as Data) : {}
  const figures = [...Object.entries(data), ...Object.entries(totals)]
    .filter(([field]) => !/(^id|Id)$/.test(field))
    .map(([field, value]) => ({ field, said: figureText(talk, field, value, data.currency) }))
    .filter(({ said }) => said !== '')
  for (const { field, said } of figures.slice(0, 12)) yield* talk.line(`• ${nameOf(field)}: ${said}`)
  const rows = Object.values(data).find((value) => Array.isArray(value) && value.length > 0) as unknown[] | undefined
  if (rows)
    yield* talk.line(
      talk.in(`With ${counted('en', rows.length, nouns.line)}.`, `כולל ${counted('he', rows.length, nouns.line)}.`),
    )
}

/** What is known to be money; other numbers are counts, years or codes. */
const amounts =
  /amount|total|tax|wages?|salary|gross|net|income|payable|paid|cpf|levy|bonus|donations|fund|base|sales|contribution|withh|difference|insurance/i

function figureText(talk: Talk, field: string, value: unknown, currency: unknown): string {
  if (typeof value === 'boolean') return value ? talk.in('yes', 'כן') : talk.in('no', 'לא')
  if (typeof value === 'number' && /year/i.test(field)) return String(value)
  const isAmount = typeof value === 'number' && typeof currency === 'string' && amounts.test(field)
  return isAmount ? talk.money(value, currency) : shownField(talk, value)
}

/** `netAmount` is written as `net amount`. */
const nameOf = (field: string) => field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
