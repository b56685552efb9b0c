import { roles } from '../../core/access.ts'
import { Email, Id, Instant, nullable, OneOf, optional, type Static, Text, Type } from '../../core/schema.ts'

const given = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  country: OneOf('IL', 'SG', 'US'),
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
  registrationNumber: nullable(Text), taxNumber: nullable(Text), address: nullable(Text),
  email: nullable(Email), phone: nullable(Text),
} // biome-ignore format: a list of words

export const Organization = Type.Object({
  id: Id,
  ...given,
  ...chosen,
  ...details,
  createdAt: Instant,
  updatedAt: Instant,
})
export type Organization = Static<typeof Organization>

export const NewOrganization = Type.Object({ ...given, ...optional({ ...chosen, ...details }) })
export const OrganizationChanges = Type.Object({ id: Id, ...optional({ name: given.name, ...chosen, ...details }) })

export const Membership = Type.Object({
  organizationId: Id, userId: Id, role: OneOf(...roles), createdAt: Instant, updatedAt: Instant,
}) // biome-ignore format: one line a row
