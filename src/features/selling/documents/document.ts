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
} from '../../../core/define/schema.ts'
import { Attachment } from './attachments/attachment.ts'
import { defaultType, salesKind, writableTypes } from './kind.ts'

export type DocumentStatus = (typeof salesKind.statuses)[number]

const status = OneOf(...salesKind.statuses)
const documentType = OneOf(...writableTypes)

const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31; an instant is taken for its day where the organization is.',
  examples: ['2026-01-31'],
})
const DayText = Type.String({ description: 'A calendar day, such as 2026-01-31.' })
const Rate = Type.Number({ minimum: 0, maximum: 999, description: 'Percent: 17 means 17 %.' })
const Method = Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] })
const CountryData = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })

const lineFields = {
  id: Type.String({ maxLength: 200, description: 'Chosen by the client, once in a document.', examples: ['1'] }),
  description: Type.String({ minLength: 1, maxLength: 10_000 }),
  quantity: Type.Number({ minimum: 0, maximum: 1e12 }),
  unitPrice: Type.Number({ minimum: 0, maximum: 1e15 }),
  amount: Type.Number(),
}
const optionalLineFields = {
  itemId: nullable(Type.String({ maxLength: 200 })),
  taxRate: nullable(Rate),
  taxCategory: nullable(Type.String({ maxLength: 100, examples: ['SR'] })),
  discountPercent: nullable(
    Type.Number({ minimum: 0, maximum: 100, description: 'A discount in percent, which amount already takes off.' }),
  ),
  discountAmount: nullable(
    Type.Number({ minimum: 0, maximum: 1e15, description: 'A discount as an amount instead of a percentage.' }),
  ),
}
export const NewLine = Type.Object({ ...lineFields, ...optional(optionalLineFields) })
export type NewLine = Static<typeof NewLine>
export const Line = Type.Object({ ...lineFields, ...optionalLineFields })
export type Line = Static<typeof Line>

const linesMax = 1_000
const NewLines = Type.Array(NewLine, { maxItems: linesMax })

const Party = nullable(Type.Object({ id: Id, name: nullable(Text), email: nullable(Text) }))

const Issuer = nullable(
  Type.Object({
    id: Id,
    name: Text,
    country: Text,
    currency: Text,
    registrationNumber: nullable(Text),
    taxNumber: nullable(Text),
    address: nullable(Text),
    email: nullable(Text),
    phone: nullable(Text),
  }),
)

const BankAccountSummary = nullable(
  Type.Object({
    id: Id,
    accountName: Text,
    bankName: Text,
    accountNumber: nullable(Text),
    branchCode: nullable(Text),
    swiftCode: nullable(Text),
    iban: nullable(Text),
    routingNumber: nullable(Text),
  }),
)

const PaymentSummary = Type.Object({ id: Id, amount: Type.Number(), paidAt: DayText, method: nullable(Text) })

/** The fields that both representations of a document have. */
const commonFields = {
  id: Id,
  organizationId: Id,
  customerId: Id,
  documentType: Type.String({ description: 'CREDIT_MEMO and DEBIT_MEMO beside those that can be written.' }),
  invoiceNumber: nullable(Text),
  status,
  inDispute: Type.Boolean(),
  dueDate: nullable(DayText),
  currency: Text,
  exchangeRate: nullable(
    Type.Number({
      description:
        'To the currency that the organization counted in on the issue date, fixed with the number; on a draft the given one; null where none is given or known.',
    }),
  ),
  exchangeRateDate: nullable(
    Type.String({ description: 'The day of the exchange rate; null in the own currency and where no rate is known.' }),
  ),
  subtotal: Type.Number(),
  taxAmount: Type.Number(),
  total: Type.Number(),
  paidAmount: Type.Number({
    description:
      'The money received, without credits of memos; of a credit memo what was used or refunded of its credit.',
  }),
  creditedAmount: Type.Number({ description: 'What credit memos of this document have settled of it.' }),
  openBalance: Type.Number({
    description:
      'The total less paidAmount and creditedAmount; 0 for a draft and for what was cancelled or converted. Of a credit memo what is left of its credit.',
  }),
  notes: nullable(Text),
  vatAllocationNumber: nullable(Text),
  generatorVersion: Text,
  customer: Party,
  items: Type.Array(Line),
  createdBy: Party,
  createdAt: Instant,
  updatedAt: Instant,
  cancelledAt: nullable(Instant),
  convertedFromId: nullable(Type.String({ description: 'The payment request that this document was issued for.' })),
  convertedToId: nullable(Type.String({ description: 'The document that was issued for this payment request.' })),
  attachments: Type.Optional(Type.Array(Attachment)),
  warnings: Type.Optional(Warnings),
}

/** A document in a list, and in the answer to its creation. */
export const ListedDocument = Type.Object({
  ...commonFields,
  invoiceDate: DayText,
  totalAmount: Type.Number({ description: 'The same as total.' }),
  payments: Type.Optional(Type.Array(PaymentSummary)),
})
export type ListedDocument = Static<typeof ListedDocument>

/** The same in a list, which may leave the lines out. */
export const DocumentInList = Type.Object({
  ...ListedDocument.properties,
  items: Type.Optional(ListedDocument.properties.items),
})

/** A single document. */
export const Document = Type.Object({
  ...commonFields,
  bankAccountId: nullable(Id),
  direction: OneOf('OUTGOING', 'INCOMING'),
  issueDate: DayText,
  payUntil: nullable(DayText),
  paymentMethod: nullable(Text),
  paymentDate: nullable(DayText),
  receiptNumber: nullable(Text),
  taxRate: nullable(Type.Number()),
  countrySpecificData: nullable(CountryData),
  organization: Issuer,
  bankAccount: BankAccountSummary,
})
export type Document = Static<typeof Document>

/** Fields that may still change after the document was issued. */
const termsFields = {
  bankAccountId: nullable(Id),
  dueDate: nullable(Day),
  payUntil: nullable(Day),
  countrySpecificData: nullable(CountryData),
  notes: nullable(Text),
  paymentMethod: nullable(Method),
  paymentDate: nullable(Day),
}
/** Fields that are frozen once the document is issued. */
const contentFields = {
  customerId: Id,
  currency: Currency,
  items: NewLines,
  subtotal: Type.Number(),
  taxRate: nullable(Rate),
  taxAmount: Type.Number(),
  total: Type.Number(),
}
/** The exchange rate can be given until the document is issued. */
export const rateFields = {
  exchangeRate: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      description:
        'What one unit of the currency is worth in the currency of the organization, or, in that currency, in the one of its country. Null, or the value that was read, changes nothing; the rate of the issue date applies unless one is given. Ignored once the document is issued.',
      examples: [3.6512],
    }),
  ),
  exchangeRateDate: nullable({
    ...Day,
    description: 'The day of the given exchange rate; the issue date unless given.',
  }),
}
export const issueDate = Type.String({
  maxLength: 40,
  description:
    'The day of issue unless given; not before that of the last number, and not after today once the document is issued.',
  examples: ['2026-01-31'],
})

export const NewDocument = Type.Object({
  organizationId: Id,
  ...contentFields,
  status: defaulted(status, 'DRAFT'),
  documentType: defaulted(documentType, defaultType),
  ...optional({ ...termsFields, ...rateFields, issueDate }),
})
export type NewDocument = Static<typeof NewDocument>

export const DocumentChanges = Type.Object({
  id: Id,
  ...optional({
    ...contentFields,
    status,
    documentType,
    ...termsFields,
    ...rateFields,
    issueDate,
    clearReceiptInfo: Type.Boolean({
      description: 'Voids the payment of a paid document, which is then open again; needs the role MANAGER.',
    }),
  }),
})
export type DocumentChanges = Static<typeof DocumentChanges>
