import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { operations } from '../../../../catalog/operations.ts'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../../test/automations/automations.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { member, type Someone } from '../../../../test/world.ts'
import type { Graph } from '../automation.ts'
import { executeBranches } from './branches.ts'
import { initialState } from './run-state.ts'

/** A receiver that answers when two requests wait for it. More than two at once to one host are not sent. */
async function meetingPoint() {
  const waiting: (() => void)[] = []
  return receiver((response) => {
    waiting.push(() => response.writeHead(200).end('ok'))
    if (waiting.length >= 2) for (const answer of waiting.splice(0)) answer()
  })
}

/** The answer comes after this many milliseconds. */
const slow = (ms: number, status = 200) =>
  receiver(async (response) => {
    await sleep(ms)
    response.writeHead(status).end('late')
  })

const post = (id: string, url: string) => action(id, 'webhook.post', { url, body: { id } })
const add = (id: string, name = id) => action(id, 'customers_create', { name, country: 'SG' })

/** Runs the graph for a new customer and returns its run. */
async function runOf(amy: Someone, graph: ReturnType<typeof graphOf>) {
  const id = await automate(amy, graph)
  await amy.call('customers_create', { name: 'First', country: 'SG' })
  await amy.call('automations_disable', { id }) // customers that the run creates start nothing
  await settle(amy)
  return lastRun(amy, id)
}

const statuses = ({ steps }: Awaited<ReturnType<typeof lastRun>>) =>
  Object.fromEntries(steps.map(({ blockId, status }) => [blockId, status]))

test('independent branches are executed at the same time', async () => {
  const amy = await member('MANAGER')
  const { url, heard } = await meetingPoint()
  const run = await runOf(amy, graphOf([trigger('customer.created'), post('a', url), post('b', url)], 'start>a', 'start>b'))
  expect(run).toMatchObject({ status: 'SUCCEEDED', error: null })
  expect(statuses(run)).toEqual({ start: 'SUCCEEDED', a: 'SUCCEEDED', b: 'SUCCEEDED' })
  expect(heard).toHaveLength(2)
}) // biome-ignore format: a list of words

test('at most four steps with outside effects and one without are executed at the same time', async () => {
  const outside = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => post(id, 'https://example.com'))
  const inside = ['g', 'h', 'i'].map((id) => add(id))
  const steps = [...outside, ...inside]
  const { blocks, edges } = graphOf([trigger('invoice.paid'), ...steps], ...steps.map(({ id }) => `start>${id}`)) as unknown as Graph
  const counts = { outside: 0, inside: 0, outsideMost: 0, insideMost: 0, executed: 0 }
  const run = { blocks, edges, steps: [], trigger: {}, secondsLeft: 60, startedAt: '2026-01-01T00:00:00Z', timezone: 'UTC', triggerType: 'invoice.paid' }
  const state = initialState(run as never)
  const { stop, state: after } = await executeBranches({ catalog: { operations, events: [], bankFormats: {} }, signal: new AbortController().signal }, state, {
    start: async (from, ready) => ({ state: from, started: ready.map((step) => ({ ...step, recorded: { ...step.newStep, attempt: 1 } })) }),
    async execute(_, { planned, recorded }) {
      const kind = planned.block.ref === 'webhook.post' ? 'outside' : 'inside'
      counts[kind] += 1
      counts[`${kind}Most`] = Math.max(counts[`${kind}Most`], counts[kind])
      await sleep(5)
      counts[kind] -= 1
      counts.executed += 1
      return { status: 'SUCCEEDED', recorded, succeeded: { stepId: recorded.id, output: null, isTruncated: false, feature: null } }
    },
  })
  expect(stop).toBeUndefined()
  expect(counts).toMatchObject({ outsideMost: 4, insideMost: 1 })
  expect(counts.executed).toBeGreaterThanOrEqual(8) // the last one is left to the ordinary way
  expect(after.recorded.size).toBe(counts.executed + 1)
}) // biome-ignore format: a list of words

test('a branch does not wait for a slow one, and a block after both waits for both', async () => {
  const amy = await member('MANAGER')
  const { url } = await slow(700)
  const blocks = [trigger('customer.created'), post('slow', url), add('fast'), add('next', '{{blocks.fast.name}} next'), add('both')]
  const run = await runOf(amy, graphOf(blocks, 'start>slow', 'start>fast', 'fast>next', 'next>both', 'slow>both'))
  expect(run.status).toBe('SUCCEEDED')
  const at = Object.fromEntries(run.steps.map(({ blockId, finishedAt }) => [blockId, Date.parse(finishedAt ?? '')]))
  expect(at.next).toBeLessThan(at.slow ?? 0)
  expect(at.both).toBeGreaterThanOrEqual(at.slow ?? 0)
}) // biome-ignore format: a list of words

test('the elements of a list are executed in their order, next to another branch', async () => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver()
  const other = await slow(300)
  const list = { id: 'list', kind: 'FILTER', config: { spec: { root: 'Customer', extract: [{ as: 'name', path: 'Customer.name' }], shape: 'scalars' } } } as const
  for (const name of ['A', 'B', 'C']) await amy.call('customers_create', { name, country: 'SG' })
  const each = action('each', 'webhook.post', { url, body: { name: '{{item}}' } })
  const run = await runOf(amy, graphOf([trigger('customer.created'), list, each, post('other', other.url)], 'start>list', 'list*each', 'start>other'))
  expect(run.status).toBe('SUCCEEDED')
  const names = heard.map(({ body }) => JSON.parse(body).name)
  expect(names).toHaveLength(4)
  expect(run.steps.filter(({ blockId }) => blockId === 'each').sort((a, b) => (a.element ?? 0) - (b.element ?? 0)).map(({ input }) => (input as { body: { name: string } }).body.name)).toEqual(names)
}) // biome-ignore format: a list of words

test('after a failure the branches that are being executed are completed, and nothing new starts', async () => {
  const amy = await member('MANAGER')
  const late = await slow(400)
  const refusing = await slow(50, 400)
  const after = await receiver()
  const blocks = [trigger('customer.created'), post('late', late.url), post('refused', refusing.url), post('after', after.url)]
  const run = await runOf(amy, graphOf(blocks, 'start>late', 'start>refused', 'late>after'))
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('400') })
  expect(statuses(run)).toEqual({ start: 'SUCCEEDED', late: 'SUCCEEDED', refused: 'FAILED' })
  expect(after.heard).toHaveLength(0)
}) // biome-ignore format: a list of words

test('a branch that is retried later does not hold back another one, and each effect happens once', async () => {
  const amy = await member('MANAGER')
  let answers = 0
  const { heard, url } = await receiver((response) => response.writeHead(++answers === 1 ? 503 : 200).end())
  const steady = await receiver()
  const blocks = [trigger('customer.created'), post('again', url), post('one', steady.url), post('two', steady.url), add('last')]
  const run = await runOf(amy, graphOf(blocks, 'start>again', 'start>one', 'one>two', 'two>last', 'again>last'))
  expect(run.status).toBe('SUCCEEDED')
  expect(statuses(run)).toEqual({ start: 'SUCCEEDED', again: 'SUCCEEDED', one: 'SUCCEEDED', two: 'SUCCEEDED', last: 'SUCCEEDED' })
  expect(steady.heard.map(({ body }) => JSON.parse(body).id)).toEqual(['one', 'two'])
  expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(heard).toHaveLength(2)
}) // biome-ignore format: a list of words
