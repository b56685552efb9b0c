import '../../test/own-world.ts'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Secret } from '../../core/secrets/secret.ts'
import { demoEmail } from '../../demo/access.ts'
import { scheduledBackups } from '../../program/start/scheduled-backups.ts'
import { queryOn } from '../../test/database.ts'
import { randomKey } from '../../test/secrets.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { member, testConfig, theApp, theDatabase } from '../../test/world.ts'
import { inspectArchive } from '../archive.ts'
import { backUpIfDue, type ScheduledBackups, startScheduledBackups } from './scheduled-backups.ts'

const running = () => new AbortController().signal
const hourMs = 60 * 60 * 1000

type Line = [level: string, sentence: string]

/** The schedule of an installation with these settings, and what it logged. */
async function scheduled(env: Record<string, string> = {}, more: Partial<ScheduledBackups> = {}) {
  const config = testConfig({ KONTOR_BACKUPS: join(newFolder('scheduled'), 'backups'), ...env })
  const made = await scheduledBackups(config, theDatabase(), theApp())
  if (!made) throw new Error('No folder is set.')
  const lines: Line[] = []
  const write = (level: string) => (_: object, sentence: string) => void lines.push([level, sentence])
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  return { given: { ...made, log, ...more }, lines, names: () => readdirSync(made.folder).sort() }
}

const metricsPage = async () => (await theApp().server.inject({ url: '/metrics' })).body
const metric = (page: string, name: string) => {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]
  return value === undefined ? undefined : Number(value)
}

const notices = async (who: Awaited<ReturnType<typeof member>>) =>
  (await who.call('users_notifications')).notifications.filter(({ kind }) => kind === 'BACKUP_FAILED')

test('a due backup is taken, checked, logged and counted, and the next one is due on the next day', async () => {
  const { given, lines, names } = await scheduled()
  expect(await backUpIfDue(given, running())).toBe('DONE')
  expect(names()).toEqual([expect.stringMatching(/^kontor-daily-[0-9a-f]{12}-\d{8}T\d{6}Z\.tar\.gz$/)])
  const [name = ''] = names()
  expect((await inspectArchive(join(given.folder, name))).stored).toMatchObject({ store: 'disk', missing: 0 })
  expect(statSync(given.folder).mode & 0o777).toBe(0o700)
  expect(lines).toEqual([['info', 'The scheduled backup was written and checked.']])
  const page = await metricsPage()
  expect(metric(page, 'kontor_backup_size_bytes')).toBe(statSync(join(given.folder, name)).size)
  expect(metric(page, 'kontor_backup_age_seconds')).toBeLessThan(60)
  expect(metric(page, 'kontor_backup_failing')).toBe(0)
  expect(metric(page, 'kontor_backup_missing_files')).toBe(0)

  expect(await backUpIfDue(given, running())).toBe('NOT_DUE')
  const tomorrow = { ...given, now: () => new Date(Date.now() + 24 * hourMs) }
  expect(await backUpIfDue(tomorrow, running())).toBe('DONE')
})

test('of several processes with one folder, one takes the backup', async () => {
  const { given, names } = await scheduled()
  const outcomes = await Promise.all([1, 2, 3].map(() => backUpIfDue(given, running())))
  expect(outcomes.filter((outcome) => outcome === 'DONE')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'FAILED')).toEqual([])
  expect(names()).toHaveLength(1)
})

test('a file of a clock that was wrong neither stops backups nor lets one be taken every minute', async () => {
  const { given, names } = await scheduled()
  mkdirSync(given.folder)
  writeFileSync(join(given.folder, `kontor-daily-${given.home}-20990101T033000Z.tar.gz`), 'x')
  const outcomes = [await backUpIfDue(given, running()), await backUpIfDue(given, running())]
  expect(outcomes).toEqual(['DONE', 'NOT_DUE'])
  expect(names()).toHaveLength(2)
})

test('old backups are removed after the new one was written, and no file of anybody else', async () => {
  const { given, names } = await scheduled({ KONTOR_BACKUPS_KEEP_DAYS: '2', KONTOR_BACKUPS_KEEP_WEEKS: '0' })
  mkdirSync(given.folder)
  const old = ['20260101', '20260102', '20260103'].map((day) => `kontor-daily-${given.home}-${day}T033000Z.tar.gz`)
  const others = [
    'kontor-daily-000000000000-20260101T033000Z.tar.gz', // of another database
    'kontor-backup-20260101T033000Z.tar.gz', // taken by a person
    `kontor-daily-${given.home}-20260101T033000Z.tar.gz.keep`,
    `kontor-daily-${given.home}-2026.tar.gz`,
    'notes.txt',
  ]
  for (const name of [...old, ...others]) writeFileSync(join(given.folder, name), 'x')
  writeFileSync(join(given.folder, `kontor-daily-${given.home}-20260103T033000Z.tar.gz.77.part`), 'half') // its process was killed
  expect(await backUpIfDue(given, running())).toBe('DONE')
  expect(names()).toEqual([...others, old[2], expect.stringContaining(`kontor-daily-${given.home}-`)].sort(byName))
  expect(names()).toHaveLength(others.length + 2)
})

/** A matcher sorts where the name of the new backup does: it is the newest of its database. */
const byName = (a: unknown, b: unknown) => (sortKey(a) < sortKey(b) ? -1 : 1)
const sortKey = (name: unknown) => (typeof name === 'string' ? name : 'kontor-daily-zzz')

test('a failed backup leaves the old ones, is logged and counted, and notifies each owner once, but not the demo’s', async () => {
  const amy = await member('OWNER')
  await amy.call('organizations_create', { name: 'Second', country: 'SG' })
  const bob = await member('MANAGER', { of: amy })
  const demo = await member('OWNER')
  await queryOn(theDatabase(), `update users set email = '${demoEmail}' where id = '${demo.userId}'`)
  const { given, lines, names } = await scheduled()
  mkdirSync(given.folder)
  const old = `kontor-daily-${given.home}-20260101T033000Z.tar.gz`
  writeFileSync(join(given.folder, old), 'x')
  const request = () => ({ ...given.request(), keys: { keyring: undefined } })
  expect(await backUpIfDue({ ...given, request }, running())).toBe('FAILED')
  expect(await backUpIfDue({ ...given, request }, running())).toBe('FAILED')
  expect(names()).toEqual([old])
  const failed = ['error', 'The scheduled backup failed. It will be tried again in an hour.']
  expect(lines).toEqual([failed, failed])
  const told = await notices(amy)
  expect(told).toEqual([
    expect.objectContaining({
      organizationId: null,
      text: expect.stringMatching(
        /^The daily backup of this Kontor failed\. The secrets in this database were .* no key is set here/,
      ),
    }),
  ])
  expect([await notices(bob), await notices(demo)]).toEqual([[], []])
  const page = await metricsPage()
  expect(metric(page, 'kontor_backup_failing')).toBe(1)
  expect(metric(page, 'kontor_backup_last_failure_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 60)
  for (const url of ['/health', '/ready']) expect((await theApp().server.inject({ url })).statusCode).toBe(200)

  // The next failure after a good one is news again.
  expect(await backUpIfDue(given, running())).toBe('DONE')
  expect(metric(await metricsPage(), 'kontor_backup_failing')).toBe(0)
  const later = { ...given, request, now: () => new Date(Date.now() + 24 * hourMs) }
  expect(await backUpIfDue(later, running())).toBe('FAILED')
  expect(await notices(amy)).toHaveLength(2)
  await amy.call('users_me_update', { locale: 'he' })
  expect((await notices(amy))[0]?.text).toContain('הגיבוי היומי של Kontor נכשל.')
})

/** With a key that does not open the database of the test. */
const strict = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomKey(), RATE_LIMIT_SCALE: '1' }

test('in strict mode members are not notified: they do not run the installation', async () => {
  const amy = await member('OWNER')
  const { given } = await scheduled(strict)
  await queryOn(theDatabase(), 'delete from backup_outcomes')
  expect(await backUpIfDue(given, running())).toBe('FAILED')
  expect(await notices(amy)).toEqual([])
})

test('without a folder none are taken, which is the default in strict mode', async () => {
  const app = theApp()
  expect(await scheduledBackups(testConfig({ KONTOR_BACKUPS: 'off' }), theDatabase(), app)).toBeUndefined()
  expect(await scheduledBackups(testConfig(strict), theDatabase(), app)).toBeUndefined()
})

test('with a passphrase scheduled backups are encrypted, and include the key if that is set', async () => {
  const passphrase = 'six random words in a row'
  const { given, names } = await scheduled({ KONTOR_BACKUP_PASSPHRASE: passphrase, KONTOR_BACKUP_WITH_KEY: '1' })
  expect(await backUpIfDue(given, running())).toBe('DONE')
  expect(names()).toEqual([expect.stringMatching(/\.tar\.gz\.enc$/)])
  const file = join(given.folder, names()[0] ?? '')
  expect((await inspectArchive(file, new Secret(passphrase))).includesKey).toBe(true)
  expect(await backUpIfDue(given, running())).toBe('NOT_DUE')
})

test('a passphrase file that cannot be read is a failure like any other', async () => {
  await queryOn(theDatabase(), 'delete from backup_outcomes')
  const { given, lines } = await scheduled({ KONTOR_BACKUP_PASSPHRASE_FILE: '/nowhere/passphrase' })
  expect(await backUpIfDue(given, running())).toBe('FAILED')
  expect(lines).toEqual([['error', 'The scheduled backup failed. It will be tried again in an hour.']])
  expect(await queryOn(theDatabase(), 'select outcome from backup_outcomes')).toEqual([{ outcome: 'FAILED' }])
})

test('a process that stops ends its backup, leaves no file and records no failure', async () => {
  await queryOn(theDatabase(), 'delete from backup_outcomes')
  const { given, lines } = await scheduled()
  const stopping = new AbortController()
  stopping.abort()
  expect(await backUpIfDue(given, stopping.signal)).toBe('STOPPED')
  expect(readdirSync(given.folder)).toEqual([])
  expect(lines).toEqual([])
  expect(await queryOn(theDatabase(), 'select outcome from backup_outcomes')).toEqual([])
  await startScheduledBackups(given).stop()
})
