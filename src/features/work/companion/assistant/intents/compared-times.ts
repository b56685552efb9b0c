import { addDays, addMonths, daysBetween } from '../../../../../core/values/day.ts'
import type { Said } from './said.ts'

type Span = { from: string; to: string }

/** Words that set two times against each other. */
const comparing =
  /\b(than|versus|vs\.?|compared? (to|with)|against|relative to|difference|(up|down) on|better|worse|stronger|weaker)\b|\bcompare\b|לעומת|הבדל|הפרש|יותר טוב|טוב יותר|גרוע יותר|חזק יותר|מאשר|בהשוואה|השווה|תשוו|להשוות|השוואה|ביחס ל|\sמול\s/i

/**
 * The time that is asked for and the one that it is compared with, the later one first: "compare Q3 with Q3 last year". With one
 * time alone the other is the present one: "more than last month". The profit and loss tells the year before by itself.
 */
export function comparedTimes({ slots, text, around }: Said, tool: string): { main: Span; other?: Span } | undefined {
  if (!comparing.test(text) || !compares.has(tool)) return undefined
  const { today } = around
  const given = slots.periods.flatMap(({ from, to }) => (from && to ? [{ from, to }] : []))
  const spans = given.length === 1 && toPrevious(text) ? given.flatMap((span) => [span, previousOf(span)]) : given
  const [first, second] = spans.toSorted((one, other) => other.from.localeCompare(one.from))
  if (!first || spans.length > 2 || spans.length < slots.periods.length) return undefined
  const present = second || first.to >= today ? undefined : presentLike(first, today)
  const main = present ?? first
  const told = second ?? (present ? first : undefined)
  const other = told && isYear(told) && !isYear(main) ? inYearOf(told, main) : told
  if (!other || (other.from === main.from && other.to === main.to)) return undefined
  const isYears = isYear(main) && isYear(other)
  if (tool === 'reports_profit_and_loss' && isYears && main.to >= today) return { main: { from: main.from, to: today } }
  const isYearBefore = addMonths(main.from, -12) === other.from && addMonths(main.to, -12) === other.to
  return tool === 'reports_profit_and_loss' && isYearBefore ? { main } : { main, other }
}

/** "This month vs last", הרבעון לעומת הקודם: the other time is the one before. */
export const toPrevious = (text: string): boolean =>
  /\b(vs\.?|versus|than|against|compared (to|with)) (the )?(last|previous|prior|one before)( one)?\s*\??$|(לעומת|מול|בהשוואה ל|ביחס ל)\s?(ה?קודם|ה?קודמת|שעבר|שעברה)\s*\??$/i.test(
    text,
  )

/** The time of the same length right before, in whole months where it is such. */
function previousOf({ from, to }: Span): Span {
  const isWhole = from.endsWith('-01') && addDays(to, 1).endsWith('-01')
  const first = isWhole ? addMonths(from, -monthsIn(from, to)) : addDays(from, -(daysBetween(from, to) + 1))
  return { from: first, to: addDays(from, -1) }
}

/** "The same month last year": the time of the one, in the year of the other. */
function inYearOf({ from: year }: Span, { from, to }: Span): Span {
  const months = (Number(year.slice(0, 4)) - Number(from.slice(0, 4))) * 12
  const isWhole = addDays(to, 1).endsWith('-01')
  return {
    from: addMonths(from, months),
    to: isWhole ? addDays(addMonths(addDays(to, 1), months), -1) : addMonths(to, months),
  }
}

const compares = new Set(
  `reports_income reports_expenses reports_profit_and_loss expenses_list invoices_payments_list payroll_summary reports_tax_compliance
   reports_gst_f5 reports_sales_tax`.split(/\s+/),
)

const isYear = ({ from, to }: Span): boolean => from.endsWith('-01-01') && to.endsWith('-12-31')

/** The month, quarter or year that today is in, where the other one is such. */
function presentLike({ from, to }: Span, today: string): Span | undefined {
  const year = today.slice(0, 4)
  if (isYear({ from, to })) return { from: `${year}-01-01`, to: `${year}-12-31` }
  if (!from.endsWith('-01') || !addDays(to, 1).endsWith('-01')) return undefined
  const months = monthsIn(from, to)
  const start = Math.floor((Number(today.slice(5, 7)) - 1) / months) * months + 1
  const first = `${year}-${String(start).padStart(2, '0')}-01`
  return { from: first, to: addDays(addMonths(first, months), -1) }
}

const monthsIn = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1
