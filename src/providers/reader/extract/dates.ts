/** A day in a row. `order` says how the order of day and month is known: from the print itself, or not at all. */
export type FoundDate = {
  /** ISO day when day comes first (or when print settles the order), and when month comes first. */
  dayFirst: string | null
  monthFirst: string | null
  hasTime: boolean
  /** Whether separators were missing or letters were read as digits. */
  isWeak: boolean
  row: number
  start: number
  end: number
}

const months: readonly (readonly string[])[] = [
  ['JAN', 'JANUARY', 'ינואר'],
  ['FEB', 'FEBRUARY', 'פברואר'],
  ['MAR', 'MARCH', 'MAC', 'מרץ', 'מרס'],
  ['APR', 'APRIL', 'אפריל'],
  ['MAY', 'MEI', 'מאי'],
  ['JUN', 'JUNE', 'יוני'],
  ['JUL', 'JULY', 'יולי'],
  ['AUG', 'AUGUST', 'OGOS', 'אוגוסט'],
  ['SEP', 'SEPT', 'SEPTEMBER', 'ספטמבר'],
  ['OCT', 'OCTOBER', 'OKT', 'אוקטובר'],
  ['NOV', 'NOVEMBER', 'נובמבר'],
  ['DEC', 'DECEMBER', 'DIS', 'דצמבר'],
]

const monthNames = new Map(months.flatMap((names, at) => names.map((name) => [name, at + 1] as const)))
const monthOf = (text: string): number | undefined =>
  monthNames.get(text.toUpperCase().replace(/^[בל](?=[א-ת]{3})/, ''))

const d = '[0-9OolI|]'
const names = `([A-Za-z]{3,9}|[בל]?[א-ת]{3,7})`
/** 12/03/2018, 12-03-18, 12.03.2018, with blanks around the separators; the run of digits may continue with a time. */
const dayMonthYear = new RegExp(
  `(?<![0-9./:-])(${d}{1,2}) ?([-/.]) ?(${d}{1,2}) ?[-/.] ?(${d}{2,8})(?![0-9]|[/.-][0-9])(:[0-9]{2})?`,
  'g',
)
/** 2018-03-23, 2018/3/23 */
const yearMonthDay = new RegExp(`(?<![0-9./:-])((?:19|20)[0-9]{2}) ?[-/.] ?(${d}{1,2}) ?[-/.] ?(${d}{1,2})`, 'g')
/** 24 MAR 18, 24-Mar-2018, 24MAR18, 5th of May 2024 */
const dayNameYear = new RegExp(
  `(?<![0-9./:])([0-9OlI]{1,2})(?:st|nd|rd|th)?(?: of)?[ ,./-]{0,3}${names}[ ,./'-]{0,3}([0-9]{2,8})(:[0-9]{2})?`,
  'g',
)
/** Mar 24, 2018 */
const nameDayYear = new RegExp(
  `(?<![A-Za-zא-ת])${names}[ .-]{0,2}([0-9]{1,2})(?:st|nd|rd|th)?[ ,.-]{0,3}((?:19|20)[0-9]{2})(?![0-9])`,
  'g',
)
/** 2024 במרץ 12, and with the day at the wrong end as in מרץ 202412, where right-to-left print was put in order badly */
const yearNameDay = /(?<![0-9])(20[0-9]{2}) ?([בל]?[א-ת]{3,7}) ?([0-9]{1,2})(?![0-9])/g
const hebrewNameYearDay = /(?<![א-ת])([בל]?[א-ת]{3,7}) (20[0-9]{2})([0-9]{1,2})(?![0-9])/g
/** 20180428 */
const compactDate = /(?<![0-9A-Za-z./:-])(20[0-9]{2})([0-9]{2})([0-9]{2})(?![0-9./-])/g

export function datesIn({ text, index }: { text: string; index: number }): FoundDate[] {
  const found: FoundDate[] = []
  const add = (match: RegExpMatchArray, read: Reading | undefined, isWeak = false) => {
    if (!read || (!read.dayFirst && !read.monthFirst)) return
    const start = match.index ?? 0
    const end = start + match[0].length
    if (found.some((other) => start < other.end && other.start < end)) return
    const around = text.slice(Math.max(0, start - 12), end + 14)
    const hasTime =
      read.hasTime ||
      /[0-9]{1,2}[:.][0-9]{2}(?::[0-9]{2})? ?(?:[AaPp][Mm])?(?![0-9])/.test(around.replace(match[0], ' '))
    const hasSlips = /[OolI|]/.test(match[0].replace(/[A-Za-z]{3,}/g, ''))
    found.push({
      dayFirst: read.dayFirst,
      monthFirst: read.monthFirst,
      hasTime,
      isWeak: isWeak || hasSlips,
      row: index,
      start,
      end,
    })
  }
  for (const match of text.matchAll(yearMonthDay))
    add(match, exact(toNumber(match[1]), toNumber(match[2]), toNumber(match[3])))
  for (const match of text.matchAll(dayMonthYear)) add(match, numeric(match))
  for (const match of text.matchAll(dayNameYear)) {
    add(match, named(match[1], match[2], match[3], match[4] !== undefined))
  }
  for (const match of text.matchAll(nameDayYear)) add(match, named(match[2], match[1], match[3], false))
  for (const match of text.matchAll(yearNameDay)) add(match, named(match[3], match[2], match[1], false))
  for (const match of text.matchAll(hebrewNameYearDay)) add(match, named(match[3], match[1], match[2], false), true)
  for (const match of text.matchAll(compactDate)) {
    add(match, exact(toNumber(match[1]), toNumber(match[2]), toNumber(match[3])), true)
  }
  return found.sort((one, other) => one.start - other.start)
}

type Reading = { dayFirst: string | null; monthFirst: string | null; hasTime: boolean }

const toNumber = (text = ''): number => Number(text.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1'))

function exact(year: number, month: number, day: number): Reading | undefined {
  const iso = isoDay(year, month, day)
  return iso ? { dayFirst: iso, monthFirst: iso, hasTime: false } : undefined
}

function numeric(match: RegExpMatchArray): Reading | undefined {
  const digits = (match[4] ?? '').replace(/[Oo]/g, '0').replace(/[lI|]/g, '1')
  const { year, hasTime } = yearOf(digits, match[5] !== undefined)
  if (year === undefined) return undefined
  const first = toNumber(match[1])
  const second = toNumber(match[3])
  return { dayFirst: isoDay(year, second, first), monthFirst: isoDay(year, first, second), hasTime }
}

function named(
  day: string | undefined,
  name: string | undefined,
  digits: string | undefined,
  isFollowedByMinutes: boolean,
) {
  const month = monthOf(name ?? '')
  const { year, hasTime } = yearOf(digits ?? '', isFollowedByMinutes)
  const iso = month && year ? isoDay(year, month, toNumber(day)) : null
  return iso ? { dayFirst: iso, monthFirst: iso, hasTime } : undefined
}

/** The year at the start of a run of digits that may continue with the hour, as in 12-01-1921:13 and 29/12/201711:41. */
function yearOf(digits: string, isFollowedByMinutes: boolean): { year?: number; hasTime: boolean } {
  if (isFollowedByMinutes && digits.length > 2) {
    const hourDigits = digits.length === 3 || digits.length === 5 ? 1 : 2
    return { ...yearOf(digits.slice(0, digits.length - hourDigits), false), hasTime: true }
  }
  if (digits.length === 2) return { year: 2000 + Number(digits), hasTime: false }
  const isFull = /^(?:19|20)[0-9]{2}/.test(digits)
  if (digits.length === 4 && isFull) return { year: Number(digits), hasTime: false }
  if (digits.length >= 5 && isFull) return { year: Number(digits.slice(0, 4)), hasTime: true }
  return { hasTime: false }
}

function isoDay(year: number, month: number, day: number): string | null {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}
