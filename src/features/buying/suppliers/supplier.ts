import {
  Count,
  Currency,
  defaulted,
  EmailOrEmpty,
  Id,
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

const kind = OneOf('ORGANIZATION', 'INDIVIDUAL')
const status = OneOf('PENDING', 'ACTIVE', 'INACTIVE')
const Percent = Type.Number({ minimum: 0, maximum: 100, examples: [20] })
const Day = Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-12-31'] })

const BankDetails = Type.Object(
  optional({
    bankName: nullable(Text), branchCode: nullable(Text), accountNumber: nullable(Text), accountName: nullable(Text),
    iban: nullable(Text), swiftCode: nullable(Text),
  }), // biome-ignore format: a list of words
  { description: 'Where the supplier is paid.' },
)
export type BankDetails = Static<typeof BankDetails>

const details = {
  phone: nullable(Text), address: nullable(Text), registrationNumber: nullable(Text), notes: nullable(Text),
  taxNumber: nullable(Text), gstNumber: nullable(Text),
} // biome-ignore format: a list of words

const terms = {
  paymentTermsDays: nullable(
    Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from the date of a bill to its due date.' }),
  ),
  defaultCategoryId: nullable(Id),
  defaultCurrency: nullable(Currency),
  withholdingRate: nullable({ ...Percent, description: 'Tax to withhold from payments, in percent (Israel).' }),
  withholdingValidUntil: nullable({ ...Day, description: 'The last day of the withholding certificate (Israel).' }),
  bankDetails: nullable(BankDetails),
}

const flags = {
  is1099: Type.Boolean({ description: 'Payments are reported on form 1099-NEC (United States).' }),
  isCustomer: Type.Boolean({ description: 'The company is a customer too; both are one record.' }),
}

export const Supplier = Type.Object({
  ...identity,
  name: nullable(Text),
  email: nullable(Text),
  country: nullable(Text),
  kind,
  status,
  ...details,
  ...terms,
  ...flags,
  displayName: Text,
  supplierOrganization: nullable(
    Type.Object(
      { id: Id, name: Text },
      { description: 'The organization on this server with the same registration number and country.' },
    ),
  ),
  activeOrderCount: Count,
  totalOrderCount: Count,
  _count: Type.Object({ expenses: Count, orders: Count }),
  warnings: Type.Optional(Warnings),
})
export type Supplier = Static<typeof Supplier>

const written = { ...details, ...terms, email: nullable(EmailOrEmpty) }

export const NewSupplier = Type.Object({
  organizationId: Type.Optional(Id),
  name: NonEmpty,
  kind: defaulted(kind, 'ORGANIZATION'),
  is1099: defaulted(flags.is1099, false),
  isCustomer: defaulted(flags.isCustomer, false),
  ...optional({ country: nullable(Type.String({ maxLength: 1_000 })), ...written }),
})

export const SupplierChanges = Type.Object({
  id: Id,
  ...optional({ name: NonEmpty, country: nullable(Type.String({ maxLength: 1_000 })), status, ...flags, ...written }),
})
export type SupplierChanges = Static<typeof SupplierChanges>
