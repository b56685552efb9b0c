import { expect, test } from 'vitest'
import { rowOf } from '../../../test/rows.ts'
import { member, operationNamed, type Someone, theApp, withKey } from '../../../test/world.ts'
import { listNames } from './columns.ts'

const listExport = operationNamed('lists_export')
const at = ({ organizationId = '' }: Someone) => ({ organizationId })

const csvOf = async (someone: Someone, input: Record<string, unknown>) => {
  const { status, body } = await someone.request(listExport, { ...at(someone), ...input })
  expect(status).toBe(200)
  return String(body).replace('\ufeff', '').trimEnd().split('\r\n')
}

test.each(listNames)('the list of %s is exported as CSV and XLSX', async (list) => {
  const amy = await member('OWNER')
  await rowOf(list, amy)
  const [header, ...rows] = await csvOf(amy, { list })
  expect(header).toMatch(/"id"$/)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row.split(',').length).toBe(header?.split(',').length)
  const { status, headers } = await amy.request(listExport, { ...at(amy), list, format: 'xlsx' })
  expect(status).toBe(200)
  expect(headers['content-disposition']).toContain(`${list}-`)
})

test('the export has the filters and the order of the list, over all pages', async () => {
  const amy = await member('CONTRIBUTOR')
  await theApp().system.raw.query(
    `insert into customers (organization_id, id, name, country, kind, is_customer, default_currencies)
     select $1, new_id(), 'C' || lpad(n::text, 3, '0'), 'SG', 'ORGANIZATION', true, '{SGD}' from generate_series(1, 230) n`,
    [amy.organizationId],
  )
  const [, ...all] = await csvOf(amy, { list: 'customers', query: 'sortBy=name&sortOrder=desc&open=1&page=7' })
  expect(all).toHaveLength(230)
  expect([all[0], all.at(-1)].map((row) => row?.split(',')[0])).toEqual(['"C230"', '"C001"'])
  expect(await csvOf(amy, { list: 'customers', query: 'search=C22' })).toHaveLength(11)
  const refused = await amy.request(listExport, { ...at(amy), list: 'customers', query: 'sortBy=shoe' })
  expect(refused).toMatchObject({ status: 400 })
})

test('text that begins like a formula is only text', async () => {
  const amy = await member('CONTRIBUTOR')
  await amy.call('customers_create', { name: '=1+1', country: 'SG' })
  const [, row] = await csvOf(amy, { list: 'customers' })
  expect(row).toMatch(/^"'=1\+1"/)
})

test('an export takes the rights that the list takes, and shows nothing of another organization', async () => {
  const amy = await member('OWNER')
  await rowOf('customers', amy)
  const key = await withKey(amy, ['organizations:read'])
  expect(await key.request(listExport, { ...at(amy), list: 'customers' })).toMatchObject({ status: 403 })
  const both = await withKey(amy, ['organizations:read', 'customers:read'])
  expect(await csvOf(both, { list: 'customers' })).toHaveLength(2)
  const eve = await member('OWNER')
  expect(await eve.request(listExport, { ...at(amy), list: 'customers' })).toMatchObject({ status: 403 })
})
