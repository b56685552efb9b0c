import { type OrderByItemBuilder, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { SortOrder } from '../../../core/define/page.ts'
import { containing } from '../../../core/define/query.ts'
import { defaulted, OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { customers } from './read.ts'
import { customerViews, inView } from './views.ts'

/** Which customers a list shows, and in which order. */
export const customerFilters = {
  search: defaulted(Type.String({ maxLength: 200 }), ''),
  inSystem: Type.Optional(OneOf('true', 'false', '')),
  kind: Type.Optional(OneOf('ORGANIZATION', 'INDIVIDUAL')),
  sortBy: defaulted(OneOf('name', 'email', 'createdAt', 'updatedAt'), 'createdAt'),
  sortOrder: defaulted(SortOrder, 'desc'),
  view: customerViews.asked.view,
}
const Filters = Type.Object(customerFilters)

/** The customers that match, in order. */
export function matching(
  db: Database,
  { search, inSystem, kind, sortBy, sortOrder, view }: Static<typeof Filters>,
  now: Date,
) {
  let query = customers(db)
    .where('isCustomer', '=', sql.lit(true))
    .orderBy(sortedBy[sortBy], (order) => ordered(order[sortOrder](), sortBy))
    .orderBy('id', sortOrder)
  if (kind) query = query.where('kind', '=', kind)
  if (inSystem) query = query.where(keepsBooksHere, '=', inSystem === 'true')
  if (view) query = query.where(inView(view, now))
  const text = search.trim()
  if (text)
    query = query.where((customer) => customer.or(searched.map((field) => customer(field, 'ilike', containing(text)))))
  return query
}

// Sorting ignores case, and empty values come last.
const sortedBy = {
  name: sql`lower(name)`,
  email: sql`lower(email)`,
  createdAt: sql.ref('createdAt'),
  updatedAt: sql.ref('updatedAt'),
}

// Only the e-mail address can be missing; with `nulls last` the indexes of the others could not be read backwards.
const ordered = (order: OrderByItemBuilder, by: keyof typeof sortedBy) => (by === 'email' ? order.nullsLast() : order)

const searched = ['name', 'email', 'phone', 'registrationNumber'] as const

const keepsBooksHere = sql<boolean>`coalesce(is_registered_organization(registration_number, country), false)`
