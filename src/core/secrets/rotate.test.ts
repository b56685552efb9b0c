import '../../test/own-world.ts'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { StartFailure } from '../../db/start-failure.ts'
import { testSecretsKey } from '../../test/database.ts'
import { asProduct, makeMailboxes, randomKey, storePassword, within } from '../../test/secrets.ts'
import { member, theApp } from '../../test/world.ts'
import { newId } from '../values/id.ts'
import { openKeyring } from './keyring.ts'
import { type Rotation, rotate } from './rotate.ts'
import type { SecretPlace } from './sealed.ts'
import { Secret } from './secret.ts'
import { openSecrets } from './secrets.ts'
import { createVault, type Vault } from './vault.ts'

type Stored = SecretPlace & { text: string }
let stored: Stored[]
const organizations: string[] = []

beforeAll(async () => {
  await makeMailboxes()
  for (let index = 0; index < 5; index++) organizations.push((await member('OWNER')).organizationId ?? '')
})

/** Five organizations with three secrets each, all under the application's own key. */
beforeEach(async () => {
  await asProduct('delete from mailboxes; delete from organization_keys; delete from secrets_rotation')
  await asProduct('delete from secrets_root; delete from secrets_canary')
  await openSecrets(theApp().system, keyring(testSecretsKey))
  stored = organizations.flatMap((organizationId) =>
    Array.from({ length: 3 }, () => place(organizationId)).map((each) => ({
      ...each,
      text: `secret of ${each.rowId}`,
    })),
  )
  for (const each of stored) await storePassword(each, each.text)
})

const place = (organizationId: string) => ({ table: 'mailboxes', column: 'password', rowId: newId(), organizationId })
const keyring = (...keys: string[]) => openKeyring(new Secret(keys.join(',')))
const turn = (keys: string[], more: Partial<Rotation> = {}) =>
  rotate({
    pool: theApp().system,
    keyring: keyring(...keys),
    data: false,
    say: () => {},
    batchMax: 2,
    graceMs: 0,
    ...more,
  })

/** What a process that was just started with these keys reads. */
const fresh = (...keys: string[]) => createVault({ keyring: keyring(...keys) })
const read = (vault: Vault, { text: _, ...from }: Stored) =>
  within(from.organizationId, async (db, connection) => {
    const { rows } = await connection.query('select password from mailboxes where id = $1', [from.rowId])
    return (await vault.open(db, from, rows[0]?.password as Buffer)).reveal()
  })
const readAll = (vault: Vault) => Promise.all(stored.map((each) => read(vault, each)))
const texts = () => stored.map(({ text }) => text)

/** Fails when the rotation has told this much: what it did until then is committed, the rest is not. */
const killedAfter = (lines: number) => {
  let left = lines
  return () => {
    if (left-- === 0) throw new Error('killed')
  }
}

const kekIds = async () =>
  new Set((await asProduct('select kek_id from organization_keys')).map(({ kek_id }) => kek_id))

test('SEC-4: a new wrapping key takes over every data key, and values stay as they are', async () => {
  const young = randomKey()
  const before = await asProduct('select id, password from mailboxes order by id')
  expect(await turn([young, testSecretsKey])).toMatchObject({ rewrapped: 5 + 2, resealed: 0 })
  expect(await asProduct('select id, password from mailboxes order by id')).toEqual(before)
  expect(await readAll(fresh(young))).toEqual(texts())
  await expect(readAll(fresh(testSecretsKey))).rejects.toMatchObject({ status: 500 })
})

test('SEC-4: a rotation that is run again has nothing to do', async () => {
  const keys = [randomKey(), testSecretsKey]
  await turn(keys)
  const before = await asProduct('select * from organization_keys order by id')
  expect(await turn(keys)).toEqual({ rewrapped: 0, resealed: 0, destroyed: 0, unreadable: [] })
  expect(await asProduct('select * from organization_keys order by id')).toEqual(before)
})

test('SEC-4: a rotation of wrapping keys killed half way leaves everything readable and is finished by the next', async () => {
  const young = randomKey()
  await expect(turn([young, testSecretsKey], { say: killedAfter(1) })).rejects.toThrow('killed')
  expect((await kekIds()).size).toBe(2)
  expect(await readAll(fresh(young, testSecretsKey))).toEqual(texts())
  await expect(openSecrets(theApp().system, keyring(young))).rejects.toThrow(/^Some secrets still need the key/)
  expect(await turn([young, testSecretsKey])).toMatchObject({ rewrapped: 1 })
  expect(await readAll(fresh(young))).toEqual(texts())
  await openSecrets(theApp().system, keyring(young))
})

test('SEC-4: if a wrapping key is missing, the rotation names it and leaves its data keys unchanged', async () => {
  await expect(turn([randomKey()])).rejects.toThrow(StartFailure)
  expect(await readAll(fresh(testSecretsKey))).toEqual(texts())
})

test('SEC-4: new data keys take over every value, and the old ones are destroyed', async () => {
  const before = await asProduct('select id from organization_keys')
  const done = await turn([testSecretsKey], { data: true })
  expect(done).toEqual({ rewrapped: 0, resealed: 15, destroyed: 5, unreadable: [] })
  const after = await asProduct('select id, retired_at from organization_keys')
  expect(after).toHaveLength(5)
  expect(after.filter(({ id, retired_at }) => retired_at || before.some((old) => old.id === id))).toEqual([])
  expect(await readAll(fresh(testSecretsKey))).toEqual(texts())
  expect(await asProduct('select * from secrets_rotation')).toEqual([])
})

test('SEC-4: an organization without values left gets no new key, and a later secret makes one', async () => {
  await asProduct('delete from mailboxes where organization_id = $1', [organizations[0]])
  await turn([testSecretsKey], { data: true })
  const keys = () => asProduct('select from organization_keys where organization_id = $1', [organizations[0]])
  expect(await keys()).toHaveLength(0)
  await storePassword(place(organizations[0] ?? ''), 'again')
  expect(await keys()).toHaveLength(1)
})

test.each([0, 1, 3, 5, 8, 11])(
  'SEC-4: a rotation of data keys killed after step %d leaves everything readable and is finished by the next',
  async (steps) => {
    await expect(turn([testSecretsKey], { data: true, say: killedAfter(steps) })).rejects.toThrow('killed')
    expect(await readAll(fresh(testSecretsKey))).toEqual(texts())
    const renewed = await asProduct('select id from organization_keys where retired_at is null')
    await turn([testSecretsKey], { data: true })
    expect(await readAll(fresh(testSecretsKey))).toEqual(texts())
    const after = await asProduct('select id, retired_at from organization_keys')
    expect(after.map(({ retired_at }) => retired_at)).toEqual(Array(5).fill(null))
    // What the first run had renewed was not renewed again.
    const kept = renewed.filter(({ id }) => after.some((key) => key.id === id))
    expect(kept.length).toBe(steps < 3 ? 0 : renewed.length)
  },
)

test('SEC-4 SEC-7: readers and writers work without failure while keys rotate', async () => {
  const young = randomKey()
  const both = fresh(young, testSecretsKey) // remembers keys for a moment, as a running process does
  let going = true
  const outcomes = { read: 0, written: 0, failed: [] as unknown[] }
  const each = async (work: (one: Stored) => Promise<void>) => {
    for (let index = 0; going; index = (index + 1) % stored.length) {
      const one = stored[index]
      if (one) await work(one).catch((error) => outcomes.failed.push(error))
    }
  }
  const reading = (vault: () => Vault) =>
    each(async (one) => {
      if ((await read(vault(), one)) === one.text) outcomes.read += 1
      else throw new Error('another text')
    })
  const writing = each(async ({ text, ...to }) => {
    await within(to.organizationId, async (db, connection) => {
      const sealed = await both.close(db, to, new Secret(text))
      await connection.query('update mailboxes set password = $1 where id = $2', [sealed, to.rowId])
    })
    outcomes.written += 1
  })
  const load = [reading(() => both), reading(() => fresh(young, testSecretsKey)), writing]
  try {
    for (let round = 0; round < 3; round++) await turn([young, testSecretsKey], { data: true, graceMs: 300 })
  } finally {
    going = false
    await Promise.all(load)
  }
  expect(outcomes.failed).toEqual([])
  expect(Math.min(outcomes.read, outcomes.written)).toBeGreaterThan(20)
  expect(await readAll(fresh(young))).toEqual(texts())
})

test('SEC-4: a key is not retired while a value is being stored, nor deleted while a value needs it', async () => {
  const to = place(organizations[0] ?? '')
  const vault = fresh(testSecretsKey)
  let rotating: Promise<unknown> | undefined
  await within(to.organizationId, async (db, connection) => {
    const sealed = await vault.close(db, to, new Secret('slow'))
    rotating = turn([testSecretsKey], { data: true })
    await new Promise((resolve) => setTimeout(resolve, 500))
    await connection.query('insert into mailboxes (id, password) values ($1, $2)', [to.rowId, sealed])
  })
  await rotating
  expect(await read(fresh(testSecretsKey), { ...to, text: '' })).toBe('slow')
  await expect(asProduct('delete from organization_keys')).rejects.toThrow(/foreign key/)
})

test('SEC-4 SEC-7: a value read just before it was sealed again still opens, and no longer after the grace period', async () => {
  const [one] = stored
  if (!one) throw new Error('unreachable')
  const [row] = await asProduct('select password from mailboxes where id = $1', [one.rowId])
  const old = row?.password as Buffer
  const open = () => within(one.organizationId, (db) => fresh(testSecretsKey).open(db, one, old))
  const rotating = turn([testSecretsKey], { data: true, graceMs: 3000 })
  const underOldKeys = `select from mailboxes m join organization_keys k on k.id = m.password_key_id
    where k.retired_at is not null or not exists (select from secrets_rotation)`
  await vi.waitFor(async () => expect(await asProduct(underOldKeys)).toEqual([]), { timeout: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect((await open()).reveal()).toBe(one.text)
  await rotating
  await expect(open()).rejects.toMatchObject({ details: [{ code: 'SECRET_UNREADABLE' }] })
})

test('SEC-4: a value that does not open is reported, its key is kept, and the others are sealed again', async () => {
  const [broken] = stored
  await asProduct(
    'update mailboxes set password = set_byte(password, 60, 255 - get_byte(password, 60)) where id = $1',
    [broken?.rowId],
  )
  expect(await turn([testSecretsKey], { data: true })).toEqual({
    rewrapped: 0,
    resealed: 14,
    destroyed: 4,
    unreadable: [`mailboxes.password of ${broken?.rowId}`],
  })
})

test('SEC-4: one rotation runs at a time', async () => {
  const other = await theApp().system.borrow()
  await other.connection.query("select pg_advisory_lock(hashtextextended('kontor secrets rotate', 0))")
  await expect(turn([testSecretsKey])).rejects.toThrow('Another rotation of secrets is running.')
  other.giveBack(true)
  await turn([testSecretsKey])
})
