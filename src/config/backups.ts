import { join, resolve } from 'node:path'
import { Secret } from '../core/secrets/secret.ts'
import { number } from './number.ts'
import { type Environment, WrongSetting } from './wrong-setting.ts'

export type BackupSettings = {
  /** Where scheduled backups are written; without a folder none are taken. */
  folder: string | undefined
  /** The local time of the day, as HH:MM. */
  at: string
  keepDays: number
  keepWeeks: number
  /** Encrypts backups, and opens encrypted ones. */
  passphrase: Secret | undefined
  /** The file that contains the passphrase. */
  passphraseFile: string | undefined
  /** Whether backups include the secrets key. */
  withKey: boolean
}

/** Daily backups are the default in local mode; strict mode takes them if it is told where to. */
export function backupSettings(
  env: Environment,
  { mode, dataDir }: { mode: 'local' | 'strict'; dataDir: string },
): BackupSettings {
  const { KONTOR_BACKUP_PASSPHRASE: passphrase, KONTOR_BACKUP_PASSPHRASE_FILE: file } = env
  if (passphrase && file) {
    throw new WrongSetting('Set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE, not both.')
  }
  if (passphrase) requirePassphrase('KONTOR_BACKUP_PASSPHRASE', passphrase)
  const withKey = flag(env, 'KONTOR_BACKUP_WITH_KEY')
  if (withKey && !passphrase && !file) {
    throw new WrongSetting(
      'KONTOR_BACKUP_WITH_KEY=1 needs a passphrase: set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE.',
    )
  }
  return {
    folder: folderOf(env, mode === 'local' ? join(dataDir, 'backups') : undefined),
    at: timeOf(env),
    keepDays: number(env, 'KONTOR_BACKUPS_KEEP_DAYS', 7, { min: 1, max: 3650, whole: true }),
    keepWeeks: number(env, 'KONTOR_BACKUPS_KEEP_WEEKS', 4, { min: 0, max: 520, whole: true }),
    passphrase: passphrase ? new Secret(passphrase) : undefined,
    passphraseFile: file ? resolve(file) : undefined,
    withKey,
  }
}

const passphraseMin = 12

/** Refuses a passphrase that could be guessed. It is not repeated in the sentence. */
export function requirePassphrase(name: string, text: string): void {
  if (text.trim().length >= passphraseMin && !/[\r\n]/.test(text)) return
  throw new WrongSetting(`${name} must have ${passphraseMin} or more characters in one line, such as six random words.`)
}

function folderOf({ KONTOR_BACKUPS: text }: Environment, otherwise: string | undefined): string | undefined {
  if (!text) return otherwise
  return text.trim() === 'off' ? undefined : resolve(text)
}

function timeOf({ KONTOR_BACKUPS_AT: text }: Environment): string {
  if (!text) return '03:30'
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new WrongSetting(`KONTOR_BACKUPS_AT must be a time of the day such as 03:30; it is "${text}".`)
}

function flag(env: Environment, name: string): boolean {
  const text = env[name]
  if (text && text !== '0' && text !== '1') throw new WrongSetting(`${name} must be 0 or 1; it is "${text}".`)
  return text === '1'
}
