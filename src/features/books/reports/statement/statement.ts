import { Id, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'

const Entry = Type.Object({
  date: Text,
  kind: OneOf(
    'DOCUMENT',
    'CREDIT',
    'CANCELLATION',
    'CONVERSION',
    'PAYMENT',
    'PAYMENT_VOIDED',
    'REFUND',
    'REFUND_VOIDED',
  ),
  documentId: nullable(Id),
  paymentId: nullable(Id),
  documentType: nullable(Text),
  number: nullable(Text),
  description: Type.String({ description: 'In the language of the statement.' }),
  dueDate: nullable(Text),
  amount: Type.Number({ description: 'Positive: the customer owes more. Negative: less.' }),
  balance: Type.Number({ description: 'What the customer owes after this entry.' }),
})
export type Entry = Static<typeof Entry>

const InCurrency = Type.Object({
  currency: Text,
  openingBalance: Type.Number(),
  entries: Type.Array(Entry),
  closingBalance: Type.Number({ description: 'Negative if the customer has a credit.' }),
  aging: Type.Object(
    {
      current: Type.Number(),
      days1To30: Type.Number(),
      days31To60: Type.Number(),
      days61To90: Type.Number(),
      over90: Type.Number(),
      credits: Type.Number({ description: 'Payments and credit memos that are not used up.' }),
    },
    { description: 'Of the closing balance: the buckets less the credits.' },
  ),
})
export type InCurrency = Static<typeof InCurrency>

export const Statement = Type.Object({
  customerId: Id,
  customerName: nullable(Text),
  from: Text,
  to: Text,
  language: OneOf('en', 'he'),
  currencies: Type.Array(InCurrency, { description: 'A balance of its own for each currency.' }),
})
export type Statement = Static<typeof Statement>
