import { type Figure, type FigureKind, meaningOfRow, type ReadRow } from './figures.ts'
import type { Amount } from './text/amounts.ts'

/** A row with the meaning of its labels and its only amount. */
type Cell = { row: ReadRow; kind: FigureKind | undefined; amount: Amount | undefined }

/**
 * Sums whose amounts were put one row too low or too high, as on a crooked page: an amount without a label, then labels with
 * amounts, then a label without an amount, or the other way round. They are moved back where the last amount is then the sum of
 * the others.
 */
export function realigned(rows: readonly ReadRow[], figures: readonly Figure[]): Figure[] {
  const cells = rows.map((row): Cell => {
    const money = row.amounts.filter(({ decimals, isPercent }) => decimals === 2 && !isPercent)
    return { row, kind: meaningOfRow(row), amount: money.length === 1 ? money[0] : undefined }
  })
  for (let first = 0; first < cells.length; first++) {
    const run = runAt(cells, first)
    const moved = run && movedIn(run)
    if (!moved) continue
    const own = new Set(run.map(({ row }) => row.index))
    return [...figures.filter(({ row }) => !own.has(row)), ...moved]
  }
  return [...figures]
}

const isBare = ({ kind, amount, row }: Cell): boolean =>
  kind === undefined && amount !== undefined && row.labels.length === 0

const isLonely = ({ kind, row }: Cell): boolean =>
  kind !== undefined && row.amounts.every(({ decimals }) => decimals !== 2)

/** Rows from an amount without a label to a label without an amount, or the other way round, with labelled amounts between. */
function runAt(cells: readonly Cell[], first: number): Cell[] | undefined {
  const start = cells[first]
  if (!start || !(isBare(start) || isLonely(start))) return undefined
  const isEnd = isBare(start) ? isLonely : isBare
  for (let at = first + 1; at < Math.min(cells.length, first + 9); at++) {
    const cell = cells[at]
    if (!cell) return undefined
    if (isEnd(cell)) return at - first >= 3 ? cells.slice(first, at + 1) : undefined
    if (cell.kind === undefined || cell.amount === undefined) return undefined
  }
  return undefined
}

function movedIn(run: readonly Cell[]): Figure[] | undefined {
  const labels = run.filter(({ kind }) => kind !== undefined)
  const amounts = run.flatMap(({ amount }) => amount ?? [])
  const last = amounts.at(-1)
  const isTotal = labels.at(-1)?.kind === 'total' || labels.at(-1)?.kind === 'due'
  const sum = amounts.slice(0, -1).reduce((total, { cents }) => total + cents, 0)
  if (!last || !isTotal || labels.length !== amounts.length || sum !== last.cents) return undefined
  return labels.flatMap(({ row, kind }, at): Figure[] => {
    const amount = amounts[at]
    if (!kind || !amount) return []
    return [
      {
        kind,
        row: row.index,
        start: 0,
        edits: 0,
        amounts: [amount],
        place: 'beside',
        isLoose: false,
        inSummary: false,
      },
    ]
  })
}
