import { expect, test } from 'vitest'
import { newId } from '../core/id.ts'
import { member, theApp } from '../test/world.ts'
import { report, verify } from './verify.ts'

/** The test server gives durability up for speed, and verify says so. */
const means = () => ({ system: theApp().system, storage: theApp().providers.storage })
const broken = async () => (await verify(means())).filter(({ id }) => id !== 'INV-22')

test('after ordinary work everything holds', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS', isDefault: true })
  await amy.call('customers_update_patch', { id, notes: 'x' })
  expect(await broken()).toEqual([])
})

test('INV-22: a server that may forget what it committed is reported', async () => {
  const violations = await verify(means())
  expect(violations.map(({ id }) => id)).toEqual(['INV-22'])
  expect(report(violations)).toMatch(/BROKEN {2}INV-22 .*\n.*fsync/)
})

test('INV-10: a customer that nothing tells of is found, by its ids', async () => {
  const { organizationId = '' } = await member('OWNER')
  const id = newId()
  await theApp().system.raw.query(
    "insert into customers (organization_id, id, name, kind, default_currencies) values ($1, $2, 'Smuggled', 'ORGANIZATION', '{}')",
    [organizationId, id],
  )
  expect(await broken()).toMatchObject([{ id: 'INV-10', rows: [{ organizationId, id }] }])
  await theApp().system.raw.query('delete from customers where id = $1', [id])
})

test('INV-18: a table without its policy is found', async () => {
  await theApp().system.raw.query('create table unguarded (id uuid)')
  expect(await broken()).toMatchObject([{ id: 'INV-18', rows: [{ table: 'unguarded' }] }])
  await theApp().system.raw.query('drop table unguarded')
})

test('FLT-08: a file that a row names and the store has lost is found, by its ids', async () => {
  const amy = await member('OWNER')
  const file = { fileName: 'a.txt', base64: 'SGVsbG8=' }
  const kept = await amy.call('organizations_file_upload', { file })
  const { id, organizationId, storageKey } = await amy.call('organizations_file_upload', { file })
  expect(await broken()).toEqual([])
  await theApp().providers.storage.remove(storageKey)
  expect(await broken()).toMatchObject([{ id: 'FLT-08', rows: [{ organizationId, id }] }])
  expect(await amy.call('organizations_file', { id: kept.id })).toBe('Hello')
  await expect(amy.call('organizations_file', { id })).rejects.toMatchObject({
    status: 500,
    details: [{ code: 'FILE_LOST' }],
  })
  await theApp().system.raw.query('delete from files where id = $1', [id])
})
