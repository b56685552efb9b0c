/** A label of a picture, as printed. */
export type Label = { file: string; vendor: string; date: string; total: string; country?: 'IL' | 'SG' | 'US' }

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/**
 * The ISO day of a printed date, day before month unless that is impossible; undefined if it is none. What follows the date,
 * such as a time, may touch it.
 */
export function toIsoDay(printed: string): string | undefined {
  const text = printed.trim().toUpperCase()
  const name = `(${months.join('|')})[A-Z]*`
  const found =
    matched(new RegExp(`(\\d{1,2})[\\s./-]*${name}[\\s.,/'-]*(\\d{4}|\\d{2})`), text, ['day', 'month', 'year']) ??
    matched(new RegExp(`${name}[\\s./-]*(\\d{1,2})[\\s.,/'-]+(\\d{4}|\\d{2})`), text, ['month', 'day', 'year']) ??
    matched(/(\d{4})[\s./-](\d{1,2})[\s./-](\d{1,2})/, text, ['year', 'month', 'day']) ??
    matched(/(\d{1,2})[\s./-](\d{1,2})[\s./-](20\d{2}|\d{2})/, text, ['day', 'month', 'year']) ??
    matched(/\b(20\d{2})(\d{2})(\d{2})/, text, ['year', 'month', 'day']) ??
    matched(/\b(\d{2})(\d{2})(20\d{2})/, text, ['day', 'month', 'year'])
  return found && (isoOf(found) ?? isoOf({ ...found, day: found.month, month: found.day }))
}

type Parts = Record<'day' | 'month' | 'year', number>

function matched(pattern: RegExp, text: string, names: (keyof Parts)[]): Parts | undefined {
  const groups = pattern.exec(text)?.slice(1)
  if (!groups) return undefined
  const parts = { day: 0, month: 0, year: 0 }
  for (const [at, name] of names.entries()) {
    const group = groups[at] ?? ''
    parts[name] = /^\d/.test(group) ? Number(group) : months.indexOf(group) + 1
  }
  return parts.year < 100 ? { ...parts, year: parts.year + 2000 } : parts
}

function isoOf({ day, month, year }: Parts): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

/** The amount without currency and separators of thousands. */
export function toAmount(printed: string): string | undefined {
  const figures = /-?\d[\d.,\s]*/.exec(printed)?.[0].replace(/\s/g, '')
  const decimals = figures && /[.,](\d{1,2})$/.exec(figures)?.[1]
  if (!figures) return undefined
  const whole = (decimals ? figures.slice(0, -decimals.length - 1) : figures).replace(/[.,]/g, '')
  return decimals ? `${whole}.${decimals}` : whole
}
