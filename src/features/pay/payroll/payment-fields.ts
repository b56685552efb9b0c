import { nullable, storable, Type } from '../../../core/define/schema.ts'

/** Fields of a payment of payroll. */
export const Day = Type.String({
  maxLength: 40,
  description: 'The day of the payment, such as 2026-03-31.',
  examples: ['2026-03-31'],
})
export const Method = Type.Optional(
  nullable(Type.String({ maxLength: 200, pattern: storable, examples: ['BANK_TRANSFER'] })),
)
