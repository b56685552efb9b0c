import type { Aging } from '../../../reports/aging/aging.ts'
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
    more: [
      !isOverdue && overdueOf(row.buckets, row.total) > 0
        ? talk.in(
            `${talk.money(overdueOf(row.buckets, row.total), currency)} overdue`,
            `${talk.money(overdueOf(row.buckets, row.total), currency)} באיחור`,
          )
        : '',
      row.buckets.over90.amount > 0
        ? talk.in(
            `${talk.money(row.buckets.over90.amount, currency)} for more than 90 days`,
            `${talk.money(row.buckets.over90.amount, currency)} מעל 90 יום`,
          )
        : '',
      row.disputed > 0
        ? talk.in(`${talk.money(row.disputed, currency)} in dispute`, `${talk.money(row.disputed, currency)} במחלוקת`)
        : '',
      row.credits.amount > 0
        ? talk.in(
            `${talk.money(row.credits.amount, currency)} credit`,
            `${talk.money(row.credits.amount, currency)} בזכות`,
          )
        : '',
    ],
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

function bucketSentence(talk: Talk, buckets: Aging['totals']['buckets'], currency: string): string {
  const money = (name: keyof typeof buckets) => talk.money(buckets[name].amount, currency)
  return talk.in(
    `Not due yet ${money('current')}; 1–30 days late ${money('days1To30')}; 31–60 ${money('days31To60')}; 61–90 ${money('days61To90')}; over 90 ${money('over90')}.`,
    `טרם הגיע מועדם ${money('current')}; באיחור 1–30 יום ${money('days1To30')}; 31–60 ${money('days31To60')}; 61–90 ${money('days61To90')}; מעל 90 ${money('over90')}.`,
  )
}

/** Differences of amounts in major units, without the noise of floating point. */
const round = (amount: number) => Math.round(amount * 1_000) / 1_000
