import type { Aging } from '../../../../books/reports/aging/aging.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { sumSentence } from './list.ts'
import { gapNotes, tellSome } from './report-words.ts'
import { applyThen, type Row, sumsOf } from './rows.ts'

/** Who owes us, or whom we owe, by age. `isOverdue`: only what is due. */
export async function* aging(talk: Talk, { tool, then, intent }: Understood, report: Aging): Steps {
  const isPayable = tool === 'reports_payables_aging'
  const isOverdue = /overdue|late/.test(intent) || then?.overdue === true
  const { currency, totals } = report
  const overdueOf = (buckets: Aging['totals']['buckets'], total: number) => round(total - buckets.current.amount)
  const rows: Row[] = report.counterparties.map((row) => ({
    ...(row.counterpartyId && {
      kind: isPayable ? ('supplier' as const) : ('customer' as const),
      id: row.counterpartyId,
    }),
    name: row.name ?? talk.in('entered by hand', 'נרשם ידנית'),
    amount: isOverdue ? overdueOf(row.buckets, row.total) : row.total,
    currency,
    more: agingDetails(talk, row, currency, isOverdue),
  }))
  const owing = applyThen(
    rows.filter(({ amount = 0 }) => amount > 0),
    then,
  )
  const isFiltered = filters.some((field) => then?.[field] !== undefined)
  if (owing.length === 0) return yield* talk.say(nothingOwed(talk, { isPayable, isOverdue, isFiltered }))
  const total = isOverdue ? overdueOf(totals.buckets, totals.total) : totals.total
  if (!isFiltered && !then?.count)
    yield* talk.say(owedSentence(talk, talk.money(total, currency), { isPayable, isOverdue }))
  const isSome = isFiltered || then?.first !== undefined || isOverdue
  const whole = isSome ? owing.length : Math.max(owing.length, report.pagination.total)
  const noun = isPayable ? nouns.supplier : nouns.customer
  yield* talk.say(`${counted(talk.language, whole, noun)}${then?.count ? '.' : ':'}`)
  if (!then?.count) yield* tellSome(talk, owing, whole, then)
  if (isFiltered && owing.length > 1) yield* talk.line(sumSentence(talk, sumsOf(owing)))
  if (!isSome && !then?.count) yield* talk.line(bucketSentence(talk, totals.buckets, currency))
  yield* gapNotes(talk, report)
}

/** How late it is, what is in dispute, and what the counterparty has in credit. */
function agingDetails(
  talk: Talk,
  row: Aging['counterparties'][number],
  currency: string,
  isOverdue: boolean,
): string[] {
  const money = (amount: number) => talk.money(amount, currency)
  const late = round(row.total - row.buckets.current.amount)
  const old = row.buckets.over90.amount
  const whole =
    late === row.total ? talk.in('overdue', 'באיחור') : talk.in(`${money(late)} overdue`, `${money(late)} באיחור`)
  return [
    isOverdue || late <= 0 ? '' : whole,
    old <= 0
      ? ''
      : old === late
        ? talk.in('for more than 90 days', 'מעל 90 יום')
        : talk.in(`${money(old)} for more than 90 days`, `${money(old)} מעל 90 יום`),
    row.disputed > 0 ? talk.in(`${money(row.disputed)} in dispute`, `${money(row.disputed)} במחלוקת`) : '',
    row.credits.amount > 0
      ? talk.in(`${money(row.credits.amount)} in credit`, `${money(row.credits.amount)} בזכות`)
      : '',
  ]
}

const filters = ['atLeast', 'atMost', 'over', 'under', 'name'] as const

type Owed = { isPayable: boolean; isOverdue: boolean }

const owedSentence = (talk: Talk, amount: string, { isPayable, isOverdue }: Owed) =>
  isPayable
    ? talk.in(
        `You owe suppliers ${amount}${isOverdue ? ' that is overdue' : ''}.`,
        `החוב לספקים הוא ${amount}${isOverdue ? ' באיחור' : ''}.`,
      )
    : talk.in(
        `Customers owe you ${amount}${isOverdue ? ' that is overdue' : ''}.`,
        `לקוחות חייבים לך ${amount}${isOverdue ? ' באיחור' : ''}.`,
      )

const nothingOwed = (talk: Talk, { isPayable, isOverdue, isFiltered }: Owed & { isFiltered: boolean }) => {
  if (isFiltered) return talk.in(`Nobody ${isPayable ? 'is owed' : 'owes'} anything like that.`, 'אין חוב כזה.')
  if (isPayable)
    return talk.in(
      isOverdue ? 'Nothing you owe is overdue.' : 'You owe suppliers nothing.',
      isOverdue ? 'אין חוב לספקים באיחור.' : 'אין חוב לספקים.',
    )
  return talk.in(
    isOverdue ? 'No invoice is overdue.' : 'Nobody owes you anything.',
    isOverdue ? 'אין חשבונית באיחור.' : 'אף לקוח לא חייב לך.',
  )
}

/** The buckets that are not empty. */
function bucketSentence(talk: Talk, buckets: Aging['totals']['buckets'], currency: string): string {
  const names: [keyof typeof buckets, en: string, he: string][] = [
    ['current', 'not due yet', 'טרם הגיע מועדם'],
    ['days1To30', '1–30 days late', 'באיחור 1–30 יום'],
    ['days31To60', '31–60 days late', 'באיחור 31–60 יום'],
    ['days61To90', '61–90 days late', 'באיחור 61–90 יום'],
    ['over90', 'more than 90 days late', 'באיחור מעל 90 יום'],
  ]
  const parts = names
    .filter(([name]) => buckets[name].amount !== 0)
    .map(([name, en, he]) => `${talk.in(en, he)} ${talk.money(buckets[name].amount, currency)}`)
  return parts.length > 1 ? `${talk.in('By age', 'לפי גיל')}: ${parts.join('; ')}.` : ''
}

/** Differences of amounts in major units, without the noise of floating point. */
const round = (amount: number) => Math.round(amount * 1_000) / 1_000
