import '../own-world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { startApiHere } from '../processes/api-here.ts'
import { type ApiProcess, ask, startApi } from '../processes/api-process.ts'
import { proves } from '../prove.ts'
import { member, theApp, theDatabase, withKey } from '../world.ts'

let north: ApiProcess
/** This process, which is another one too. */
let south: Awaited<ReturnType<typeof startApiHere>>

beforeAll(async () => {
  ;[north, south] = await Promise.all([startApi(theDatabase()), startApiHere({ RATE_LIMIT_SCALE: '1' })])
})

afterAll(() => Promise.all([north?.kill('SIGTERM'), south?.close()]))

const signUp = async () => {
  const email = `${newId()}@example.test`
  const answer = await ask(`${north.url}/api/auth/sign-up`, {
    method: 'POST',
    body: { name: 'Amy', email, password: 'correct horse' },
  })
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

test('a session of one process is valid at the other, and signing out at one ends it at both', async () => {
  const headers = await signUp()
  expect((await ask(`${south.url}/api/auth/session`, { headers })).status).toBe(200)
  await ask(`${south.url}/api/auth/sign-out`, { method: 'POST', headers })
  expect((await ask(`${north.url}/api/auth/session`, { headers })).status).toBe(401)
})

test('INV-21: a key created at one process works at the other, and revoking it at one ends it at both at once', async () => {
  const headers = await signUp()
  await ask(`${north.url}/api/organizations`, { method: 'POST', headers, body: { name: 'Acme', country: 'US' } })
  const made = await ask(`${north.url}/api/api-keys`, {
    method: 'POST',
    headers,
    body: { name: 'k', scopes: ['*:*'], allOrgs: true },
  })
  const { key, secret } = made.body as unknown as { key: { id: string }; secret: string }
  const authorization = `Bearer ${secret}`
  expect((await ask(`${south.url}/api/customers`, { headers: { authorization } })).status).toBe(200)
  await ask(`${north.url}/api/api-keys/${key.id}`, { method: 'DELETE', headers })
  const after = await Promise.all(
    [north, south].map(({ url }) => ask(`${url}/api/customers`, { headers: { authorization } })),
  )
  expect(after.map(({ status }) => status)).toEqual([401, 401])
})

test('FLT-06: the same Idempotency-Key at both processes creates one customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { credentials } = await withKey(amy)
  const headers = { ...(credentials as { authorization: string }), 'idempotency-key': newId() }
  const body = { organizationId: amy.organizationId, name: 'Once', country: 'SG' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      ask(`${(i % 2 ? north : south).url}/api/customers`, { method: 'POST', headers, body }),
    ),
  )
  expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1)
  const customers = await theApp().system.use((db) =>
    db
      .selectFrom('customers')
      .select('id')
      .where('organizationId', '=', amy.organizationId ?? '')
      .execute(),
  )
  expect(customers).toHaveLength(1)
})

// src/core/run/rate-limit.test.ts proves the same of two limiters in one process.
test.runIf(proves)('RATE: two processes share one rate limit, up to one batch of tokens each', async () => {
  const scale = { RATE_LIMIT_SCALE: '0.002' } // 0.6 reads a second with a burst of 6, in batches of one
  const processes = await Promise.all([0, 1].map(() => startApi(theDatabase(), scale)))
  const { credentials } = await withKey(await member('CONTRIBUTOR'))
  const began = Date.now()
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) {
    const url = `${processes[i % 2]?.url}/api/customers`
    statuses.push((await ask(url, { headers: credentials as { authorization: string } })).status)
  }
  const gained = Math.ceil(((Date.now() - began) / 1000) * 0.6)
  const passed = statuses.filter((status) => status === 200).length
  expect(passed).toBeGreaterThanOrEqual(6)
  expect(passed).toBeLessThanOrEqual(6 + gained + processes.length)
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  await Promise.all(processes.map((api) => api.kill('SIGTERM')))
})
