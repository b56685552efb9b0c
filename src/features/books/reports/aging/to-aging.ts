import type { Language } from '../../../../core/values/language.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { entryName } from '../entry-names.ts'
import { fxWarnings } from '../fx-warnings.ts'
import { type AgingRow, type BucketName, bucketNames, type Figures } from './aging.ts'
import type { AgedSum, ReadAging } from './read-aging.ts'

type Shown = { currency: string; language: Language }

/** The rows of an aging and their sum. Sums in an earlier main currency are left out. */
export function toAging({ parties, totals, earlierHomes, faceValues }: ReadAging, { currency, language }: Shown) {
  const rows = parties.map(
    (party): AgingRow => ({
      counterpartyId: party.counterpartyId,
      name: party.entries ? entryName(party.entries, language) : party.name,
      ...(party.entries && { entries: party.entries }),
      ...figuresOf(party.sums, currency),
    }),
  )
  return { rows, totals: figuresOf(totals, currency), warnings: fxWarnings(faceValues, earlierHomes) }
}

const noSum = { minor: 0, disputed: 0, count: 0, documentIds: [], paymentIds: [], entryIds: [] }

function figuresOf(sums: readonly AgedSum[], currency: string): Figures {
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  const sumOf = (name: AgedSum['bucket']) => sums.find(({ bucket }) => bucket === name) ?? noSum
  const bucketOf = (name: BucketName) => {
    const { minor, count, documentIds, entryIds } = sumOf(name)
    return { amount: major(minor), count, documentIds, ...(entryIds.length > 0 && { entryIds }) }
  }
  const credits = sumOf('credits')
  const owed = sums.filter(({ bucket }) => bucket !== 'credits')
  const total = owed.reduce((sum, { minor }) => sum + minor, 0)
  return {
    buckets: Object.fromEntries(bucketNames.map((name) => [name, bucketOf(name)])) as Figures['buckets'],
    total: major(total),
    disputed: major(owed.reduce((sum, { disputed }) => sum + disputed, 0)),
    credits: {
      amount: major(credits.minor),
      count: credits.count,
      paymentIds: credits.paymentIds,
      creditMemoIds: credits.documentIds,
      ...(credits.entryIds.length > 0 && { entryIds: credits.entryIds }),
    },
    balance: major(total - credits.minor),
  }
}
