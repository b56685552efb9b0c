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
    suffix: 1.1,
    word: 0.7,
    'low score': 0.7,
    large: 0.4,
    'far ahead': 0.1,
    first: -0.2,
    'not first': -0.2,
    other: -1.5,
    'print unsure': -1.8,
    'print poor': -3.2,
  },
  vendorTaxNumber: {
    base: 2.8,
    'valid format': 1.2,
    'weak label': 0.3,
    'strong label': -0.2,
    'print unsure': -2.5,
    'print poor': -4,
  },
  documentNumber: {
    base: 2.6,
    'valid format': 0.5,
    rival: 0.4,
    'strong label': -0.1,
    'weak label': -0.3,
    short: -0.4,
    'print unsure': -2.5,
    'print poor': -4.4,
  },
  date: {
    base: 3.1,
    'with a time': 1,
    labelled: 0.9,
    'odd print': 0.2,
    rival: -0.2,
    'order of the document': -0.3,
    'order printed': -0.4,
    'print unsure': -1.5,
    'print poor': -2.2,
  },
  dueDate: {
    base: 2.7,
    'order printed': 0.3,
    'order of the document': 0.2,
    'with a time': 0.2,
    'odd print': -0.3,
    'print unsure': -1,
    'print poor': -1.6,
  },
  currency: { base: 5.8, place: 0.6, printed: 0.3, dollar: 0.2, organization: 0.1 },
  subtotal: { base: 2.1, 'adds up': 2.2, 'same as total': 0.7, 'print unsure': -1.3, 'print poor': -2.4 },
  taxAmount: {
    base: 1.9,
    'fits the rate': 2.6,
    'adds up': 1.4,
    'low score': 0.7,
    'rate contradicts': -0.5,
    'print unsure': -1.2,
    'print poor': -2.5,
  },
  taxRate: {
    base: 3.1,
    'fits the rate': 1.6,
    printed: 0.8,
    'rate contradicts': 0.2,
    'adds up': 0.1,
    'print unsure': 0.1,
  },
  total: {
    base: 1.5,
    'printed again': 1.7,
    'parts add up': 1.6,
    'cash less change': 1.1,
    'far ahead': 0.6,
    'items add up': 0.5,
    'label due': 0.4,
    'label total': 0.4,
    'paid as much': 0.1,
    'items contradict': 0.1,
    'close second': -0.6,
    'odd number': -0.6,
    'parts contradict': -1,
    'print unsure': -1.1,
    rounded: -1.2,
    'cash contradicts': -1.4,
    'print poor': -2.2,
  },
  paymentMethod: { base: 5.5, amount: 0.6, label: 0.4, word: 0.1 },
  items: { base: -2.1, 'adds up': 5, single: -1.1 },
}

/** The probability that a value is right, from what speaks for and against it. It never claims to be certain. */
export function confidenceOf(field: FieldName, evidence: readonly string[]): number {
  const table = weights[field]
  const logOdds = evidence.reduce((sum, one) => sum + (table[one] ?? 0), table.base ?? 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  return Math.round(Math.min(0.99, Math.max(0.01, probability)) * 100) / 100
}
