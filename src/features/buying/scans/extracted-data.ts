import { nullable, type Static, Text, Type } from '../../../core/define/schema.ts'
import type { Box, FieldName, Reading } from '../../../core/outside/receipt-reader.ts'

const Place = Type.Object({
  page: Type.Integer({ description: 'From 1.' }),
  x: Type.Number({ description: 'From the left, as a fraction of the width of the upright page.' }),
  y: Type.Number({ description: 'From the top, as a fraction of its height.' }),
  width: Type.Number(),
  height: Type.Number(),
})

const fields = {
  vendor: nullable(Text),
  vendorTaxNumber: nullable(Text),
  documentNumber: nullable(Text),
  date: nullable(Text),
  dueDate: nullable(Text),
  currency: nullable(Text),
  subtotal: nullable(Type.Number()),
  taxAmount: nullable(Type.Number()),
  taxRate: nullable(Type.Number({ description: 'Percent.' })),
  total: nullable(Type.Number()),
  paymentMethod: nullable(Text),
  items: Type.Array(
    Type.Object({
      description: Text,
      quantity: nullable(Type.Number()),
      unitPrice: nullable(Type.Number()),
      amount: nullable(Type.Number()),
    }),
  ),
}

/** What was read. Without a successful scan it is an empty object. */
export const ExtractedData = Type.Partial(
  Type.Object({
    ...fields,
    confidence: Type.Record(Text, Type.Number(), { description: 'How probable it is that each field is right, 0–1.' }),
    boxes: Type.Record(Text, Place, { description: 'Where each field is printed.' }),
    readers: Type.Record(Text, Text, {
      description:
        'Which reader each field is from: kontor-ocr, kontor-pdf, kontor-einvoice, or the model as provider:model.',
    }),
    turned: Type.Array(Type.Integer(), {
      description: 'By how many degrees, clockwise, each page has to be turned to be upright, as boxes are.',
    }),
    checks: Type.Array(
      Type.Object({
        rule: Type.String({ description: 'SUBTOTAL_PLUS_TAX, ITEMS_ADD_UP, CASH_MINUS_CHANGE or TAX_RATE.' }),
        holds: Type.Boolean(),
      }),
      { description: 'Calculations on the document itself. Look at the fields again if one does not hold.' },
    ),
  }),
)
export type ExtractedData = Static<typeof ExtractedData>

/** A reading as the API shows it: plain values, and beside them how sure and where. */
export function toExtractedData({ fields, checks, providerId, turned }: Reading): ExtractedData {
  const text = (name: Exclude<FieldName, 'items'>) => fields[name]?.value ?? null
  const number = (name: Exclude<FieldName, 'items'>) => toNumber(text(name))
  const confidence: Record<string, number> = {}
  const boxes: Record<string, Box> = {}
  const readers: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!field) continue
    confidence[name] = field.confidence
    readers[name] = field.reader ?? providerId
    if (field.box) boxes[name] = field.box
  }
  return {
    vendor: text('vendor'),
    vendorTaxNumber: text('vendorTaxNumber'),
    documentNumber: text('documentNumber'),
    date: text('date'),
    dueDate: text('dueDate'),
    currency: text('currency'),
    subtotal: number('subtotal'),
    taxAmount: number('taxAmount'),
    taxRate: number('taxRate'),
    total: number('total'),
    paymentMethod: text('paymentMethod'),
    items: (fields.items?.value ?? []).map(({ description, quantity, unitPrice, amount }) => ({
      description,
      quantity: toNumber(quantity),
      unitPrice: toNumber(unitPrice),
      amount: toNumber(amount),
    })),
    confidence,
    boxes,
    readers,
    turned: [...turned],
    checks: [...checks],
  }
}

const toNumber = (text: string | null) => (text === null ? null : Number(text))
