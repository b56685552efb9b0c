import { describe, expect, test } from 'vitest'
import { createConsumeRateLimit } from '../../../../core/run/rate-limit.ts'
import { action, automate, graphOf, trigger } from '../../../../test/automations/automations.ts'
import { logOf, started, testRun } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { findJobs } from '../../../../test/queue.ts'
import { within } from '../../../../test/secrets.ts'
import { verifyWebhook } from '../../../../test/verify-webhook.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const secretOf = async (amy: Someone) =>
  String((await amy.call('settings_webhook_secret', { id: amy.organizationId ?? '' })).secret)

test('a webhook is posted as signed JSON with bindings resolved, and the answer is the output of the step', async () => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver((response) => response.writeHead(201).end('thanks'))
  const run = await testRun(amy, 'webhook.post', { url, body: { number: '{{trigger.number}}', total: '{{trigger.total}}' } }, { number: 'INV-1', total: 12.5 })
  expect(run).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { status: 201, latencyMs: expect.any(Number), body: 'thanks' } }] })
  const step = run.steps[1]
  expect(heard).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = heard
  expect(JSON.parse(body)).toEqual({ number: 'INV-1', total: 12.5 })
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': step?.id, 'idempotency-key': step?.id })
  const secret = await secretOf(amy)
  expect(secret).toMatch(/^whsec_/)
  expect(verifyWebhook({ headers, body, secrets: [secret], now: new Date() })).toBe(true)
  expect(verifyWebhook({ headers, body: `${body} `, secrets: [secret], now: new Date() })).toBe(false)
  expect(await logOf(amy)).toMatchObject([
    { kind: 'WEBHOOK', stepId: step?.id, runId: run.id, automationId: run.automationId, target: url, attempt: 1, outcome: 'DELIVERED', status: 201, answer: 'thanks', reason: null },
  ])
}) // biome-ignore format: a list of words

test.each([301, 302, 307, 400, 401, 404, 410, 422])('the answer %i is final: the step fails with it, and no redirect is followed', async (status) => {
  const amy = await member('CONTRIBUTOR')
  const elsewhere = await receiver()
  const { heard, url } = await receiver((response) => response.writeHead(status, { location: elsewhere.url }).end('no'))
  const run = await testRun(amy, 'webhook.post', { url, body: {} })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining(String(status)), steps: [{}, { attempt: 1 }] })
  expect([heard.length, elsewhere.heard.length]).toEqual([1, 0])
  expect(await logOf(amy)).toMatchObject([{ outcome: 'REFUSED', status, answer: 'no', reason: run.error }])
}) // biome-ignore format: a list of words

test.each([408, 425, 429, 500, 503])('INV-14: after the answer %i the webhook is retried with the same id and a new signature', async (status) => {
  const amy = await member('MANAGER')
  let answers = 0
  const { heard, url } = await receiver((response) => response.writeHead(++answers === 1 ? status : 200).end('ok'))
  const run = await testRun(amy, 'webhook.post', { url, body: { a: 1 } })
  expect(run).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 2, error: null, output: { status: 200 } }] })
  expect(heard.map(({ headers }) => headers['webhook-id'])).toEqual([run.steps[1]?.id, run.steps[1]?.id])
  const secrets = [await secretOf(amy)]
  for (const { headers, body } of heard) expect(verifyWebhook({ headers, body, secrets, now: new Date() })).toBe(true)
  expect(await logOf(amy)).toMatchObject([{ attempt: 1, outcome: 'FAILED', status }, { attempt: 2, outcome: 'DELIVERED', status: 200 }])
}) // biome-ignore format: a list of words

test('a worker retries after the time in Retry-After', async () => {
  const amy = await member('CONTRIBUTOR')
  const { url } = await receiver((response) => response.writeHead(429, { 'retry-after': '300' }).end())
  const { work, run, runId } = await started(amy, 'webhook.post', { url })
  await work()
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', error: expect.stringContaining('429'), attempt: 2 }] })
  const [job] = await findJobs('key = $1', [`run:${runId}`])
  expect(job?.inS).toBeGreaterThan(200)
}) // biome-ignore format: a list of words

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://10.1.2.3/',
  'http://[fd00::1]/',
  'http://metadata.google.internal/',
  'http://127.0.0.1:5432/',
  'https://amy:secret@example.com/',
  'ftp://example.com/',
  'nowhere',
])('SSRF-1 THR-11: %s is not called; the step fails without a retry, and its error does not contain the address', async (url) => {
  const amy = await member('CONTRIBUTOR')
  const run = await testRun(amy, 'webhook.post', { url: '{{trigger.url}}', body: {} }, { url })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^TARGET_NOT_ALLOWED: /), steps: [{}, { attempt: 1 }] })
  expect(run.error).not.toMatch(/\d\.\d|\d{4}\/|fd00|secret|example|metadata/)
  expect(await logOf(amy)).toMatchObject([{ outcome: 'REFUSED', reason: run.error, status: null, answer: null }])
  expect(JSON.stringify(await logOf(amy))).not.toContain('secret')
}) // biome-ignore format: a list of words

test('SSRF-10: a target that does not answer is retried, and the error does not contain its address', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver((response) => response.socket?.resetAndDestroy())
  const run = await testRun(amy, 'webhook.post', { url, body: {} })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^TARGET_UNREACHABLE: /), steps: [{}, { attempt: 3 }] })
  expect(run.error).not.toMatch(/\d/)
  expect(heard).toHaveLength(3)
  expect((await logOf(amy)).map(({ outcome }) => outcome)).toEqual(['FAILED', 'FAILED', 'FAILED'])
}) // biome-ignore format: a list of words

test('INV-20: the query of an address is used for the call but not logged', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver((response) => response.end('a\0b'))
  await testRun(amy, 'webhook.post', { url: `${url}?code=hush&x=1#part`, body: {} })
  expect(heard[0]?.path).toBe('/hook?code=hush&x=1')
  const log = await logOf(amy)
  expect(log).toMatchObject([{ target: url, answer: 'a\ufffdb' }])
  expect(JSON.stringify(log)).not.toContain('hush')
})

test.each([
  [{ body: {} }, 'url'],
  [{ url: 5 }, 'url'],
  [{ url: 'http://127.0.0.1/', headers: 'x' }, 'headers'],
  [{ url: 'http://127.0.0.1/', headers: { Host: 'x' } }, 'Host'],
  [{ url: 'http://127.0.0.1/', headers: { 'Webhook-Id': 'x' } }, 'Webhook-Id'],
  [{ url: 'http://127.0.0.1/', headers: { 'content-type': 'x' } }, 'content-type'],
  [{ url: 'http://127.0.0.1/', headers: { 'a b': 'x' } }, 'a b'],
  [{ url: 'http://127.0.0.1/', headers: { a: 'x\r\nb: y' } }, 'visible'],
  [{ url: 'http://127.0.0.1/', headers: { a: '1', A: '2' } }, 'twice'],
  [{ url: 'http://127.0.0.1/', headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v'])) }, '20'],
  [{ url: 'http://127.0.0.1/', body: 'x'.repeat(300_000) }, 'bytes'],
])('an input that is invalid or too large fails the step before anything is called: %#', async (input, why) => {
  const amy = await member('CONTRIBUTOR')
  const run = await testRun(amy, 'webhook.post', input)
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', attempt: 1 }] })
  expect(run.error).toContain(why)
  expect(await logOf(amy)).toEqual([])
}) // biome-ignore format: a list of words

test('RATE: an organization can post 60 webhooks at once and 120 per minute; beyond that the step waits its turn', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const consumeRateLimit = createConsumeRateLimit()
  const services = { ...theApp().services, consumeRateLimit }
  const { heard, url } = await receiver()
  const [first, second, other] = [await started(amy, 'webhook.post', { url }), await started(amy, 'webhook.post', { url }), await started(eve, 'webhook.post', { url })]
  await within(amy.organizationId, (db) => consumeRateLimit(db, 'webhookPost', { count: 60 }))
  await second.work({ services })
  expect(await second.run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1, error: expect.stringContaining('webhooks'), waitsUntil: expect.any(String) }] })
  expect(await logOf(amy)).toEqual([])
  await other.work({ services })
  expect(await other.run()).toMatchObject({ status: 'SUCCEEDED' })
  await first.work({ services }) // after the second one, which came first
  expect(await first.run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1 }] })
  await theApp().system.raw.query("update automation_steps set turn_at = now() where run_id = $1 and status = 'PENDING'", [second.runId])
  await second.work({ services })
  expect(await second.run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1 }] })
  expect((await second.run()).steps[1]).not.toHaveProperty('waitsUntil')
  expect(heard).toHaveLength(2)
}) // biome-ignore format: a list of words

test('deliveries can be filtered by automation, run, kind and outcome, and cannot be changed or deleted', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { organizationId = '' } = amy
  const { url } = await receiver()
  const [one, two] = [await testRun(amy, 'webhook.post', { url }), await testRun(amy, 'webhook.post', { url: 'nowhere' })]
  const ask = async (more: object) => (await amy.call('automations_deliveries', { organizationId, ...more })).deliveries.map(({ runId }) => runId)
  expect(await ask({})).toEqual([two.id, one.id])
  expect(await ask({ automationId: one.automationId })).toEqual([one.id])
  expect(await ask({ runId: two.id, kind: 'WEBHOOK' })).toEqual([two.id])
  expect(await ask({ kind: 'EMAIL' })).toEqual([])
  expect(await ask({ outcome: 'DELIVERED' })).toEqual([one.id])
  expect((await eve.call('automations_deliveries', { organizationId: eve.organizationId ?? '' })).deliveries).toEqual([])
  const forge = (set: string) => within(organizationId, (_, connection) => connection.query(`update automation_deliveries set ${set}`))
  await expect(forge("outcome = 'REFUSED', reason = 'x'")).rejects.toThrow('append-only')
  await expect(forge("target = 'x'")).rejects.toThrow('permission denied')
  await expect(within(organizationId, (_, connection) => connection.query('delete from automation_deliveries'))).rejects.toThrow('permission denied')
}) // biome-ignore format: a list of words

describe('the answer of a webhook', () => {
  const answered = async (text: string, headers: Record<string, string | string[]> = {}) => {
    const amy = await member('CONTRIBUTOR')
    const { url } = await receiver((response) => response.writeHead(200, headers).end(text))
    const run = await testRun(amy, 'webhook.post', { url, body: {} })
    const { output, warnings } = run.steps[1] ?? {}
    return { ...(output as { body: unknown; headers: Record<string, string> }), warnings }
  }
  const json = { 'content-type': 'application/json; charset=utf-8' }

  test('is a value that later blocks can bind to if it is JSON', async () => {
    const amy = await member('CONTRIBUTOR')
    const { url } = await receiver((response) => response.writeHead(201, { ...json, 'X-Trace': 't1', 'set-cookie': 'a=b' }).end('{"id": "c-7", "list": [1]}'))
    const { heard, url: second } = await receiver()
    const blocks = [trigger('invoice.paid'), action('h', 'webhook.post', { url }), action('i', 'webhook.post', { url: second, body: { id: '{{blocks.h.body.id}}', one: '{{blocks.h.body.list.0}}', trace: '{{blocks.h.headers.x-trace}}', status: '{{blocks.h.status}}' } })]
    const id = await automate(amy, graphOf(blocks, 'start>h', 'h>i'), { armed: false })
    const run = await amy.call('automations_test', { id, payload: {} })
    expect(run.status).toBe('SUCCEEDED')
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ id: 'c-7', one: 1, trace: 't1', status: 201 })
    expect(JSON.stringify(run)).not.toContain('set-cookie')
  }) // biome-ignore format: a list of words

  test.each<[string, Record<string, string>, unknown]>([
    ['{"a": 1}', {}, { a: 1 }],
    [' [1, 2]', { 'content-type': 'text/plain' }, [1, 2]],
    ['"text"', json, 'text'],
    ['5', { 'content-type': 'application/problem+json' }, 5],
    ['5', { 'content-type': 'text/plain' }, '5'],
    ['{not json', {}, '{not json'],
    ['', json, ''],
    ['ok', {}, 'ok'],
  ])('%s with %j is %j', async (text, headers, body) => {
    expect(await answered(text, headers)).toMatchObject({ body })
  })

  test.each<[string, string]>([
    ['too large', JSON.stringify({ a: 'x'.repeat(5_000) })],
    ['too deep', '['.repeat(100) + ']'.repeat(100)],
    ['with __proto__', '{"__proto__": {"a": 1}}'],
    ['with a number that is too large', '{"a": 1e309}'],
    ['invalid', '{"a": '],
  ])('that is JSON %s stays text, with a warning', async (_, text) => {
    const { body, warnings } = await answered(text, json)
    expect(body).toBe(text.slice(0, 4096))
    expect(warnings).toMatchObject([{ code: 'ANSWER_AS_TEXT', path: 'output.body' }])
  })

  test('has at most 50 headers and 8 KiB of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`x-${n}`, 'v']))
    expect(Object.keys((await answered('ok', many)).headers)).toHaveLength(50)
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x-${n}`, 'v'.repeat(3_000)]))
    expect(JSON.stringify((await answered('ok', large)).headers).length).toBeLessThan(8_500)
  })
})

test('INV-14: a replay with a changed body has a new webhook-id, and every attempt with the same body keeps its id', async () => {
  const amy = await member('MANAGER')
  let status = 500
  const { heard, url } = await receiver((response) => response.writeHead(status).end())
  const graph = (body: object) => graphOf([trigger('invoice.paid'), action('out', 'webhook.post', { url, body })], 'start>out') as never
  const id = await automate(amy, graph({ a: 1, b: 2 }), { armed: false })
  const { id: runId, steps } = await amy.call('automations_test', { id, payload: {} })
  const replay = async (body: object) => {
    await amy.call('automations_update', { id, ...(graph(body) as object) })
    heard.length = 0
    await amy.call('automations_replay', { id, runId })
    const ids = new Set(heard.map(({ headers }) => headers['webhook-id']))
    for (const { headers } of heard) expect(headers['idempotency-key']).toBe(headers['webhook-id'])
    expect(ids.size).toBe(1)
    return [...ids][0]
  }
  const stepId = steps[1]?.id
  expect(new Set(heard.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([stepId]))
  const changed = await replay({ a: 1, b: 3 })
  expect(changed).not.toBe(stepId)
  expect(await replay({ b: 3, a: 1 })).toBe(changed)
  expect(await replay({ b: 2, a: 1 })).toBe(stepId)
  status = 200
  expect(await replay({ a: 9 })).not.toBe(changed)
  const ids = (await logOf(amy)).map(({ webhookId }) => webhookId)
  expect(ids).toContain(stepId)
  expect(new Set(ids).size).toBe(3)
}) // biome-ignore format: a list of words
