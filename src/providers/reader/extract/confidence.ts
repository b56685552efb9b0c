import type { FieldName } from '../reading.ts'

/**
 * What speaks for and against a value, in log-odds: the sum for a field is turned into the probability that its value is right.
 */
const weights: { [name in FieldName]: Readonly<Record<string, number>> } = {
  vendor: { base: 0 },
  vendorTaxNumber: { base: 0 },
  documentNumber: { base: 0 },
  date: { base: 0 },
  dueDate: { base: 0 },
  currency: { base: 0 },
  subtotal: { base: 0 },
  taxAmount: { base: 0 },
  taxRate: { base: 0 },
  total: { base: 0 },
  paymentMethod: { base: 0 },
  items: { base: 0 },
}

/** The probability that a value is right, from what speaks for and against it. It never claims to be certain. */
export function confidenceOf(field: FieldName, evidence: readonly string[]): number {
  const table = weights[field]
  const logOdds = evidence.reduce((sum, one) => sum + (table[one] ?? 0), table.base ?? 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  return Math.round(Math.min(0.99, Math.max(0.01, probability)) * 100) / 100
}
