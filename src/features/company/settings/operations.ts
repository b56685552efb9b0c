import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { lockFor, one, toUuid } from '../../../core/define/query.ts'
import { ById } from '../../../core/define/schema.ts'
import { checksUpdatedAt, requireUnchanged, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { toMajor, toMinor } from '../../../core/values/money.ts'
import { defaultLanguage } from '../../../countries/document-language.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { readLogo } from './logo.ts'
import { changeNumbering, numberingOf } from './numbering.ts'
import { lockDay, lockOf, requireUnlocking } from './period-lock.ts'
import { readSalesTaxRates } from './sales-tax-rates.ts'
import { capsOf, defaultSettings, Settings, SettingsChanges } from './settings.ts'
import { sumUpLockedPeriodName } from './sum-up-locked-period.ts'
import { tellOwners, weakenedControls } from './weakened-controls.ts'

export const get = operation({
  ...showsUpdatedAt,
  name: 'settings_get',
  http: 'GET /api/organizations/{id}/settings',
  does: 'Reads the settings of an organization (id is the organization). They are language, tax rate, approval, numbering, period lock, and what its plan allows.',
  scope: 'settings:read',
  within: 'organizations',
  input: ById,
  output: Settings,
  run: ({ db }, { id }) => settingsOf(db, id),
})

export const update = operation({
  ...checksUpdatedAt,
  name: 'settings_update',
  http: 'PATCH /api/organizations/{id}/settings',
  does: 'Changes the given settings of an organization; of its numbering, the prefix, the number of digits and, before the first number, the next one. lockedUntil locks the books up to a day. Only an OWNER unlocks them, weakens the rule for approvals or changes the numbering of issued documents; the other owners are told.',
  scope: 'settings:write',
  role: 'MANAGER',
  within: 'organizations',
  input: SettingsChanges,
  output: Settings,
  outside: true,
  async run({ tx, once, storage, who, now }, { id, numbering = [], ...given }) {
    const { logoFileId } = given
    if (logoFileId) await readLogo(storage, await tx(({ db }) => logoFile(db, logoFileId)))
    return once(async (inside) => {
      const { db, audit, enqueue } = inside
      if (inside.expectedUpdatedAt !== undefined) await lockFor(db, 'settings')
      const before = await settingsOf(db, id)
      await requireUnchanged(inside, { id, noun: 'settings', updatedAt: before.updatedAt })
      const { lockedUntil } = given
      const lock = lockedUntil === undefined ? {} : { lockedUntil: await lockDay(db, lockedUntil, now) }
      if (lock.lockedUntil !== undefined) requireUnlocking(await who, before.lockedUntil, lock.lockedUntil)
      if (logoFileId) await attach(db, logoFileId)
      await changeNumbering(db, before.numbering, numbering) // first, because who books holds the counters and waits for the period lock
      await change(db, id, { ...given, ...lock })
      const after = await settingsOf(db, id)
      audit(difference(before, after))
      await tellOwners(db, weakenedControls(before, after), (await who).userId)
      if (after.lockedUntil !== null && after.lockedUntil !== before.lockedUntil)
        enqueue(sumUpLockedPeriodName, { lockId: await lockOf(db, after.lockedUntil) })
      return after
    })
  },
})

async function logoFile(db: Database, logoFileId: string) {
  const columns = ['storageKey', 'fileType', 'fileSize'] as const
  const file = db.selectFrom('files').select(columns).where('id', '=', toUuid(logoFileId))
  return (await file.executeTakeFirst()) ?? missingFile()
}

/** Marks a file as used, so that the sweep of unused uploads keeps it. */
async function attach(db: Database, logoFileId: string) {
  const attachedAt = sql<string>`coalesce(attached_at, now())`
  const attaching = db.updateTable('files').set({ attachedAt }).where('id', '=', toUuid(logoFileId))
  if (!(await attaching.returning('id').executeTakeFirst())) missingFile()
}

const missingFile = (): never => {
  throw invalid('logoFileId', 'There is no such file.')
}

async function settingsOf(db: Database, id: string): Promise<Settings> {
  const { organization, chosen, counters } = await pipeline({
    organization: one(
      db
        .selectFrom('organizations')
        .select(['name', 'currency', 'country', 'registrationNumber', 'taxNumber', 'address'])
        .where('id', '=', id),
      'organization',
    ),
    chosen: db.selectFrom('organizationSettings').selectAll().executeTakeFirst(),
    counters: db.selectFrom('documentNumbering').select(['documentType', 'prefix', 'padding', 'nextNumber']).execute(),
  })
  const { currency, country } = organization
  const {
    expenseApprovalAboveMinor: above,
    defaultTaxRate: rate,
    ...rest
  } = chosen ?? { ...defaultSettings, language: defaultLanguage(country) }
  return {
    ...rest,
    id,
    defaultTaxRate: rate === null ? null : Number(rate),
    expenseApprovalAbove: above === null ? null : toMajor(BigInt(above), currency),
    numbering: numberingOf(counters, organization),
    caps: capsOf(rest.plan),
  }
}

type Changes = Omit<SettingsChanges, 'id' | 'numbering'>

async function change(
  db: Database,
  id: string,
  { expenseApprovalAbove, defaultTaxRate, salesTaxRates, ...given }: Changes,
) {
  const set = {
    ...given,
    ...(given.senderName?.trim() === '' && { senderName: null }),
    ...(defaultTaxRate !== undefined && { defaultTaxRate: defaultTaxRate === null ? null : String(defaultTaxRate) }),
    ...(salesTaxRates !== undefined && { salesTaxRates: JSON.stringify(readSalesTaxRates(salesTaxRates)) }),
    ...(expenseApprovalAbove !== undefined && {
      expenseApprovalAboveMinor: await minorOf(db, id, expenseApprovalAbove),
    }),
  }
  if (Object.keys(set).length === 0) return
  await db
    .insertInto('organizationSettings')
    .values({ ...(await defaultsOf(db, id)), ...set })
    .onConflict((same) => same.column('organizationId').doUpdateSet(set))
    .execute()
}

/** The defaults that are stored with the first change, so that they no longer follow the country. */
async function defaultsOf(db: Database, id: string) {
  const home = db.selectFrom('organizations').select('country').where('id', '=', id)
  return { language: defaultLanguage((await one(home, 'organization')).country) }
}

async function minorOf(db: Database, id: string, amount: number | null) {
  if (amount === null) return null
  const { currency } = await one(db.selectFrom('organizations').select('currency').where('id', '=', id), 'organization')
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact') throw invalid('expenseApprovalAbove', `This is not a valid amount in ${currency}.`)
  return Number(parsed.minor)
}

/** The old and new values of the changed settings. */
function difference(before: Settings, after: Settings) {
  const changed = (Object.keys(after) as (keyof Settings)[]).filter(
    (name) =>
      name !== 'updatedAt' &&
      name in Settings.properties &&
      JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return { changed: Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }])) }
}
