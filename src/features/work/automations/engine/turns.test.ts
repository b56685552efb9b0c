import { expect, onTestFinished, test } from 'vitest'
import { Failure, tooMany, tooManyAtOnce } from '../../../../core/define/failure.ts'
import type { Providers } from '../../../../core/define/services.ts'
import { TargetFailure } from '../../../../core/outside/target-failure.ts'
import { type Bucket, createConsumeRateLimit, NotYetDue } from '../../../../core/run/rate-limit.ts'
import { action, automate, graphOf, lastRun, runSoFar, trigger } from '../../../../test/automations/automations.ts'
import { logOf, started, testRun, withProvider } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs } from '../../../../test/queue.ts'
import { within } from '../../../../test/secrets.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { turnAfterMs } from './retry.ts'
import { runAutomation } from './run-automation.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

/** The limits without the scale of the tests. */
const consumeRateLimit = createConsumeRateLimit()
const services = () => ({ ...theApp().services, consumeRateLimit })

const take = ({ organizationId }: Someone, bucket: Bucket, count: number, limits = consumeRateLimit) =>
  within(organizationId, (db) => limits(db, bucket, { count, inAdvance: true }))

/** The end of the tokens that were taken, in seconds from now. */
const takenS = async (bucket: string, { organizationId }: Someone) =>
  (
    await query('select extract(epoch from tat - now())::float8 as s from rate_buckets where key = $1', [
      `${bucket}:${organizationId}`,
    ])
  )[0]?.s

/** As if the time that the steps of the run wait for had come. */
const comeDue = (runId: string) =>
  query("update automation_steps set turn_at = now() where run_id = $1 and status = 'PENDING'", [runId])

const detailed = (code: 'LIMIT_EXCEEDED') => ({ details: [{ path: '', message: 'x', code }] })

test.each<[string, Failure, [number, number] | undefined]>([
  ['tokens that were taken in advance', new NotYetDue('webhookPost', 1.5), [1_500, 1_500]],
  ['a rate limit', tooMany('writes', 90), [90_000, 136_000]],
  ['a rate limit for days', tooMany('messages', 90_000), [90_000_000, 135_001_000]],
  ['too many at once', tooManyAtOnce('requests', 1), [1_000, 2_500]],
  ['more than a limit ever allows', new Failure('RATE_LIMIT', 'x', detailed('LIMIT_EXCEEDED')), undefined],
  ['a 429 of an outside target', new Failure('INTERNAL', 'The target answered 429.', { retryAfterS: 9 }), undefined],
  ['an error', new Failure('INTERNAL', 'x'), undefined],
])('whether a step waits its turn, and how long: %s', (_, failure, expected) => {
  const waits = [0, 1].map((random) => turnAfterMs(failure, random))
  if (!expected) expect(waits).toEqual([undefined, undefined])
  else expect(waits).toEqual(expected)
})

test('RATE: a step whose action is refused by a limit waits without using attempts or the time of its run', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'expense_categories_create', { name: 'x' })], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = theApp()
  const refused: Providers['run'] = () => Promise.reject(tooMany('documents sent by this organization', 3_600))
  const work = (run: Providers['run']) => doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: { ...providers, run } })
  for (let n = 0; n < 12; n++) {
    await work(refused)
    expect((await lastRun(amy, id)).steps[1]).toMatchObject({ status: 'PENDING', attempt: 1, error: expect.stringContaining('documents sent') })
    await query("update automation_runs set waiting_since = waiting_since - interval '1 hour', deadline = deadline - interval '1 hour' where id = $1", [runId])
  }
  const waiting = await lastRun(amy, id)
  const [job] = await query(`select run_at, (select deadline > now() - interval '1 hour' from automation_runs where id = $2) as extended
    from graphile_worker.jobs where key = $1`, [`run:${runId}`, runId])
  expect(Math.abs(Date.parse(waiting.steps[1]?.waitsUntil ?? '') - job.run_at.getTime())).toBeLessThan(1_000)
  expect(job.extended).toBe(true)
  await work(providers.run)
  const ended = await lastRun(amy, id)
  expect(ended).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 1, error: null }] })
  expect(ended.steps[1]).not.toHaveProperty('waitsUntil')
}) // biome-ignore format: a list of words

test('RATE: mail to each of 25 customers in one run is sent, each message when its turn has come', async () => {
  const amy = await member('OWNER')
  const { organizationId = '' } = amy
  const graph = graphOf([trigger('invoice.paid'), action('list', 'customers_list'), action('each', 'email.send', { to: '{{item.email}}', subject: 'Hi', body: 'Hello.' })], 'start>list', 'list*each')
  const id = await automate(amy, graph, { armed: false })
  const runId = await runSoFar(amy, id, [{ block: 'start', output: {} }, { block: 'list', output: Array.from({ length: 25 }, (_, n) => ({ id: `c${n}`, email: `c${n}@x.test` })) }])
  const waits: number[] = []
  for (let n = 0; n < 10 && (await lastRun(amy, id)).status === 'RUNNING'; n++) {
    await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, services: services() })
    const [step] = await query("select extract(epoch from waits_until - now())::float8 as s from automation_steps where run_id = $1 and status = 'PENDING'", [runId])
    if (step) waits.push(step.s)
    await comeDue(runId)
  }
  const { status, steps } = await lastRun(amy, id)
  expect(status).toBe('SUCCEEDED')
  expect(steps.slice(2).map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(Array(25).fill('SUCCEEDED 1'))
  expect(waits.map((wait) => Math.round(wait / 36))).toEqual([1, 2, 3, 4, 5]) // nothing came back meanwhile
  const { messages } = await amy.call('organizations_outbox', { organizationId })
  expect(new Set(messages.map(({ to }) => to)).size).toBe(25)
}) // biome-ignore format: a list of words

test('RATE: a message to more recipients than the bucket holds is sent, later', async () => {
  const amy = await member('OWNER')
  const small = createConsumeRateLimit(0.1) // 2 at once, 10 per hour
  const { work, run, runId } = await started(amy, 'email.send', { to: 'a@x.test,b@x.test,c@x.test', subject: 'Hi', body: 'Hello.' })
  const withSmall = { services: { ...theApp().services, consumeRateLimit: small } }
  await work(withSmall)
  const waitS = Date.parse((await run()).steps[1]?.waitsUntil ?? '') - Date.now()
  expect(Math.round(waitS / 10_000)).toBe(36)
  await comeDue(runId)
  await work(withSmall)
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1, output: { sent: 3 } }] })
}) // biome-ignore format: a list of words

test('FLT-02: a step that is interrupted after it took its tokens in advance keeps them, and posts once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver()
  const { work, run, runId } = await started(amy, 'webhook.post', { url })
  await take(amy, 'webhookPost', 60)
  await query(`create function refuse_wait() returns trigger language plpgsql as $$ begin raise exception 'terminating connection' using errcode = 'admin_shutdown'; end $$;
    create trigger refuse_wait before update on automation_steps for each row
    when (new.status = 'PENDING') execute function refuse_wait()`)
  await work({ services: services() }).catch(() => {})
  await query('drop function refuse_wait() cascade')
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'RUNNING', attempt: 1 }] })
  const before = await takenS('webhookPost', amy)
  await work({ services: services(), attempts: 2 })
  expect(await run()).toMatchObject({ steps: [{}, { status: 'PENDING', attempt: 2, waitsUntil: expect.any(String) }] })
  expect(await takenS('webhookPost', amy)).toBeLessThan(before)
  await work({ services: services() }) // too early: it waits on
  expect(heard).toEqual([])
  await comeDue(runId)
  await work({ services: services() })
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 2 }] })
  expect(heard).toHaveLength(1)
  expect(await logOf(amy)).toMatchObject([{ outcome: 'DELIVERED' }])
  expect(await takenS('webhookPost', amy)).toBeLessThan(before)
}) // biome-ignore format: a list of words

test('a run that fails while a step waits loses the turn, and a replay takes a new one', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver()
  const { work, run, runId } = await started(amy, 'webhook.post', { url })
  await take(amy, 'webhookPost', 60)
  await work({ services: services() })
  await query("update automation_runs set deadline = now() - interval '1 hour' where id = $1", [runId])
  await work({ services: services() })
  const failed = await run()
  expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringContaining('LIMIT_EXCEEDED') })
  expect(failed.steps[1]).not.toHaveProperty('waitsUntil')
  expect(await query('select turn_at, turn_tokens from automation_steps where run_id = $1 and block_id = $2', [runId, 'out'])).toEqual([{ turn_at: null, turn_tokens: null }])
  await query('delete from rate_buckets where key = $1', [`webhookPost:${amy.organizationId}`])
  expect(await amy.call('automations_replay', { id: failed.automationId, runId })).toMatchObject({ status: 'SUCCEEDED' })
  expect(heard).toHaveLength(1)
}) // biome-ignore format: a list of words

test('a test run waits for a short time, and leaves a long one to the worker', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver()
  const limits = theApp().services.consumeRateLimit // 6,000 at once, 200 per second
  await take(amy, 'webhookPost', 6_400, limits)
  const waited = await testRun(amy, 'webhook.post', { url })
  expect(waited).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1 }] })
  expect(await query("select deadline - started_at > interval '15 minutes 1 second' as extended from automation_runs where id = $1", [waited.id])).toEqual([{ extended: true }])
  await take(amy, 'webhookPost', 200 * 3_600, limits)
  const waiting = await testRun(amy, 'webhook.post', { url })
  expect(waiting).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1, waitsUntil: expect.any(String) }] })
  const [job] = await query('select run_at from graphile_worker.jobs where key = $1', [`run:${waiting.id}`])
  expect(Math.abs(Date.parse(waiting.steps[1]?.waitsUntil ?? '') - job.run_at.getTime())).toBeLessThan(1_000)
  expect(heard).toHaveLength(1)
}) // biome-ignore format: a list of words

test('RATE: mail waits for the limit of the whole organization and keeps its turn', async () => {
  const amy = await member('OWNER')
  const { work, run, runId } = await started(amy, 'email.send', { to: 'a@x.test', subject: 'Hi', body: 'Hello.' })
  await take(amy, 'emailSend', 20)
  await work({ services: services() })
  await comeDue(runId)
  await take(amy, 'mailRecipients', 5_000)
  await work({ services: services() })
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1, error: expect.stringContaining('recipients of mail') }] })
  await query('delete from rate_buckets where key = $1', [`mailRecipients:${amy.organizationId}`])
  await work({ services: services() })
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1 }] })
}) // biome-ignore format: a list of words

test('FLT-09: a webhook that finds too many calls to its target under way waits without using attempts or further tokens', async () => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver()
  const { work, run } = await started(amy, 'webhook.post', { url })
  const busy = { post: () => Promise.reject(new TargetFailure('busy')) } as unknown as Providers['egress']
  const taken: number[] = []
  for (let n = 0; n < 12; n++) {
    await work({ services: services(), ...withProvider({ egress: busy }) })
    expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1, waitsUntil: expect.any(String) }] })
    taken.push(await takenS('webhookPost', amy))
  }
  expect(Math.max(...taken)).toBe(taken[0])
  await work({ services: services() })
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1 }] })
  expect(heard).toHaveLength(1)
}) // biome-ignore format: a list of words

test('LOAD-13: a run that waits its turn sends at most 19 statements, one of them to check its claim, before it waits, none meanwhile, and 4 more than others when it continues', async () => {
  const amy = await member('CONTRIBUTOR')
  const { url } = await receiver()
  const { confined } = theApp()
  const connections = new Set<{ sent: { statements: number } }>()
  const { borrow } = confined
  onTestFinished(() => void Object.assign(confined, { borrow }))
  confined.borrow = async () => {
    const lent = await borrow()
    connections.add(lent.connection)
    return lent
  }
  const sent = () => [...connections].reduce((sum, { sent }) => sum + sent.statements, 0)
  const counted = async (work: () => Promise<unknown>) => {
    const before = sent()
    await work()
    return sent() - before
  }
  const runs = [await started(amy, 'webhook.post', { url }), await started(amy, 'webhook.post', { url }), await started(amy, 'webhook.post', { url })]
  const [first, ordinary, waiting] = runs
  await first?.work({ services: services() }) // by now every connection has been borrowed
  const own = await counted(async () => ordinary?.work({ services: services() }))
  await take(amy, 'webhookPost', 60)
  const toWait = await counted(async () => waiting?.work({ services: services() }))
  expect(await findJobs('key = $1 and run_at > now()', [`run:${waiting?.runId}`])).toHaveLength(1)
  await comeDue(waiting?.runId ?? '')
  const toContinue = await counted(async () => waiting?.work({ services: services() }))
  expect(await waiting?.run()).toMatchObject({ status: 'SUCCEEDED' })
  expect(toWait).toBeLessThanOrEqual(19)
  expect(toContinue - own).toBeLessThanOrEqual(4)
}) // biome-ignore format: a list of words
