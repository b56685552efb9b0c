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
    base: 2.2,
    suffix: 1.2,
    word: 0.9,
    first: 0.4,
    large: 0.3,
    'not first': 0.1,
    'far ahead': -0.2,
    'close second': -0.2,
    'print unsure': -1.7,
    other: -2.3,
    'print poor': -3.4,
  },
  vendorTaxNumber: {
    base: 1.1,
    'valid format': 2.2,
    'strong label': 0.4,
    'weak label': -0.4,
    'print unsure': -2.3,
    'print poor': -4.3,
  },
  documentNumber: {
    base: 2.3,
    'valid format': 0.5,
    'strong label': -0.1,
    'weak label': -0.6,
    short: -0.8,
    'print unsure': -2.3,
    'print poor': -4.2,
  },
  date: {
    base: 2.7,
    'with a time': 0.9,
    labelled: 0.8,
    'odd print': 0.5,
    'order of the document': -0.1,
    rival: -0.2,
    'order printed': -0.4,
    'print unsure': -1.3,
    'print poor': -2.5,
  },
  dueDate: {
    base: 2.2,
    'order printed': 0.2,
    'order of the document': 0.1,
    'odd print': -0.2,
    'print unsure': -0.7,
    'print poor': -1.7,
  },
  currency: { base: 5.6, place: 0.5, printed: 0.3, dollar: 0.2, organization: 0.1 },
  subtotal: { base: 2.1, 'adds up': 2.5, 'same as total': 0.5, 'print unsure': -1.3, 'print poor': -2.4 },
  taxAmount: {
    base: 1.9,
    'fits the rate': 2.4,
    'adds up': 1.9,
    'low score': 0.7,
    'rate contradicts': -0.6,
    'print unsure': -1.2,
    'print poor': -2.6,
  },
  taxRate: { base: 4.4, 'fits the rate': 0.7, 'adds up': 0.6, printed: 0.4, 'print unsure': 0.1 },
  total: {
    base: 1.2,
    'printed again': 1.6,
    'parts add up': 1.4,
    'cash less change': 1.1,
    'far ahead': 0.9,
    'label total': 0.5,
    'label due': 0.3,
    'items add up': 0.2,
    'items contradict': 0.2,
    'paid as much': 0.1,
    'close second': -0.4,
    'odd number': -0.5,
    'print unsure': -0.8,
    'parts contradict': -1,
    rounded: -1.1,
    'cash contradicts': -1.4,
    'print poor': -2.1,
  },
  paymentMethod: { base: 5.3, amount: 0.6, label: 0.4, word: 0.1 },
  items: { base: -2.2, 'adds up': 5.3, single: -1.2 },
}

/** The probability that a value is right, from what speaks for and against it. It never claims to be certain. */
export function confidenceOf(field: FieldName, evidence: readonly string[]): number {
  const table = weights[field]
  const logOdds = evidence.reduce((sum, one) => sum + (table[one] ?? 0), table.base ?? 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  return Math.round(Math.min(0.99, Math.max(0.01, probability)) * 100) / 100
}
