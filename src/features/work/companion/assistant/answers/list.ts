import type { Steps, Talk } from '../talk.ts'
import type { Then, Understood } from '../understood.ts'
import { counted, type Noun, noneOf } from '../words/nouns.ts'
import { statusWord } from '../words/statuses.ts'
import { tellFailure } from './failures.ts'
import {
  applyThen,
  type Data,
  type ListView,
  monthlyRows,
  needsAll,
  type Page,
  type Row,
  readRows,
  rowsIn,
  sumsOf,
} from './rows.ts'
import { searchAgain } from './search-again.ts'

/** Rows that are told: ten, or as many as were asked for. */
const rowsShown = ({ first = 10 }: Then = {}) => Math.min(first, 25)

/** Reads a list and tells it: how many, the rows, how many more, and the sums if there are amounts. */
export async function* answerList(talk: Talk, understood: Understood, view: ListView): Steps<'told' | 'failed'> {
  const { then = {} } = understood
  const all = needsAll(then) || view.keeps !== undefined
  const searched = yield* readRows(talk, understood, { field: view.field, all, shown: rowsShown(then) })
  if ('ok' in searched) {
    yield* tellFailure(talk, searched, understood.tool)
    return 'failed'
  }
  const again = searched.total === 0 ? yield* searchAgain(talk, understood, view) : undefined
  if (searched.total === 0 && !again && isNoName(talk.turn.text, understood.input.search)) {
    const { search: _, ...input } = understood.input
    return yield* answerList(talk, { ...understood, input }, view)
  }
  const read = again ?? searched
  const kept = read.rows.filter((data) => view.keeps?.(data, talk) ?? true)
  const rows = applyThen(
    kept.map((data) => view.row(data, talk)),
    then,
    talk.turn.today,
  )
  if (then.byMonth || then.average) return yield* tellFigures(talk, rows, then)
  const isWhole = all || then.first !== undefined
  const total = isWhole ? rows.length : Math.max(read.total, rows.length)
  yield* tellRows(talk, { rows, total, read, view, understood, isWhole: all || read.total <= read.rows.length })
  return 'told'
}

/** A small word that was taken for a name and that nothing has: the list without it is told. A name has a capital, or several words. */
const isNoName = (text: string, search: unknown): boolean =>
  typeof search === 'string' &&
  /^(\p{Ll}+|[א-ת]+)$/u.test(search) &&
  new RegExp(`(^|\\s)${search}(?!\\p{L})`, 'u').test(text) &&
  !new RegExp(`(^|\\s)(of|from|for|to|by|with|של|את|עם|אצל) ${search}`, 'u').test(text)

/** The sum of each month and what that is on average, or the average of the rows. */
async function* tellFigures(talk: Talk, rows: readonly Row[], { byMonth }: Then): Steps<'told'> {
  const spent = rows.filter(({ uncounted }) => uncounted === undefined)
  const told = byMonth ? monthlyRows(spent, talk.month) : spent
  if (told.length === 0) yield* talk.say(talk.in('There is nothing to add up.', 'אין מה לסכם.'))
  for (const { currency, amount, count } of sumsOf(told)) {
    const average = talk.money(Math.round((amount / count) * 100) / 100, currency)
    yield* talk.line(
      byMonth
        ? talk.in(
            `On average ${average} a month, in ${count} months with any.`,
            `בממוצע ${average} לחודש, ב-${count} חודשים.`,
          )
        : talk.in(`On average ${average}, of ${count}.`, `בממוצע ${average}, מתוך ${count}.`),
    )
  }
  if (byMonth) {
    for (const [at, row] of told.slice(0, 12).entries()) yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
    if (told.length > 12) yield* talk.line(andMore(talk, told.length - 12))
  }
  return 'told'
}

/** Tells rows that were read already. */
export async function* tellOutput(talk: Talk, understood: Understood, output: Data, view: ListView): Steps {
  const data = rowsIn(output, view.field).filter((each) => view.keeps?.(each, talk) ?? true)
  const rows = applyThen(
    data.map((each) => view.row(each, talk)),
    understood.then,
    talk.turn.today,
  )
  const { total = rows.length } = (output.pagination ?? {}) as { total?: number }
  const isWhole = total <= rowsIn(output, view.field).length
  const read = { rows: data, total, isCut: false }
  yield* tellRows(talk, { rows, total: isWhole ? rows.length : total, read, view, understood, isWhole })
}

type Told = { rows: Row[]; total: number; read: Page; view: ListView; understood: Understood; isWhole: boolean }

async function* tellRows(talk: Talk, { rows, total, read, view, understood, isWhole }: Told): Steps {
  const noun = view.noun
  const { then = {} } = understood
  if (total === 0) return yield* talk.say(noneSentence(talk, view, understood))
  yield* talk.say(view.heading?.(total, talk) ?? headingOf(talk, total, noun, then))
  const isAdded = isWhole && (then.add || (rows.length > 1 && view.isAddedUp !== false))
  const left = understood.input.status === undefined ? rows.filter(({ uncounted }) => uncounted !== undefined) : []
  const sums = isAdded ? sumsOf(rows.filter((row) => !left.includes(row))) : []
  const sum = isAdded ? [sumSentence(talk, sums), leftOutSentence(talk, left)].filter(Boolean).join(' ') : ''
  if (then.add || then.count) yield* talk.say(sum)
  if (then.count) return yield* stopNote(talk, read)
  const first = withLast(rows, rowsShown(then), total)
  for (const [at, row] of first.entries()) yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
  if (total > first.length) yield* talk.line(andMore(talk, total - first.length))
  if (!then.add) yield* talk.line(sum)
  yield* stopNote(talk, read)
}

/** What was searched for is named, so that it can be corrected. */
function noneSentence(talk: Talk, { none, noun }: ListView, { input, then }: Understood): string {
  if (typeof input.search !== 'string' || input.search === '')
    return `${none?.(talk) ?? noneOf(talk.language, noun)}${lookedIn(talk, then)}`
  const words = talk.data(input.search)
  return talk.in(`I found no ${noun.en[1]} for “${words}”.`, `לא מצאתי ${noun.he[1]} עבור "${words}".`)
}

/** The time that was looked at, so that an empty list is no riddle. */
const lookedIn = (talk: Talk, { from, to }: Then = {}): string =>
  from === undefined || to === undefined
    ? ''
    : talk.in(` I looked from ${talk.day(from)} to ${talk.day(to)}.`, ` חיפשתי מ-${talk.day(from)} עד ${talk.day(to)}.`)

function headingOf({ language, in: either }: Talk, count: number, noun: Noun, then: Then): string {
  const some = counted(language, count, noun)
  if (!then.count) return `${some}:`
  return either(count === 1 ? `There is ${some}.` : `There are ${some}.`, `יש ${some}.`)
}

/** The first rows; if only one more is left, it takes the line that would say so. */
export const withLast = <T>(rows: readonly T[], count: number, total = rows.length): T[] =>
  rows.slice(0, total === count + 1 ? total : count)

export const andMore = (talk: Talk, count: number) =>
  talk.in(`… and ${talk.number(count)} more.`, `… ועוד ${talk.number(count)}.`)

/** Tells a row, and notes its record as named. */
export function rowText(talk: Talk, { kind, id, name, amount, currency, more = [] }: Row): string {
  if (kind && id) talk.show(kind, id, name)
  const money =
    amount === undefined ? [] : [currency === undefined ? talk.number(amount) : talk.money(amount, currency)]
  const details = [...money, ...more].filter(Boolean).join(', ')
  const said = talk.data(name)
  if (said === '') return details || talk.in('without a name', 'ללא שם')
  return details === '' ? said : `${said}: ${details}`
}

/** The sum; with several currencies each one, and that they are not added up. */
export function sumSentence(talk: Talk, sums: ReturnType<typeof sumsOf>): string {
  if (sums.length === 0) return ''
  const amounts = sums.map(({ amount, currency }) => talk.money(amount, currency))
  if (amounts.length === 1) return talk.in(`In total ${amounts[0]}.`, `סך הכול ${amounts[0]}.`)
  const list = new Intl.ListFormat(talk.in('en-GB', 'he-IL')).format(amounts)
  return talk.in(
    `In total ${list}; different currencies are not added up.`,
    `סך הכול ${list}; מטבעות שונים אינם מחוברים יחד.`,
  )
}

/** What is in the list and not in its sum, by status. */
function leftOutSentence(talk: Talk, rows: readonly Row[]): string {
  const statuses = [...new Set(rows.map(({ uncounted = '' }) => uncounted))]
  const parts = statuses.map((status) => {
    const amounts = sumsOf(rows.filter(({ uncounted }) => uncounted === status))
    const said = amounts.map(({ amount, currency }) => talk.money(amount, currency)).join(' + ')
    return `${statusWord(talk.language, status, 'f')} ${said}`
  })
  return parts.length === 0 ? '' : talk.in(`Not counted: ${parts.join('; ')}.`, `לא נכלל: ${parts.join('; ')}.`)
}

async function* stopNote(talk: Talk, { isCut, rows, total }: Page): Steps {
  if (!isCut) return
  const [read, all] = [talk.number(rows.length), talk.number(total)]
  yield* talk.line(
    talk.in(
      `I have looked at ${read} of ${all}; the figures are of these. Narrow the question down for exact ones.`,
      `בדקתי ${read} מתוך ${all}, והסכומים הם שלהם בלבד. צמצמו את השאלה כדי לקבל סכומים מדויקים.`,
    ),
  )
}
