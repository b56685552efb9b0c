import { expect, test } from 'vitest'
import { member, operationNamed, theApp } from '../../../test/world.ts'
import { viewsMax } from './view.ts'

const overdue = { name: 'Overdue', screen: 'documents', search: 'status=OVERDUE' }
const update = operationNamed('views_update')
const remove = operationNamed('views_delete')
const create = operationNamed('views_create')

const named = async (someone: Awaited<ReturnType<typeof member>>, screen?: string) =>
  (await someone.call('views_list', { ...(screen && { screen }) })).views.map(({ name }) => name)

test('a view is saved for oneself, renamed, moved and deleted', async () => {
  const amy = await member('VIEWER')
  const saved = await amy.call('views_create', overdue)
  expect(saved).toMatchObject({
    ...overdue,
    shared: false,
    position: 0,
    rights: 'OWN',
    savedBy: 'VIEWER',
  })
  await amy.call('views_create', { name: 'Dollars', screen: 'customers', position: 1 })
  await amy.call('views_create', { name: 'Late', screen: 'documents', position: 2 })
  expect(await named(amy)).toEqual(['Dollars', 'Overdue', 'Late'])
  await amy.call('views_update', { id: saved.id, name: 'Too late', position: 3, search: '' })
  expect(await named(amy, 'documents')).toEqual(['Late', 'Too late'])
  await amy.call('views_delete', { id: saved.id })
  expect(await named(amy, 'documents')).toEqual(['Late'])
})

test('colleagues see shared views alone, and only the author or a MANAGER changes them', async () => {
  const amy = await member('CONTRIBUTOR')
  const [ben, boss] = [await member('CONTRIBUTOR', { of: amy }), await member('MANAGER', { of: amy })]
  const own = await amy.call('views_create', overdue)
  const shared = await amy.call('views_create', { ...overdue, name: 'Ours', shared: true })
  expect(await named(ben)).toEqual(['Ours'])
  expect((await ben.call('views_list', {})).views).toMatchObject([{ rights: 'READ' }])
  expect((await boss.call('views_list', {})).views).toMatchObject([{ rights: 'MANAGE' }])
  expect(await ben.request(update, { id: own.id, name: 'x' })).toMatchObject({ status: 404 })
  expect(await ben.request(update, { id: shared.id, name: 'x' })).toMatchObject({ status: 403 })
  expect(await ben.request(remove, { id: shared.id })).toMatchObject({ status: 403 })
  expect(await boss.request(update, { id: shared.id, name: 'All of us' })).toMatchObject({ status: 200 })
  await amy.call('views_update', { id: shared.id, shared: false })
  expect(await named(ben)).toEqual([])
})

test('a VIEWER saves views but does not share them', async () => {
  const amy = await member('VIEWER')
  const { id } = await amy.call('views_create', overdue)
  expect(await amy.request(create, { ...overdue, shared: true })).toMatchObject({ status: 403 })
  expect(await amy.request(update, { id, shared: true })).toMatchObject({ status: 403 })
})

test('nobody of another organization sees a shared view', async () => {
  const amy = await member('CONTRIBUTOR')
  const eve = await member('OWNER')
  await amy.call('views_create', { ...overdue, shared: true })
  expect(await named(eve)).toEqual([])
})

test('a person saves a limited number of views', async () => {
  const amy = await member('VIEWER')
  await theApp().system.raw.query(
    `insert into views (organization_id, id, user_id, name, screen)
     select $1, new_id(), $2, 'View ' || n, 'documents' from generate_series(1, $3::int) n`,
    [amy.organizationId, amy.userId, viewsMax],
  )
  const refused = await amy.request(create, overdue)
  expect(refused).toMatchObject({ status: 409, body: { error: { details: [{ code: 'TOO_MANY_VIEWS' }] } } })
})
