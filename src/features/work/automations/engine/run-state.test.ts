import { expect, test } from 'vitest'
import type { Block, Edge } from '../automation.ts'
import type { OwnedRun, RecordedStep } from './run-record.ts'
import { type Decision, decideNext, initialState, type RunState, withSucceeded } from './run-state.ts'

const block = (id: string, input: object = {}): Block => ({
  id,
  kind: id.startsWith('t') ? 'TRIGGER' : 'ACTION',
  ref: id.startsWith('t') ? 'invoice.paid' : 'webhook.post',
  config: { input },
  position: {},
})

const edge = (text: string, cond: Edge['cond'] = null): Edge => {
  const [, fromBlockId = '', mode, toBlockId = ''] = /^(\w+)([>*])(\w+)$/.exec(text) ?? []
  return { id: text, fromBlockId, toBlockId, cond, mode: mode === '*' ? 'FOR_EACH' : 'ONCE', order: 0 }
}

const step = (blockId: string, more: Partial<RecordedStep> = {}): RecordedStep => ({
  ...{
    id: blockId,
    blockId,
    element: -1,
    elementKey: '',
    status: 'SUCCEEDED',
    attempt: 1,
    feature: null,
    output: null,
    isTruncated: false,
  },
  ...more,
})

type RunSketch = { blocks: Block[]; edges: Edge[]; steps?: RecordedStep[]; secondsLeft?: number }

const stateOf = ({ blocks, edges, steps = [], secondsLeft = 900 }: RunSketch): RunState =>
  initialState({
    ...{ id: 'run', organizationId: 'o', automationId: 'a', automationName: 'Auto', ownerUserId: 'amy', token: 1 },
    ...{ triggerEventId: 'e', triggerType: 'invoice.paid', trigger: {}, depth: 1, timezone: 'Asia/Singapore' },
    ...{ startedAt: '2026-01-01T00:00:00Z', problem: null },
    ...{ owner: { userId: 'amy', rights: { role: 'CONTRIBUTOR', scopes: null } } },
    ...{ blocks, edges, steps, secondsLeft },
  } satisfies OwnedRun)

const dependencies = { catalog: { operations: [], events: [], bankFormats: {} }, signal: new AbortController().signal }
const decide = (state: RunState, signal = dependencies.signal) => decideNext(state, { ...dependencies, signal })

/** `a#0` starts, `a` and `(b)` are recorded at once, or how the run ends. */
const summary = ({ state: { unwritten }, next }: Decision) => {
  const recorded = unwritten.map(({ blockId, status }) => (status === 'SKIPPED' ? `(${blockId})` : blockId))
  if (next.status === 'READY') return [...recorded, `${next.newStep.blockId}#${next.newStep.element}`]
  return [...recorded, 'error' in next ? next.error : next.status]
}

const never = { left: 1, op: 'eq', right: 2 }

test.each<[string, RunState, string[]]>([
  ['a graph with only triggers finishes at once', stateOf({ blocks: [block('t')], edges: [] }), ['t', 'SUCCEEDED']],
  ['skipped blocks are recorded with the end of the run', stateOf({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('a>b')] }), ['t', '(a)', '(b)', 'SUCCEEDED']],
  ['skipped blocks are recorded with the start of the next step', stateOf({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('t>b')] }), ['t', '(a)', 'b#-1']],
  ['a skipped block runs if the changed graph leads to it', stateOf({ blocks: [block('t'), block('a')], edges: [edge('t>a')], steps: [step('t'), step('a', { status: 'SKIPPED' })] }), ['a#-1']],
  ['a failed block is skipped if the changed graph no longer leads to it', stateOf({ blocks: [block('t'), block('a')], edges: [edge('t>a', never)], steps: [step('t'), step('a', { status: 'FAILED' })] }), ['(a)', 'SUCCEEDED']],
  ['a succeeded block stays SUCCEEDED, and the next block runs', stateOf({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('a>b')], steps: [step('t'), step('a')] }), ['b#-1']],
  ['an element that succeeded is not executed again', stateOf({ blocks: [block('t'), block('a')], edges: [edge('t*a')], steps: [step('t', { output: [1, 2, 3] }), step('a', { element: 0, elementKey: 't:1' }), step('a', { element: 1, elementKey: 't:2', status: 'FAILED' })] }), ['a#1']],
  ['LIMIT_EXCEEDED FLT-20: no step starts after the time limit of the run', stateOf({ blocks: [block('t'), block('a')], edges: [edge('t>a')], secondsLeft: -1 }), ['t', 'LIMIT_EXCEEDED: The run took more than 15 minutes.']],
  ['a run without further steps succeeds even after the time limit', stateOf({ blocks: [block('t')], edges: [], secondsLeft: -1 }), ['t', 'SUCCEEDED']],
  ['LIMIT_EXCEEDED FLT-20: no step starts if the run would have more than 2000 steps', stateOf({ blocks: [block('t'), block('a'), block('b'), block('c')], edges: [edge('t*a'), edge('t*b'), edge('a>c')], steps: [step('t', { output: Array(1000).fill(0) })] }), ['LIMIT_EXCEEDED: The run has more than 2000 steps.']],
])('%s', (_, state, expected) => expect(summary(decide(state))).toEqual(expected)) // biome-ignore format: a case a line

test('no step starts after an abort, but immediate steps are recorded', () => {
  const state = stateOf({ blocks: [block('t'), block('a')], edges: [edge('t>a')] })
  expect(summary(decide(state, AbortSignal.abort()))).toEqual(['t', 'LATER'])
})

test('the decision is the same when its transaction is retried', () => {
  const state = stateOf({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('t>b')] })
  expect(summary(decide(state))).toEqual(summary(decide(state)))
})

test('a step that receives output marked as payroll during execution is marked as payroll too', () => {
  const blocks = [block('t'), block('found'), block('mail', { body: '{{blocks.found}}' }), block('other')]
  const edges = [edge('t>found'), edge('found>mail'), edge('mail>other')]
  const first = decide(stateOf({ blocks, edges }))
  if (first.next.status !== 'READY') throw new Error('no step starts')
  const recorded = { ...first.next.newStep, attempt: 1 }
  const result = { stepId: recorded.id, output: [{ net: 4200 }], isTruncated: false, feature: 'payroll' }
  const second = decide(withSucceeded(first.state, recorded, result))
  expect(second.next).toMatchObject({ status: 'READY', newStep: { blockId: 'mail', feature: 'payroll' } })
})
