import { toMajor } from '../../../core/values/money.ts'
import { fxWarnings } from '../fx-warnings.ts'
import { type AgingRow, type BucketName, bucketNames, type Figures, idsMax } from './aging.ts'
import type { AgedSum, ReadAging } from './read-aging.ts'

/** The rows of an aging and their sum, from sums by bucket. Sums in an earlier home currency are left out. */
export function toAging({ sums: all, firsts, faceValues }: ReadAging, currency: string) {
  const sums = all.filter(({ homeCurrency }) => homeCurrency === currency)
  const groups = [...groupBy(sums, ({ rank }) => rank).entries()].toSorted(([one], [other]) => one - other)
  const rows = groups.map(([, group]): AgingRow => {
    const [{ counterpartyId, name } = { counterpartyId: null, name: null }] = group
    return { counterpartyId, name, ...figuresOf(group, currency) }
  })
  const totals = withFirsts(figuresOf(sums, currency), firsts)
  return { rows, totals, warnings: fxWarnings(faceValues, earlierOf(all, currency)) }
}

/** The totals name the first ids of all counterparties. */
function withFirsts(figures: Figures, firsts: ReadAging['firsts']): Figures {
  const named = bucketNames.map((name) => [
    name,
    { ...figures.buckets[name], documentIds: firsts[name]?.documentIds ?? [] },
  ])
  const { paymentIds = [], documentIds: creditMemoIds = [] } = firsts.credits ?? {}
  return {
    ...figures,
    buckets: Object.fromEntries(named) as Figures['buckets'],
    credits: { ...figures.credits, paymentIds, creditMemoIds },
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

function figuresOf(sums: readonly AgedSum[], currency: string): Figures {
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  const inBucket = (name: AgedSum['bucket']) => sums.filter(({ bucket }) => bucket === name)
  const bucketOf = (name: BucketName) => {
    const own = inBucket(name)
    return {
      amount: major(total(own)),
      count: countOf(own),
      documentIds: some(own.flatMap(({ documentIds }) => documentIds)),
    }
  }
  const [credits, owed] = [inBucket('credits'), sums.filter(({ bucket }) => bucket !== 'credits')]
  const buckets = Object.fromEntries(bucketNames.map((name) => [name, bucketOf(name)])) as Figures['buckets']
  return {
    buckets,
    total: major(total(owed)),
    disputed: major(owed.reduce((sum, { disputedMinor }) => sum + disputedMinor, 0)),
    credits: {
      amount: major(total(credits)),
      count: countOf(credits),
      paymentIds: some(credits.flatMap(({ paymentIds }) => paymentIds)),
      creditMemoIds: some(credits.flatMap(({ documentIds }) => documentIds)),
    },
    balance: major(total(owed) - total(credits)),
  }
}

const total = (sums: readonly AgedSum[]) => sums.reduce((sum, { homeMinor }) => sum + homeMinor, 0)
const countOf = (sums: readonly AgedSum[]) => sums.reduce((sum, { count }) => sum + count, 0)
const some = (ids: readonly string[]) => ids.slice(0, idsMax)

const earlierOf = (sums: readonly AgedSum[], currency: string) =>
  sums.map(({ homeCurrency }) => homeCurrency).filter((each) => each !== currency)
