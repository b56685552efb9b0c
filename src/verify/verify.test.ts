import { expect, test } from 'vitest'
import { newId } from '../core/id.ts'
import { member, theApp } from '../test/world.ts'
import { report, verify } from './verify.ts'

/** The test server gives durability up for speed, and verify says so. */
const broken = async () => (await verify(theApp().system)).filter(({ id }) => id !== 'INV-22')

test('after ordinary work everything holds', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS', isDefault: true })
  await amy.call('customers_update_patch', { id, notes: 'x' })
  expect(await broken()).toEqual([])
})

test('INV-22: a server that may forget what it committed is reported', async () => {
  const violations = await verify(theApp().system)
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
