import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../backup/files.ts'
import { requirePassphrase } from '../../config/backups.ts'
import { type Config, WrongSetting } from '../../config/config.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { codeOf } from '../../db/start-failure.ts'

/** The passphrase of backups, from the environment or from its file; undefined if there is none. */
export function passphraseOf({ backups: { passphrase, passphraseFile } }: Config): Secret | undefined {
  if (!passphraseFile) return passphrase
  const text = readPassphrase(passphraseFile).replace(/\r?\n$/, '')
  requirePassphrase('The file of KONTOR_BACKUP_PASSPHRASE_FILE', text)
  return new Secret(text)
}

function readPassphrase(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongSetting(`KONTOR_BACKUP_PASSPHRASE_FILE cannot be read (${codeOf(error)}): ${file}.`)
  }
}

/** The secrets key as it is set here: KONTOR_SECRETS_KEY, or the content of secrets.key in the data folder. */
export const keyTextOf = ({ secretsKey, dataDir }: Config): Secret =>
  secretsKey ?? new Secret(readFileSync(keyFileIn(dataDir), 'utf8').trim())

export const keyFileIn = (dataDir: string): string => join(dataDir, 'secrets.key')

/** Writes the key of a backup into a data folder without one. Never replaces a key. */
export async function writeKeyFile(file: string, key: Secret): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'wx', 0o600)
  writeSync(descriptor, `${key.reveal()}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  await syncFolder(dirname(file))
}
