import { addDays } from '../../../../../core/values/day.ts'
import { daySpan, type Span, weekdayOf } from './calendar.ts'
import { type Reader, withYear } from './dates.ts'
import { isOneOf, setOf, type Token } from './words.ts'

/** A feast: its first day in a year, and how many days it has. */
type Feast = { names: readonly string[]; first: (year: number) => string | undefined; days?: number }

const day = (year: number, month: number, date: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`

/** The day that another calendar calls so, looked for in the months of the year in which it can be. */
const inCalendar =
  (calendar: string, name: string, [firstMonth, lastMonth]: readonly [number, number]) =>
  (year: number): string | undefined => {
    const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, { month: 'long', day: 'numeric', timeZone: 'UTC' })
    const end = day(year, lastMonth, 31)
    for (let at = day(year, firstMonth, 1); at <= end; at = addDays(at, 1))
      if (format.format(new Date(`${at}T00:00:00Z`)) === name) return at
    return undefined
  }

/** Every day of this number of the week in the month: the fourth Thursday of November. */
const weekdayInMonth = (month: number, weekday: number, count: number) => (year: number) => {
  const first = day(year, month, 1)
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1))
}

const hebrew = (name: string, months: readonly [number, number]) => inCalendar('hebrew', name, months)

const feasts: readonly Feast[] = [
  { names: ['passover', 'pesach', 'פסח', 'ליל הסדר'], first: hebrew('15 Nisan', [3, 4]), days: 7 },
  { names: ['shavuot', 'שבועות'], first: hebrew('6 Sivan', [5, 6]) },
  { names: ['rosh hashanah', 'rosh hashana', 'ראש השנה'], first: hebrew('1 Tishri', [9, 10]), days: 2 },
  { names: ['yom kippur', 'יום כיפור', 'יום הכיפורים', 'כיפור'], first: hebrew('10 Tishri', [9, 10]) },
  { names: ['sukkot', 'succot', 'סוכות'], first: hebrew('15 Tishri', [9, 10]), days: 7 },
  { names: ['simchat torah', 'שמחת תורה'], first: hebrew('22 Tishri', [9, 10]) },
  // from the first feast of autumn to the last one, as people say "after the feasts"
  { names: ['חגי תשרי', 'החגים', 'high holidays'], first: hebrew('1 Tishri', [9, 10]), days: 22 },
  { names: ['hanukkah', 'chanukah', 'hanuka', 'חנוכה'], first: hebrew('25 Kislev', [11, 12]), days: 8 },
  { names: ['purim', 'פורים'], first: (year) => hebrew('14 Adar II', [3, 3])(year) ?? hebrew('14 Adar', [2, 3])(year) },
  { names: ['יום העצמאות'], first: hebrew('5 Iyar', [4, 5]) },
  { names: ['lunar new year', 'chinese new year', 'cny'], first: inCalendar('chinese', 'First Month 1', [1, 2]) },
  { names: ['christmas', 'xmas'], first: (year) => day(year, 12, 25) },
  { names: ['thanksgiving'], first: weekdayInMonth(11, 4, 4) },
  { names: ['labor day'], first: weekdayInMonth(9, 1, 1) },
  { names: ['easter'], first: easter },
  { names: ['new years', "new year's", "new year's day"], first: (year) => day(year, 1, 1) },
]

/** Easter Sunday of the western churches, by the rule of Gauss as Knuth writes it. */
function easter(year: number): string {
  const golden = (year % 19) + 1
  const century = Math.floor(year / 100) + 1
  const skipped = Math.floor((3 * century) / 4) - 12
  const moon = Math.floor((8 * century + 5) / 25) - 5
  const sunday = Math.floor((5 * year) / 4) - skipped - 10
  let epact = (((11 * golden + 20 + moon - skipped) % 30) + 30) % 30
  if ((epact === 25 && golden > 11) || epact === 24) epact++
  const full = epact > 23 ? 74 - epact : 44 - epact
  const date = full + 7 - ((sunday + full) % 7)
  return date > 31 ? day(year, 4, date - 31) : day(year, 3, date)
}

const known = new Map<string, Span | undefined>()

function feastSpan({ names, first, days = 1 }: Feast, year: number): Span | undefined {
  const key = `${names[0]} ${year}`
  if (!known.has(key)) {
    const from = first(year)
    const span: Span | undefined =
      from === undefined ? undefined : days === 1 ? daySpan(from) : { kind: 'range', from, to: addDays(from, days - 1) }
    known.set(key, span)
  }
  return known.get(key)
}

/** Since Passover, before Christmas, אחרי החגים. */
export const readFeast: Reader = (tokens, at, around, hint) => {
  const feast = feasts.flatMap((each) => each.names.map((name) => ({ each, name: name.split(' ') })))
  const found = feast
    .filter(({ name }) => name.every((word, distance) => isWord(tokens[at + distance], word, distance)))
    .toSorted((one, other) => other.name.length - one.name.length)[0]
  if (!found || !isTime(tokens, at)) return undefined
  return withYear(tokens, at + found.name.length, (year) => feastSpan(found.each, year), around, hint)
}

/** Hebrew writes "in" and "for" together with the first word. */
const isWord = (token: Token | undefined, word: string, distance: number) =>
  distance === 0 ? (token?.forms.includes(word) ?? false) : token?.text === word

/** שבועות are also weeks, and a Christmas card is no time: a word of time stands before a feast, or the letter of one. */
const isTime = (tokens: readonly Token[], at: number) =>
  tokens[at]?.forms.includes('שבועות')
    ? tokens[at - 1]?.text === 'מאז'
    : isOneOf(tokens[at - 1], before) || /^[בלמ]/.test(tokens[at]?.text ?? '')
const before = setOf('since after before until till by around from last during over in מאז אחרי לפני עד לקראת סביב')
