import type { Found } from './collect.ts'
import { sha256 } from './content-hash.ts'
import { sizeOf } from './decoration.ts'

const documentsMax = 20

const invoiceName = /invoice|receipt|bill|inv[-_ ]?\d|rechnung|facture|חשבונית|קבלה|חשבון|\b(heshbonit|kabala)/i
const otherName = /terms|conditions|privacy|policy|brochure|catalog|flyer|manual|guide|agb|תקנון|תנאים|מדיניות|קטלוג/i

/** Whether a file is by its name something that comes along with an invoice. */
export const isEnclosure = ({ name }: Found) => otherName.test(name) && !invoiceName.test(name)

/** The documents of a message, the most likely invoice first, each once. */
export function ranked(documents: readonly Found[]): (Found & { hash: string })[] {
  const rank = (found: Found) => {
    if (found.kind === 'einvoice') return 0
    if (isEnclosure(found)) return 5
    if (found.kind === 'pdf') return invoiceName.test(found.name) ? 1 : 2
    return found.isReferenced ? 4 : 3
  }
  const area = ({ kind, ...found }: Found) => {
    const size = kind === 'picture' ? sizeOf(found) : undefined
    return size ? size.width * size.height : 0
  }
  const hashes = new Set<string>()
  return documents
    .map((found) => ({ ...found, hash: sha256(found.bytes), rank: rank(found), area: area(found) }))
    .filter(({ hash }) => !hashes.has(hash) && hashes.add(hash))
    .sort((a, b) => a.rank - b.rank || b.area - a.area)
    .slice(0, documentsMax)
}
