import { type InsertObject, type OrderByItemBuilder, sql } from 'kysely'
import { type Database, type Inside, operation } from '../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../core/define/page.ts'
import { byId, containing, inserting, one, paged } from '../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, type Static, Success, success, Type } from '../../core/define/schema.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { toCountryCode } from '../../core/values/country-names.ts'
import { toCurrencyCode } from '../../core/values/currency.ts'
import { newId } from '../../core/values/id.ts'
import { toMajor } from '../../core/values/money.ts'
import { customerWarnings } from '../../countries/warnings.ts'
import type { Tables } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import { Customer, CustomerChanges, customerCreated, customerUpdated, NewCustomer } from './customer.ts'

export const list = operation({
  name: 'customers_list',
  http: 'GET /api/customers',
  does: 'Lists customers, searched by name, e-mail, phone or registration number.',
  scope: 'customers:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging({ limit: 10 }),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    inSystem: Type.Optional(OneOf('true', 'false', '')),
    kind: Type.Optional(OneOf('ORGANIZATION', 'INDIVIDUAL')),
    sortBy: defaulted(OneOf('name', 'email', 'createdAt', 'updatedAt'), 'createdAt'),
    sortOrder: defaulted(SortOrder, 'desc'),
  }),
  output: Type.Object({ customers: Type.Array(Customer), pagination: Pagination }),
  async run({ db }, { search, inSystem, kind, sortBy, sortOrder, ...page }) {
    let query = customers(db)
      .where('isCustomer', '=', sql.lit(true))
      .orderBy(sortedBy[sortBy], (order) => ordered(order[sortOrder](), sortBy))
      .orderBy('id', sortOrder)
    if (kind) query = query.where('kind', '=', kind)
    if (inSystem) query = query.where(keepsBooksHere, '=', inSystem === 'true')
    if (search.trim())
      query = query.where((customer) =>
        customer.or(searched.map((field) => customer(field, 'ilike', containing(search.trim())))),
      )
    const { rows, pagination } = await paged(query, page)
    return { customers: rows, pagination }
  },
})

export const create = operation({
  name: 'customers_create',
  http: 'POST /api/customers',
  does: 'Adds a customer to an organization.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewCustomer,
  output: Customer,
  status: 201,
  async run({ db, emit }, { organizationId: _, isSupplier, ...given }) {
    const values = {
      id: newId(),
      ...given,
      email: given.email || null,
      country: toCountryCode(given.country),
      defaultCurrencies: given.defaultCurrencies.map(toCurrencyCode),
    }
    const { customer } = await pipeline({
      customer: insertCustomer(db, values),
      supplier: isSupplier && db.insertInto('suppliers').values({ id: values.id }).execute(),
    })
    emit(customerCreated, customer)
    return withWarnings({ ...customer, isSupplier }, customerWarnings(customer))
  },
})

export const get = operation({
  name: 'customers_get',
  http: 'GET /api/customers/{id}',
  does: 'Reads one customer.',
  scope: 'customers:read',
  within: 'customers',
  input: ById,
  output: Customer,
  async run({ db }, { id }) {
    const { openMinor, ...customer } = await one(customerById(db, id), 'customer')
    const openCredits = openMinor.map(({ currency, minor }) => ({ currency, amount: toMajor(BigInt(minor), currency) }))
    return withWarnings({ ...customer, ...(openCredits.length > 0 && { openCredits }) }, customerWarnings(customer))
  },
})

export const replace = operation({
  name: 'customers_update',
  http: 'PUT /api/customers/{id}',
  does: 'Replaces a customer: optional fields left out are emptied; name, country and status are kept.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: CustomerChanges,
  output: Customer,
  run: (context, changes) => change(context, { ...resetByPut, ...changes }),
})

export const update = operation({
  name: 'customers_update_patch',
  http: 'PATCH /api/customers/{id}',
  does: 'Changes the given fields of a customer.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: CustomerChanges,
  output: Customer,
  run: change,
})

export const remove = operation({
  name: 'customers_delete',
  http: 'DELETE /api/customers/{id}',
  does: 'Deletes a customer with their recipients; refused while documents or orders name them. One who is a supplier too stays a supplier.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    const { stays } = await pipeline({
      stays: db
        .updateTable('customers')
        .set({ isCustomer: false })
        .where('id', '=', id)
        .where('isSupplier', '=', true)
        .returning('id')
        .execute(),
      recipients: db.deleteFrom('customerRecipients').where('customerId', '=', id).execute(),
    })
    if (stays.length === 0) await one(db.deleteFrom('customers').where('id', '=', id).returning('id'), 'customer')
    return success
  },
})

// Fields that PUT resets if they are left out. Name and country have no default, and the status is kept.
const resetByPut = {
  email: null,
  phone: null,
  address: null,
  registrationNumber: null,
  notes: null,
  defaultCurrencies: ['USD'],
}

async function change({ db, emit }: Inside, { isSupplier, ...changes }: Static<typeof CustomerChanges>) {
  if (isSupplier !== undefined) await setSupplier(db, changes.id, isSupplier)
  const normalized = {
    ...changes,
    ...(changes.email === '' && { email: null }),
    ...(changes.defaultCurrencies && { defaultCurrencies: changes.defaultCurrencies.map(toCurrencyCode) }),
    ...(changes.country !== undefined && { country: toCountryCode(changes.country ?? '') || null }),
  }
  const query = db
    .updateTable('customers')
    .set(normalized)
    .where('id', '=', changes.id)
    .returningAll()
    .returning([...derived, changedNow])
  const { changed, ...customer } = await one(query, 'customer')
  if (changed) emit(customerUpdated, customer)
  return withWarnings(customer, customerWarnings(customer))
}

/** Makes a customer a supplier, or takes that back, which the database refuses once there are expenses or orders. */
const setSupplier = (db: Database, id: string, isSupplier: boolean) =>
  isSupplier
    ? db
        .insertInto('suppliers')
        .values({ id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    : db.deleteFrom('suppliers').where('id', '=', id).execute()

// updated_at is set to the time of the transaction only if the row really changed.
const changedNow = sql<boolean>`updated_at = now()`.as('changed')

// Sorting ignores case, and empty values come last.
const sortedBy = {
  name: sql`lower(name)`,
  email: sql`lower(email)`,
  createdAt: sql.ref('createdAt'),
  updatedAt: sql.ref('updatedAt'),
}

// A time is never null, and `nulls last` could not use its index.
const ordered = (order: OrderByItemBuilder, by: keyof typeof sortedBy) =>
  by === 'name' || by === 'email' ? order.nullsLast() : order

const searched = ['name', 'email', 'phone', 'registrationNumber'] as const

const keepsBooksHere = sql<boolean>`coalesce(is_registered_organization(registration_number, country), false)`

/** Computed fields of a customer. Active orders are neither closed nor cancelled. */
const derived = [
  sql<string>`coalesce(name, email, '')`.as('displayName'),
  sql<string | null>`address`.as('displayAddress'),
  sql<string | null>`country`.as('displayCountry'),
  sql<string | null>`registration_number`.as('displayRegistrationNumber'),
  sql<number>`(select count(*) from orders o where o.organization_id = customers.organization_id and o.counterparty_id = customers.id
    and o.kind = 'SALES' and o.status not in ('CLOSED', 'CANCELLED'))`.as('activeOrderCount'),
  sql<number>`(select count(*) from orders o where o.organization_id = customers.organization_id and o.counterparty_id = customers.id
    and o.kind = 'SALES')`.as('totalOrderCount'),
  // Those that were cancelled or converted do not count. They are few and have an index, so that the others need no look at the rows.
  sql<{ invoices: number }>`jsonb_build_object('invoices', (select count(*) from documents d
    where d.organization_id = customers.organization_id and d.counterparty_id = customers.id)
    - (select count(*) from documents d where d.organization_id = customers.organization_id and d.counterparty_id = customers.id
      and (d.cancelled_at is not null or d.converted_to_id is not null))
    -- who is a supplier or a person may be owed expenses, which are documents too
    - case when customers.is_supplier or customers.kind = 'INDIVIDUAL' then (select count(*) from documents d
      where d.organization_id = customers.organization_id and d.counterparty_id = customers.id and d.kind <> 'SALES') else 0 end)`.as(
    '_count',
  ),
] as const

const customers = (db: Database) => db.selectFrom('customers').selectAll().select(derived)
const customerById = byId((db, id) => customers(db).select(openMinor).where('id', '=', id))

type OpenMinor = { currency: string; minor: number }

/** The open remainders of payments received and of credits, by currency. */
const openMinor = sql<OpenMinor[]>`(select coalesce(json_agg(json_build_object('currency', o.currency,
    'minor', o.minor) order by o.currency), '[]')
  from (select p.currency, sum(p.amount_minor - p.allocated_minor - p.refunded_minor) as minor from payments p
    where p.organization_id = customers.organization_id and p.counterparty_id = customers.id and p.direction = 'OUTGOING'
      and p.source <> 'REFUND' and p.voided_at is null and p.amount_minor > p.allocated_minor + p.refunded_minor
    group by 1) o)`.as('openMinor')
const insertCustomer = inserting((db, row: InsertObject<Tables, 'customers'>) =>
  db.insertInto('customers').values(row).returningAll().returning(derived),
)
