import { sql } from 'kysely'
import { filterable } from '../../../core/define/filterable.ts'

/** The organization of the filter. */
const Organization = filterable({
  feature: 'organizations',
  from: sql`(select *, id as organization_id from organizations)`,
  fields: {
    id: 'id',
    name: 'text',
    country: 'text',
    currency: 'text',
    timezone: 'text',
    registrationNumber: 'text',
    taxNumber: 'text',
    address: 'text',
    phone: 'text',
    email: 'text',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
})

export const organizationObjects = { Organization }
