import type { FieldName } from '../reading.ts'

/**
 * What speaks for and against a value, in log-odds: the sum for a field is turned into the probability that its value is right.
 *
 * Fitted by logistic regression, with a penalty on large weights, on the findings in generated receipts and invoices (recognised
 * from pictures, and with their own text into which misread characters were put) and in scanned receipts with known vendor, date
 * and total, of which a third was kept aside. A vendor counted as right only with all its letters, and items only with all
 * their amounts. Weights without effect are left out, and a sign that is not listed counts nothing.
 */
const weights: { [name in FieldName]: Readonly<Record<string, number>> } = {
  vendor: {
    base: 2.5,
    suffix: 1,
    word: 0.6,
    large: 0.5,
    'low score': 0.3,
    'far ahead': 0.1,
    'not first': -0.1,
    'close second': -0.2,
    other: -1.5,
    'print unsure': -1.9,
    'print poor': -3.2,
  },
  vendorTaxNumber: {
    base: 2.5,
    'valid format': 1.3,
    'weak label': 0.1,
    'strong label': -0.2,
    'print unsure': -2.5,
    'print poor': -3.9,
  },
  documentNumber: {
    base: 2.6,
    'valid format': 0.5,
    rival: 0.4,
    'strong label': -0.2,
    'weak label': -0.3,
    'print unsure': -2.5,
    'print poor': -4.5,
  },
  date: {
    base: 2.8,
    labelled: 0.9,
    'with a time': 0.9,
    'odd print': 0.3,
    'order printed': -0.3,
    'order of the document': -0.7,
    rival: -0.8,
    'print unsure': -1.4,
    'print poor': -2.1,
  },
  dueDate: {
    base: 2.5,
    'order printed': 0.3,
    'order of the document': 0.2,
    'with a time': 0.1,
    'odd print': -0.1,
    'print unsure': -0.9,
    'print poor': -1.8,
  },
  currency: { base: 5.7, place: 0.5, printed: 0.3, dollar: 0.2, organization: 0.1 },
  subtotal: { base: 2.3, 'adds up': 2.6, 'same as total': 0.4, 'print unsure': -1.5, 'print poor': -2.6 },
  taxAmount: {
    base: 2.1,
    'fits the rate': 2.3,
    'adds up': 2,
    'low score': 0.6,
    'rate contradicts': -0.6,
    'print unsure': -1.3,
    'print poor': -2.7,
  },
  taxRate: { base: 4.6, 'fits the rate': 0.7, 'adds up': 0.6, printed: 0.4 },
  total: {
    base: 1.5,
    'printed again': 1.7,
    'parts add up': 1.6,
    'cash less change': 1.1,
    'far ahead': 0.7,
    'items add up': 0.4,
    'label total': 0.4,
    'label due': 0.3,
    'paid as much': 0.2,
    'items contradict': 0.1,
    'close second': -0.6,
    'odd number': -0.6,
    'parts contradict': -1,
    'print unsure': -1,
    rounded: -1.2,
    'cash contradicts': -1.4,
    'print poor': -2.2,
  },
  paymentMethod: { base: 5.4, amount: 0.6, label: 0.4, word: 0.1 },
  items: { base: -2, 'adds up': 4.9, single: -0.4 },
}

/** The probability that a value is right, from what speaks for and against it. It never claims to be certain. */
export function confidenceOf(field: FieldName, evidence: readonly string[]): number {
  const table = weights[field]
  const logOdds = evidence.reduce((sum, one) => sum + (table[one] ?? 0), table.base ?? 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  return Math.round(Math.min(0.99, Math.max(0.01, probability)) * 100) / 100
}
