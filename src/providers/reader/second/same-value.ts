import type { FieldName, ReadItem } from '../../../core/outside/receipt-reader.ts'
import { editDistance } from '../../../core/values/edit-distance.ts'

/** Whether two readers mean the same value: amounts by value, names and numbers without case, blanks and punctuation. */
export function isSame(name: FieldName, one: unknown, other: unknown): boolean {
  if (name === 'items') return amountsOf(one).join() === amountsOf(other).join()
  if (['subtotal', 'taxAmount', 'taxRate', 'total'].includes(name)) return Number(one) === Number(other)
  return plain(one) === plain(other)
}

/** Whether two names differ in a few letters only, as if one of them was misread. */
export function isNearly(one: unknown, other: unknown): boolean {
  const [a, b] = [plain(one), plain(other)]
  const most = Math.floor(Math.max(a.length, b.length) * 0.15)
  return editDistance(a, b, most) <= most
}

const amountsOf = (items: unknown) => (items as readonly ReadItem[]).map(({ amount }) => Number(amount ?? Number.NaN))

const plain = (value: unknown) =>
  String(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
