import { event } from '../../core/define/event.ts'
import {
  Currency,
  defaulted,
  Id,
  Instant,
  identity,
  nullable,
  OneOf,
  optional,
  type Static,
  storable,
  Text,
  Type,
  Warnings,
} from '../../core/define/schema.ts'
import { toMajor } from '../../core/values/money.ts'
import { givenDetails, shownDetails } from './payment-details.ts'

const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31.',
  examples: ['2026-01-31'],
})
const Amount = Type.Number({ exclusiveMinimum: 0, description: 'In major units of the currency.' })
const Method = Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] })

const Allocation = Type.Object({
  id: Id,
  documentId: Id,
  invoiceNumber: nullable(Text),
  lineId: nullable(Text),
  amount: Type.Number(),
})

export const Payment = Type.Object({
  ...identity,
  customerId: nullable(Id),
  customerName: nullable(Text),
  direction: OneOf('OUTGOING', 'INCOMING'),
  amount: Type.Number(),
  currency: Text,
  paidAt: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  method: nullable(Text),
  source: Type.String({
    description:
      'DOCUMENT, MARK_PAID, PAYMENT, CREDIT_MEMO or REFUND: where it was recorded. A refund is money that went back to the customer.',
  }),
  ...shownDetails,
  exchangeRate: nullable(
    Type.Number({
      description:
        'To the currency of the organization, fixed when the payment was recorded; null in that currency and where none is known.',
    }),
  ),
  exchangeRateDate: nullable(Type.String({ description: 'The day of the exchange rate.' })),
  allocatedTotal: Type.Number(),
  refundedTotal: Type.Number({ description: 'What was given back of it.' }),
  openRemainder: Type.Number({
    description: 'What is neither allocated to a document nor refunded; of a voided payment nothing is left.',
  }),
  refundOf: nullable(Type.String({ description: 'The payment that this refund gives back.' })),
  allocations: Type.Array(Allocation),
  voidedAt: nullable(Instant),
  voidReason: nullable(Text),
  warnings: Type.Optional(Warnings),
})
export type Payment = Static<typeof Payment>

/** Refuses U+0000 in every case: PostgreSQL refuses it only if the payment was not voided before. */
export const VoidReason = Type.String({ maxLength: 1_000, pattern: storable, examples: ['The transfer bounced'] })

/** The rate that was really obtained. */
const givenRate = optional({
  exchangeRate: nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      description:
        'What one unit of the currency was worth in the currency of the organization; the published rate of the day unless given.',
      examples: [3.6512],
    }),
  ),
  exchangeRateDate: nullable({ ...Day, description: 'The day of the given exchange rate; paidAt unless given.' }),
})

/** A payment of one document. */
export const DocumentPayment = Type.Object({
  id: Id,
  amount: Amount,
  paidAt: Day,
  ...givenDetails,
  ...givenRate,
  ...optional({
    method: nullable(Method),
    lineAllocations: Type.Array(Type.Object({ lineId: Type.String({ maxLength: 200 }), amount: Amount }), {
      maxItems: 1_000,
    }),
  }),
})

const AllocationList = Type.Array(
  Type.Object({
    documentId: Id,
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'All that is open unless given.' })),
  }),
  { maxItems: 200 },
)

/** Allocations of the open remainder of a payment. */
export const PaymentAllocations = Type.Object({
  id: Id,
  allocations: Type.Array(AllocationList.items, { minItems: 1, maxItems: 200 }),
})

/** A payment for any number of documents, or none yet. */
export const NewPayment = Type.Object({
  organizationId: Type.Optional(Id),
  amount: Amount,
  currency: Currency,
  paidAt: Day,
  ...givenDetails,
  ...givenRate,
  ...optional({ customerId: nullable(Id), method: nullable(Method) }),
  allocations: defaulted(AllocationList, []),
})

/** Money that goes back to the customer: the open remainder of a payment or credit, or a part of it. */
export const NewRefund = Type.Object({
  id: Id,
  paidAt: Day,
  ...optional({
    amount: Type.Number({ exclusiveMinimum: 0, description: 'The open remainder unless given.' }),
    method: nullable(Method),
    reference: givenDetails.reference,
    bankAccountId: givenDetails.bankAccountId,
  }),
})

const PaymentEventPayload = Type.Object({
  id: Id,
  organizationId: Id,
  customerId: nullable(Id),
  amount: Type.Number(),
  currency: Text,
  paidAt: Text,
  method: nullable(Text),
  source: Text,
})
export const paymentRecorded = event('payment.recorded', PaymentEventPayload, 'A payment was recorded')
export const paymentVoided = event('payment.voided', PaymentEventPayload, 'A payment was voided')
export const paymentRefunded = event(
  'payment.refunded',
  Type.Object({ ...PaymentEventPayload.properties, refundOf: Id }),
  'A payment was refunded',
)

type PaymentRow = Remainder & {
  exchangeRate: string | null
  withheldMinor: number
  currency: string
  allocations: (Omit<Static<typeof Allocation>, 'amount'> & { amountMinor: number })[]
}

/** What the open remainder of a payment follows from. */
type Remainder = {
  amountMinor: number
  allocatedMinor: number
  refundedMinor: number
  voidedAt: string | null
  source: string
}

/** What is neither allocated nor refunded. A refund has none: the money is gone. */
export const openMinorOf = ({ amountMinor, allocatedMinor, refundedMinor, voidedAt, source }: Remainder): number =>
  voidedAt === null && source !== 'REFUND' ? amountMinor - allocatedMinor - refundedMinor : 0

/** A payment as the API shows it, in major units. */
export function toPayment<R extends PaymentRow>(row: R) {
  const { amountMinor, allocatedMinor, refundedMinor, withheldMinor, allocations, ...shown } = row
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    ...shown,
    exchangeRate: row.exchangeRate === null ? null : Number(row.exchangeRate),
    amount: major(amountMinor),
    withheldAmount: major(withheldMinor),
    allocatedTotal: major(allocatedMinor),
    refundedTotal: major(refundedMinor),
    openRemainder: major(openMinorOf(row)),
    allocations: allocations.map(({ amountMinor: minor, ...allocation }) => ({ ...allocation, amount: major(minor) })),
  }
}
