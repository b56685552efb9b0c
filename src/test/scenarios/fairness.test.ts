import { expect, test } from 'vitest'
import { withConnection } from '../../core/run/connection.ts'
import { preview, take } from '../automations/filters.ts'
import { member, operationNamed, theApp } from '../world.ts'

/** Runs work while the rows of a statement, or a table, stay locked. */
async function whileLocked<T>(text: string, work: () => Promise<T>): Promise<T> {
  return withConnection(theApp().system, true, async ({ connection }) => {
    await connection.query(text)
    return work()
  })
}

const get = operationNamed('customers_get')

test('LOAD-14: an organization whose previews all hang leaves connections for the reads of others', async () => {
  const [amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { id } = await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  const spec = {
    root: 'Document',
    follows: [{ from: 'Document', name: 'lines' }],
    extract: take('Document.id', 'DocumentLine.description'),
  }
  expect(await preview(amy, spec)).toMatchObject({ count: 0 })
  const hanging: Promise<unknown>[] = []
  await whileLocked('lock table document_lines in access exclusive mode', async () => {
    let ended = 0
    for (let n = 0; n < 12; n++) hanging.push(preview(amy, spec).catch(() => ended++))
    for (let n = 0; n < 5; n++) expect((await bob.request(get, { id })).status).toBe(200)
    expect(ended).toBe(0)
  })
  await Promise.all(hanging)
})

test('LOAD-14: an organization whose writes all wait for a lock leaves connections for the reads of others', async () => {
  const [amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { id } = await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  const locked = await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  const change = () => amy.request(operationNamed('customers_update'), { id: locked.id, notes: 'changed' })
  expect((await change()).status).toBe(200)
  const waiting: Promise<unknown>[] = []
  await whileLocked(`select from customers where id = '${locked.id}' for update`, async () => {
    let ended = 0
    for (let n = 0; n < 20; n++) waiting.push(change().then(() => ended++))
    for (let n = 0; n < 5; n++) expect((await bob.request(get, { id })).status).toBe(200)
    expect(ended).toBe(0)
  })
  await Promise.all(waiting)
})
