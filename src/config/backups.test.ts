import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const strict = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
const backupsOf = (env: Record<string, string>) => readConfig(env).backups

test('in local mode a backup is taken every night into the data folder, and kept for 7 days and 4 weeks', () => {
  expect(backupsOf({ KONTOR_DATA: '/books' })).toEqual({
    folder: '/books/backups',
    at: '03:30',
    keepDays: 7,
    keepWeeks: 4,
    passphrase: undefined,
    passphraseFile: undefined,
    withKey: false,
  })
})

test('strict mode takes backups only if a folder is set, and off takes none', () => {
  expect(backupsOf(strict).folder).toBeUndefined()
  expect(backupsOf({ ...strict, KONTOR_BACKUPS: './nightly' }).folder).toBe(resolve('nightly'))
  expect(backupsOf({ KONTOR_BACKUPS: 'off' }).folder).toBeUndefined()
})

test('time and numbers can be set', () => {
  const settings = { KONTOR_BACKUPS_AT: '22:05', KONTOR_BACKUPS_KEEP_DAYS: '30', KONTOR_BACKUPS_KEEP_WEEKS: '0' }
  expect(backupsOf(settings)).toMatchObject({ at: '22:05', keepDays: 30, keepWeeks: 0 })
})

test.each<[Record<string, string>, string]>([
  [{ KONTOR_BACKUPS_AT: '3:30' }, 'KONTOR_BACKUPS_AT must be a time of the day such as 03:30; it is "3:30".'],
  [{ KONTOR_BACKUPS_AT: '24:00' }, 'KONTOR_BACKUPS_AT must be'],
  [{ KONTOR_BACKUPS_KEEP_DAYS: '0' }, 'KONTOR_BACKUPS_KEEP_DAYS must be a whole number from 1 to 3650; it is "0".'],
  [{ KONTOR_BACKUPS_KEEP_WEEKS: 'all' }, 'KONTOR_BACKUPS_KEEP_WEEKS must be a whole number from 0 to 520'],
  [{ KONTOR_BACKUP_WITH_KEY: '1' }, 'KONTOR_BACKUP_WITH_KEY=1 needs a passphrase'],
  [{ KONTOR_BACKUP_WITH_KEY: 'yes' }, 'KONTOR_BACKUP_WITH_KEY must be 0 or 1'],
  [{ KONTOR_BACKUP_PASSPHRASE: 'short' }, 'KONTOR_BACKUP_PASSPHRASE must have 12 or more characters in one line'],
  [
    { KONTOR_BACKUP_PASSPHRASE: 'six random words in a row', KONTOR_BACKUP_PASSPHRASE_FILE: '/run/secrets/p' },
    'Set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE, not both.',
  ],
])('%j is refused with a sentence', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence)
})

test('INV-20: the passphrase is never shown', () => {
  const config = readConfig({ KONTOR_BACKUP_PASSPHRASE: 'six random words in a row', KONTOR_BACKUP_WITH_KEY: '1' })
  expect(config.backups.passphrase?.reveal()).toBe('six random words in a row')
  expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('random words')
  expect(() => readConfig({ KONTOR_BACKUP_PASSPHRASE: 'topsecret' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('topsecret') }),
  )
})
