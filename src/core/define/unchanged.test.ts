import { expect, test } from 'vitest'
import { rowOf } from '../../test/rows.ts'
import { member, operationNamed, type Reply, type Someone } from '../../test/world.ts'

type Case = {
  get: string
  update: string
  row: (amy: Someone) => Promise<string>
  first: Record<string, unknown>
  second: Record<string, unknown>
  fields: string[]
}

const cases: Case[] = [
  {
    ...{ get: 'customers_get', update: 'customers_update_patch', row: (amy) => rowOf('customers', amy) },
    ...{ first: { notes: 'Ben was here' }, second: { phone: '1' }, fields: ['notes'] },
  },
  {
    ...{ get: 'suppliers_get', update: 'suppliers_update_patch', row: (amy) => rowOf('suppliers', amy) },
    ...{ first: { paymentTermsDays: 14 }, second: { phone: '1' }, fields: ['paymentTermsDays'] },
  },
  {
    ...{ get: 'logistics_items_get', update: 'logistics_items_update_patch', row: (amy) => rowOf('items', amy) },
    ...{ first: { salePrice: 26 }, second: { name: 'Lamps' }, fields: ['salePrice'] },
  },
  {
    ...{ get: 'invoices_get', update: 'invoices_update', row: (amy) => rowOf('documents', amy) },
    ...{ first: { notes: 'Ben was here' }, second: { dueDate: '2027-01-31' }, fields: ['notes'] },
  },
  {
    ...{ get: 'expenses_get', update: 'expenses_update_patch_2', row: (amy) => rowOf('expenses', amy) },
    ...{ first: { title: 'Taxi' }, second: { notes: 'x' }, fields: ['title'] },
  },
  {
    ...{ get: 'settings_get', update: 'settings_update', row: async (amy) => String(amy.organizationId) },
    ...{ first: { digest: false }, second: { senderName: 'x' }, fields: ['digest'] },
  },
]

type Detail = { path: string; code: string; params: Record<string, unknown> }
const detailsOf = ({ body }: Reply) => (body as { error: { details: Detail[] } }).error.details

test.each(cases)('$update of what was changed since is refused, and says who changed what', async (each) => {
  const amy = await member('MANAGER')
  const ben = await member('MANAGER', { of: amy })
  const id = await each.row(amy)
  const [get, update] = [operationNamed(each.get), operationNamed(each.update)]
  const read = await amy.request(get, { id })
  const etag = String(read.headers.etag)
  expect(etag).toBe(`"${(read.body as { updatedAt: string | null }).updatedAt ?? 'none'}"`)
  const first = await ben.request(update, { id, ...each.first }, { 'if-match': etag })
  expect(first).toMatchObject({ status: 200 })
  expect(first.headers.etag).not.toBe(etag)
  const refused = await amy.request(update, { id, ...each.second }, { 'if-match': etag })
  const changed = { changedBy: 'MANAGER', changedAt: (first.body as { updatedAt: string }).updatedAt }
  expect(refused).toMatchObject({ status: 409 })
  expect(detailsOf(refused)).toMatchObject([
    { path: '', code: 'VERSION_CONFLICT', params: { ...changed, updatedAt: changed.changedAt } },
    ...each.fields.map((path) => ({ path, code: 'CHANGED', params: changed })),
  ])
  const again = { 'if-match': String(first.headers.etag) }
  expect(await amy.request(update, { id, ...each.second }, again)).toMatchObject({ status: 200 })
  expect(await amy.request(update, { id, ...each.first })).toMatchObject({ status: 200 })
})

test.each(cases)('of several calls of $update with what is current one is made', async (each) => {
  const amy = await member('MANAGER')
  const id = await each.row(amy)
  const etag = String((await amy.request(operationNamed(each.get), { id })).headers.etag)
  const update = operationNamed(each.update)
  const inputs = [each.first, each.second, { ...each.first, ...each.second }]
  const answers = await Promise.all(inputs.map((input) => amy.request(update, { id, ...input }, { 'if-match': etag })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test.each(['2026-01-31T09:30:00Z', '"yesterday"', '"3"', 'W/"2026-01-31T09:30:00.000Z"'])(
  'If-Match %s is refused with a sentence',
  async (ifMatch) => {
    const amy = await member('CONTRIBUTOR')
    const id = await rowOf('customers', amy)
    const update = operationNamed('customers_update_patch')
    expect(await amy.request(update, { id, notes: 'x' }, { 'if-match': '*' })).toMatchObject({ status: 200 })
    const refused = await amy.request(update, { id, notes: 'y' }, { 'if-match': ifMatch })
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'If-Match' }] } } })
  },
)
