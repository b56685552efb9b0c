import { invalid } from '../../core/define/failure.ts'
import { Id, nullable, optional, type Static, Type } from '../../core/define/schema.ts'
import { toMajor, toMinor } from '../../core/values/money.ts'
import { dayOf, type OrganizationContext } from '../organization-context.ts'

const Short = Type.String({ maxLength: 100 })
const bankFields = { bank: Short, branch: Short, account: Short }

/** How a payment was made, as receipts must state it. Of a card only the last four digits are stored. */
const PaymentDetails = Type.Object(
  optional({
    cheque: Type.Object(
      optional({
        ...bankFields,
        number: Short,
        dueDate: Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-03-31'] }),
      }),
    ),
    card: Type.Object(
      optional({
        last4: Type.String({
          pattern: '^[0-9]{4}$',
          description: 'The last four digits.',
          examples: ['4242'],
        }),
        brand: Short,
        instalments: Type.Integer({ minimum: 1, maximum: 999 }),
      }),
    ),
    transfer: Type.Object(optional({ ...bankFields, reference: Short })),
  }),
)
export type PaymentDetails = Static<typeof PaymentDetails>

/** The fields of every payment that describe how the money came in. */
export const shownDetails = {
  reference: nullable(
    Type.String({ maxLength: 200, description: 'What identifies the payment at the bank or payer.' }),
  ),
  details: nullable(PaymentDetails),
  withheldAmount: Type.Number({
    minimum: 0,
    description: 'Tax that the payer withheld at source: a part of the amount. The rest is cash.',
  }),
  bankAccountId: nullable(Id),
}

/** The same where a payment is recorded; all of them may be left out. */
export const givenDetails = optional({
  reference: nullable(Type.String({ maxLength: 200, examples: ['TRX-2026-118'] })),
  details: nullable(PaymentDetails),
  withheldAmount: Type.Number({
    minimum: 0,
    description: 'Tax that the payer withheld at source: a part of the amount. The rest is cash.',
  }),
  bankAccountId: nullable(Id),
})
const GivenDetails = Type.Object(givenDetails)
export type GivenDetails = Static<typeof GivenDetails>

/** The details of a payment as they are stored. */
export type StoredDetails = {
  reference: string | null
  details: PaymentDetails | null
  withheldMinor: number
  bankAccountId: string | null
}

export const noDetails: StoredDetails = { reference: null, details: null, withheldMinor: 0, bankAccountId: null }

type PaidAmount = { currency: string; amountMinor: number; organization: OrganizationContext }

/** Checks the details of a payment over this amount. */
export function readDetails(
  { reference = null, details = null, withheldAmount = 0, bankAccountId = null }: GivenDetails,
  { currency, amountMinor, organization }: PaidAmount,
): StoredDetails {
  const withheld = toMinor(withheldAmount, currency)
  if (withheld.kind !== 'exact')
    throw invalid('withheldAmount', `withheldAmount must have no more decimal places than ${currency} has.`, 'AMOUNT')
  if (withheld.minor > BigInt(amountMinor))
    throw invalid(
      'withheldAmount',
      `withheldAmount is a part of the amount, which is ${toMajor(BigInt(amountMinor), currency)} ${currency}.`,
      'WITHHELD_OVER_AMOUNT',
    )
  const withheldMinor = Number(withheld.minor)
  return { reference: reference || null, details: withDay(details, organization), withheldMinor, bankAccountId }
}

function withDay(details: PaymentDetails | null, organization: OrganizationContext): PaymentDetails | null {
  const { dueDate, ...cheque } = details?.cheque ?? {}
  if (!details || dueDate === undefined) return details
  const day = dayOf('details.cheque.dueDate', dueDate, organization)
  return { ...details, cheque: { ...cheque, ...(day !== null && { dueDate: day }) } }
}
