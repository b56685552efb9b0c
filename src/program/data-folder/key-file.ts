import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Config, isKey } from '../../config/config.ts'
import { type Keyring, openKeyring } from '../../core/secrets/keyring.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { neededKey, orWithout, whereToLook } from '../../core/secrets/secrets.ts'
import type { Pool } from '../../db/pool.ts'
import { codeOf, folderFailure, StartFailure } from '../../db/start-failure.ts'

/** The wrapping keys from the environment or the data folder; undefined if there are none. */
export const findKeyring = ({ secretsKey, dataDir }: Config): Keyring | undefined => {
  const key = secretsKey ?? (existsSync(keyPath(dataDir)) ? keyFile(dataDir) : undefined)
  return key && openKeyring(key)
}

/**
 * The wrapping keys for a database. A key is created in the data folder (local mode only) if nothing was ever sealed in the
 * database: beside an existing one a new key would be a wrong key, which somebody would store in place of the right one.
 */
export async function keyringFor(config: Config, system: Pool): Promise<Keyring> {
  const found = findKeyring(config)
  if (found) return found
  const needed = await neededKey(system)
  if (!needed) return openKeyring(keyFile(config.dataDir))
  const madeMeanwhile = findKeyring(config) // by another process that starts for the first time
  if (madeMeanwhile) return madeMeanwhile
  throw missingKey(config, needed)
}

export const missingKey = ({ dataDir }: Config, id: string): StartFailure =>
  new StartFailure(
    `The secrets in this database were sealed with the key ${id}, and there is no key here: ${keyPath(dataDir)} is missing and KONTOR_SECRETS_KEY is not set. ${whereToLook} Put the file back, or set KONTOR_SECRETS_KEY to its content. ${orWithout}`,
  )

export const keyPath = (dataDir: string) => join(dataDir, 'secrets.key')

/** The key in the data folder, created if there is none. Processes that start at the same time agree on one key. */
export function keyFile(dataDir: string): Secret {
  const file = keyPath(dataDir)
  try {
    const list = readIfExists(file) ?? createKey(file, dataDir)
    if (!list.split(/[,\n]/).every((key) => isKey(key.trim()))) {
      throw new StartFailure(
        `${file} does not contain 32 bytes in base64. Restore the right file: the secrets in the database cannot be read without it. If it is lost, move this file away. ${orWithout}`,
      )
    }
    if (statSync(file).mode & 0o077) chmodSync(file, 0o600)
    return new Secret(list)
  } catch (error) {
    throw folderFailure(error, dataDir)
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes and syncs the key under another name first, so that no process reads half a key; a link never replaces a file. */
function createKey(file: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    writeSync(descriptor, `${randomBytes(32).toString('base64')}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    linkSync(temporary, file)
    syncFolder(dataDir)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

/** Syncs the folder, so that the name of the new file survives a power failure. Windows cannot sync folders. */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
