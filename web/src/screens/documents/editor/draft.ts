import type { Operations } from '../../../contract.ts'
import { lineMinor, percentMinor, toMajor } from '../../../money.ts'

/** A line as somebody types it. */
export type Line = {
  id: string
  description: string
  quantity: number
  unitPrice: number
  itemId: string | null
  discountPercent: number | null
  discountAmount: number | null
  /** Null: that of the document. */
  taxRate: number | null
  taxCategory: string | null
}

export const draftTypes = ['INVOICE', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST', 'RECEIPT'] as const

/** A document as somebody types it. Empty text stands for what is not given. */
export type Draft = {
  customerId: string
  customerName: string
  documentType: (typeof draftTypes)[number]
  /** Empty: the day on which it is issued. */
  issueDate: string
  dueDate: string
  currency: string
  bankAccountId: string | null
  taxRate: number | null
  notes: string
  paymentMethod: string
  paymentDate: string
  items: Line[]
}

export const emptyLine = (): Line => ({
  id: crypto.randomUUID(),
  description: '',
  quantity: 1,
  unitPrice: 0,
  itemId: null,
  discountPercent: null,
  discountAmount: null,
  taxRate: null,
  taxCategory: null,
})

/** Whether the document states that it was paid, so that it needs the day and the method. */
export const statesPayment = (type: string) => type === 'INVOICE_RECEIPT' || type === 'RECEIPT'

type Taxed = { rate: number; amount: number }
export type Sums = { lines: number[]; subtotal: number; taxes: Taxed[]; taxAmount: number; total: number }

/** Everything that follows from what was typed: each rate on the sum of its lines, rounded once, half up. */
export function sums({ items, currency, taxRate }: Pick<Draft, 'items' | 'currency' | 'taxRate'>): Sums {
  const lines = items.map((line) => lineAmount(line, currency))
  const subtotal = add(lines)
  const rates = [...new Set(items.map((line) => line.taxRate ?? taxRate ?? 0))].sort((a, b) => b - a)
  const taxes = rates.map((rate) => {
    const base = add(lines.filter((_, at) => (items[at]?.taxRate ?? taxRate ?? 0) === rate))
    return { rate, minor: percentMinor(base, rate) }
  })
  const tax = add(taxes.map(({ minor }) => minor))
  return {
    lines: lines.map((line) => toMajor(line, currency)),
    subtotal: toMajor(subtotal, currency),
    taxes: taxes.map(({ rate, minor }) => ({ rate, amount: toMajor(minor, currency) })),
    taxAmount: toMajor(tax, currency),
    total: toMajor(subtotal + tax, currency),
  }
}

const add = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n)

const lineAmount = ({ quantity, unitPrice, discountPercent, discountAmount }: Line, currency: string) =>
  lineMinor(quantity, unitPrice, currency, { percent: discountPercent, amount: discountAmount })

/** Lines that say nothing and cost nothing are no lines. */
export const isBlank = ({ description, unitPrice }: Line) => description.trim() === '' && unitPrice === 0

/**
 * Whether nothing was typed beside the customer, whose usual currency comes with them. Such a document is not worth a draft, and
 * nothing of it is missed.
 */
export const isEmptyDraft = (draft: Draft, first: Draft): boolean =>
  draft.items.every(isBlank) && typedFields.every((field) => draft[field] === first[field])
const typedFields = [
  'documentType', 'issueDate', 'dueDate', 'bankAccountId', 'taxRate', 'notes', 'paymentMethod', 'paymentDate',
] as const // biome-ignore format: a list of words

/** The lines that can be saved: the server wants a description of each. */
export const described = (items: readonly Line[]) => items.filter(({ description }) => description.trim() !== '')

/** The draft as the server takes it. */
export function asWritten(draft: Draft): Omit<Operations['invoices_create']['input'], 'organizationId'> {
  const items = described(draft.items)
  const { lines, subtotal, taxAmount, total } = sums({ ...draft, items })
  const paid = statesPayment(draft.documentType)
  return {
    customerId: draft.customerId,
    documentType: draft.documentType,
    currency: draft.currency,
    bankAccountId: draft.bankAccountId,
    taxRate: draft.taxRate,
    notes: draft.notes.trim() || null,
    dueDate: paid ? null : draft.dueDate || null,
    paymentMethod: paid ? draft.paymentMethod || null : null,
    paymentDate: paid ? draft.paymentDate || null : null,
    ...(draft.issueDate && { issueDate: draft.issueDate }),
    subtotal,
    taxAmount,
    total,
    items: items.map((line, at) => ({ ...line, amount: lines[at] ?? 0 })),
  }
}

/** A saved draft as it is typed on. */
export const toDraft = (doc: Operations['invoices_get']['output'], today: string): Draft => ({
  customerId: doc.customerId,
  customerName: doc.customer?.name ?? '',
  documentType: draftTypes.find((type) => type === doc.documentType) ?? 'INVOICE',
  issueDate: doc.issueDate === today ? '' : doc.issueDate,
  dueDate: doc.dueDate ?? '',
  currency: doc.currency,
  bankAccountId: doc.bankAccountId,
  taxRate: doc.taxRate,
  notes: doc.notes ?? '',
  paymentMethod: doc.paymentMethod ?? '',
  paymentDate: doc.paymentDate ?? '',
  items: doc.items.length > 0 ? doc.items.map(toLine) : [emptyLine()],
})

const toLine = ({ amount: _, ...line }: Operations['invoices_get']['output']['items'][number]): Line => line
