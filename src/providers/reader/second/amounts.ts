import type { Check, Reading, Values } from '../../../core/outside/receipt-reader.ts'
import { isSame } from './same-value.ts'

/** The fields that calculations on the document connect. */
export const amountNames = ['subtotal', 'taxAmount', 'taxRate', 'total', 'items'] as const
type AmountName = (typeof amountNames)[number]
export type Source = 'offline' | 'model'

/** For each amount that both readers have and that differs: whose is taken, and whether calculations say so. */
export type Verdicts = Partial<Record<AmountName, { source: Source; isProven: boolean }>>

type Picks = Partial<Record<AmountName, Source>>

/**
 * Chooses between amounts that differ by trying all combinations: the one in which most calculations come out wins. Where that
 * does not decide, `preferred` does.
 */
export function chooseAmounts(
  offline: Reading,
  values: Partial<Values>,
  preferred: (name: AmountName) => Source,
): Verdicts {
  const contested = amountNames.filter((name) => {
    const [read, said] = [offline.fields[name]?.value, values[name]]
    return read !== undefined && said !== undefined && !isSame(name, read, said)
  })
  const tried = combinations(contested).map((picks) => ({
    picks,
    score: scoreOf(offline, values, picks),
    liked: contested.filter((name) => picks[name] === preferred(name)).length,
  }))
  const [best] = [...tried].sort((a, b) => b.score - a.score || b.liked - a.liked)
  if (!best) return {}
  const bestWith = (name: AmountName, source: Source) =>
    Math.max(...tried.filter(({ picks }) => picks[name] === source).map(({ score }) => score))
  return Object.fromEntries(
    contested.map((name) => {
      const source = best.picks[name] ?? 'offline'
      const other = source === 'offline' ? 'model' : 'offline'
      return [name, { source, isProven: bestWith(name, source) > bestWith(name, other) }]
    }),
  )
}

const combinations = (names: readonly AmountName[]): Picks[] =>
  names.reduce<Picks[]>(
    (all, name) =>
      all.flatMap((picks) => [
        { ...picks, [name]: 'offline' as const },
        { ...picks, [name]: 'model' as const },
      ]),
    [{}],
  )

function scoreOf(offline: Reading, values: Partial<Values>, picks: Picks): number {
  const isOffline = Object.values(picks).every((source) => source === 'offline')
  const scores = [score(checksOf(offline, values, picks))]
  // The built-in reader also knows tips, discounts and rounding, which its own calculations include.
  if (isOffline) scores.push(score(offline.checks))
  return Math.max(...scores)
}

const score = (checks: readonly Check[]) => checks.reduce((sum, { holds }) => sum + (holds ? 1 : -1), 0)

/** The calculations with the chosen amounts. Those of the built-in reader stay if all amounts are its own. */
export function checksOf(offline: Reading, values: Partial<Values>, picks: Picks): Check[] {
  const amounts: Partial<Pick<Values, AmountName>> = Object.fromEntries(
    amountNames.map((name) => [
      name,
      picks[name] === 'model' ? values[name] : (offline.fields[name]?.value ?? values[name]),
    ]),
  )
  const cash = offline.checks.filter(({ rule }) => rule === 'CASH_MINUS_CHANGE' && picks.total !== 'model')
  return [...calculationsOn(amounts), ...cash]
}

export function calculationsOn({
  subtotal,
  taxAmount,
  taxRate,
  total,
  items,
}: Partial<Pick<Values, AmountName>>): Check[] {
  const [net, tax, all] = [cents(subtotal), cents(taxAmount), cents(total)]
  if (all === undefined) return []
  const checks: Check[] = []
  if (net !== undefined && tax !== undefined && net !== all)
    checks.push({ rule: 'SUBTOTAL_PLUS_TAX', holds: net + tax === all })
  const amounts = items?.map(({ amount }) => cents(amount ?? undefined)) ?? []
  if (amounts.length > 0 && amounts.every((amount) => amount !== undefined)) {
    const sum = amounts.reduce((sum, amount) => sum + amount, 0)
    checks.push({ rule: 'ITEMS_ADD_UP', holds: sum === all || sum + (tax ?? 0) === all || sum === net })
  }
  if (taxRate !== undefined && tax !== undefined) {
    const rate = Number(taxRate)
    const added = ((net === undefined || net === all ? all - tax : net) * rate) / 100
    const included = (all * rate) / (100 + rate)
    checks.push({ rule: 'TAX_RATE', holds: [added, included].some((one) => Math.abs(one - tax) <= rateTolerance) })
  }
  return checks
}

/** In cents: tax is often rounded line by line. */
const rateTolerance = 2

const cents = (text: string | undefined) => (text === undefined ? undefined : Math.round(Number(text) * 100))
