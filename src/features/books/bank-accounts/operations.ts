import { type Database, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, byId, lockFor, missingId, one } from '../../../core/define/query.ts'
import { ById, InOrganization, Success, success, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { toCurrencyCode } from '../../../core/values/currency.ts'
import { newId } from '../../../core/values/id.ts'
import type { Country } from '../../../countries/country.ts'
import { bankAccountWarnings } from '../../../countries/warnings.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { notify } from '../../company/notifications/notify.ts'
import { BankAccount, BankAccountChanges, differences, NewBankAccount } from './bank-account.ts'

export const list = operation({
  name: 'bank_accounts_list',
  http: 'GET /api/bank-accounts',
  does: 'Lists the bank accounts of an organization, the default one first.',
  scope: 'bank_accounts:read',
  within: 'organizationId',
  input: InOrganization,
  output: Type.Object({ bankAccounts: wholeList(BankAccount) }),
  run: async ({ db }) => ({
    bankAccounts: await bounded(db.selectFrom('bankAccounts').selectAll())
      .orderBy('isDefault', 'desc')
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  }),
})

export const create = operation({
  name: 'bank_accounts_create',
  http: 'POST /api/bank-accounts',
  does: 'Adds a bank account to an organization.',
  scope: 'bank_accounts:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewBankAccount,
  output: BankAccount,
  status: 201,
  async run({ db, audit }, { organizationId: _, ...account }) {
    if (account.isDefault) await clearDefault(db)
    const created = db
      .insertInto('bankAccounts')
      .values({ id: newId(), ...account, currencies: account.currencies.map(toCurrencyCode) })
      .returningAll()
    const { added, home } = await pipeline({
      added: created.executeTakeFirstOrThrow(),
      home: homeOf(db),
    })
    audit({ changed: differences({}, added) })
    await notifyManagers(db, added, 'ADDED')
    return withAccountWarnings(added, home)
  },
})

export const get = operation({
  name: 'bank_accounts_get',
  http: 'GET /api/bank-accounts/{id}',
  does: 'Reads one bank account.',
  scope: 'bank_accounts:read',
  within: 'bankAccounts',
  input: ById,
  output: BankAccount,
  async run({ db }, { id }) {
    const { account, home } = await pipeline({
      account: one(accountById(db, id), 'bank account'),
      home: homeOf(db),
    })
    return withAccountWarnings(account, home)
  },
})

export const update = operation({
  name: 'bank_accounts_update',
  http: 'PATCH /api/bank-accounts/{id}',
  does: 'Changes the given fields of a bank account.',
  scope: 'bank_accounts:write',
  role: 'CONTRIBUTOR',
  within: 'bankAccounts',
  input: BankAccountChanges,
  output: BankAccount,
  async run({ db, audit }, changes) {
    if (changes.isDefault) await clearDefault(db, changes.id)
    const normalized = { ...changes, ...(changes.currencies && { currencies: changes.currencies.map(toCurrencyCode) }) }
    const query = db.updateTable('bankAccounts').set(normalized).where('id', '=', changes.id).returningAll()
    const { before, after, home } = await pipeline({
      before: one(db.selectFrom('bankAccounts').selectAll().where('id', '=', changes.id).forUpdate(), 'bank account'),
      after: one(query, 'bank account'),
      home: homeOf(db),
    })
    const changed = differences(before, after)
    if (Object.keys(changed).length > 0) {
      audit({ changed })
      await notifyManagers(db, after, 'CHANGED')
    }
    return withAccountWarnings(after, home)
  },
})

export const remove = operation({
  name: 'bank_accounts_delete',
  http: 'DELETE /api/bank-accounts/{id}',
  does: 'Deletes a bank account.',
  scope: 'bank_accounts:write',
  role: 'CONTRIBUTOR',
  within: 'bankAccounts',
  input: ById,
  output: Success,
  async run({ db, audit }, { id }) {
    const deleted = await one(db.deleteFrom('bankAccounts').where('id', '=', id).returningAll(), 'bank account')
    audit({ changed: differences(deleted, {}) })
    await notifyManagers(db, deleted, 'DELETED')
    return success
  },
})

/** Managers are notified of every change, so that swapped bank details are noticed (THR-25). */
const notifyManagers = (db: Database, account: { id: string; accountName: string }, change: BankAccountChange) =>
  notify(db, {
    kind: 'BANK_ACCOUNT_CHANGED',
    to: 'MANAGERS',
    data: { bankAccountId: account.id, accountName: account.accountName, change },
  })
type BankAccountChange = 'ADDED' | 'CHANGED' | 'DELETED'

/** The country of the organization, and of its bank unless the account says otherwise. */
const homeOf = (db: Database) => db.selectFrom('organizations').select('country').executeTakeFirstOrThrow()

const withAccountWarnings = (account: BankAccount, home: { country: Country['code'] }): BankAccount =>
  withWarnings(account, bankAccountWarnings(account, home.country))

const accountById = byId((db, id) => db.selectFrom('bankAccounts').selectAll().where('id', '=', id))

// Needs no organization: the transaction is confined to one. Concurrent changes of the default wait for each other.
async function clearDefault(db: Database, except = missingId) {
  await pipeline({
    locked: lockFor(db, 'default bank account'),
    cleared: db
      .updateTable('bankAccounts')
      .set({ isDefault: false })
      .where('isDefault', '=', true)
      .where('id', '!=', except)
      .execute(),
  })
}
