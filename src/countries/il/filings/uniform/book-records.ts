import { type JournalRow, toLine } from '../../../../features/books/reports/journal.ts'
import type { UniformItem } from './read-books.ts'
import { compactDay, hundredths, type UniformRecord, type Values } from './record.ts'
import type { Uniform } from './uniform.ts'

export function* journalRecords(uniform: Uniform): Generator<UniformRecord> {
  let entry = 0
  for (const lines of entriesOf(uniform.books.lines)) {
    entry++
    for (const [index, line] of lines.entries())
      yield { code: 'B100', values: journalFields(uniform, lines, { line, entry, index }) }
  }
}

/** Lines of one event, which the journal returns one after the other. */
function* entriesOf(lines: readonly JournalRow[]): Generator<JournalRow[]> {
  let entry: JournalRow[] = []
  for (const line of lines) {
    const [first] = entry
    if (first && (first.eventId !== line.eventId || first.event !== line.event)) {
      yield entry
      entry = []
    }
    entry.push(line)
  }
  if (entry.length > 0) yield entry
}

type LineOfEntry = { line: JournalRow; entry: number; index: number }

function journalFields(
  { keys, books, home }: Uniform,
  lines: readonly JournalRow[],
  { line, entry, index }: LineOfEntry,
): Values {
  const document = books.references.get(line.documentId ?? '')
  const receipt = books.references.get(line.paymentId ?? '')
  const [first, second] = document ? [document, receipt] : [receipt, undefined]
  const isDebit = line.homeMinor > 0
  const others = new Set(lines.filter(({ homeMinor }) => homeMinor > 0 !== isDebit).map(({ accountId }) => accountId))
  const [other] = others
  const day = compactDay(line.date)
  return {
    1353: entry,
    1354: index + 1,
    1356: line.event,
    1357: first?.number ?? line.number ?? '',
    1358: first && /^\d{3}$/.test(first.type) ? first.type : 0,
    1359: second?.number ?? '',
    1360: second && /^\d{3}$/.test(second.type) ? second.type : 0,
    1361: toLine(line).description,
    1362: day,
    1363: day,
    1364: keys.accounts.get(line.accountId ?? '') ?? keys.none,
    1365: others.size === 1 ? (keys.accounts.get(other ?? '') ?? keys.none) : '',
    1366: isDebit ? 1 : 2,
    1367: line.currency === home ? '' : line.currency,
    1368: Math.abs(line.homeMinor),
    1369: line.currency === home ? 0 : hundredths(Math.abs(line.minor), line.currency),
    1375: day,
  }
}

/** The accounts that are in use, that have a balance, or that lines of the period name. */
export function* accountRecords({ books, keys }: Uniform): Generator<UniformRecord> {
  const sums = new Map<string | null, { debit: bigint; credit: bigint }>()
  for (const { accountId, homeMinor } of books.lines) {
    const sum = sums.get(accountId) ?? { debit: 0n, credit: 0n }
    if (homeMinor > 0) sum.debit += BigInt(homeMinor)
    else sum.credit -= BigInt(homeMinor)
    sums.set(accountId, sum)
  }
  const figures = (id: string | null) => ({
    ...{ 1414: books.openings.get(id) ?? 0n, 1415: sums.get(id)?.debit ?? 0n, 1416: sums.get(id)?.credit ?? 0n },
  })
  for (const { id, name, nameHe, type, active } of books.accounts) {
    if (!active && !sums.has(id) && (books.openings.get(id) ?? 0n) === 0n) continue
    const group = groups[type] ?? { code: '', name: type }
    yield {
      code: 'B110',
      values: { 1403: keys.accounts.get(id), 1404: nameHe ?? name, 1405: group.code, 1406: group.name, ...figures(id) },
    }
  }
  if (sums.has(null) || books.openings.has(null))
    yield {
      code: 'B110',
      values: { 1403: keys.none, 1404: 'ללא חשבון', 1405: '0', 1406: 'ללא חשבון', ...figures(null) },
    }
}

/** The groups of the trial balance. */
const groups: Record<string, { code: string; name: string }> = {
  ASSET: { code: '1', name: 'נכסים' },
  LIABILITY: { code: '2', name: 'התחייבויות' },
  EQUITY: { code: '3', name: 'הון' },
  INCOME: { code: '4', name: 'הכנסות' },
  EXPENSE: { code: '5', name: 'הוצאות' },
}

export const itemFields = ({ keys }: Uniform, item: UniformItem): Values => ({
  1453: item.barcode,
  1455: keys.items.get(item.id),
  1456: item.name,
  1459: item.unit ?? 'יחידה',
  ...{
    1460: BigInt(item.openingQuantity),
    1461: BigInt(item.quantityIn),
    1462: BigInt(item.quantityOut),
    1463: BigInt(item.costMinor),
  },
})
