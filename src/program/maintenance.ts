import type { Config } from '../config/config.ts'
import { rotate } from '../core/secrets/rotate.ts'
import { openSecrets } from '../core/secrets/secrets.ts'
import { openPool } from '../db/pool.ts'
import { StartFailure } from '../db/start-failure.ts'
import { demoAccess } from '../demo/demo.ts'
import { readObservations, report, verify } from '../verify/verify.ts'
import { createApp } from './app.ts'
import { keyringOf } from './key-file.ts'
import { openDatabase, openExisting, prepare } from './open-database.ts'

type Say = (line: string) => void

export async function migrateOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  try {
    await prepare(database.config, say, config.migrationWaitS)
    say('The database has this version.')
  } finally {
    await database.stop()
  }
}

/** Fills an empty database with the demo companies, in any mode. */
export async function seedOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  try {
    await prepare(database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const demo = await demoAccess({ ...config, mode: 'local', demo: true }, app, say)
    await app.close()
    say(demo ? `Sign in as ${demo.email} with ${demo.password}.` : 'The database is not empty, so nothing was added.')
  } finally {
    await database.stop()
  }
}

/** Checks every invariant. Returns true if all hold. */
export async function verifyOnly(config: Config, say: Say): Promise<boolean> {
  const database = await openExisting(config, say)
  try {
    await prepare(database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const violations = await verify({ system: app.system, storage: app.providers.storage })
    const observed = await readObservations(app.system)
    await app.close()
    say(report(violations, observed))
    return violations.length === 0
  } finally {
    await database.stop()
  }
}

/** Wraps all keys with the first one of KONTOR_SECRETS_KEY; with `data`, also encrypts every secret with a new key. */
export async function rotateOnly(config: Config, { data }: { data: boolean }, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  const pool = openPool(database.config, { confined: false, max: 3 })
  try {
    await prepare(database.config, say)
    const keyring = keyringOf(config)
    await openSecrets(pool, keyring)
    const { unreadable } = await rotate({ pool, keyring, data, say })
    if (unreadable.length > 0) {
      throw new StartFailure(
        `All but ${unreadable.length} values were encrypted again. These cannot be decrypted, and their old keys are kept: ${unreadable.slice(0, 20).join(', ')}.`,
      )
    }
    say(`All values use the key ${keyring.current.id}; other keys can be removed from KONTOR_SECRETS_KEY.`)
  } finally {
    await pool.close()
    await database.stop()
  }
}
