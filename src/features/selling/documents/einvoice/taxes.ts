import { Decimal } from 'decimal.js'
import { exact } from '../../../../core/values/money.ts'
import type { Category, Line, Problem, TaxGroup } from './einvoice.ts'

const zero = exact(0)

type Document = {
  lines: readonly Line[]
  /** Of the document, before tax and the tax itself. */
  net: Decimal
  tax: Decimal
}

export type Taxes = {
  groups: TaxGroup[]
  /** The difference between the net amount of the document and the sum of its lines, and the category that it belongs to. */
  difference: { amount: Decimal; category: Category } | null
  problems: Problem[]
}

/** The decimals that taxes are rounded to, and a difference to the rates that is too large for the format. */
export type TaxRules = { decimals: number; slack: Decimal }

/**
 * The tax by category and rate, each rounded once (BR-CO-17). Documents whose net amount differs from their lines by rounding
 * have the difference in the category where the tax then fits, otherwise in the largest one.
 */
export function taxesOf({ lines, net, tax }: Document, rules: TaxRules): Taxes {
  const amount = net.minus(lines.reduce((sum, line) => sum.plus(line.net), zero))
  const groups = groupsOf(lines, rules)
  if (amount.isZero()) return { ...withTax(groups, tax, rules), difference: null }
  const candidates = [...groups].sort((a, b) => b.taxable.abs().cmp(a.taxable.abs()))
  const tried = candidates.map(({ category }) => {
    const adjusted = groups.map((group) =>
      group.category === category ? taxed({ category, taxable: group.taxable.plus(amount) }, rules) : group,
    )
    return { ...withTax(adjusted, tax, rules), difference: { amount, category }, exactly: sumOf(adjusted).eq(tax) }
  })
  const best = tried.find(({ exactly }) => exactly) ?? tried[0]
  return best ?? { groups: [], difference: null, problems: [] }
}

/** Lines of one category and rate, in the order in which they appear. */
function groupsOf(lines: readonly Line[], rules: TaxRules): TaxGroup[] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = `${line.category.code} ${line.category.rate ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((members) => {
    const taxable = members.reduce((sum, { net }) => sum.plus(net), zero)
    return taxed({ category: categoryOfAll(members), taxable }, rules)
  })
}

/** The category of lines that share it; their reasons may differ. */
function categoryOfAll(lines: readonly Line[]): Category {
  const { code = '', rate = null } = lines[0]?.category ?? {}
  const reasons = new Set(lines.flatMap(({ category }) => category.reason ?? []))
  return { code, rate, reason: [...reasons].join('; ') || null }
}

type Untaxed = Pick<TaxGroup, 'category' | 'taxable'>

const taxed = ({ category, taxable }: Untaxed, { decimals }: TaxRules): TaxGroup => {
  const tax = taxable.times(category.rate ?? 0).div(100)
  return { category, taxable, tax: tax.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP) }
}

const sumOf = (groups: readonly TaxGroup[]) => groups.reduce((sum, { tax }) => sum.plus(tax), zero)

/** The tax of the document. Where validators allow a difference to the rates, the largest group has it. */
function withTax(groups: TaxGroup[], tax: Decimal, { slack }: TaxRules): { groups: TaxGroup[]; problems: Problem[] } {
  const rest = tax.minus(sumOf(groups))
  if (rest.isZero()) return { groups, problems: [] }
  const [largest] = groups.filter(({ category }) => category.rate?.gt(0)).sort((a, b) => b.tax.abs().cmp(a.tax.abs()))
  if (!largest || rest.abs().gte(slack)) return { groups, problems: [mismatch(groups, tax)] }
  return {
    groups: groups.map((group) => (group === largest ? { ...group, tax: group.tax.plus(rest) } : group)),
    problems: [],
  }
}

const mismatch = (groups: readonly TaxGroup[], tax: Decimal): Problem => ({
  field: 'taxAmount',
  message: `The tax of the document is ${tax.toFixed(2)}, but the rates of its lines give ${sumOf(groups).toFixed(2)}, each rate rounded once. An e-invoice must state the latter.`,
  afterIssue: 'Credit the document and issue it again with that tax.',
})
