import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Type } from '../../../core/define/schema.ts'
import {
  fullMap,
  merged,
  PreferenceChanges,
  Preferences,
  type StoredPreferences,
  toPreferences,
} from './preferences.ts'

export const get = operation({
  name: 'preferences_get',
  http: 'GET /api/preferences',
  does: 'Reads how the caller wants the app to look and behave: language, theme, keys, widths of columns, hints that were dismissed.',
  scope: 'users:read',
  within: 'caller',
  input: Type.Object({}),
  output: Preferences,
  run: async ({ db, who }) => preferencesOf(db, (await who).userId),
})

export const update = operation({
  name: 'preferences_update',
  http: 'PATCH /api/preferences',
  does: 'Changes the given preferences of the caller; of columnWidths, firstSteps and other, the given entries.',
  scope: 'users:write',
  within: 'caller',
  input: PreferenceChanges,
  output: Preferences,
  async run({ db, who }, changes) {
    const { userId } = await who
    const value = merged(await lockPreferences(db, userId), changes)
    const full = fullMap(value)
    if (full) throw invalid(full, `${full} has too many entries. Remove some: give them as null.`, 'TOO_MANY_ENTRIES')
    await db
      .updateTable('preferences')
      .set({ value: JSON.stringify(value) })
      .where('userId', '=', userId)
      .execute()
    if (changes.language)
      await db.updateTable('users').set({ locale: changes.language }).where('id', '=', userId).execute()
    return preferencesOf(db, userId)
  },
})

async function preferencesOf(db: Database, userId: string): Promise<Preferences> {
  const query = db
    .selectFrom('users')
    .leftJoin('preferences', 'preferences.userId', 'users.id')
    .select(['users.locale', sql`preferences.value`.as('value')])
    .where('users.id', '=', userId)
  const { locale, value } = await one(query, 'person')
  return toPreferences(locale, value)
}

/** Two tabs that change different entries at the same time both keep theirs. */
async function lockPreferences(db: Database, userId: string): Promise<StoredPreferences> {
  await db
    .insertInto('preferences')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = db.selectFrom('preferences').select('value').where('userId', '=', userId).forUpdate()
  return (await row.executeTakeFirstOrThrow()).value as StoredPreferences
}
