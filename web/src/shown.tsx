import { memo } from 'react'
import { amountParts } from './amount.ts'
import { count, type Language, locales, useLanguage, useWords, words } from './words.ts'

/** How amounts, days and moments are shown. Formatters are made once: making one costs more than a thousand uses. */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()
function once<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = made.get(key) as T | undefined
  if (known) return known
  const fresh = make()
  made.set(key, fresh)
  return fresh
}

const money = (lang: Language, currency: string, compact: boolean) =>
  once(
    `${locales[lang]}${currency}${compact}`,
    () =>
      new Intl.NumberFormat(locales[lang], {
        style: 'currency',
        currency,
        ...(compact && { notation: 'compact', maximumFractionDigits: 1 }),
      }),
  )

type MoneyProps = { amount: number; currency: string; compact?: boolean; quiet?: boolean; className?: string }

/** Isolated, so that a minus or a shekel sign never wanders; digits of one width, the cents a shade lighter. */
export const Money = memo(function Money({
  amount,
  currency,
  compact = false,
  quiet = false,
  className = '',
}: MoneyProps) {
  const lang = useLanguage()
  const parts = amountParts(money(lang, currency, compact), amount)
  return (
    <bdi className={`tabular-nums whitespace-nowrap ${className}`}>
      {parts.map(({ text, isLight }, at) =>
        isLight ? (
          <span key={at} className={quiet ? '' : 'cents'}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
})

export const shownMoney = (lang: Language, amount: number, currency: string) =>
  money(lang, currency, false).format(amount)

const day = (lang: Language, style: 'medium' | 'short') =>
  once(
    `${locales[lang]}day${style}`,
    () =>
      new Intl.DateTimeFormat(
        locales[lang],
        style === 'medium'
          ? { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }
          : { day: 'numeric', month: 'short', timeZone: 'UTC' },
      ),
  )
export const shownDay = (lang: Language, at: string, style: 'medium' | 'short' = 'medium') =>
  day(lang, style).format(new Date(`${at}T00:00:00Z`))
export const Day = ({ at, short = false }: { at: string; short?: boolean }) => {
  const lang = useLanguage()
  return (
    <time dateTime={at} className="tabular-nums whitespace-nowrap">
      {shownDay(lang, at, short ? 'short' : 'medium')}
    </time>
  )
}

export const shownInstant = (lang: Language, at: string) =>
  once(
    `${locales[lang]}at`,
    () =>
      new Intl.DateTimeFormat(locales[lang], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  ).format(new Date(at))

/** A change has its sign; with `plain` it is a share. */
export const Percent = ({ of, plain = false }: { of: number; plain?: boolean }) => {
  const lang = useLanguage()
  const signDisplay = plain ? 'auto' : 'exceptZero'
  const format = once(
    `${locales[lang]}%${signDisplay}`,
    () => new Intl.NumberFormat(locales[lang], { style: 'percent', maximumFractionDigits: 0, signDisplay }),
  )
  return <bdi className="tabular-nums">{format.format(of / 100)}</bdi>
}

export const monthName = (lang: Language, month: string, style: 'long' | 'short' | 'narrow' = 'short') =>
  once(
    `${locales[lang]}month${style}`,
    () => new Intl.DateTimeFormat(locales[lang], { month: style, timeZone: 'UTC' }),
  ).format(new Date(`${month}-01T00:00:00Z`))

export const shownNumber = (lang: Language, n: number, digits = 0) =>
  once(
    `${locales[lang]}n${digits}`,
    () => new Intl.NumberFormat(locales[lang], { minimumFractionDigits: digits, maximumFractionDigits: 6 }),
  ).format(n)

export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
export const addDays = (at: string, days: number) =>
  new Date(Date.parse(at) + days * 86_400_000).toISOString().slice(0, 10)

let zone = 'UTC'
/** Days are those of the organization, wherever the reader is. */
export const setZone = (timezone: string) => {
  zone = timezone
}
export const today = () =>
  once(
    `${zone}today`,
    () => new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ).format(new Date())

const due = words(
  {
    today: 'today',
    tomorrow: 'tomorrow',
    yesterday: 'yesterday',
    inDays: (n: number) => `in ${n} days`,
    late: (n: number) => `${n} days late`,
  },
  {
    today: 'היום',
    tomorrow: 'מחר',
    yesterday: 'אתמול',
    inDays: (n) => count('he', n, { one: 'בעוד יום', two: 'בעוד יומיים', other: (m) => `בעוד ${m} ימים` }),
    late: (n) => count('he', n, { one: 'באיחור של יום', two: 'באיחור של יומיים', other: (m) => `באיחור של ${m} ימים` }),
  },
)
/** The due date as it concerns the reader: in 12 days, tomorrow, 5 days late. */
export function Due({ at, settled }: { at: string | null; settled: boolean }) {
  const say = useWords(due)
  if (!at) return <span className="text-soft">–</span>
  if (settled)
    return (
      <span className="text-soft">
        <Day at={at} short />
      </span>
    )
  const days = daysBetween(today(), at)
  const text =
    days === 0
      ? say.today
      : days === 1
        ? say.tomorrow
        : days === -1
          ? say.yesterday
          : days > 0
            ? say.inDays(days)
            : say.late(-days)
  return (
    <time
      dateTime={at}
      className={`tabular-nums whitespace-nowrap ${days < 0 ? 'text-danger' : days <= 3 ? 'text-warn' : ''}`}
    >
      {text}
    </time>
  )
}

export const Count = ({ of }: { of: number }) => <bdi className="tabular-nums">{shownNumber(useLanguage(), of)}</bdi>

/** The name of a country in the reader's language; what is no code is shown as it is. */
export const countryName = (lang: Language, code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (countryNames(lang, [code])[code] ?? code) : code

/** Names of countries in the reader's language, by code. */
export const countryNames = (lang: Language, codes: readonly string[]): Record<string, string> => {
  const names = new Intl.DisplayNames([lang], { type: 'region' })
  return Object.fromEntries(codes.map((code) => [code, names.of(code) ?? code]))
}
