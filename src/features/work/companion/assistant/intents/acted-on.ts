import type { Concept } from './lexicon.ts'
import type { Said } from './said.ts'

/** The words for each kind of thing that a sentence can tell to do something with. */
const kinds = {
  document: ['document', 'invoice', 'receipt', 'invoiceReceipt'],
  ownDocument: ['request', 'creditMemo', 'draftState', 'clearance'],
  customer: ['customer'],
  supplier: ['supplier'],
  item: ['item'],
  order: ['order', 'purchaseOrder', 'salesOrder'],
  expense: ['expense', 'claim', 'rent'],
  payment: ['payment'],
  employee: ['employee'],
  payslip: ['payslip', 'payroll'],
  automation: ['automation', 'run'],
  member: ['member', 'role'],
  category: ['category'],
  statement: ['statement'],
  mailbox: ['mailbox', 'mailRun'],
  bank: ['bank'],
} as const satisfies Record<string, readonly Concept[]>

type Kind = keyof typeof kinds

/** What the tools with an effect on a record act on; the second kinds are other names of it, such as the bill of a supplier. */
const actedOn: readonly (readonly [RegExp, readonly Kind[]])[] = [
  [/^invoices_(send|delete|cancel|memos|duplicate|convert|mark_paid|clearance_post)$/, ['document', 'ownDocument']],
  [/^invoices_payments_(void|refund|receipt)$/, ['payment', 'customer', 'document']],
  [/^customers_(delete|update_patch)$/, ['customer']],
  [/^suppliers_(delete|update_patch)$/, ['supplier']],
  [/^expenses_status$/, ['expense', 'document']],
  [/^expenses_(payments|delete_delete|update_patch_2)$/, ['expense', 'document', 'payment', 'supplier']],
  [/^orders_(send|close|cancel|delete|open|receive|deliver)$/, ['order']],
  [/^automations_(enable|disable|delete|replay)$/, ['automation']],
  [/^users_member_(update|delete)$/, ['member']],
]

/** Whether the sentence names things, and none of them is what the tool acts on: "duplicate order 55" copies no document. */
export function actsOnOther(tool: string, { hits, tokens, has }: Said): boolean {
  const acted = actedOn.find(([tools]) => tools.test(tool))?.[1]
  if (!acted || has('it', 'them')) return false
  const own: readonly Kind[] = has('remind') ? [...acted, 'customer', 'payment'] : acted // a customer is reminded of a document
  const isBeside = (first: number) => /^(with|עם)$/.test(tokens[first - 1]?.text ?? '') // the lunch with the customer
  const named = hits.filter(
    ({ concepts, first, isGuessed }) => !isGuessed && !isBeside(first) && kindsOf(concepts).length > 0,
  )
  return named.length > 0 && !named.some(({ concepts }) => kindsOf(concepts).some((kind) => own.includes(kind)))
}

const kindsOf = (concepts: readonly Concept[]): Kind[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) =>
    (kinds[kind] as readonly Concept[]).some((one) => concepts.includes(one)),
  )
