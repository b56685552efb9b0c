/** A number in a row: its value as a decimal string without separators of thousands, and in hundredths. */
export type Amount = {
  value: string
  /** The value in hundredths, rounded, for sums. */
  cents: number
  decimals: number
  currency: string | null
  isPercent: boolean
  /** How many letters were read as digits, such as the letter O as zero. */
  slips: number
  /** Whether it begins with a zero that does not belong there, so that a digit may be misread. */
  hasLeadingZero: boolean
  row: number
  start: number
  end: number
}

const codes: readonly [RegExp, string][] = [
  [/^(?:us\$|usd)$/i, 'USD'],
  [/^(?:s\$|sgd)$/i, 'SGD'],
  [/^(?:rm|myr)$/i, 'MYR'],
  [/^(?:₪|nis|ils|ש["']?ח)$/i, 'ILS'],
  [/^(?:€|eur)$/i, 'EUR'],
  [/^(?:£|gbp)$/i, 'GBP'],
  [/^(?:a\$|aud)$/i, 'AUD'],
  [/^(?:hk\$|hkd)$/i, 'HKD'],
  [/^\$$/, '$'],
]

/** The currency of a sign or code; a dollar sign alone leaves open which dollar. */
const currencyOf = (sign: string): string | null => codes.find(([pattern]) => pattern.test(sign))?.[1] ?? null

const sign = String.raw`US\$|S\$|A\$|HK\$|USD|SGD|RM|MYR|NIS|ILS|EUR|GBP|AUD|HKD|ש["']?ח|[$€£₪]`

/** Stands for a blank that was read inside of a number, so that places in the text stay the same; plain text has no thin blanks. */
const filler = '\u2009'
const digits = String.raw`[0-9\u2009OolI|SB]`
const number = new RegExp(
  `(-)?(?:(?<![A-Za-z])(${sign})[:=]? ?|(${sign}))?(-)?((?:(?<![A-Za-z])[lI|O](?=[0-9]*[.,][0-9]))?[0-9]${digits}*(?:[.,']${digits}+)*|[.,][0-9]{2}(?![0-9]))`,
  'g',
)

/** All numbers of a row that may be amounts, quantities or rates; not the parts of dates, times and telephone numbers. */
export function amountsIn({ text, index }: { text: string; index: number }): Amount[] {
  const closed = withoutGaps(text)
  const found: Amount[] = []
  for (const match of closed.matchAll(number)) {
    const amount = amountOf(match, closed, index)
    if (amount) found.push(amount)
  }
  return found
}

/** The separators of thousands may be blanks where the decimal separator is a comma; others are misread. */
const withoutGaps = (text: string): string =>
  text
    .replace(/(^|[^0-9.,])([0-9]{1,3}) (?=[0-9]{3},[0-9]{2}(?![0-9]))/g, `$1$2${filler}`)
    .replace(/([0-9]) , (?=[0-9]{3} ?\.)/g, `$1${filler}${filler},`)
    .replace(/([0-9]) ([.,]) (?=[0-9]{2}(?![0-9.,:/%]))/g, `$1${filler}${filler}$2`)
    .replace(/([0-9])([.,]) (?=[0-9]{2}(?![0-9.,:/%]))/g, `$1${filler}$2`)
    .replace(/([0-9]) (?=[.,][0-9]{2}(?![0-9.,:/]))/g, `$1${filler}`)

function amountOf(match: RegExpMatchArray, text: string, row: number): Amount | undefined {
  const core = match[5] ?? ''
  const cut = withDigitsOnly(core)
  const read = readNumber(cut.text)
  if (!read) return undefined
  const first = match.index ?? 0
  const end = first + match[0].length - (core.length - cut.length)
  const before = text.slice(Math.max(0, first - 10), first)
  const after = text.slice(end, end + 10)
  if (isOtherNumber(before, after, match, read.decimals, cut.text)) return undefined
  const isNegative = isMarkedNegative(match, before, after)
  return {
    value: isNegative && read.value > 0 ? `-${read.shown}` : read.shown,
    cents: Math.round(read.value * 100) * (isNegative ? -1 : 1),
    decimals: read.decimals,
    currency: currencyOf(match[2] ?? match[3] ?? '') ?? currencyAfter(after) ?? currencyBefore(before),
    isPercent: /^ ?%/.test(after) || /%$/.test(before),
    slips: cut.slips,
    hasLeadingZero: /^0[0-9]/.test(cut.text),
    row,
    start: end - cut.length,
    end,
  }
}

const signAfter = new RegExp(`^ ?(${sign})(?![A-Za-z])`)
const signBefore = new RegExp(`(?:^|[^A-Za-z])(${sign}) ?[:=]? ?-?$`)
const currencyAfter = (text: string) => currencyOf(signAfter.exec(text)?.[1] ?? '')
const currencyBefore = (text: string) => currencyOf(signBefore.exec(text)?.[1] ?? '')

/** The letters that look like digits count as digits only where the result is an amount with two decimals. */
function withDigitsOnly(core: string): { text: string; length: number; slips: number } {
  const clean = core.replaceAll(filler, '')
  if (!/[A-Za-z|]/.test(clean)) return { text: clean, length: core.length, slips: 0 }
  const slips = clean.replace(/[^A-Za-z|]/g, '').length
  const asDigits = clean.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1').replace(/S/g, '5').replace(/B/g, '8')
  const isAmount = /^[0-9]{1,3}(?:,?[0-9]{3})*[.,][0-9]{2}$/.test(asDigits) && /[0-9O]$/i.test(clean)
  if (isAmount && slips * 2 <= clean.length) return { text: asDigits, length: core.length, slips }
  const start = /^[A-Za-z|]/.test(core) ? 1 : 0
  const plainDigits = /^[^A-Za-z|]*/.exec(core.slice(start))?.[0] ?? ''
  const trimmed = plainDigits.replace(/[.,'\u2009]+$/, '')
  return {
    text: trimmed.replaceAll(filler, ''),
    length: trimmed.length + (plainDigits.length - trimmed.length),
    slips: 0,
  }
}

const thousands = /^[0-9]{1,3}(?:[,'][0-9]{3})+$/
const pointAfterThousands = /^[0-9]{1,3}(?:[,'][0-9]{3})+\.[0-9]{1,2}$/
const commaAfterThousands = /^[0-9]{1,3}(?:[.'][0-9]{3})+,[0-9]{1,2}$/
const anySeparators = /^[0-9]{1,3}(?:[.,][0-9]{3})+[.,][0-9]{2}$/
const point = /^[0-9]*\.[0-9]{1,4}$/
const comma = /^[0-9]*,[0-9]{1,2}$/

function readNumber(text: string): { shown: string; value: number; decimals: number } | undefined {
  const isWhole = /^[0-9]{1,7}$/.test(text) || thousands.test(text)
  const hasDecimals = [pointAfterThousands, commaAfterThousands, anySeparators, point, comma].some((form) =>
    form.test(text),
  )
  if (!isWhole && !hasDecimals) return undefined
  const at = isWhole ? text.length : Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const whole = text.slice(0, at).replace(/[^0-9]/g, '') || '0'
  const decimals = text.slice(at + 1)
  if (whole.length > 9) return undefined
  const shown = `${whole.replace(/^0+(?=[0-9])/, '')}${decimals === '' ? '' : `.${decimals}`}`
  return { shown, value: Number(shown), decimals: decimals.length }
}

const unit = /^ ?(?:kgs?|gms?|ml|ltr?|cm|mm|oz|lbs?|pcs|l)(?![a-z])/i

/** Parts of dates, times, telephone numbers, codes and measures. Letters beside an amount with two decimals are its label or tax code. */
function isOtherNumber(
  before: string,
  after: string,
  match: RegExpMatchArray,
  decimals: number,
  text: string,
): boolean {
  const hasSign = (match[2] ?? match[3]) !== undefined
  const last = before.at(-1) ?? ''
  if (/[0-9][/:.,-]?$/.test(before) && !(decimals === 2 && last === '-'))
    return decimals !== 2 || /[0-9][/:.,]?$/.test(before)
  if (/^[/:][0-9]/.test(after) || /^[.,'][0-9]/.test(after)) return true
  if (unit.test(after) && !(decimals === 2 && after.startsWith(' '))) return true
  if (decimals === 2) return false
  if (/^-[0-9A-Za-z]/.test(after) || /^[A-Za-z](?![xX])/.test(after.replace(/^[xX](?![A-Za-z])/, ''))) return true
  if (/[#/]$/.test(before)) return true
  if (match[1] !== undefined && /[A-Za-z0-9\u05d0-\u05ea]$/.test(before)) return true
  if (hasSign) return false
  return /[A-Za-z\u05d0-\u05ea]$/.test(before) || (/^0[0-9]/.test(text) && decimals === 0)
}

const isMarkedNegative = (match: RegExpMatchArray, before: string, after: string): boolean =>
  ((match[1] ?? match[4]) !== undefined && !/[0-9]$/.test(before)) ||
  /^-(?![0-9A-Za-z])/.test(after) ||
  (/\($/.test(before) && /^\)/.test(after)) ||
  /(?:^| )- $/.test(before)
