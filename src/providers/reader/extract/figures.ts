import { type Amount, amountsIn } from './amounts.ts'
import { datesIn } from './dates.ts'
import { type Label, labelsIn } from './labels.ts'
import type { LabelKind } from './phrases.ts'
import { isBeside, type Row } from './rows.ts'

/** What an amount is, by the words beside it. */
export type FigureKind =
  | 'due'
  | 'total'
  | 'amount'
  | 'subtotal'
  | 'tax'
  | 'taxIncluded'
  | 'rounding'
  | 'discount'
  | 'service'
  | 'cash'
  | 'paid'
  | 'change'
  | 'card'
  | 'quantity'
  | 'points'

/** A label with its amounts: those after it in the row, or else those of a row beside or below. */
export type Figure = {
  kind: FigureKind
  row: number
  start: number
  edits: number
  amounts: readonly Amount[]
  place: 'same' | 'beside' | 'below'
  /** Whether other words stand before or between, so that the label may be part of a description. */
  isLoose: boolean
  /** Whether it belongs to a table of taxes, which has totals of its own. */
  inSummary: boolean
}

/** A row with all that was recognised in it. */
export type ReadRow = Row & { amounts: readonly Amount[]; labels: readonly Label[]; dates: ReturnType<typeof datesIn> }

export function readRow(row: Row): ReadRow {
  const dates = datesIn(row)
  const inDate = (amount: Amount) => dates.some(({ start, end }) => start < amount.end && amount.start < end)
  return { ...row, dates, amounts: amountsIn(row).filter((amount) => !inDate(amount)), labels: labelsOf(row) }
}

/** A label does not go on in another column. */
const labelsOf = (row: Row): Label[] =>
  row.segments.flatMap(({ text, start }) =>
    labelsIn(text).map((label) => ({ ...label, start: label.start + start, end: label.end + start })),
  )

const moneyKinds = new Set<LabelKind>([
  'total',
  'due',
  'amount',
  'subtotal',
  'excluding',
  'including',
  'tax',
  'rounding',
  'discount',
  'service',
  'cash',
  'paid',
  'change',
  'card',
  'quantity',
  'points',
])

type Group = { labels: Label[]; amounts: Amount[]; from: number }

/** A group is a run of labels and the amounts that follow it; amounts before the first label have a group without labels. */
function groupsOf(row: ReadRow): Group[] {
  const labels = row.labels.filter(({ kind }) => moneyKinds.has(kind))
  const marks = [...labels, ...row.amounts.filter(({ isPercent }) => !isPercent)].sort((a, b) => a.start - b.start)
  const groups: Group[] = []
  let group: Group = { labels: [], amounts: [], from: 0 }
  for (const mark of marks) {
    if (!('kind' in mark)) group.amounts.push(mark)
    else {
      const opensAnother = group.amounts.length > 0
      if (opensAnother) {
        groups.push(group)
        group = { labels: [], amounts: [], from: group.amounts.at(-1)?.end ?? 0 }
      }
      group.labels.push(mark)
    }
  }
  return [...groups, group]
}

/** What several labels mean together: TOTAL excl. GST is a subtotal, TOTAL GST a tax, TOTAL QTY a quantity. */
export function meaningOf(kinds: readonly LabelKind[]): FigureKind | undefined {
  const has = (...wanted: LabelKind[]) => wanted.some((kind) => kinds.includes(kind))
  const isTotal = has('total', 'due')
  if (has('points')) return 'points'
  if (has('change')) return 'change'
  if (has('rounding')) return isTotal ? 'due' : 'rounding'
  if (has('discount')) return isTotal && has('including') ? 'total' : 'discount'
  if (has('subtotal')) return 'subtotal'
  if (has('tax') && has('excluding') && (isTotal || has('amount') || kinds.length === 2)) return 'subtotal'
  if (has('tax') && has('including')) return isTotal || has('amount') ? (has('due') ? 'due' : 'total') : 'taxIncluded'
  if (has('quantity')) return isTotal && has('amount') ? 'total' : 'quantity'
  if (has('tax')) return has('due') && kinds[0] === 'due' ? 'due' : 'tax'
  if (has('service')) return 'service'
  if (has('due')) return 'due'
  if (has('cash') && !kinds.includes('total')) return 'cash'
  if (has('card')) return 'card'
  if (has('total')) return 'total'
  if (has('paid')) return 'paid'
  return has('amount') ? 'amount' : undefined
}

export function figuresIn(rows: readonly ReadRow[]): Figure[] {
  const summary = summaryRows(rows)
  const figures = rows.flatMap((row) => figuresOf(row, rows, summary.has(row.index)))
  const largest = Math.max(
    0,
    ...figures
      .filter(({ kind }) => kind !== 'cash')
      .flatMap(({ amounts }) => amounts.filter(({ decimals }) => decimals === 2).map(({ cents }) => cents)),
  )
  return figures.map((figure) =>
    isTotalWithTax(figure, largest) ? { ...figure, kind: 'total', edits: figure.edits + 1 } : figure,
  )
}

/** No tax is a third of the largest amount, so an amount that large beside "including tax" is the total and not the tax. */
const isTotalWithTax = ({ kind, amounts }: Figure, largest: number): boolean =>
  kind === 'taxIncluded' && (amounts.at(-1)?.cents ?? 0) > 0.33 * largest

function figuresOf(row: ReadRow, rows: readonly ReadRow[], inSummary: boolean): Figure[] {
  const groups = groupsOf(row)
  const figures: Figure[] = []
  for (const [at, group] of groups.entries()) {
    const first = group.labels[0]
    const kind = meaningOf(group.labels.map((label) => label.kind))
    if (!first || !kind) continue
    const end = group.amounts[0]?.start ?? row.text.length
    const isLoose = otherLetters(row.text, group, end) > 3
    const base = {
      kind,
      row: row.index,
      start: first.start,
      isLoose,
      inSummary,
      edits: sumOf(group.labels, ({ edits }) => edits),
    }
    if (group.amounts.length > 0) figures.push({ ...base, amounts: group.amounts, place: 'same' })
    else {
      const before = groups.length === 2 && at === 1 ? groups[0] : undefined
      const isAmountFirst = before !== undefined && before.labels.length === 0 && before.amounts.length > 0
      if (isAmountFirst && before) figures.push({ ...base, amounts: before.amounts, place: 'same' })
      else figures.push(...elsewhere(row, rows, first).map((found) => ({ ...base, ...found })))
    }
  }
  return figures
}

/** The letters around the labels of a group that are not part of them; names of currencies do not count. */
function otherLetters(text: string, group: Group, end: number): number {
  let rest = ''
  let at = group.from
  for (const label of group.labels) {
    rest += ` ${text.slice(at, label.start)}`
    at = label.end
  }
  rest += ` ${text.slice(at, Math.max(at, end))}`
  return rest.replace(/\b(?:RM|MYR|SGD|USD|NIS|ILS|SR|ZR|for|of|the)\b|ש["']?ח/gi, '').replace(/[^A-Za-zא-ת]/g, '')
    .length
}

const sumOf = <T>(list: readonly T[], value: (one: T) => number): number =>
  list.reduce((sum, one) => sum + value(one), 0)

/** Amounts of a row at the same height, or of the next row if it has nothing but amounts, in the column of the label or at the end. */
function elsewhere(row: ReadRow, rows: readonly ReadRow[], label: Label): Pick<Figure, 'amounts' | 'place'>[] {
  const near = [rows[row.index + 1], rows[row.index - 1]].filter((other) => other !== undefined)
  const beside = near.find((other) => isBeside(row, other) && isBare(other))
  if (beside) return [{ amounts: beside.amounts, place: 'beside' }]
  const below = rows[row.index + 1]
  if (!below || below.page !== row.page || below.amounts.length === 0) return []
  const isNear = below.box.y - (row.box.y + row.box.height) < 2 * row.box.height
  if (isNear && isBare(below)) return [{ amounts: below.amounts, place: 'below' }]
  const column = below.segments.filter(({ box, text }) => {
    const place =
      row.segments.find((segment) => segment.start <= label.start && label.end <= segment.end)?.box ?? row.box
    return isNear && box.x < place.x + place.width && place.x < box.x + box.width && !/[A-Za-zא-ת]{3}/.test(text)
  })
  const amounts = below.amounts.filter(({ start }) =>
    column.some((segment) => segment.start <= start && start < segment.end),
  )
  return amounts.length > 0 && row.segments.length > 1 ? [{ amounts, place: 'below' }] : []
}

/** Whether a row has amounts and no words. */
const isBare = (row: ReadRow): boolean =>
  row.amounts.length > 0 &&
  row.text.replace(/\b(?:RM|MYR|SGD|USD|NIS|ILS|SR|ZRL?)\b|ש["']?ח/gi, '').replace(/[^A-Za-zא-ת]/g, '').length < 3

/** The rows of a table of taxes: from its title or the heads of its columns on, as long as rows have rates or several amounts. */
function summaryRows(rows: readonly ReadRow[]): Set<number> {
  const found = new Set<number>()
  let isInside = false
  let gap = 0
  for (const row of rows) {
    const kinds = row.labels.map(({ kind }) => kind)
    const isTitle = kinds.includes('summary')
    const isHead =
      kinds.includes('tax') &&
      (kinds.includes('amount') || kinds.includes('subtotal')) &&
      row.amounts.every(({ isPercent }) => isPercent) &&
      !kinds.includes('total') &&
      !kinds.includes('due') &&
      !kinds.includes('quantity')
    if (isTitle || isHead) {
      isInside = true
      gap = 0
    } else if (isInside) {
      gap = row.amounts.length >= 2 ? 0 : gap + 1
      if (gap > 3 || kinds.some((kind) => ['due', 'cash', 'change', 'card', 'rounding'].includes(kind)))
        isInside = false
    }
    if (isInside) found.add(row.index)
  }
  return found
}
