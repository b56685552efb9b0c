import {
  Currency,
  defaulted,
  Id,
  Instant,
  identity,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'
import { Attachment } from './attachments/attachment.ts'
import { expenseKind } from './kind.ts'

export const sources = ['MANUAL', 'SCAN', 'EMAIL'] as const
export type ExpenseSource = (typeof sources)[number]

const Amount = Type.Number({ exclusiveMinimum: 0, description: 'Including tax, in major units.', examples: [117] })
const Day = Type.String({ minLength: 1, maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] })
const Short = Type.String({ maxLength: 1_000 })
const TaxAmount = Type.Number({
  minimum: 0,
  description: 'The tax that the supplier charged; part of the amount. Left out, it is computed from taxRate.',
  examples: [17],
})
const TaxRate = Type.Number({ minimum: 0, maximum: 100, description: 'Percent.', examples: [17] })

const NewSplit = Type.Object({
  categoryId: nullable(Id),
  amount: Amount,
  ...optional({ taxAmount: nullable(TaxAmount), description: nullable(Short) }),
  ...optional({ id: Text, category: nullable(Type.Object({ id: Id, name: Text })) }), // sent back as read, and ignored
})

const Split = Type.Object({
  id: Text,
  categoryId: nullable(Id),
  category: nullable(Type.Object({ id: Id, name: Text })),
  amount: Type.Number(),
  taxAmount: nullable(Type.Number()),
  description: nullable(Text),
})

/** What a caller writes; each may be null. */
const described = {
  title: nullable(Short),
  vendor: nullable(Short),
  categoryId: nullable(Id),
  notes: nullable(Text),
  taxAmount: nullable(TaxAmount),
  taxRate: nullable(TaxRate),
  paymentMethod: nullable(Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] })),
  supplierId: nullable({ ...Id, description: 'The supplier on record; found by the name of the vendor unless given.' }),
  claimantId: nullable({
    ...Id,
    description: 'The person who paid and is owed the amount: a counterparty of kind INDIVIDUAL.',
  }),
  orderId: nullable({ ...Id, description: 'The order to the supplier that the bill is for.' }),
  dueDate: nullable({ ...Day, description: 'By when it is to be paid.' }),
  documentNumber: nullable({ ...Short, description: 'The number on the document of the supplier.' }),
  vendorTaxNumber: nullable(Short),
  vatAllocationNumber: nullable({
    ...Short,
    description: 'The allocation number on the invoice of the supplier (Israel).',
  }),
  deductibleTaxAmount: nullable({
    ...TaxAmount,
    description:
      'The part of the tax that is deducted as input tax, if not all of it. Only 0 if the organization may deduct none.',
    examples: [0],
  }),
  exchangeRate: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      description:
        'What one unit of the currency is worth in the currency of the organization. Null, or the value that was read, changes nothing; the rate of the date applies unless one is given.',
      examples: [3.6512],
    }),
  ),
  exchangeRateDate: nullable({ ...Day, description: 'The day of the given exchange rate; the date unless given.' }),
  splits: nullable(
    Type.Array(NewSplit, { maxItems: 100, description: 'Several categories; their amounts add up to the amount.' }),
  ),
}

export const NewExpense = Type.Object({
  organizationId: Type.Optional(Id),
  amount: Amount,
  currency: Currency,
  date: Day,
  source: defaulted(OneOf(...sources), 'MANUAL'),
  ...optional(described),
  customerIds: Type.Optional(Type.Array(NonEmpty, { maxItems: 100 })),
})
export type NewExpense = Static<typeof NewExpense>

export const ExpenseChanges = Type.Object({
  id: Id,
  ...optional({ ...described, amount: Amount, currency: Currency, date: Day }),
})
export type ExpenseChanges = Static<typeof ExpenseChanges>

const PaymentOfExpense = Type.Object({
  id: Id,
  amount: Type.Number({ description: 'The whole payment.' }),
  allocated: Type.Number({ description: 'The part of it that pays this expense.' }),
  paidAt: Type.String(),
  method: nullable(Text),
})

const shown = {
  ...identity,
  description: nullable({ ...Text, description: 'The title.' }),
  amount: Type.Number(),
  currency: Text,
  date: Type.String(),
  vendor: nullable(Text),
  paymentMethod: nullable(Text),
  paidAmount: Type.Number(),
  creditedAmount: Type.Number({ description: 'What the supplier credited.' }),
  openBalance: Type.Number(),
  payments: Type.Array(PaymentOfExpense),
  source: OneOf(...sources),
  status: OneOf(...expenseKind.statuses),
  attachments: Type.Array(Attachment),
  customers: Type.Array(
    Type.Object({ customerId: Id, customer: nullable(Type.Object({ id: Id, name: nullable(Text) })) }),
  ),
  createdBy: nullable(Type.Object({ id: Id, name: nullable(Text), email: nullable(Text) })),
  warnings: Type.Optional(Warnings),
}

export const ListedExpense = Type.Object({ ...shown, category: nullable(Type.Object({ id: Id, name: Text })) })
export type ListedExpense = Static<typeof ListedExpense>

const Order = Type.Object({
  id: Id,
  orderNumber: nullable(Text),
  status: Text,
  subtotal: Type.Number(),
  currency: Text,
  orderDate: Type.String(),
  supplier: nullable(
    Type.Object({
      id: Id,
      name: nullable(Text),
      supplierOrganization: nullable(Type.Object({ id: Id, name: Text })),
    }),
  ),
})

export const Expense = Type.Object({
  ...shown,
  category: nullable(Type.Object({ id: Id, name: Text, color: nullable(Text) })),
  title: nullable(Text),
  taxAmount: nullable(Type.Number()),
  taxRate: nullable(Type.Number()),
  notes: nullable(Text),
  emailMessageId: nullable(Text),
  order: nullable(Order),
  orderId: nullable(Id),
  categoryId: nullable(Id),
  supplierId: nullable(Id),
  supplier: nullable(Type.Object({ id: Id, name: nullable(Text) })),
  claimantId: nullable(Id),
  claimant: nullable(Type.Object({ id: Id, name: nullable(Text) })),
  dueDate: nullable(Type.String()),
  documentNumber: nullable(Text),
  vendorTaxNumber: nullable(Text),
  vatAllocationNumber: nullable(Text),
  deductibleTaxAmount: Type.Number({ description: 'What is deducted as input tax.' }),
  exchangeRate: nullable(
    Type.Number({
      description:
        'To the currency of the organization, fixed by the approval; before that the given one; null where none is given or known.',
    }),
  ),
  exchangeRateDate: nullable(
    Type.String({ description: 'The day of the exchange rate; null in the own currency and where no rate is known.' }),
  ),
  splits: Type.Array(Split),
  credits: Type.Array(
    Type.Object({
      id: Id,
      paymentId: { ...Id, description: 'The credit as a payment, which can be allocated or refunded.' },
      amount: Type.Number(),
      date: Type.String(),
      documentNumber: nullable(Text),
      reason: nullable(Text),
      openRemainder: Type.Number({ description: 'What is neither allocated nor refunded of it.' }),
      voidedAt: nullable({ ...Instant, description: 'When it was voided because it was a mistake.' }),
      voidReason: nullable(Text),
      lineId: nullable({ ...Text, description: 'The split that it credits; null if it credits all.' }),
    }),
    { description: 'The credit notes of the supplier, also those that were voided.' },
  ),
  revision: Type.Integer({ description: 'Larger after every change of the expense.' }),
  statusReason: nullable({ ...Text, description: 'The reason given with the last change of the status.' }),
  reviewedBy: nullable(Type.Object({ id: Id, name: nullable(Text), email: nullable(Text) })),
  reviewedAt: nullable(Instant),
})
export type Expense = Static<typeof Expense>
