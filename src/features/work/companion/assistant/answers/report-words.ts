import type { Steps, Talk } from '../talk.ts'
import { andMore, rowText, withLast } from './list.ts'
import type { Row } from './rows.ts'

/** `from 1 January 2026 to 31 March 2026`, or a month or year by its name. */
export function periodWords(talk: Talk, from: string, to: string): string {
  const [year, month] = [from.slice(0, 4), from.slice(0, 7)]
  if (from === `${year}-01-01` && to === `${year}-12-31`) return talk.in(`in ${year}`, `בשנת ${year}`)
  const last = new Date(Date.UTC(Number(year), Number(from.slice(5, 7)), 0)).toISOString().slice(0, 10)
  if (from === `${month}-01` && to === last) return talk.in(`in ${talk.month(month)}`, `ב${talk.month(month)}`)
  if (from === to) return talk.in(`on ${talk.day(from)}`, `ב-${talk.day(from)}`)
  return talk.in(`from ${talk.day(from)} to ${talk.day(to)}`, `מ-${talk.day(from)} עד ${talk.day(to)}`)
}

/** What a report leaves out, or counts at face value. */
export async function* gapNotes(talk: Talk, { fxIncomplete }: { fxIncomplete?: boolean | undefined }): Steps {
  if (fxIncomplete)
    yield* talk.line(
      talk.in(
        'Note: an exchange rate is missing, so some amounts are left out or counted at face value.',
        'שימו לב: חסר שער חליפין, ולכן חלק מהסכומים אינם כלולים או נספרו בערכם הנקוב.',
      ),
    )
}

/** Rows of a report under its total, with how many more there are. */
export async function* tellSome(
  talk: Talk,
  rows: readonly Row[],
  total: number,
  { first = 10 }: { first?: number | undefined } = {},
): Steps {
  const shown = first >= 10 ? withLast(rows, Math.min(first, 25), total) : rows.slice(0, first)
  for (const [at, row] of shown.entries()) yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
  if (total > shown.length && first >= 10) yield* talk.line(andMore(talk, total - shown.length))
}
