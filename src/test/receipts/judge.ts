import { editDistance } from '../../core/values/edit-distance.ts'
import type { FieldName, ReadItem, Reading } from '../../providers/reader/reading.ts'
import type { Truth } from './types.ts'

/** How a field was read. `expected` is undefined where it is not printed; `found` where nothing was read. */
export type Judgement = {
  field: FieldName
  expected: string | undefined
  found: string | undefined
  confidence: number
  isRight: boolean
}

export const fieldNames: readonly FieldName[] = [
  'vendor', 'vendorTaxNumber', 'documentNumber', 'date', 'dueDate', 'currency',
  'subtotal', 'taxAmount', 'taxRate', 'total', 'paymentMethod', 'items',
] // biome-ignore format: two rows

/** Compares what was read with what is printed. A field that is neither printed nor read is left out. */
export function judge(truth: Truth, fields: Reading['fields'], judged = fieldNames): Judgement[] {
  return judged.flatMap((field) => {
    const read = fields[field]
    const [expected, found] = [textOf(field, truth.values[field]), textOf(field, read?.value)]
    if (expected === undefined && found === undefined) return []
    const allowed = [...(expected === undefined ? [] : [expected]), ...(truth.alternatives[field] ?? [])]
    const isRight = found !== undefined && allowed.some((each) => each === '*' || isSame(field, each, found))
    return [{ field, expected, found, confidence: read?.confidence ?? 0, isRight }]
  })
}

/** Of items the amounts are compared, line by line. */
function textOf(field: FieldName, value: string | readonly ReadItem[] | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return field === 'items' ? value.map(({ amount }) => Number(amount ?? 'NaN').toFixed(2)).join(' ') : undefined
}

function isSame(field: FieldName, expected: string, found: string): boolean {
  if (['total', 'subtotal', 'taxAmount', 'taxRate'].includes(field))
    return Math.abs(Number(expected) - Number(found)) < 0.005
  if (field === 'paymentMethod') return meansOf(expected) === meansOf(found)
  return field === 'items' || field === 'date' || field === 'dueDate'
    ? expected === found
    : plain(expected) === plain(found)
}

/** Cards of any brand are one means of payment. */
const meansOf = (text: string) => (/CARD|VISA|AMEX/i.test(text) ? 'CARD' : text.toUpperCase())

/** Letters and digits alone, in capitals. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether two names differ by at most 12 % of the letters, or by one. */
export function isClose(expected: string, found: string): boolean {
  const [a, b] = [plain(expected), plain(found)]
  const most = Math.max(1, Math.floor(a.length * 0.12))
  return editDistance(a, b, most) <= most
}
