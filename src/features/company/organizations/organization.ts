import { roles } from '../../../core/define/access.ts'
import {
  Email,
  EmailOrEmpty,
  Id,
  Instant,
  notBlank,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'
import { countryCodes } from '../../../countries/country.ts'

const taxNumber = Type.String({
  maxLength: 10_000,
  description: 'Under which it is registered for VAT or GST; none if it is not, such as an exempt dealer in Israel.',
})

const given = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: notBlank }),
  country: OneOf(...countryCodes),
}

const chosen = {
  currency: Type.String({
    minLength: 1,
    maxLength: 10,
    description: 'Main currency; that of the country unless given.',
    examples: ['USD'],
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'IANA zone; that of the country unless given.',
    examples: ['Asia/Singapore'],
  }),
}

const details = {
  registrationNumber: nullable(Text), taxNumber: nullable(taxNumber), address: nullable(Text),
  phone: nullable(Text),
} // biome-ignore format: a list of words

export const Organization = Type.Object({
  id: Id,
  ...given,
  ...chosen,
  ...details,
  email: nullable(Email),
  createdAt: Instant,
  updatedAt: Instant,
  warnings: Type.Optional(Warnings),
})
export type Organization = Static<typeof Organization>

const open = { ...chosen, ...details, email: nullable(EmailOrEmpty) }
export const NewOrganization = Type.Object({ ...given, ...optional(open) })
export const OrganizationChanges = Type.Object({ id: Id, ...optional({ name: given.name, ...open }) })

export const Membership = Type.Object({
  organizationId: Id, userId: Id, role: OneOf(...roles), createdAt: Instant, updatedAt: Instant,
}) // biome-ignore format: one line a row
