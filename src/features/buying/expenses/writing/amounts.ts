import { type Detail, invalid } from '../../../../core/define/failure.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { add, exact, round, split, toMinor } from '../../../../core/values/money.ts'
import { refuseProblems } from '../../../../ledger/totals.ts'
import type { NewExpense } from '../expense.ts'

/**
 * All fields of an expense that a caller sets, in major units. A `taxAmount` that nobody gave is undefined, and follows from the
 * rate; one that was emptied is null, and stays so beside a rate.
 */
export type ExpenseInput = Required<
  Pick<NewExpense, 'amount' | 'currency' | 'date' | Exclude<DescribedField, 'taxAmount'>>
> & { taxAmount: number | null | undefined }
export type DescribedField = keyof typeof emptyFields

/** The optional fields of a new expense that are not given, and those that PUT empties when they are left out. */
export const emptyFields = {
  title: null,
  vendor: null,
  categoryId: null,
  notes: null,
  taxAmount: undefined,
  taxRate: null,
  paymentMethod: null,
  supplierId: null,
  claimantId: null,
  orderId: null,
  dueDate: null,
  documentNumber: null,
  vendorTaxNumber: null,
  vatAllocationNumber: null,
  deductibleTaxAmount: null,
  exchangeRate: null,
  exchangeRateDate: null,
  splits: null,
} as const

export type SplitAmounts = { categoryId: string | null; description: string | null; amount: bigint; tax: bigint | null }

/** The amounts of an expense in minor units. `subtotal` and `inputTax` are what the ledger books; they add up to `total`. */
export type ExpenseAmounts = {
  total: bigint
  /** The tax that the supplier charged; null if nobody said. */
  chargedTax: bigint | null
  /** What the caller wants to deduct of it; null for as much as the organization may. */
  deductible: bigint | null
  inputTax: bigint
  subtotal: bigint
  taxRate: string | null
  splits: SplitAmounts[]
  /** The net amounts of the lines, one for each split or one for all. */
  nets: bigint[]
  warnings: Warning[]
}

type Rules = { isDraft: boolean; deductsInputTax: boolean }

/**
 * Converts the amounts to minor units. An amount with more decimal places than the currency is rounded with a warning on a
 * draft, and refused otherwise (INV-01). A tax amount that is not given is computed from the rate, since the amount includes it.
 */
export function readAmounts(
  input: ExpenseInput,
  currency: string,
  { isDraft, deductsInputTax }: Rules,
): ExpenseAmounts {
  const problems: Detail[] = []
  const warnings: Warning[] = []
  const money = (path: string, value: number) => {
    const parsed = toMinor(value, currency)
    if (parsed.kind === 'too-large')
      problems.push({ path, message: `${path} is larger than an amount can be.`, code: 'AMOUNT_TOO_LARGE' })
    const message = `${path} has more decimal places than ${currency}.`
    if (parsed.kind === 'finer' && isDraft)
      warnings.push({ path, message: `${message} It was rounded.`, code: 'ROUNDED' })
    else if (parsed.kind === 'finer') problems.push({ path, message, code: 'AMOUNT_TOO_FINE' })
    return parsed.kind === 'too-large' ? 0n : parsed.minor
  }
  const optionalMoney = (path: string, value: number | null | undefined) =>
    value === null || value === undefined ? null : money(path, value)
  const total = money('amount', input.amount)
  const splits = (input.splits ?? []).map(({ categoryId, description, amount, taxAmount }, at) => ({
    categoryId,
    description: description?.trim() || null,
    amount: money(`splits.${at}.amount`, amount),
    tax: optionalMoney(`splits.${at}.taxAmount`, taxAmount),
  }))
  const chargedTax =
    optionalMoney('taxAmount', input.taxAmount) ??
    taxOf(splits) ??
    (input.taxAmount === undefined ? taxIncluded(total, input.taxRate) : null) ??
    statedTax(splits)
  const deductible = optionalMoney('deductibleTaxAmount', input.deductibleTaxAmount)
  const isUnknown = isDraft && input.amount === 0 // the draft of an upload, until its amount is known
  if (total <= 0n && !isUnknown && problems.length === 0)
    problems.push({
      path: 'amount',
      message: 'amount must be at least one minor unit of the currency.',
      code: 'AMOUNT',
    })
  problems.push(...mismatches({ total, chargedTax, deductible, splits }))
  refuseProblems(problems)
  const inputTax = deductsInputTax ? (deductible ?? chargedTax ?? 0n) : 0n
  return {
    total,
    chargedTax,
    deductible,
    inputTax,
    subtotal: total - inputTax,
    taxRate: input.taxRate === null ? null : exact(input.taxRate).toFixed(6),
    splits,
    nets: netsOf({ total, chargedTax: chargedTax ?? 0n, inputTax, splits }),
    warnings: [...warnings, ...rateWarnings({ total, chargedTax, taxRate: input.taxRate })],
  }
}

type Read = { total: bigint; chargedTax: bigint | null; deductible: bigint | null; splits: readonly SplitAmounts[] }

function mismatches({ total, chargedTax, deductible, splits }: Read): Detail[] {
  const problems: Detail[] = []
  if ((chargedTax ?? 0n) > total)
    problems.push({
      path: 'taxAmount',
      message: 'taxAmount is part of amount and cannot be larger.',
      code: 'AMOUNT_MISMATCH',
    })
  if ((deductible ?? 0n) > (chargedTax ?? 0n))
    problems.push({
      path: 'deductibleTaxAmount',
      message: 'deductibleTaxAmount is part of taxAmount and cannot be larger.',
      code: 'AMOUNT_MISMATCH',
    })
  if (splits.length > 0 && add(splits.map(({ amount }) => amount)) !== total)
    problems.push({
      path: 'splits',
      message: 'The amounts of the splits do not add up to amount.',
      code: 'AMOUNT_MISMATCH',
    })
  problems.push(...splitTaxProblems(splits, chargedTax ?? 0n))
  return problems
}

/** What the splits say of the tax is part of it, and the rest of it must fit into the other splits. */
function splitTaxProblems(splits: readonly SplitAmounts[], chargedTax: bigint): Detail[] {
  const code = 'AMOUNT_MISMATCH'
  const problems = splits.flatMap(({ amount, tax }, at): Detail[] => {
    const message = 'taxAmount is part of the amount of the split and cannot be larger.'
    return (tax ?? 0n) > amount ? [{ path: `splits.${at}.taxAmount`, message, code }] : []
  })
  const stated = statedTax(splits)
  if (stated === null) return problems
  const others = add(splits.map(({ amount, tax }) => (tax === null ? amount : 0n)))
  const rest = chargedTax - stated
  if (rest < 0n || rest > others)
    problems.push({ path: 'splits', message: 'The taxes of the splits do not add up to taxAmount.', code })
  return problems
}

/** The tax that splits state; null if none does. */
const statedTax = (splits: readonly SplitAmounts[]): bigint | null =>
  splits.some(({ tax }) => tax !== null) ? add(splits.map(({ tax }) => tax ?? 0n)) : null

/** The tax of all splits; null unless each says its own. */
const taxOf = (splits: readonly SplitAmounts[]): bigint | null =>
  splits.length > 0 && splits.every(({ tax }) => tax !== null) ? add(splits.map(({ tax }) => tax ?? 0n)) : null

/** The tax that an amount includes at a rate. */
function taxIncluded(total: bigint, rate: number | null): bigint | null {
  if (rate === null) return null
  return round(exact(String(total)).times(exact(rate)).div(exact(rate).plus(100)), 'half-up')
}

type Booked = { total: bigint; chargedTax: bigint; inputTax: bigint; splits: readonly SplitAmounts[] }

/** The net amounts of the lines: their amounts less their shares of the input tax, in proportion to their taxes. */
function netsOf({ total, chargedTax, inputTax, splits }: Booked): bigint[] {
  if (splits.length === 0) return [total - inputTax]
  const taxes = inputTax === 0n ? [] : split(inputTax, taxesOf(splits, chargedTax))
  return splits.map(({ amount }, at) => amount - (taxes[at] ?? 0n))
}

/** The tax of each split: its own, or its share of what the others leave, in proportion to the amounts. */
function taxesOf(splits: readonly SplitAmounts[], chargedTax: bigint): bigint[] {
  const rest = chargedTax - (statedTax(splits) ?? 0n)
  if (rest === 0n) return splits.map(({ tax }) => tax ?? 0n)
  const shares = split(
    rest,
    splits.map(({ amount, tax }) => (tax === null ? amount : 0n)),
  )
  return splits.map(({ tax }, at) => tax ?? shares[at] ?? 0n)
}

/** The tax rate and the tax amount may differ by rounding of one minor unit. */
function rateWarnings({
  total,
  chargedTax,
  taxRate,
}: {
  total: bigint
  chargedTax: bigint | null
  taxRate: number | null
}) {
  const computed = taxIncluded(total, taxRate)
  if (computed === null || chargedTax === null) return []
  const difference = computed > chargedTax ? computed - chargedTax : chargedTax - computed
  if (difference <= 1n) return []
  return [
    { code: 'TAX_AMOUNT', path: 'taxAmount', message: 'taxAmount is not the tax at taxRate that amount includes.' },
  ]
}

/** Refuses input tax to be deducted by an organization that may deduct none. */
export function refuseDeduction(deductibleTaxAmount: number | null | undefined, deductsInputTax: boolean) {
  if (!deductibleTaxAmount || deductsInputTax) return
  throw invalid(
    'deductibleTaxAmount',
    'The organization is not registered for the tax, or its country has no input tax, so none of it can be deducted. Leave deductibleTaxAmount out or give 0.',
    'NOT_DEDUCTIBLE',
  )
}
