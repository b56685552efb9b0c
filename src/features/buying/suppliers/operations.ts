import { type OrderByItemBuilder, sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { byId, containing, givenColumns, one, paged, textOrNull, toUuid } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type, type Warning } from '../../../core/define/schema.ts'
import { checksUpdatedAt, requireUnchanged, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { toCountryCode } from '../../../core/values/country-names.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { exact } from '../../../core/values/money.ts'
import type { Country } from '../../../countries/country.ts'
import { bankAccountWarnings, customerWarnings } from '../../../countries/warnings.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { dayOf, type OrganizationContext, organizationContext } from '../../../ledger/organization-context.ts'
import { differences } from './audit.ts'
import { type BankDetails, NewSupplier, Supplier, SupplierChanges } from './supplier.ts'

export const list = operation({
  name: 'suppliers_list',
  http: 'GET /api/suppliers',
  does: 'Lists suppliers, searched by name, e-mail, phone or registration number.',
  scope: 'suppliers:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging({ limit: 10 }),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    inSystem: Type.Optional(OneOf('true', 'false', '')),
    kind: Type.Optional(OneOf('ORGANIZATION', 'INDIVIDUAL')),
    status: Type.Optional(OneOf('PENDING', 'ACTIVE', 'INACTIVE')),
    sortBy: defaulted(OneOf('name', 'email', 'createdAt', 'updatedAt'), 'createdAt'),
    sortOrder: defaulted(SortOrder, 'desc'),
  }),
  output: Type.Object({ suppliers: Type.Array(Supplier), pagination: Pagination }),
  async run({ db }, { search, inSystem, kind, status, sortBy, sortOrder, ...page }) {
    let query = suppliers(db)
      .orderBy(sortedBy[sortBy], (order) => ordered(order[sortOrder](), sortBy))
      .orderBy('c.id', sortOrder)
    if (kind) query = query.where('c.kind', '=', kind)
    if (status) query = query.where('c.status', '=', status)
    if (inSystem) query = query.where(keepsBooksHere, '=', inSystem === 'true')
    if (search.trim())
      query = query.where((supplier) =>
        supplier.or(searched.map((field) => supplier(field, 'ilike', containing(search.trim())))),
      )
    const { rows, pagination } = await paged(query, page)
    return { suppliers: rows.map(toSupplier), pagination }
  },
})

export const create = operation({
  name: 'suppliers_create',
  http: 'POST /api/suppliers',
  does: 'Adds a supplier to an organization.',
  scope: 'suppliers:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewSupplier,
  output: Supplier,
  status: 201,
  async run(context, { organizationId: _, isCustomer, ...given }) {
    const { db, now } = context
    const organization = await writeContext(db, given)
    const id = newId()
    const { row } = await pipeline({
      counterparty: db
        .insertInto('customers')
        .values({
          id,
          name: given.name,
          kind: given.kind,
          defaultCurrencies: [currencyOf(given.defaultCurrency ?? organization.currency, 'defaultCurrency')],
          isCustomer,
          ...emptyParty,
          ...partyColumns(given),
        })
        .execute(),
      supplier: db
        .insertInto('suppliers')
        .values({ id, ...supplierColumns(given, organization) })
        .execute(),
      row: one(supplierById(db, id), 'supplier'),
    })
    const supplier = toSupplier(row)
    return withWarnings(supplier, supplierWarnings(supplier, organization, now))
  },
})

export const get = operation({
  ...showsUpdatedAt,
  name: 'suppliers_get',
  http: 'GET /api/suppliers/{id}',
  does: 'Reads one supplier.',
  scope: 'suppliers:read',
  within: 'suppliers',
  input: ById,
  output: Supplier,
  async run({ db, now }, { id }) {
    const { row, organization } = await pipeline({
      row: one(supplierById(db, id), 'supplier'),
      organization: organizationContext(db),
    })
    const supplier = toSupplier(row)
    return withWarnings(supplier, supplierWarnings(supplier, organization, now))
  },
})

export const replace = operation({
  ...checksUpdatedAt,
  name: 'suppliers_update',
  http: 'PUT /api/suppliers/{id}',
  does: 'Replaces a supplier: optional fields left out are emptied; name, country, status and isCustomer are kept.',
  scope: 'suppliers:write',
  role: 'CONTRIBUTOR',
  within: 'suppliers',
  input: SupplierChanges,
  output: Supplier,
  run: (context, changes) => change(context, { ...resetByPut, ...changes }),
})

export const update = operation({
  ...checksUpdatedAt,
  name: 'suppliers_update_patch',
  http: 'PATCH /api/suppliers/{id}',
  does: 'Changes the given fields of a supplier.',
  scope: 'suppliers:write',
  role: 'CONTRIBUTOR',
  within: 'suppliers',
  input: SupplierChanges,
  output: Supplier,
  run: change,
})

export const remove = operation({
  name: 'suppliers_delete',
  http: 'DELETE /api/suppliers/{id}',
  does: 'Deletes a supplier; refused while expenses or orders name them. A supplier who is a customer too stays a customer.',
  scope: 'suppliers:write',
  role: 'CONTRIBUTOR',
  within: 'suppliers',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    await one(db.deleteFrom('suppliers').where('id', '=', id).returning('id'), 'supplier')
    await db.deleteFrom('customers').where('id', '=', id).where('isCustomer', '=', false).execute()
    return success
  },
})

type Given = Omit<SupplierChanges, 'id' | 'isCustomer'>

// Fields that PUT resets if they are left out.
const resetByPut = {
  email: null, phone: null, address: null, registrationNumber: null, notes: null, taxNumber: null, gstNumber: null,
  paymentTermsDays: null, defaultCategoryId: null, defaultCurrency: null, withholdingRate: null,
  withholdingValidUntil: null, bankDetails: null, is1099: false,
} // biome-ignore format: a list of words

const emptyParty = { email: null, phone: null, address: null, country: null, registrationNumber: null, notes: null }

async function change(context: Inside, { id, isCustomer, ...given }: SupplierChanges) {
  const { db, now, audit } = context
  const organization = await writeContext(db, given)
  if (context.expectedUpdatedAt !== undefined) await lockParty(db, id)
  const before = await one(supplierById(db, id), 'supplier')
  await requireUnchanged(context, { id, noun: 'supplier', updatedAt: before.updatedAt })
  const party = { ...partyColumns(given), ...(isCustomer !== undefined && { isCustomer }) }
  const columns = supplierColumns(given, organization)
  const { row } = await pipeline({
    party: hasAny(party) && db.updateTable('customers').set(party).where('id', '=', id).execute(),
    supplier: hasAny(columns) && db.updateTable('suppliers').set(columns).where('id', '=', id).execute(),
    row: one(supplierById(db, id), 'supplier'),
  })
  const supplier = toSupplier(row)
  audit({ ...differences(toSupplier(before), supplier), fields: changedFields(toSupplier(before), supplier) })
  return withWarnings(supplier, supplierWarnings(supplier, organization, now))
}

const lockParty = (db: Database, id: string) =>
  db.selectFrom('customers').select('id').where('id', '=', id).forNoKeyUpdate().execute()

/** The names of the fields that differ; their values are told only where `differences` does. */
const changedFields = (before: Supplier, after: Supplier) =>
  (Object.keys(after) as (keyof Supplier)[]).filter(
    (field) => field !== 'updatedAt' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

const hasAny = (columns: object) => Object.keys(columns).length > 0

/** The organization, after a check of the category. */
async function writeContext(db: Database, { defaultCategoryId }: Pick<Given, 'defaultCategoryId'>) {
  const { organization, category } = await pipeline({
    organization: organizationContext(db),
    category:
      typeof defaultCategoryId === 'string' &&
      db.selectFrom('expenseCategories').select('id').where('id', '=', toUuid(defaultCategoryId)).executeTakeFirst(),
  })
  if (category === undefined) throw invalid('defaultCategoryId', 'The category does not exist.', 'UNKNOWN_REFERENCE')
  return organization
}

/** The given fields that every counterparty has. */
function partyColumns({ name, email, country, phone, address, registrationNumber, notes, status }: Given) {
  const columns = {
    name,
    phone,
    address,
    registrationNumber,
    notes,
    status,
    email: email === undefined ? undefined : email || null,
    country: country === undefined ? undefined : toCountryCode(country ?? '') || null,
  }
  return givenColumns(columns)
}

/** The given fields that only a supplier has. */
function supplierColumns(fields: Given, organization: OrganizationContext) {
  const { taxNumber, gstNumber, paymentTermsDays, defaultCategoryId, defaultCurrency, is1099, bankDetails } = fields
  const { withholdingRate, withholdingValidUntil } = fields
  return givenColumns({
    paymentTermsDays,
    defaultCategoryId,
    is1099,
    taxNumber: textOrNull(taxNumber),
    gstNumber: textOrNull(gstNumber),
    defaultCurrency:
      typeof defaultCurrency === 'string' ? currencyOf(defaultCurrency, 'defaultCurrency') : defaultCurrency,
    withholdingRate: typeof withholdingRate === 'number' ? exact(withholdingRate).toFixed(6) : withholdingRate,
    withholdingValidUntil:
      withholdingValidUntil === undefined
        ? undefined
        : dayOf('withholdingValidUntil', withholdingValidUntil, organization),
    ...(bankDetails !== undefined && bankColumns(bankDetails ?? {})),
  })
}

const bankColumns = ({ bankName, branchCode, accountNumber, accountName, iban, swiftCode }: BankDetails) => ({
  bankName: textOrNull(bankName ?? null),
  branchCode: textOrNull(branchCode ?? null),
  accountNumber: textOrNull(accountNumber ?? null),
  accountName: textOrNull(accountName ?? null),
  iban: textOrNull(iban ?? null),
  swiftCode: textOrNull(swiftCode ?? null),
})

// Sorting ignores case, and empty values come last.
const sortedBy = {
  name: sql`lower(c.name)`,
  email: sql`lower(c.email)`,
  createdAt: sql.ref('c.createdAt'),
  updatedAt: sql.ref('c.updatedAt'),
}

// Only the e-mail address can be missing; with `nulls last` the indexes of the others could not be read backwards.
const ordered = (order: OrderByItemBuilder, by: keyof typeof sortedBy) => (by === 'email' ? order.nullsLast() : order)

const searched = ['c.name', 'c.email', 'c.phone', 'c.registrationNumber'] as const

const keepsBooksHere = sql<boolean>`coalesce(is_registered_organization(c.registration_number, c.country), false)`

const suppliers = (db: Database) =>
  db
    .selectFrom('customers as c')
    .innerJoin('suppliers as s', (join) =>
      join.onRef('s.organizationId', '=', 'c.organizationId').onRef('s.id', '=', 'c.id'),
    )
    .where('c.isSupplier', '=', sql.lit(true))
    .select([
      'c.id', 'c.organizationId', 'c.name', 'c.email', 'c.phone', 'c.address', 'c.country', 'c.registrationNumber',
      'c.notes', 'c.kind', 'c.status', 'c.isCustomer', 'c.createdAt', 's.taxNumber', 's.gstNumber',
      's.paymentTermsDays', 's.defaultCategoryId', 's.defaultCurrency', 's.withholdingRate', 's.withholdingValidUntil',
      's.is1099', 's.bankName', 's.branchCode', 's.accountNumber', 's.accountName', 's.iban', 's.swiftCode',
    ]) // biome-ignore format: a list of words
    .select([
      sql<string>`greatest(c.updated_at, s.updated_at)`.as('updatedAt'),
      sql<string>`coalesce(c.name, c.email, '')`.as('displayName'),
      sql<Supplier['supplierOrganization']>`registered_organization(c.registration_number, c.country)`.as(
        'supplierOrganization',
      ),
      sql<number>`(select count(*) from orders o where o.organization_id = c.organization_id and o.counterparty_id = c.id
        and o.kind = 'PURCHASE' and o.status not in ('CLOSED', 'CANCELLED'))`.as('activeOrderCount'),
      sql<number>`(select count(*) from orders o where o.organization_id = c.organization_id and o.counterparty_id = c.id
        and o.kind = 'PURCHASE')`.as('totalOrderCount'),
      sql<number>`(select count(*) from expenses e where e.organization_id = c.organization_id and e.supplier_id = c.id)`.as(
        'expenseCount',
      ),
    ])

const supplierById = byId((db, id) => suppliers(db).where('c.id', '=', id))

type SupplierRow = Awaited<ReturnType<ReturnType<typeof suppliers>['executeTakeFirstOrThrow']>>

function toSupplier(row: SupplierRow): Supplier {
  const { bankName, branchCode, accountNumber, accountName, iban, swiftCode, expenseCount, ...rest } = row
  const bank = { bankName, branchCode, accountNumber, accountName, iban, swiftCode }
  return {
    ...rest,
    withholdingRate: rest.withholdingRate === null ? null : Number(rest.withholdingRate),
    bankDetails: Object.values(bank).every((value) => value === null) ? null : bank,
    _count: { expenses: expenseCount, orders: rest.totalOrderCount },
  }
}

/** Possible problems of a supplier: numbers that do not look right, and a withholding certificate that has ended. */
function supplierWarnings(supplier: Supplier, { country, timezone }: OrganizationContext, now: Date): Warning[] {
  const bank = { ...emptyBank, ...supplier.bankDetails, bankCountry: supplier.country }
  const { withholdingValidUntil } = supplier
  const ended = withholdingValidUntil !== null && withholdingValidUntil < today(now, timezone)
  return [
    ...customerWarnings(supplier),
    ...(supplier.bankDetails
      ? bankAccountWarnings(bank, country as Country['code']).map((warning) => ({
          ...warning,
          path: `bankDetails.${warning.path}`,
        }))
      : []),
    ...(ended
      ? [
          {
            code: 'CERTIFICATE_EXPIRED',
            path: 'withholdingValidUntil',
            message: `The withholding certificate ended on ${withholdingValidUntil}. Ask the supplier for a new one; until then the highest rate applies.`,
          },
        ]
      : []),
  ]
}

const emptyBank = {
  accountNumber: null, branchCode: null, localBankCode: null, swiftCode: null, iban: null, routingNumber: null,
} // biome-ignore format: a list of words
