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
import { type Config, isKey } from '../config/config.ts'
import { type Keyring, openKeyring } from '../core/secrets/keyring.ts'
import { Secret } from '../core/secrets/secret.ts'
import { codeOf, folderFailure, StartFailure } from '../db/start-failure.ts'

/** The wrapping keys: from the environment, or created once in the data folder (local mode only). */
export const keyringOf = ({ secretsKey, dataDir }: Config): Keyring => openKeyring(secretsKey ?? keyFile(dataDir))

/** The same, without creating a key: for a database that already has one. */
export const findKeyring = ({ secretsKey, dataDir }: Config): Keyring | undefined => {
  const key = secretsKey ?? (existsSync(join(dataDir, 'secrets.key')) ? keyFile(dataDir) : undefined)
  return key && openKeyring(key)
}

/** The key in the data folder, created at the first start. Processes that start at the same time agree on one key. */
export function keyFile(dataDir: string): Secret {
  const file = join(dataDir, 'secrets.key')
  try {
    const list = readIfExists(file) ?? createKey(file, dataDir)
    if (!list.split(/[,\n]/).every((key) => isKey(key.trim()))) {
      throw new StartFailure(
        `${file} does not contain 32 bytes in base64. Restore the right file: the secrets in the database cannot be read without it.`,
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
