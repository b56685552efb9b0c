import type { Slots } from '../reading/slots.ts'
import type { Token } from '../reading/words.ts'
import type { Concept, Hit } from './lexicon.ts'

/** Words that already say what a number is the number of. */
const kinds: readonly Concept[] = [
  'document', 'invoice', 'receipt', 'invoiceReceipt', 'request', 'creditMemo', 'order', 'purchaseOrder', 'salesOrder', 'expense', 'payslip', 'bank', 'account', 'chart', 'item', 'generalLedger', 'organization',
] // biome-ignore format: a list of words

/** Without a noun the letters of a number say what it is: SO-0003 is an order, INV-0157 and 0157 are documents. */
function conceptsOf(number: string): Concept[] {
  const [letters = ''] = /^[a-z]*/i.exec(number) ?? []
  if (/^so$/i.test(letters)) return ['order', 'salesOrder']
  if (/^po$/i.test(letters)) return ['order', 'purchaseOrder']
  return ['document']
}

/** The numbers of documents and orders as words of the request: "send INV-0157" is about a document. */
export function withNumbers(hits: Hit[], tokens: readonly Token[], { numbers }: Slots): Hit[] {
  const [number] = numbers
  if (!number) return hits
  const own = conceptsOf(number.text)
  const isSaid = hits.some(({ concepts }) => concepts.some((concept) => kinds.includes(concept)))
  const isCredit = hits.some(({ concepts }) => concepts.includes('creditMemo'))
  if (isSaid && !isCredit && !(own.includes('order') && !hits.some(({ concepts }) => concepts.includes('order'))))
    return hits
  const first = tokens.findIndex(({ start }) => start >= number.start)
  const end = tokens.findIndex(({ start }) => start >= number.end)
  const hit: Hit = { concepts: own, first, end: end < 0 ? tokens.length : end, isGuessed: false }
  return [...hits, hit].toSorted((a, b) => a.first - b.first)
}
