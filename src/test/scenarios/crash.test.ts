import '../own-world.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { type ApiProcess, ask, startApi } from '../processes/api-process.ts'
import { inProof } from '../prove.ts'
import { member, theApp, theDatabase, withKey } from '../world.ts'

/** How often the API is killed. */
const rounds = inProof(1, 10)
const clients = 8

/** The answers that the clients got, apart from what the database says. */
type Journal = { acknowledged: Set<string>; attempted: Set<string> }

/** Creates customers one after the other until the server ends. Each attempt has its own mark and Idempotency-Key. */
async function keepCreating({ url }: ApiProcess, key: string, organizationId: string, journal: Journal) {
  for (;;) {
    const mark = newId()
    journal.attempted.add(mark)
    const answer = await create(url, { key, organizationId, mark }).catch(() => undefined)
    if (!answer) return
    if (answer.status === 201) journal.acknowledged.add(mark)
  }
}

const create = (url: string, { key, organizationId, mark }: { key: string; organizationId: string; mark: string }) =>
  ask(`${url}/api/customers`, {
    method: 'POST',
    headers: { authorization: key, 'idempotency-key': mark },
    body: { organizationId, name: mark, country: 'SG' },
  })

/** The API that is started after the kills, and stopped under load by the last test. */
let last: ApiProcess | undefined
afterAll(() => last?.kill('SIGKILL'))

test('FLT-01 INV-10 INV-22: an API killed during many creates loses no acknowledged write and leaves none incomplete', async () => {
  const amy = await member('CONTRIBUTOR')
  const key = await withKey(amy)
  const authorization = (key.credentials as { authorization: string }).authorization
  const organizationId = amy.organizationId ?? ''
  const journal: Journal = { acknowledged: new Set(), attempted: new Set() }
  for (let round = 0; round < rounds; round++) {
    const api = await startApi(theDatabase(), { RATE_LIMIT_SCALE: '100' })
    const burst = Promise.all(
      Array.from({ length: clients }, () => keepCreating(api, authorization, organizationId, journal)),
    )
    const enough = journal.acknowledged.size + clients * 2
    await vi.waitFor(() => expect(journal.acknowledged.size).toBeGreaterThan(enough), { timeout: 60_000, interval: 10 })
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
    await api.kill('SIGKILL')
    await burst
  }
  const rows = await theApp().system.use(async (db) => ({
    customers: await db
      .selectFrom('customers')
      .select(['id', 'name'])
      .where('organizationId', '=', organizationId)
      .execute(),
    events: await db.selectFrom('events').select('payload').where('type', '=', 'customer.created').execute(),
    audited: await db.selectFrom('auditLog').select('objectId').where('operation', '=', 'customers_create').execute(),
    remembered: await db.selectFrom('idempotencyKeys').select(['key', 'status']).execute(),
  }))
  const names = rows.customers.map(({ name }) => name ?? '')
  expect(journal.acknowledged.size).toBeGreaterThan(10)
  expect(names).toEqual(expect.arrayContaining([...journal.acknowledged]))
  expect(names.filter((name) => !journal.attempted.has(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  // Every customer is complete: with its event, its audit row and its remembered answer.
  const ids = rows.customers.map(({ id }) => id).sort()
  expect(rows.events.map(({ payload }) => (payload as { id: string }).id).sort()).toEqual(ids)
  expect(rows.audited.map(({ objectId }) => objectId).sort()).toEqual(ids)
  expect(rows.remembered.map(({ key: mark, status }) => `${mark} ${status}`).sort()).toEqual(
    names.map((name) => `${name} 201`).sort(),
  )

  const api = await startApi(theDatabase(), { RATE_LIMIT_SCALE: '100' })
  last = api
  for (const mark of [...journal.attempted].slice(-clients * 2)) {
    expect(await create(api.url, { key: authorization, organizationId, mark })).toMatchObject({
      status: 201,
      body: { name: mark },
    })
  }
  const { rows: counted } = await theApp().system.raw.query(
    'select count(distinct name)::int as names, count(*)::int as rows from customers where organization_id = $1',
    [organizationId],
  )
  expect(counted[0].rows).toBe(counted[0].names)
}, 300_000)

test('FLT-16: a stop under load answers the accepted requests, and does nothing that it does not answer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { authorization: key } = (await withKey(amy)).credentials as { authorization: string }
  const organizationId = amy.organizationId ?? ''
  const api = last ?? (await startApi(theDatabase(), { RATE_LIMIT_SCALE: '100' }))
  const outcomes: { mark: string; status: number | string }[] = []
  const keepGoing = async (): Promise<void> => {
    const mark = newId()
    const status = await create(api.url, { key, organizationId, mark })
      .then((answer) => answer.status)
      .catch((error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message)
    outcomes.push({ mark, status })
    if (status === 201) return keepGoing()
  }
  const burst = Promise.all(Array.from({ length: clients }, keepGoing))
  await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(clients * 3), { timeout: 60_000 })
  expect(await api.kill('SIGTERM')).toBe(0)
  await burst
  const stored = await theApp().system.use((db) =>
    db.selectFrom('customers').select('name').where('organizationId', '=', organizationId).execute(),
  )
  expect(stored.map(({ name }) => name).sort()).toEqual(
    outcomes
      .filter(({ status }) => status === 201)
      .map(({ mark }) => mark)
      .sort(),
  )
  expect(outcomes.filter(({ status }) => typeof status === 'number' && status !== 201)).toEqual([])
})
