import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { openPool } from '../../db/pool.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { createApp } from '../../program/app.ts'
import { dropDatabase, newDatabase } from '../../test/database.ts'
import { openKeyring } from './keyring.ts'
import { rotate } from './rotate.ts'
import { createSeal } from './seal.ts'
import { Secret } from './secret.ts'
import { deriver, type Label, openSecrets } from './secrets.ts'

const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended) await end()
})

const key = () => randomBytes(32).toString('base64')
const labels: Label[] = ['signed-url', 'oauth-state', 'csrf', 'webhook-v1', 'idempotency']

/** A database that nobody has started on, and starts on it with a list of keys. */
async function database() {
  const config = await newDatabase()
  const pool = openPool(config, { confined: false, max: 6 })
  ended.push(async () => {
    await pool.close()
    await dropDatabase(config)
  })
  const start = (...keys: string[]) => openSecrets(pool, openKeyring(new Secret(keys.join(','))))
  const turn = (...keys: string[]) =>
    rotate({ pool, keyring: openKeyring(new Secret(keys.join(','))), data: false, say: () => {} })
  return { config, pool, start, turn }
}

const bytes = ({ derived }: { derived: ReturnType<typeof deriver> }) =>
  labels.map((label) => derived(label).export().toString('hex'))

test('SEC-2: the first start writes a canary, and every later start needs its key', async () => {
  const { start, pool } = await database()
  const [mine, another] = [key(), key()]
  await start(mine)
  await start(mine)
  const before = await pool.raw.query('select * from secrets_canary, secrets_root')
  await expect(start(another)).rejects.toThrow(StartFailure)
  await expect(start(another)).rejects.toThrow(/^The secrets in this database were sealed with the key [0-9a-f]{12}/)
  expect((await pool.raw.query('select * from secrets_canary, secrets_root')).rows).toEqual(before.rows)
})

test('SEC-2: the application does not start with a wrong key', async () => {
  const { config, start } = await database()
  await start(key())
  await expect(createApp(readConfig({ KONTOR_SECRETS_KEY: key() }), config)).rejects.toThrow(StartFailure)
})

test('SEC-2: processes that start for the first time at the same time share one canary and one root', async () => {
  const { start } = await database()
  const mine = key()
  const started = await Promise.all(Array.from({ length: 6 }, () => start(mine)))
  expect(new Set(started.map((secrets) => bytes(secrets).join())).size).toBe(1)
})

test('SEC-2: of two processes that start for the first time with different keys, one starts and the other fails with a message', async () => {
  const { start } = await database()
  const outcomes = await Promise.allSettled([start(key()), start(key())])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('SEC-2: a database whose canary is lost or altered does not start', async () => {
  const { start, pool } = await database()
  const mine = key()
  await start(mine)
  await pool.raw.query('update secrets_canary set wrapped = set_byte(wrapped, 20, (get_byte(wrapped, 20) + 1) % 256)')
  await expect(start(mine)).rejects.toThrow(StartFailure)
  await pool.raw.query('delete from secrets_canary')
  await expect(start(mine)).rejects.toThrow('Restore the database')
})

test('SEC-2: any key of the list starts, and a key that is still needed cannot be removed', async () => {
  const { start, pool, turn } = await database()
  const [old, young] = [key(), key()]
  await start(old)
  await start(young, old)
  await expect(start(young)).rejects.toThrow(StartFailure)
  await turn(young, old)
  await start(young)
  await expect(start(old)).rejects.toThrow(StartFailure)
  const { rows } = await pool.raw.query('select kek_id from secrets_canary union select kek_id from secrets_root')
  expect(rows).toEqual([{ kek_id: openKeyring(new Secret(young)).current.id }])
})

test('SEC-4 SEC-5: derived keys outlive a rotation of wrapping keys', async () => {
  const { start, turn } = await database()
  const [old, young] = [key(), key()]
  const before = await start(old)
  await turn(young, old)
  const after = await start(young)
  expect(bytes(after)).toEqual(bytes(before))
  const sealed = createSeal(before.derived('idempotency')).close('answer', 'idempotency:1')
  expect(createSeal(after.derived('idempotency')).open(sealed, 'idempotency:1')).toBe('answer')
})

test('SEC-5: a deleted root is replaced by a new one, and keys derived from the old one are no longer valid', async () => {
  const { start, pool } = await database()
  const mine = key()
  const before = bytes(await start(mine))
  await pool.raw.query('delete from secrets_root')
  const after = bytes(await start(mine))
  expect(after.filter((each) => before.includes(each))).toEqual([])
})

test('SEC-5: every label has a key of its own, and every database', async () => {
  const [here, there] = [await database(), await database()]
  const mine = key()
  const all = [...bytes(await here.start(mine)), ...bytes(await there.start(mine))]
  expect(new Set(all).size).toBe(2 * labels.length)
})

test('SEC-5: keys are derived by HKDF-SHA-256 (RFC 5869): extract without salt, expand once', () => {
  const root = randomBytes(32)
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(root).digest()
  const expanded = createHmac('sha256', extracted).update('kontor csrf').update(Buffer.of(1)).digest()
  expect(deriver(root)('csrf').export()).toEqual(expanded)
})

test('SEC-5: a text sealed for one purpose does not open for another, nor if it was altered or truncated', () => {
  const seal = createSeal(deriver(randomBytes(32))('idempotency'))
  const sealed = seal.close('answer', 'a')
  expect(seal.open(sealed, 'a')).toBe('answer')
  expect(seal.open(sealed, 'b')).toBeUndefined()
  for (let length = 0; length < sealed.length; length += 4)
    expect(seal.open(sealed.slice(0, length), 'a')).toBeUndefined()
})
