import '../../test/own-world.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { member, theApp } from '../../test/world.ts'
import { newId } from '../values/id.ts'
import { createUsage, type KeyCall } from './usage.ts'

const system = (statement: ReturnType<typeof sql>) => theApp().system.use((db) => statement.execute(db))

async function newKey() {
  const amy = await member('OWNER')
  const { key } = await amy.call('api_keys_create', { name: 'k', scopes: ['*:*'] })
  const call = (more: Partial<KeyCall> = {}): KeyCall => ({
    id: newId(), apiKeyId: key.id, userId: amy.userId, method: 'GET', path: '/api/customers', feature: 'customers', verb: 'list',
    statusCode: 200, errorCode: null, durationMs: 5, organizationId: null, createdAt: new Date(), ...more,
  }) // biome-ignore format: a list of words
  const read = async () => {
    const { totals } = await amy.call('api_keys_usage', { id: key.id })
    return {
      calls: totals.callCount,
      average: totals.avgDurationMs,
      used: (await amy.call('api_keys_get', { id: key.id })).key.lastUsedAt,
    }
  }
  const stored = async () => (await system(sql`select * from api_key_calls where api_key_id = ${key.id}`)).rows
  return { call, read, stored, key, amy }
}

test('noted calls are written by the next flush, and set when the key was last used', async () => {
  const usage = createUsage(theApp().system, () => {})
  onTestFinished(() => usage.close())
  const { call, read } = await newKey()
  const [early, late] = [new Date(Date.now() - 60_000), new Date()]
  usage.note(call({ createdAt: late, durationMs: 10 }))
  usage.note(call({ createdAt: early, durationMs: 5 }))
  await usage.flush()
  expect(await read()).toEqual({ calls: 2, average: 7.5, used: late.toISOString() })
  usage.note(call({ createdAt: early }))
  await usage.flush()
  expect((await read()).used).toBe(late.toISOString())
})

test('two processes that write at once lose nothing', async () => {
  const usages = [createUsage(theApp().system, () => {}), createUsage(theApp().system, () => {})]
  onTestFinished(async () => void (await Promise.all(usages.map((usage) => usage.close()))))
  const { call, read } = await newKey()
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => {
      usages[at % 2]?.note(call())
      return usages[at % 2]?.flush()
    }),
  )
  expect((await read()).calls).toBe(40)
})

test('a failed write is reported, and its calls are written later', async () => {
  const usage = createUsage(theApp().system, () => {})
  onTestFinished(() => usage.close())
  const { call, read } = await newKey()
  await system(sql`alter table api_key_calls rename to elsewhere`)
  try {
    usage.note(call())
    await expect(usage.flush()).rejects.toThrow()
    usage.note(call())
  } finally {
    await system(sql`alter table elsewhere rename to api_key_calls`)
  }
  await usage.flush()
  expect((await read()).calls).toBe(2)
})

test('a used session does not become idle, also if the first write fails', async () => {
  const usage = createUsage(theApp().system, () => {})
  onTestFinished(() => usage.close())
  const amy = await member('OWNER')
  const mine = sql`user_id = ${amy.userId}`
  const { rows } = await system(
    sql`update sessions set last_seen_at = now() - interval '5 hours' where ${mine} returning id`,
  )
  usage.seen((rows[0] as { id: string }).id)
  await system(sql`alter table sessions rename to elsewhere`)
  try {
    await expect(usage.flush()).rejects.toThrow()
  } finally {
    await system(sql`alter table elsewhere rename to sessions`)
  }
  await usage.flush()
  expect(
    (await system(sql`select from sessions where ${mine} and last_seen_at > now() - interval '1 minute'`)).rows,
  ).toHaveLength(1)
})

test('a call of a deleted key does not prevent other calls from being written', async () => {
  const usage = createUsage(theApp().system, () => {})
  onTestFinished(() => usage.close())
  const { call, read } = await newKey()
  usage.note(call({ apiKeyId: newId() }))
  usage.note(call())
  await usage.flush()
  expect((await read()).calls).toBe(1)
})

test('close writes everything that was noted', async () => {
  const usage = createUsage(theApp().system, () => {})
  const { call, read } = await newKey()
  usage.note(call())
  await usage.close()
  expect((await read()).calls).toBe(1)
})

test.each(['', 'null', 'NULL', '/a,b', '/{a}', '/"a" \\ b', '/ü/😀', "/it's", ' /a ', '/a\nb'])('the path %j is stored as it is', async (path) => {
  const usage = createUsage(theApp().system, () => {})
  onTestFinished(() => usage.close())
  const { call, stored } = await newKey()
  const noted = call({ path, verb: null, errorCode: 'NULL', organizationId: newId() })
  usage.note(noted)
  usage.note(call())
  await usage.flush()
  expect(await stored()).toHaveLength(2)
  expect(await stored()).toContainEqual({ ...noted, createdAt: noted.createdAt.toISOString() })
}) // biome-ignore format: a list of words

const insertCall = ({ id, apiKeyId, userId, createdAt }: KeyCall) =>
  system(sql`insert into api_key_calls (id, api_key_id, user_id, method, path, status_code, duration_ms, created_at)
    values (${id}, ${apiKeyId}, ${userId}, 'GET', '/', 200, 1, ${createdAt})`)

test('INV: a call names a key that exists, and is deleted with it', async () => {
  const { call, stored, key } = await newKey()
  await insertCall(call())
  await expect(insertCall(call({ apiKeyId: newId() }))).rejects.toMatchObject({ code: '23503' })
  expect(await stored()).toHaveLength(1)
  await system(sql`delete from api_keys where id = ${key.id}`)
  expect(await stored()).toHaveLength(0)
})

test('the calls of a key are deleted with its person', async () => {
  const { call, stored, amy } = await newKey()
  await insertCall(call())
  await system(sql`delete from organizations where id = ${amy.organizationId}`)
  await system(sql`delete from users where id = ${amy.userId}`)
  expect(await stored()).toHaveLength(0)
})
