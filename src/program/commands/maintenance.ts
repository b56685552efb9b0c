import type { Config } from '../../config/config.ts'
import { Failure } from '../../core/define/failure.ts'
import { withConnection } from '../../core/run/connection.ts'
import type { Keyring } from '../../core/secrets/keyring.ts'
import { rotate } from '../../core/secrets/rotate.ts'
import { checkKeys, neededKey, openSecrets } from '../../core/secrets/secrets.ts'
import { openPool, type Pool } from '../../db/pool.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { demoAccess } from '../../demo/demo.ts'
import { companiesBeingFilled } from '../../demo/fill-companies.ts'
import { removeSecondFactor } from '../../features/company/people/factors/lost-factor.ts'
import { openStorage } from '../../providers/storage/storage.ts'
import { readObservations, report, verify } from '../../verify/verify.ts'
import { createApp } from '../app.ts'
import { findKeyring, missingKey } from '../data-folder/key-file.ts'
import { storagePrefix } from '../data-folder/storage-prefix.ts'
import type { Say } from '../say.ts'
import { openDatabase, openExisting, prepare, requireThisVersion } from '../start/open-database.ts'

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
    await prepare(database.config, say, config.migrationWaitS)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const demo = await demoAccess({ ...config, mode: 'local', demo: true }, app, say, { whole: true })
    const beingFilled = demo ? await companiesBeingFilled(app.system) : []
    await app.close()
    say(demo ? `Sign in as ${demo.email} with ${demo.password}.` : 'The database is not empty, so nothing was added.')
    if (beingFilled.length > 0) say(`Kontor will fill ${beingFilled.join(' and ')} when it runs.`)
  } finally {
    await database.stop()
  }
}

/**
 * Checks every invariant, and unless told otherwise that the key is the one of the database. Returns true if all hold. It
 * changes nothing: a database of another version is refused.
 */
export async function verifyOnly(
  config: Config,
  { withoutSecrets }: { withoutSecrets: boolean },
  say: Say,
): Promise<boolean> {
  const database = await openExisting(config, say)
  const system = openPool(database.config, { confined: false, max: 3 })
  try {
    await requireThisVersion(database.config, say)
    const { dataDir, s3Url } = config
    const storage = await openStorage({ dataDir, s3Url, home: await storagePrefix(system) })
    const violations = await verify({ system, storage }).catch((error: unknown) => {
      throw error instanceof Failure ? new StartFailure(`Not verified: ${error.message}`) : error // of the file store
    })
    say(report(violations, await readObservations(system)))
    const trouble = withoutSecrets ? undefined : await keyTrouble(config, system)
    if (trouble) say(`\n${trouble}`)
    return violations.length === 0 && !trouble
  } finally {
    await system.close()
    await database.stop()
  }
}

/** Why the key here does not open the secrets of the database. */
async function keyTrouble(config: Config, system: Pool): Promise<string | undefined> {
  try {
    await checkKeys(system, await existingKeyring(config, system))
    return undefined
  } catch (error) {
    if (error instanceof StartFailure) return error.message
    throw error
  }
}

/** The key of an existing database. None is created; without sealed values any key fits. */
async function existingKeyring(config: Config, system: Pool): Promise<Keyring | undefined> {
  const keyring = findKeyring(config)
  const needed = keyring ? undefined : await neededKey(system)
  if (needed) throw missingKey(config, needed)
  return keyring
}

/** Wraps all keys with the first one of KONTOR_SECRETS_KEY; with `data`, also encrypts every secret with a new key. */
export async function rotateOnly(config: Config, { data }: { data: boolean }, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  const pool = openPool(database.config, { confined: false, max: 3 })
  try {
    await requireThisVersion(database.config, say)
    const keyring = await existingKeyring(config, pool)
    if (!keyring)
      throw new StartFailure(
        'There is no key and nothing was ever sealed in this database: there is nothing to rotate.',
      )
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

/** Removes the second factor of a person who cannot use it any more; the people who run the server ask who it is first. */
export async function removeSecondFactorOnly(config: Config, email: string, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  const pool = openPool(database.config, { confined: false, max: 1 })
  try {
    await requireThisVersion(database.config, say)
    const removed = await withConnection(pool, true, ({ connection }) => removeSecondFactor(connection, email))
    if (!removed) throw new StartFailure(`There is no account with the address ${email} that has a second factor.`)
    say(`Removed the second factor of ${email}: the password is enough to sign in until a new one is set up.`)
  } finally {
    await pool.close()
    await database.stop()
  }
}
