import { event } from '../../core/define/event.ts'
import {
  Currency,
  defaulted,
  Id,
  Instant,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../core/define/schema.ts'

import { salesKind, writableTypes } from './kind.ts'
import { Attachment } from './sending/attachment.ts'

export type DocumentStatus = (typeof salesKind.statuses)[number]

const status = OneOf(...salesKind.statuses)
const documentType = OneOf(...writableTypes)

const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31; an instant is taken for its day where the organization is.',
  examples: ['2026-01-31'],
})
const ShownDay = Type.String({ description: 'A calendar day, such as 2026-01-31.' })
const Rate = Type.Number({ minimum: 0, maximum: 999, description: 'Percent: 17 means 17 %.' })
const Method = Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] })
const Facts = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })

const ofLine = {
  id: Type.String({ maxLength: 200, description: 'Chosen by the client, once in a document.', examples: ['1'] }),
  description: Type.String({ minLength: 1, maxLength: 10_000 }),
  quantity: Type.Number({ minimum: 0, maximum: 1e12 }),
  unitPrice: Type.Number({ minimum: 0, maximum: 1e15 }),
  amount: Type.Number(),
}
const besideLine = {
  itemId: nullable(Type.String({ maxLength: 200 })),
  taxRate: nullable(Rate),
  taxCategory: nullable(Type.String({ maxLength: 100 })),
}
export const NewLine = Type.Object({ ...ofLine, ...optional(besideLine) })
export type NewLine = Static<typeof NewLine>
export const Line = Type.Object({ ...ofLine, ...besideLine })
export type Line = Static<typeof Line>

const linesMax = 1_000
const NewLines = Type.Array(NewLine, { maxItems: linesMax })

const Party = nullable(Type.Object({ id: Id, name: nullable(Text), email: nullable(Text) }))

const OwnOrganization = nullable(
  Type.Object({
    id: Id, name: Text, country: Text, currency: Text, registrationNumber: nullable(Text), taxNumber: nullable(Text),
    address: nullable(Text), email: nullable(Text), phone: nullable(Text),
  }),
) // biome-ignore format: a list of words

const PaidInto = nullable(
  Type.Object({
    id: Id, accountName: Text, bankName: Text, accountNumber: nullable(Text), branchCode: nullable(Text),
    swiftCode: nullable(Text), iban: nullable(Text), routingNumber: nullable(Text),
  }),
) // biome-ignore format: a list of words

const PaidWith = Type.Object({ id: Id, amount: Type.Number(), paidAt: ShownDay, method: nullable(Text) })

/** What both shapes of a document have. */
const common = {
  id: Id,
  organizationId: Id,
  customerId: Id,
  documentType: Type.String({ description: 'CREDIT_MEMO and DEBIT_MEMO beside those that can be written.' }),
  invoiceNumber: nullable(Text),
  status,
  inDispute: Type.Boolean(),
  dueDate: nullable(ShownDay),
  currency: Text,
  exchangeRate: nullable(
    Type.Number({
      description:
        'To the currency that the organization counted in on the issue date, fixed with the number; null on a draft and where none is known.',
    }),
  ),
  subtotal: Type.Number(),
  taxAmount: Type.Number(),
  total: Type.Number(),
  paidAmount: Type.Number(),
  notes: nullable(Text),
  vatAllocationNumber: nullable(Text),
  generatorVersion: Text,
  customer: Party,
  items: Type.Array(Line),
  createdBy: Party,
  createdAt: Instant,
  updatedAt: Instant,
  attachments: Type.Optional(Type.Array(Attachment)),
  warnings: Type.Optional(Warnings),
}

/** A document in a list and as the answer to its creation. */
export const ListedDocument = Type.Object({
  ...common,
  invoiceDate: ShownDay,
  totalAmount: Type.Number({ description: 'The same as total.' }),
  payments: Type.Optional(Type.Array(PaidWith)),
})
export type ListedDocument = Static<typeof ListedDocument>

/** A document read by itself. */
export const Document = Type.Object({
  ...common,
  bankAccountId: nullable(Id),
  direction: OneOf('OUTGOING', 'INCOMING'),
  issueDate: ShownDay,
  payUntil: nullable(ShownDay),
  paymentMethod: nullable(Text),
  paymentDate: nullable(ShownDay),
  receiptNumber: nullable(Text),
  taxRate: nullable(Type.Number()),
  countrySpecificData: nullable(Facts),
  cancelledAt: nullable(Instant),
  organization: OwnOrganization,
  bankAccount: PaidInto,
})
export type Document = Static<typeof Document>

const open = {
  bankAccountId: nullable(Id),
  dueDate: nullable(Day),
  payUntil: nullable(Day),
  countrySpecificData: nullable(Facts),
  notes: nullable(Text),
  paymentMethod: nullable(Method),
  paymentDate: nullable(Day),
}
const written = {
  customerId: Id,
  currency: Currency,
  items: NewLines,
  subtotal: Type.Number(),
  taxRate: nullable(Rate),
  taxAmount: Type.Number(),
  total: Type.Number(),
}
const issueDate = Type.String({
  maxLength: 40,
  description: 'The day of issue unless given; not before that of the last number.',
  examples: ['2026-01-31'],
})

export const NewDocument = Type.Object({
  organizationId: Id,
  ...written,
  status: defaulted(status, 'DRAFT'),
  documentType: defaulted(documentType, 'INVOICE'),
  ...optional({ ...open, issueDate }),
})
export type NewDocument = Static<typeof NewDocument>

export const DocumentChanges = Type.Object({
  id: Id,
  ...optional({
    ...written,
    status,
    documentType,
    ...open,
    issueDate,
    clearReceiptInfo: Type.Boolean({
      description: 'Voids the payment of a paid document, which is then open again; needs the role MANAGER.',
    }),
  }),
})
export type DocumentChanges = Static<typeof DocumentChanges>

const facts = Type.Object({
  id: Id,
  organizationId: Id,
  invoiceNumber: nullable(Text),
  documentType: Text,
  status,
  customerId: Id,
  customerName: nullable(Text),
  currency: Text,
  subtotal: Type.Number(),
  taxAmount: Type.Number(),
  total: Type.Number(),
  paidAmount: Type.Number(),
  issueDate: ShownDay,
  dueDate: nullable(ShownDay),
  paymentDate: nullable(ShownDay),
})
export const invoiceCreated = event('invoice.created', facts, 'A sales document was created')
export const invoiceIssued = event('invoice.issued', facts, 'A sales document got its number')
export const invoiceSent = event('invoice.sent', facts, 'A sales document was sent to its customer')
export const invoicePaid = event('invoice.paid', facts, 'A sales document was paid in full')
export const invoiceOverdue = event('invoice.overdue', facts, 'A sales document was not paid by its due date')
export const invoiceDisputed = event('invoice.disputed', facts, 'A sales document was disputed')
export const invoiceDisputeResolved = event(
  'invoice.dispute_resolved',
  facts,
  'The dispute of a sales document was resolved',
)
export const receiptIssued = event('receipt.issued', facts, 'A receipt was issued for a payment')

/** The flat facts of a document that events carry. */
export const factsOf = (document: Document): Static<typeof facts> => ({
  ...document,
  customerName: document.customer?.name ?? null,
})
