import { invalid } from '../core/define/failure.ts'
import { Type } from '../core/define/schema.ts'

// Fields of queries that limit a list to a range. Both ends are included.

/** A day; `filterDay` reads it. */
export const DayFilter = Type.Optional(
  Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] }),
)

/** Amounts in major units of the currency of each row; `filterAmount` reads them. */
export const amountFilters = {
  minAmount: Type.Optional(Type.String({ maxLength: 40, examples: ['12.50'] })),
  maxAmount: Type.Optional(Type.String({ maxLength: 40, examples: ['99'] })),
}

export function filterAmount(path: string, text: string): string {
  if (!/^\s*-?\d{1,15}(\.\d{1,6})?\s*$/.test(text)) throw invalid(path, `${path} must be an amount such as 12.50.`)
  return text.trim()
}
