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
  Text,
  Type,
} from '../../core/define/schema.ts'
import { toMajor } from '../../core/values/money.ts'

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
  direction: OneOf('OUTGOING', 'INCOMING'),
  amount: Type.Number(),
  currency: Text,
  paidAt: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  method: nullable(Text),
  source: Type.String({ description: 'DOCUMENT, MARK_PAID, PAYMENT or CREDIT_MEMO: where it was recorded.' }),
  allocatedTotal: Type.Number(),
  openRemainder: Type.Number({
    description: 'What is not yet allocated to a document; of a voided payment nothing is left.',
  }),
  allocations: Type.Array(Allocation),
  voidedAt: nullable(Instant),
  voidReason: nullable(Text),
})
export type Payment = Static<typeof Payment>

/** A payment of one document. */
export const DocumentPayment = Type.Object({
  id: Id,
  amount: Amount,
  paidAt: Day,
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
  ...optional({ customerId: nullable(Id), method: nullable(Method) }),
  allocations: defaulted(AllocationList, []),
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

type PaymentRow = {
  voidedAt: string | null
  amountMinor: number
  allocatedMinor: number
  currency: string
  allocations: (Omit<Static<typeof Allocation>, 'amount'> & { amountMinor: number })[]
}

/** A payment as the API shows it, in major units. */
export function toPayment<R extends PaymentRow>({ amountMinor, allocatedMinor, allocations, ...row }: R) {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    ...row,
    amount: major(amountMinor),
    allocatedTotal: major(allocatedMinor),
    openRemainder: row.voidedAt === null ? major(amountMinor - allocatedMinor) : 0,
    allocations: allocations.map(({ amountMinor: minor, ...allocation }) => ({ ...allocation, amount: major(minor) })),
  }
}
