import { sql } from 'kysely'
import { type Config, WrongSetting } from '../../config/config.ts'
import { toAddress } from '../../core/values/address.ts'
import { newId } from '../../core/values/id.ts'
import type { Database } from '../../db/database.ts'
import { openPool } from '../../db/pool.ts'
import { makeLink, validMinutes } from '../../features/company/people/account-link.ts'
import type { Say } from '../say.ts'
import { openExisting, requireThisVersion } from '../start/open-database.ts'
import { notedAddress } from '../start/running.ts'

type NewAccount = { email: string; name?: string | undefined }

/**
 * `kontor account create`: an account without a password, and a link to choose one. It works if sign-up is closed and without
 * a mail server, because whoever runs commands on the database is trusted. An existing account gets a link only.
 */
export async function createAccount(config: Config, { email, name }: NewAccount, say: Say): Promise<void> {
  const address = toAddress(email)
  if (!address) throw new WrongSetting(`"${email}" is not an e-mail address.`)
  const database = await openExisting(config, say)
  const pool = openPool(database.config, { confined: false, max: 1 })
  try {
    await requireThisVersion(database.config, say)
    const { token, isNew } = await pool.use((db) => linkFor(db, { email: address, name: name || address }))
    say(isNew ? `${address} has an account now.` : `${address} has an account already.`)
    say(`This link chooses its password, once, within ${validMinutes.RESET_PASSWORD} minutes:`)
    say(`${notedAddress(config.dataDir) ?? config.url}/reset?token=${token}`)
  } finally {
    await pool.close()
    await database.stop()
  }
}

async function linkFor(db: Database, { email, name }: { email: string; name: string }) {
  const user = { id: newId(), name, email, passwordHash: null, disabledAt: null }
  const created = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  const userId = created?.id ?? (await existing(db, email))
  return { token: await makeLink(db, { userId, purpose: 'RESET_PASSWORD', email }), isNew: created !== undefined }
}

async function existing(db: Database, email: string): Promise<string> {
  const query = db.selectFrom('users').select('id').where(sql`lower(email)`, '=', sql`lower(${email})`)
  return (await query.executeTakeFirstOrThrow()).id
}
