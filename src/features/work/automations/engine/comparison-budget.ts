import { invalid } from '../../../../core/define/failure.ts'
import { runLimits } from '../automation.ts'

/** Values longer than this count as several comparisons. */
const charactersPerComparison = 1_000

/**
 * Limits what the conditions of a run compare at a time: for 1,000 elements, a condition of hundreds of comparisons with long lists
 * would occupy the process for minutes (FLT-20).
 */
export class ComparisonBudget {
  #left = runLimits.comparisonsMax

  spend(left: unknown, right: unknown): void {
    this.#left -= 1 + costOf(left) + costOf(right)
    if (this.#left < 0)
      throw invalid(
        'cond',
        `LIMIT_EXCEEDED: The conditions of the graph compare more than ${runLimits.comparisonsMax} values. Compare with shorter lists, or filter before FOR_EACH.`,
        'LIMIT_EXCEEDED',
      )
  }
}

function costOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / charactersPerComparison)
  if (typeof value !== 'object' || value === null) return 0
  const values = Object.values(value)
  return values.reduce<number>((sum, each) => sum + 1 + costOf(each), 0)
}
