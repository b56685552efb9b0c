import '../test/own-world.ts'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openKeyring } from '../core/secrets/keyring.ts'
import { Secret } from '../core/secrets/secret.ts'
import { testSecretsKey } from '../test/database.ts'
import { randomKey } from '../test/secrets.ts'
import { newFolder } from '../test/temporary-folder.ts'
import { member, theDatabase } from '../test/world.ts'
import { inspectArchive, readBackup } from './archive.ts'
import { describe } from './describe.ts'
import { checkBackup } from './restore.ts'
import { type BackupRequest, takeBackup } from './take-backup.ts'

const passphrase = new Secret('six random words in a row')
const key = new Secret(testSecretsKey)
const [keyring, wrong] = [openKeyring(key), openKeyring(new Secret(randomKey()))]

const take = (more: Partial<BackupRequest>) =>
  takeBackup({
    database: theDatabase(),
    file: newFolder('keys'),
    filesDir: join(newFolder('keys'), 'files'),
    version: '0.1.0',
    ...more,
  })

let [plain, withKey] = ['', '']
beforeAll(async () => {
  await member('OWNER')
  plain = (await take({ keys: { keyring } })).file
  withKey = (await take({ keys: { keyring }, passphrase, key })).file
})

test('FLT-19: a backup is refused if the key set here does not open the secrets of the database', async () => {
  const folder = newFolder('keys')
  const refused = (keys: BackupRequest['keys']) => take({ file: folder, ...(keys && { keys }) })
  await expect(refused({ keyring: wrong })).rejects.toThrow(
    `The secrets in this database were encrypted with the key ${keyring.current.id}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${wrong.current.id}.`,
  )
  await expect(refused({ keyring: undefined })).rejects.toThrow(/no key is set here\. .* No backup was written\./)
  expect(readdirSync(folder)).toEqual([])
  await refused(undefined)
})

test('an encrypted backup shows nothing of its contents, and needs its passphrase', async () => {
  expect(withKey).toMatch(/\.tar\.gz\.enc$/)
  const bytes = readFileSync(withKey)
  expect(() => gunzipSync(bytes)).toThrow()
  for (const word of ['manifest', 'tables/', testSecretsKey]) expect(bytes.includes(word)).toBe(false)
  expect(await inspectArchive(withKey, passphrase)).toMatchObject({ format: 1, includesKey: true })
  await expect(inspectArchive(withKey)).rejects.toThrow('is encrypted: set KONTOR_BACKUP_PASSPHRASE')
  await expect(inspectArchive(withKey, new Secret('six other words in a row'))).rejects.toThrow('does not open')
  const cut = join(newFolder('keys'), 'cut.enc')
  writeFileSync(cut, bytes.subarray(0, -100))
  await expect(inspectArchive(cut, passphrase)).rejects.toThrow('is damaged')
})

test('the key is included only in an encrypted backup', async () => {
  await expect(take({ key })).rejects.toThrow('The secrets key can only be included in an encrypted backup.')
  const { key: found, manifest } = await readBackup(withKey, passphrase)
  expect(found?.reveal()).toBe(testSecretsKey)
  expect(manifest.notIncluded.key).toBeUndefined()
  expect((await readBackup(plain, undefined)).key).toBeUndefined()
})

test('a restore without a key uses the one in the backup, and one with a wrong key says where the right one is', async () => {
  await expect(checkBackup(withKey, undefined, passphrase)).resolves.toMatchObject({ encrypted: true })
  await expect(checkBackup(withKey, wrong, passphrase)).rejects.toThrow(
    /The backup includes its key: kontor backup --key <file> prints it, .* Nothing was restored\./,
  )
})

test('a check says what a backup is, and whether the key at hand opens it', async () => {
  const told = async (file: string, ring: typeof keyring | undefined) =>
    describe(await readBackup(file, passphrase), { file, version: '0.1.0', keyring: ring })
  const usual = await told(plain, keyring)
  expect(usual.usable).toBe(true)
  expect(usual.lines).toEqual([
    `${plain} is complete: every checksum and row count is right.`,
    expect.stringMatching(/^Taken at \d{4}-\d\d-\d\dT\S+Z by Kontor 0\.1\.0 \(PostgreSQL \d+\.\S+\)\.$/),
    expect.stringMatching(/^It contains \d+ rows of \d+ tables, \d+ waiting jobs\.$/),
    'This Kontor (0.1.0) can restore it.',
    `The key set here (${keyring.current.id}) opens its secrets.`,
  ])
  const keyless = await told(plain, undefined)
  expect([keyless.usable, keyless.lines.at(-1)]).toEqual([
    true,
    `Its secrets need the key ${keyring.current.id}, which was not checked: no key is set here.`,
  ])
  const mistaken = await told(plain, wrong)
  expect([mistaken.usable, mistaken.lines.at(-1)]).toEqual([
    false,
    expect.stringContaining(`holds ${wrong.current.id}`),
  ])
  const included = await told(withKey, undefined)
  expect(included.lines[1]).toContain('encrypted with the passphrase')
  expect([included.usable, included.lines.at(-1)]).toEqual([true, 'It includes its key, which opens its secrets.'])
})
