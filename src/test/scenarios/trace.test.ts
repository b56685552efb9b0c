import '../own-world.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { event } from '../../core/define/event.ts'
import { job } from '../../core/define/job.ts'
import { type Operation, operation } from '../../core/define/operation.ts'
import { Id, Type } from '../../core/define/schema.ts'
import { subscriberJob, subscriberJobs } from '../../core/define/subscriber.ts'
import type { Tracer } from '../../core/observe/tracing.ts'
import { createInFlight, createLimiter } from '../../core/run/rate-limit.ts'
import { createRunner } from '../../core/run/run.ts'
import { createUsage } from '../../core/run/usage.ts'
import { createSeal } from '../../core/secrets/seal.ts'
import { resilientPool } from '../../db/pool.ts'
import { Connection } from '../../db/wire/connection.ts'
import { createServer } from '../../http/server.ts'
import { createApp } from '../../program/app.ts'
import { openTracer } from '../../providers/tracing/otlp.ts'
import { startWorker } from '../../worker/worker.ts'
import { type CollectedSpan, startCollector } from '../fakes/trace-collector.ts'
import { member, type Someone, testConfig, theApp, theDatabase } from '../world.ts'

const canary = 'CANARY7d0e1'
const Word = Type.Object({ word: Type.String() })
const happened = event('test.happened', Word, 'Something happened')

/** Adds a job and emits an event that has a subscriber. */
const order = operation({
  name: 'organizations_order_work',
  http: 'POST /api/order-work',
  does: 'Orders work, for this test.',
  scope: 'organizations:write',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, word: Type.String() }),
  output: Type.Object({ ordered: Type.Boolean() }),
  async run({ emit, enqueue }, { word }) {
    emit(happened, { word })
    enqueue('test-work', { word })
    return { ordered: true }
  },
}) as unknown as Operation

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** An API with this operation only. */
async function apiWith(tracer: Tracer | undefined) {
  const { confined, heavy, system, services, providers, meter, notifications } = theApp()
  const limiter = createLimiter(system, 100)
  const usage = createUsage(system, () => {})
  const runner = createRunner({
    pool: confined,
    heavy,
    system,
    limiter,
    inFlight: createInFlight({ perCredential: 100, perOrganization: 200 }),
    seal: createSeal(services.secrets.derived('idempotency')),
    usage,
    subscriberJobs: subscriberJobs([listener]),
    services,
    providers,
    tracer,
  })
  const { storage, egress } = providers
  const dependencies = {
    config: testConfig(),
    limiter,
    meter,
    figures: async () => [],
    runner,
    usage,
    services,
    storage,
    egress,
    system,
    confined,
    notifications,
    disks: theApp().disks,
    tracer,
  }
  const server = await createServer({ ...dependencies, web: '', operations: [order] })
  ended.push(async () => {
    await server.close()
    await usage.close()
  })
  return (amy: Someone, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: `/api/order-work?token=${canary}`,
      headers: {
        ...amy.credentials,
        'idempotency-key': canary,
        'user-agent': canary,
        'x-request-id': 'abc',
        ...headers,
      },
      payload: { organizationId: amy.organizationId, word: canary },
    })
}

const listener = { name: 'listener', on: ['test.happened'], run: async () => {} }

/** A worker for these jobs: the first attempt fails, the second one adds another job. */
async function workWith(tracer: Tracer | undefined) {
  const pool = resilientPool({ ...theDatabase(), max: 10 })
  const done: string[] = []
  const work = job('test-work', Word, ({ attempt, once }, { word }) =>
    once(async ({ enqueue }) => {
      if (attempt === 1) throw new Error(`not yet: ${word}`)
      enqueue('test-after', { word })
    }),
  )
  const after = job('test-after', Word, async (_, { word }) => {
    done.push(word)
  })
  const jobs = [work, after, subscriberJob(listener)]
  const dependencies = { ...theApp(), jobs, tracer, subscriberJobs: subscriberJobs([listener]), logError: () => {} }
  const worker = await startWorker(pool, dependencies)
  ended.push(async () => {
    await worker.stop()
    await pool.end()
  })
  return done
}

const upstream = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }

test('a request, its operation, the jobs it adds, their retries and the jobs of its events are one trace', async () => {
  const collector = await startCollector()
  const tracer = await openTracer(collector.url, () => {})
  const ask = await apiWith(tracer)
  const done = await workWith(tracer)
  const amy = await member('CONTRIBUTOR')
  const { statusCode } = await ask(amy, { traceparent: `00-${upstream.trace}-${upstream.span}-00` })
  expect(statusCode).toBe(200)
  await vi.waitFor(() => expect(done).toEqual([canary]), 15_000)
  for (const end of ended.splice(0).reverse()) await end()
  await tracer?.close()
  const spans = collector.spans()
  await collector.close()

  const one = (name: string, attempt?: number) => {
    const found = spans.filter(
      (span) => span.name === name && (!attempt || span.attributes['kontor.attempt'] === attempt),
    )
    expect([name, found.length]).toEqual([name, 1])
    return found[0] as CollectedSpan
  }
  const request = one('organizations_order_work')
  const parents = [
    ['run organizations_order_work', one('run organizations_order_work'), request],
    ['first try', one('job test-work', 1), request],
    ['second try', one('job test-work', 2), request],
    ['what the second try ordered', one('job test-after'), one('job test-work', 2)],
    ['the subscriber', one('job tell:listener'), request],
  ] as const
  expect(parents.map(([what, span]) => [what, span.parentSpanId])).toEqual(
    parents.map(([what, , of]) => [what, of.spanId]),
  )
  expect(request).toMatchObject({ parentSpanId: upstream.span, kind: 2, status: 0 })
  expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => upstream.trace))
  expect(spans).toHaveLength(6)
  expect(request.attributes).toEqual({
    'kontor.operation': 'organizations_order_work',
    'http.request.method': 'POST',
    'http.route': '/api/order-work',
    'kontor.request_id': 'abc',
    'kontor.source': 'SESSION',
    'http.response.status_code': 200,
  })
  expect(
    [one('job test-work', 1), one('job test-work', 2)].map(({ attributes, status }) => [
      attributes['kontor.outcome'],
      status,
    ]),
  ).toEqual([
    ['retried', 2],
    ['done', 0],
  ])
  const { cookie } = amy.credentials as { cookie: string }
  for (const secret of [canary, cookie.slice(4), amy.userId, String(amy.organizationId)])
    expect(collector.text()).not.toContain(secret) // INV-20
})

test.each([
  'x',
  `00-${'0'.repeat(32)}-${upstream.span}-01`,
  `00-${upstream.trace}-${'0'.repeat(16)}-01`,
  `ff-${upstream.trace}-${upstream.span}-01`,
  `00-${upstream.trace.toUpperCase()}-${upstream.span}-01`,
  `00-${upstream.trace}-${upstream.span}-01, 00-${upstream.trace}-${upstream.span}-01`,
])('the invalid traceparent %j is ignored: the request begins a new trace', async (traceparent) => {
  const collector = await startCollector()
  const tracer = await openTracer(collector.url, () => {})
  const ask = await apiWith(tracer)
  expect((await ask(await member('CONTRIBUTOR'), { traceparent })).statusCode).toBe(200)
  await tracer?.close()
  const spans = collector.spans()
  await collector.close()
  expect(spans).toHaveLength(2)
  expect(spans.find(({ name }) => name === order.name)?.parentSpanId).toBeUndefined()
  expect(spans.map(({ traceId }) => traceId)).not.toContain(upstream.trace)
})

test('tracing adds no statement, and without a collector jobs carry no trace', async () => {
  const collector = await startCollector()
  const tracer = await openTracer(collector.url, () => {})
  const amy = await member('CONTRIBUTOR')
  const sent: string[][] = []
  const queued: unknown[][] = []
  const { query } = Connection.prototype
  for (const each of [undefined, undefined, tracer]) {
    const ask = await apiWith(each)
    const texts: string[] = []
    const values: unknown[] = []
    const spy = vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
      this: Connection,
      text,
      given = [],
    ) {
      texts.push(text)
      if (text.includes('enqueue(')) values.push(given[1])
      return query.call(this, text, given)
    })
    await ask(amy, { 'idempotency-key': `k${sent.length}`, traceparent: `00-${upstream.trace}-${upstream.span}-01` })
    spy.mockRestore()
    sent.push(texts.filter((text) => !/take_tokens|last_seen_at/.test(text))) // once in a while, whatever is asked
    queued.push(values)
  }
  await tracer?.close()
  await collector.close()
  expect(sent[2]).toEqual(sent[1])
  expect(queued[1]).toEqual([{ word: canary }, { eventId: expect.any(String) }])
  expect(queued[2]).toEqual([
    { $order: { payload: { word: canary }, attempt: 1, traceparent: expect.stringContaining(upstream.trace) } },
    { $order: { payload: { eventId: expect.any(String) }, attempt: 1, traceparent: expect.any(String) } },
  ])
})

test('a collector that refuses traces fails no request, and is reported once', async () => {
  const collector = await startCollector({ status: 400 })
  const alarms: string[] = []
  const tracer = await openTracer(collector.url, (sentence) => alarms.push(sentence))
  const ask = await apiWith(tracer)
  expect((await ask(await member('CONTRIBUTOR'))).statusCode).toBe(200)
  await tracer?.close()
  await collector.close()
  expect(collector.spans()).toHaveLength(2)
  expect(alarms).toEqual(['Traces cannot be delivered to OTEL_EXPORTER_OTLP_ENDPOINT; they are dropped.'])
})

test('the API sends traces to the collector of its settings, and to none without one', async () => {
  const collector = await startCollector()
  const app = await createApp(testConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` }), theDatabase())
  await app.server.inject({ method: 'GET', url: `/nothing/${canary}` })
  await app.close()
  await collector.close()
  expect(collector.spans().map(({ name, attributes }) => [name, attributes['http.route']])).toEqual([['none', 'none']])
  expect(collector.text()).not.toContain(canary)
  expect(theApp().tracer).toBeUndefined()
})
