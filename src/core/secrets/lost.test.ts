import '../../test/own-world.ts'
import { beforeAll, expect, test } from 'vitest'
import { testSecretsKey } from '../../test/database.ts'
import { asProduct, makeMailboxes, randomKey, storePassword, within } from '../../test/secrets.ts'
import { member, theApp } from '../../test/world.ts'
import { verify } from '../../verify/verify.ts'
import { newId } from '../values/id.ts'
import { openKeyring } from './keyring.ts'
import { lostValues, markLost } from './lost.ts'
import { rotate } from './rotate.ts'
import { Secret } from './secret.ts'
import { openSecrets } from './secrets.ts'
import { createVault } from './vault.ts'

beforeAll(makeMailboxes)

const keyring = (...keys: string[]) => openKeyring(new Secret(keys.join(',')))
const lose = (...keys: string[]) => markLost(theApp().system, keyring(...keys), [])
const values = () => theApp().system.use((_, connection) => lostValues(connection))

test('SEC-2: with the right key nothing is lost', async () => {
  expect(await lose(testSecretsKey)).toBeUndefined()
  expect(await lose(randomKey(), testSecretsKey)).toBeUndefined()
})

test('SEC-2: what a missing key encrypted is marked once, can be entered again, and can be read again if the key is found', async () => {
  const amy = await member('OWNER')
  const organizationId = amy.organizationId ?? ''
  const [kept, replaced] = [newId(), newId()].map((rowId) => ({
    table: 'mailboxes',
    column: 'password',
    rowId,
    organizationId,
  }))
  if (!kept || !replaced) throw new Error('two places')
  const sealed = await storePassword(kept, 'hunter2')
  await storePassword(replaced, 'hunter3')

  const young = randomKey()
  const row = { organizationId, organization: 'Acme', table: 'mailboxes', column: 'password' }
  expect(await lose(young)).toEqual({ values: [{ ...row, times: 2 }], people: [], queuedMail: 0 })
  expect(await lose(young)).toBeUndefined()
  await openSecrets(theApp().system, keyring(young))
  const audited = "select detail from audit_log where operation = 'secrets.lost' and organization_id = $1"
  expect(await asProduct(audited, [organizationId])).toEqual([{ detail: { lost: { 'mailboxes.password': 2 } } }])
  expect((await verify(theApp())).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server of the tests is not durable

  const vault = createVault({ keyring: keyring(young) })
  const read = (place: typeof kept, bytes: Buffer) => within(organizationId, (db) => vault.open(db, place, bytes))
  await expect(read(kept, sealed)).rejects.toMatchObject({ status: 409, details: [{ code: 'SECRET_LOST' }] })
  const again = await within(organizationId, async (db, connection) => {
    const bytes = await vault.close(db, replaced, new Secret('hunter4'))
    await connection.query('update mailboxes set password = $1 where id = $2', [bytes, replaced.rowId])
    return bytes
  })
  expect((await read(replaced, again)).reveal()).toBe('hunter4')
  expect(await values()).toEqual([{ ...row, times: 1 }])

  // A rotation leaves lost values alone, and finds them again with the old key behind the new one.
  const turn = (data: boolean, ...keys: string[]) =>
    rotate({ pool: theApp().system, keyring: keyring(...keys), data, say: () => {}, graceMs: 0 })
  expect(await turn(true, young)).toMatchObject({ resealed: 1, unreadable: [] })
  expect(await values()).toEqual([{ ...row, times: 1 }])
  await turn(false, young, testSecretsKey)
  expect(await values()).toEqual([])
  expect((await read(kept, sealed)).reveal()).toBe('hunter2')
  await openSecrets(theApp().system, keyring(young))
})
