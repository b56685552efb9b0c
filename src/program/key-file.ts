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

/** The wrapping keys: given in the environment, or made once and kept in the data folder (local mode only). */
export const keyringOf = ({ secretsKey, dataDir }: Config): Keyring => openKeyring(secretsKey ?? keyFile(dataDir))

/** The same, but none is made: for a database that comes with its key. */
export const findKeyring = ({ secretsKey, dataDir }: Config): Keyring | undefined => {
  const key = secretsKey ?? (existsSync(join(dataDir, 'secrets.key')) ? keyFile(dataDir) : undefined)
  return key && openKeyring(key)
}

/** The key in the data folder, made on the first start. Of several processes that start at once, one makes it for all. */
export function keyFile(dataDir: string): Secret {
  const file = join(dataDir, 'secrets.key')
  try {
    const list = readIfThere(file) ?? make(file, dataDir)
    if (!list.split(/[,\n]/).every((key) => isKey(key.trim()))) {
      throw new StartFailure(
        `${file} does not hold 32 bytes in base64. Put the right file back: the secrets in the database cannot be read without it.`,
      )
    }
    if (statSync(file).mode & 0o077) chmodSync(file, 0o600)
    return new Secret(list)
  } catch (error) {
    throw folderFailure(error, dataDir)
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole and to the disk under another name first: nobody reads half a key, and a link never replaces a file. */
function make(file: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    writeSync(descriptor, `${randomBytes(32).toString('base64')}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    linkSync(draft, file)
    syncFolder(dataDir)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

/** The name of the new file survives a power cut too, where a folder can be synced. */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
