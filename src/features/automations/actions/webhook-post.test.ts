import { expect, test } from 'vitest'
import { createConsumeRateLimit } from '../../../core/run/rate-limit.ts'
import { logOf, started, testRun } from '../../../test/automations/outside-actions.ts'
import { receiver } from '../../../test/fakes/webhook-receiver.ts'
import { within } from '../../../test/secrets.ts'
import { verifyWebhook } from '../../../test/verify-webhook.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

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
  const { rows } = await theApp().system.raw.query('select extract(epoch from run_at - now())::float8 as wait from graphile_worker._private_jobs where key = $1', [`run:${runId}`])
  expect(rows[0].wait).toBeGreaterThan(200)
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
  [{ url: 'http://127.0.0.1/', headers: { authorization: 'x' } }, 'headers'],
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
