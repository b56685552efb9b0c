import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, byId, one } from '../../../core/define/query.ts'
import { InOrganization, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { Account, AccountChanges, NewAccount } from './account.ts'
import {
  addMapping,
  checkMapping,
  clearMapping,
  movePurpose,
  refuseControlAccount,
  refuseMappingToInactive,
  refusePurpose,
  refuseWrongType,
  setMappedFrom,
  toStored,
} from './mapping.ts'

export const list = operation({
  name: 'reports_accounts',
  http: 'GET /api/accounts',
  does: 'Lists the chart of accounts of an organization by code, with what is booked to each account.',
  scope: 'reports:read',
  within: 'organizationId',
  input: InOrganization,
  output: Type.Object({ accounts: wholeList(Account) }),
  run: async ({ db }) => ({
    accounts: await bounded(accounts(db)).orderBy('code').orderBy('id').execute(),
  }),
})

export const create = operation({
  name: 'reports_account_create',
  http: 'POST /api/accounts',
  does: 'Adds an account to the chart of an organization.',
  scope: 'reports:write',
  role: 'MANAGER',
  within: 'organizationId',
  input: NewAccount,
  output: Account,
  status: 201,
  async run({ db, now }, { code, name, nameHe = null, type, active, mappedFrom, ...given }) {
    const id = newId()
    const mapping = toStored(given)
    refuseWrongType(type, mapping)
    if (!active) refuseMappingToInactive(code, mapping)
    const { organization } = await pipeline({
      organization: mappedFrom !== undefined && organizationContext(db),
      checked: checkMapping(db, mapping),
    })
    await pipeline({
      since: organization && mappedFrom !== undefined && setMappedFrom(db, mappedFrom, organization, now),
      added: db.insertInto('accounts').values({ id, code, name, nameHe, type, active }).execute(),
      mapped: addMapping(db, { id, type }, mapping),
    })
    return one(accountById(db, id), 'account')
  },
})

export const update = operation({
  name: 'reports_account_update',
  http: 'PATCH /api/accounts/{id}',
  does: 'Changes the given fields of an account. A purpose moves here from its account; mappings count from mappedFrom on.',
  scope: 'reports:write',
  role: 'MANAGER',
  within: 'accounts',
  input: AccountChanges,
  output: Account,
  async run({ db, audit, now }, { id, code, name, nameHe, active, type, purpose, mappedFrom, ...given }) {
    const mapping = toStored(given)
    const { before, organization } = await pipeline({
      organization: mappedFrom !== undefined && organizationContext(db),
      locked: db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute(),
      before: one(accountById(db, id), 'account'),
      checked: checkMapping(db, mapping),
    })
    if (type !== undefined && type !== before.type)
      throw invalid(
        'type',
        `The type of an account cannot change; this one is ${before.type}. Add another account instead.`,
      )
    refuseWrongType(before.type, mapping)
    const kept = { ...before, purpose: purpose ?? before.purpose }
    refuseControlAccount(kept, { categoryIds: purpose ? before.categoryIds : [], ...mapping })
    if (!(active ?? before.active) && !before.active) refuseMappingToInactive(before.code, mapping)
    const moved = purpose === undefined || purpose === before.purpose ? undefined : purpose
    if (moved !== undefined) refusePurpose(moved, before, active ?? before.active)
    const changes = { code, name, nameHe, active }
    const hasChanges = Object.values(changes).some((value) => value !== undefined)
    await pipeline({
      since: organization && mappedFrom !== undefined && setMappedFrom(db, mappedFrom, organization, now),
      cleared: clearMapping(db, id, mapping),
      changed: hasChanges && db.updateTable('accounts').set(changes).where('id', '=', id).execute(),
      mapped: addMapping(db, before, mapping),
      moved: moved && movePurpose(db, moved, id),
    })
    const after = await one(accountById(db, id), 'account')
    audit({ from: changeable(before), to: changeable(after), ...(mappedFrom !== undefined && { mappedFrom }) })
    return after
  },
})

const changeable = ({ code, name, nameHe, active, purpose, categoryIds, taxCategories, bankAccountIds }: Account) => ({
  code,
  name,
  nameHe,
  active,
  purpose,
  categoryIds,
  taxCategories,
  bankAccountIds,
})

/** The values of a mapping column of an account, in order. */
const mapped = (column: string) =>
  sql<string[]>`array(select m.${sql.raw(column)}::text from account_mappings m
    where m.organization_id = accounts.organization_id and m.account_id = accounts.id and m.${sql.raw(column)} is not null order by 1)`

const accounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .selectAll('accounts')
    .select([
      mapped('category_id').as('categoryIds'),
      mapped('tax_category').as('taxCategories'),
      mapped('bank_account_id').as('bankAccountIds'),
    ])

const accountById = byId((db, id) => accounts(db).where('id', '=', id))
