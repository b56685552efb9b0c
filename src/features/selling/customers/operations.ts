import { type InsertObject, sql, type Updateable } from 'kysely'
import { type Database, type Inside, operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { inserting, one, paged, updating } from '../../../core/define/query.ts'
import { ById, Id, type Static, Success, success, Type } from '../../../core/define/schema.ts'
import { checksUpdatedAt, requireUnchanged, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { givenExtras, readIds } from '../../../core/define/views.ts'
import { addWarnings } from '../../../core/define/warning.ts'
import { toCountryCode } from '../../../core/values/country-names.ts'
import { toCurrencyCode } from '../../../core/values/currency.ts'
import { newId } from '../../../core/values/id.ts'
import { customerWarnings } from '../../../countries/warnings.ts'
import type { Tables } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { addBalances, balanceColumns } from './balances.ts'
import { Customer, CustomerChanges, customerCreated, customerUpdated, ListedCustomer, NewCustomer } from './customer.ts'
import { customerFilters, matching } from './filter.ts'
import { addCounts, counts as countColumns, customerById, display, noneYet, openCreditsOf } from './read.ts'
import { countViews, customerViews } from './views.ts'

export const list = operation({
  name: 'customers_list',
  http: 'GET /api/customers',
  does: 'Lists customers, searched by name, e-mail, phone or registration number.',
  scope: 'customers:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging({ limit: 10 }),
    ...customerFilters,
    balances: Type.Optional(
      Type.Boolean({ description: 'Also tells what each customer owes, and the day of their last document.' }),
    ),
    counts: customerViews.asked.counts,
    ids: customerViews.asked.ids,
  }),
  output: Type.Object({ customers: Type.Array(ListedCustomer), pagination: Pagination, ...customerViews.answered }),
  async run({ db, now }, { page, limit, balances, counts: wantsCounts, ids: wantsIds, ...filter }) {
    const query = matching(db, filter, now)
    const { listed, counts, ids } = await pipeline({
      listed: paged(
        query.$if(balances === true, (rows) => rows.select(balanceColumns(now))),
        { page, limit },
      ),
      counts: wantsCounts && countViews(db, now),
      ids: wantsIds && readIds(query.clearSelect().select('id')),
    })
    const found = listed.rows.map((row) => addCounts(addBalances(row)))
    return { customers: found, pagination: listed.pagination, ...givenExtras({ counts, ids }) }
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
    return addWarnings(Object.assign(customer, { ...noneYet, isSupplier }), customerWarnings(customer))
  },
})

export const get = operation({
  name: 'customers_get',
  http: 'GET /api/customers/{id}',
  does: 'Reads one customer.',
  ...showsUpdatedAt,
  scope: 'customers:read',
  within: 'customers',
  input: ById,
  output: Customer,
  async run({ db }, { id }) {
    const customer = await one(customerById(db, id), 'customer')
    const { openMinor } = customer
    const credits = openMinor ? { openCredits: openCreditsOf(openMinor) } : {}
    return addWarnings(Object.assign(addCounts(customer), credits), customerWarnings(customer))
  },
})

export const replace = operation({
  name: 'customers_update',
  http: 'PUT /api/customers/{id}',
  does: 'Replaces a customer: optional fields left out are emptied; name, country and status are kept.',
  ...checksUpdatedAt,
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: CustomerChanges,
  output: Customer,
  alsoShown: ListedCustomer,
  run: (context, changes) => change(context, { ...resetByPut, ...changes }),
})

export const update = operation({
  name: 'customers_update_patch',
  http: 'PATCH /api/customers/{id}',
  does: 'Changes the given fields of a customer.',
  ...checksUpdatedAt,
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: CustomerChanges,
  output: Customer,
  alsoShown: ListedCustomer,
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

async function change(context: Inside, { isSupplier, ...changes }: Static<typeof CustomerChanges>) {
  const { db, emit, audit } = context
  await checkUnchanged(context, changes.id)
  if (isSupplier !== undefined) await setSupplier(db, changes.id, isSupplier)
  const normalized = {
    ...changes,
    ...(changes.email === '' && { email: null }),
    ...(changes.defaultCurrencies && { defaultCurrencies: changes.defaultCurrencies.map(toCurrencyCode) }),
    ...(changes.country !== undefined && { country: toCountryCode(changes.country ?? '') || null }),
  }
  const customer = await one(updateCustomer(db, normalized), 'customer')
  if (customer.changed) emit(customerUpdated, customer)
  if (customer.changed) audit({ fields: Object.keys(changes).filter((field) => field !== 'id') })
  return addWarnings(addCounts(customer), customerWarnings(customer))
}

async function checkUnchanged(context: Inside, id: string) {
  if (context.expectedUpdatedAt === undefined) return
  const locked = context.db.selectFrom('customers').select('updatedAt').where('id', '=', id).forNoKeyUpdate()
  await requireUnchanged(context, { ...(await one(locked, 'customer')), id, noun: 'customer' })
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

const updateCustomer = updating((db, row: Updateable<Tables['customers']> & { id: string }) =>
  db
    .updateTable('customers')
    .set(row)
    .where('id', '=', row.id)
    .returningAll()
    .returning([...display, ...countColumns, changedNow]),
)
const insertCustomer = inserting((db, row: InsertObject<Tables, 'customers'>) =>
  db.insertInto('customers').values(row).returningAll().returning(display),
)
