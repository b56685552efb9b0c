import type { Warning } from '../../../core/define/schema.ts'

const listed = (texts: readonly string[]) => [...new Set(texts)].toSorted().join(', ')

/** Warnings about currencies without a rate, and about amounts in an earlier main currency. */
export function fxWarnings(faceValues: readonly string[], earlier: readonly string[]): Warning[] {
  const missing = `No exchange rate was known for ${listed(faceValues)}; the face value counts.`
  const left = `Amounts booked in ${listed(earlier)}, an earlier main currency, are not in the report.`
  return [
    ...(faceValues.length > 0 ? [{ code: 'EXCHANGE_RATE_MISSING', path: 'fxIncomplete', message: missing }] : []),
    ...(earlier.length > 0 ? [{ code: 'EARLIER_CURRENCY', path: 'fxIncomplete', message: left }] : []),
  ]
}
