import { event } from '../../../core/define/event.ts'
import {
  Count,
  Currency,
  defaulted,
  Email,
  EmailOrEmpty,
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

const currencies = Type.Array(Currency, { maxItems: 50 })
const kind = OneOf('ORGANIZATION', 'INDIVIDUAL')
const status = OneOf('PENDING', 'ACTIVE', 'INACTIVE')
const isSupplier = Type.Boolean({ description: 'The company is a supplier too; both are one record.' })

const details = {
  phone: nullable(Text), address: nullable(Text), registrationNumber: nullable(Text), notes: nullable(Text),
} // biome-ignore format: a list of words

export const Customer = Type.Object({
  ...identity,
  name: nullable(Text),
  email: nullable(Text),
  country: nullable(Text),
  defaultCurrencies: currencies,
  kind: nullable(kind),
  status,
  ...details,
  displayName: Type.String({ description: 'How to call the customer on screens and documents.' }),
  displayAddress: nullable(Text),
  displayCountry: nullable(Text),
  displayRegistrationNumber: nullable(Text),
  activeOrderCount: Count,
  totalOrderCount: Count,
  _count: Type.Object({ invoices: Count }),
  isSupplier,
  openCredits: Type.Optional(
    Type.Array(Type.Object({ currency: Text, amount: Type.Number() }), {
      description:
        'Money and credits of the customer that pay no document yet, by currency; left out if there are none, and in lists.',
    }),
  ),
  warnings: Type.Optional(Warnings),
})
export type Customer = Static<typeof Customer>

/** A customer in a list, which may tell what they owe. */
export const ListedCustomer = Type.Object({
  ...Customer.properties,
  openBalances: Type.Optional(
    Type.Array(
      Type.Object({
        currency: Text,
        amount: Type.Number(),
        lateAmount: Type.Number({ description: 'The part of it that is past its due date.' }),
      }),
      { description: 'What the customer owes, by currency and not converted; empty if nothing. Only if asked for.' },
    ),
  ),
  lastDocumentDate: Type.Optional(
    nullable(
      Type.String({
        description: 'When the last document was issued to the customer; null if none. Only if asked for.',
      }),
    ),
  ),
})

export const NewCustomer = Type.Object({
  organizationId: Type.Optional(Id),
  name: NonEmpty,
  country: NonEmpty,
  kind: defaulted(kind, 'ORGANIZATION'),
  defaultCurrencies: defaulted(currencies, ['USD']),
  isSupplier: defaulted(isSupplier, false),
  ...optional({ email: nullable(EmailOrEmpty), ...details }),
})

export const CustomerChanges = Type.Object({
  id: Id,
  ...optional({
    name: NonEmpty,
    email: nullable(EmailOrEmpty),
    country: nullable(Type.String({ maxLength: 1_000 })),
    defaultCurrencies: currencies,
    status,
    isSupplier,
    ...details,
  }),
})

export const Recipient = Type.Object({
  id: Id,
  customerId: Id,
  email: Text,
  name: nullable(Text),
  createdAt: Instant,
  updatedAt: Instant,
})
export const NewRecipient = Type.Object({ id: Id, email: Email, ...optional({ name: nullable(Text) }) })

const CustomerEventPayload = Type.Object({
  id: Id,
  organizationId: Id,
  name: nullable(Text),
  email: nullable(Text),
  country: nullable(Text),
  kind: nullable(kind),
  status,
})
export const customerCreated = event('customer.created', CustomerEventPayload, 'A customer was added')
export const customerUpdated = event('customer.updated', CustomerEventPayload, 'A customer was changed')
