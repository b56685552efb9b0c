import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, byId, one } from '../../../core/define/query.ts'
import { ById, InOrganization, Success, success, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { isCurrency } from '../../../core/values/currency.ts'
import { isZone } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { countries } from '../../../countries/countries.ts'
import { organizationWarnings } from '../../../countries/warnings.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { tellOwners } from '../settings/weakened-controls.ts'
import { firstCategories } from './first-categories.ts'
import { NewOrganization, Organization, OrganizationChanges } from './organization.ts'

export const list = operation({
  name: 'organizations_list',
  http: 'GET /api/organizations',
  does: 'Lists the organizations that the caller belongs to and the credential reaches.',
  scope: 'organizations:read',
  within: 'organizationId',
  input: InOrganization,
  output: Type.Object({ organizations: wholeList(Organization) }),
  run: async ({ db }) => ({
    organizations: await bounded(db.selectFrom('organizations').selectAll())
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .execute(),
  }),
})

export const create = operation({
  name: 'organizations_create',
  http: 'POST /api/organizations',
  does: 'Founds an organization; the caller becomes its owner.',
  scope: 'organizations:write',
  within: 'caller',
  input: NewOrganization,
  output: Organization,
  status: 201,
  async run({ db, who }, given) {
    const chosen = checked(given)
    const { userId } = await who
    const { currency, timezone } = countries[given.country]
    const id = newId()
    const categories = firstCategories.map((category) => ({ id: newId(), ...category, isDefault: true }))
    const { organization } = await pipeline({
      confined: sql`select create_organization(${id})`.execute(db),
      organization: db
        .insertInto('organizations')
        .values({ id, currency, timezone, ...chosen })
        .returningAll()
        .executeTakeFirstOrThrow(),
      owner: db.insertInto('memberships').values({ userId, role: 'OWNER' }).execute(),
      categories: db.insertInto('expenseCategories').values(categories).execute(),
    })
    return withOrganizationWarnings(organization)
  },
})

export const get = operation({
  name: 'organizations_get',
  http: 'GET /api/organizations/{id}',
  does: 'Reads one organization.',
  scope: 'organizations:read',
  within: 'organizations',
  input: ById,
  output: Organization,
  run: async ({ db }, { id }) => withOrganizationWarnings(await one(organizationById(db, id), 'organization')),
})

export const update = operation({
  name: 'organizations_update',
  http: 'PATCH /api/organizations/{id}',
  does: 'Changes the given fields of an organization; its country is for good. Once the books have entries, only an OWNER changes the currency; the other owners are told.',
  scope: 'organizations:write',
  role: 'MANAGER',
  within: 'organizations',
  input: OrganizationChanges,
  output: Organization,
  async run({ db, who }, changes) {
    const { currency: from } = await one(organizationById(db, changes.id), 'organization')
    const query = db.updateTable('organizations').set(checked(changes)).where('id', '=', changes.id).returningAll()
    const organization = await one(query, 'organization')
    const { currency: to } = organization
    if (to !== from) await tellOwners(db, [{ control: 'CURRENCY', from, to }], (await who).userId)
    return withOrganizationWarnings(organization)
  },
})

export const remove = operation({
  name: 'organizations_delete',
  http: 'DELETE /api/organizations/{id}',
  does: 'Deletes an organization with everything in it; refused while it has numbered documents.',
  scope: 'organizations:write',
  role: 'OWNER',
  within: 'organizations',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    const issued = db.selectFrom('documents').select('id').where('issuedAt', 'is not', null).limit(1)
    if (await issued.executeTakeFirst())
      throw conflict('This organization has numbered documents, which must be kept. It cannot be deleted.', 'NUMBERED')
    await one(db.deleteFrom('organizations').where('id', '=', id).returning('id'), 'organization')
    return success
  },
})

const withOrganizationWarnings = (organization: Organization): Organization =>
  withWarnings(organization, organizationWarnings(countries[organization.country], organization))

const organizationById = byId((db, id) => db.selectFrom('organizations').selectAll().where('id', '=', id))

/**
 * Checks time zone and currency. A currency may be given in lower case, and an empty e-mail address means none.
 */
function checked<T extends { timezone?: string; currency?: string; email?: string | null }>(given: T): T {
  const chosen = given.email === '' ? { ...given, email: null } : given
  const { timezone } = chosen
  if (timezone !== undefined && !isZone(timezone))
    throw invalid('timezone', `${timezone} is not a time zone; give one such as Asia/Singapore.`)
  if (chosen.currency === undefined) return chosen
  const currency = chosen.currency.trim().toUpperCase()
  if (!isCurrency(currency)) throw invalid('currency', `${chosen.currency} is not a currency; give a code such as USD.`)
  return { ...chosen, currency }
}
