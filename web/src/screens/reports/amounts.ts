const noAmounts =
  /^(box|count|year|number|days|ageDays|rate|taxRate|percent|quantity|invoices|documents|payslips|payments|reported|rows|page|months?)$|[cC]ount$|Percent$|Rate$/

const hidden =
  /^(id|currency|previousFrom|previousTo|organizationId|pagination|nextCursor|warnings|problemsIncomplete|fxIncomplete|periodMonths|schemeLabels)$|Ids?$/

/** Fields of an answer that say nothing to a reader of the report. */
export const isHidden = (field: string): boolean => hidden.test(field)

/** Whether a number of a report is money. Others count something, or name it, such as the boxes of a tax return. */
export const isAmount = (field: string): boolean => !noAmounts.test(field)

/** Whether an answer has no amount of its period other than zero; what it is compared with does not count. */
export const isNothing = (answer: unknown): boolean =>
  !Object.entries(answer ?? {}).some(([field, value]) => isSomething(field, value))

function isSomething(field: string, value: unknown): boolean {
  if (isHidden(field) || /^(previous|compared)/.test(field)) return false
  if (Array.isArray(value)) return value.some((each) => isSomething('', each))
  if (typeof value === 'number') return isAmount(field) && value !== 0
  return typeof value === 'object' && !isNothing(value)
}
