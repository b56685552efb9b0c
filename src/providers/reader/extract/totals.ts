import type { Figure, FigureKind, ReadRow } from './figures.ts'
import type { Amount } from './text/amounts.ts'

/** A value that may be the total, with what speaks for it. */
export type Candidate = {
  cents: number
  amount: Amount
  score: number
  /** The strongest label beside the value. */
  label: 'due' | 'total' | 'amount' | 'paid' | 'none'
  checks: ReadonlySet<TotalCheck>
  count: number
}

/** Calculations that give the total from other amounts of the document. */
export type TotalCheck = 'cash' | 'paid' | 'parts' | 'rounding' | 'items' | 'included'

export type Totals = { best: Candidate | undefined; second: Candidate | undefined; candidates: readonly Candidate[] }

/** The last amount of a figure; a whole number before it is a quantity. */
export const amountOf = (figure: Figure): Amount | undefined =>
  figure.amounts.filter(({ decimals }) => decimals === 2).at(-1) ?? figure.amounts.at(-1)

export const figuresOfKind = (figures: readonly Figure[], ...kinds: FigureKind[]): Figure[] =>
  figures.filter((figure) => kinds.includes(figure.kind))

export function findTotals(rows: readonly ReadRow[], figures: readonly Figure[], itemSum: number | null): Totals {
  const drafts = new Map<number, Draft>()
  for (const row of rows) for (const amount of row.amounts) addAmount(drafts, amount)
  for (const figure of figures) addLabel(drafts, figure)
  const sums = sumsOf(figures)
  for (const draft of drafts.values()) addChecks(draft, sums, itemSum)
  addRounding(drafts, sums)
  addSizes(drafts, rows)
  const candidates = [...drafts.values()]
    .filter(({ cents, isOther }) => cents > 0 && !isOther)
    .sort((a, b) => b.score - a.score || b.amount.row - a.amount.row)
  return { best: candidates[0], second: candidates[1], candidates }
}

type Draft = Omit<Candidate, 'checks'> & { checks: Set<TotalCheck>; isOther: boolean; labelScore: number }

function addAmount(drafts: Map<number, Draft>, amount: Amount) {
  if (amount.isPercent || amount.decimals > 2 || amount.decimals === 1) return
  const before = drafts.get(amount.cents)
  if (before) before.count += 1
  else {
    const weak =
      (amount.hasLeadingZero ? -2 : 0) + (amount.decimals === 0 ? (amount.currency ? -1 : -3) : 0) - 0.5 * amount.slips
    const fresh: Draft = {
      cents: amount.cents,
      amount,
      score: weak,
      label: 'none',
      checks: new Set(),
      count: 1,
      isOther: false,
      labelScore: 0,
    }
    drafts.set(amount.cents, fresh)
  }
}

const labelScores: Partial<Record<FigureKind, number>> = { due: 7, total: 5.5, paid: 3, card: 3, amount: 2 }

function addLabel(drafts: Map<number, Draft>, figure: Figure) {
  const amount = amountOf(figure)
  const draft = amount && drafts.get(amount.cents)
  if (!amount || !draft) return
  const worth = labelScores[figure.kind]
  if (worth === undefined) {
    if (!['cash', 'subtotal', 'taxIncluded'].includes(figure.kind) && draft.count === 1) draft.score -= 2
    return
  }
  const loss =
    figure.edits * 0.7 + (figure.isLoose ? 1.5 : 0) + (figure.place === 'same' ? 0 : 0.7) + (figure.inSummary ? 4 : 0)
  const score = worth - loss
  if (score <= draft.labelScore) return
  draft.score += score - draft.labelScore
  draft.labelScore = score
  draft.label = figure.kind === 'card' ? 'paid' : (figure.kind as Draft['label'])
  draft.amount = amount
}

/** Documents have few figures of a kind; the last ones are tried in all combinations. */
export const mostOfKind = 6

type Sums = {
  tendered: Set<number>
  cashLessChange: Set<number>
  paid: Set<number>
  parts: Set<number>
  roundings: Set<number>
}

/** The values that the total should have by other amounts: cash less change, and subtotal with tax and other charges. */
function sumsOf(figures: readonly Figure[]): Sums {
  const cents = (...kinds: FigureKind[]) =>
    figuresOfKind(figures, ...kinds)
      .filter(({ inSummary }) => !inSummary)
      .map((figure) => amountOf(figure)?.cents ?? 0)
      .slice(-mostOfKind)
  const cash = cents('cash', 'paid')
  const changes = cents('change').map(Math.abs)
  const roundings = new Set([
    0,
    ...cents('rounding')
      .filter((one) => Math.abs(one) < 100)
      .flatMap((one) => [one, -one]),
  ])
  const taxes = [0, ...cents('tax')]
  const charges = [0, ...cents('service')]
  const discounts = [0, ...cents('discount').map(Math.abs)]
  const parts = new Set<number>()
  for (const net of cents('subtotal', 'total', 'amount')) {
    for (const tax of taxes)
      for (const charge of charges)
        for (const less of discounts)
          for (const round of roundings) {
            if (tax || charge || less || round) parts.add(net + tax + charge - less + round)
          }
  }
  const given = changes.filter((change) => change > 0)
  return {
    tendered: new Set(cash.filter((paid) => given.some((change) => change < paid))),
    cashLessChange: new Set(cash.flatMap((paid) => changes.map((change) => paid - change))),
    paid: new Set(cents('cash', 'paid', 'card')),
    parts,
    roundings,
  }
}

function addChecks(draft: Draft, sums: Sums, itemSum: number | null) {
  const add = (check: TotalCheck, worth: number) => {
    draft.checks.add(check)
    draft.score += worth
  }
  if (sums.cashLessChange.has(draft.cents)) add('cash', 4)
  else if (sums.tendered.has(draft.cents)) draft.score -= 3
  else if (sums.paid.has(draft.cents)) add('paid', 1.5)
  if (sums.parts.has(draft.cents)) add('parts', 3)
  if (itemSum !== null && itemSum === draft.cents) add('items', 1.5)
}

/** A total before rounding gives way to the one after it. */
function addRounding(drafts: Map<number, Draft>, sums: Sums) {
  for (const rounding of sums.roundings) {
    if (rounding === 0) continue
    for (const draft of drafts.values()) {
      const rounded = drafts.get(draft.cents + rounding)
      if (!rounded || draft.labelScore < 3 || rounded.cents % 5 !== 0 || draft.cents % 5 === 0) continue
      rounded.score += 3.5
      rounded.checks.add('rounding')
      draft.score -= 1
    }
  }
}

/** The total is among the largest amounts, and often in larger print or printed more than once. */
function addSizes(drafts: Map<number, Draft>, rows: readonly ReadRow[]) {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  const withCents = [...drafts.values()].filter(({ amount }) => amount.decimals === 2)
  const largest = Math.max(0, ...withCents.map(({ cents }) => cents))
  for (const draft of drafts.values()) {
    const height = rows[draft.amount.row]?.height ?? 0
    if (draft.amount.decimals === 2) draft.score += Math.min(2, draft.count - 1) * 0.6
    if (draft.cents === largest) draft.score += 1
    if (height > usual * 1.25) draft.score += 0.8
    draft.score += (0.8 * draft.amount.row) / Math.max(1, rows.length)
  }
}
