import { expect, test } from 'vitest'
import type { Block, Edge } from '../automation.ts'
import type { OwnedRun, RecordedStep } from './run-record.ts'
import { type Move, nextMove, type RunState, recording, runStateOf } from './run-state.ts'

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
  ...{ id: blockId, blockId, element: -1, status: 'SUCCEEDED', attempt: 1, feature: null, output: null },
  ...more,
})

type Drawn = { blocks: Block[]; edges: Edge[]; steps?: RecordedStep[]; secondsLeft?: number }

const course = ({ blocks, edges, steps = [], secondsLeft = 900 }: Drawn): RunState =>
  runStateOf({
    ...{ id: 'run', organizationId: 'o', automationId: 'a', automationName: 'Auto', ownerUserId: 'amy', token: 1 },
    ...{ triggerEventId: 'e', triggerType: 'invoice.paid', trigger: {}, depth: 1, timezone: 'Asia/Singapore' },
    ...{ startedAt: '2026-01-01T00:00:00Z', owner: { userId: 'amy', role: 'CONTRIBUTOR' } },
    ...{ blocks, edges, steps, secondsLeft },
  } satisfies OwnedRun)

const ground = { catalog: { operations: [], events: [] }, signal: new AbortController().signal }
const move = (from: RunState, signal = ground.signal) => nextMove(from, { ...ground, signal })

/** `a` begins, `(b)` is passed over, or how the run ends. */
const shown = ({ passed, next }: Move) => {
  const over = passed.map(({ blockId, status }) => (status === 'SKIPPED' ? `(${blockId})` : blockId))
  if (next.status === 'READY') return [...over, `${next.begun.blockId}#${next.begun.element}`]
  return [...over, 'error' in next ? next.error : next.status]
}

const never = { left: 1, op: 'eq', right: 2 }

test.each<[string, RunState, string[]]>([
  ['a graph of triggers alone is over at once', course({ blocks: [block('t')], edges: [] }), ['t', 'SUCCEEDED']],
  ['what is passed over is written down with the end', course({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('a>b')] }), ['t', '(a)', '(b)', 'SUCCEEDED']],
  ['or with the step that begins', course({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('t>b')] }), ['t', '(a)', 'b#-1']],
  ['a block that was passed over runs if the graph leads to it now', course({ blocks: [block('t'), block('a')], edges: [edge('t>a')], steps: [step('t'), step('a', { status: 'SKIPPED' })] }), ['a#-1']],
  ['one that failed is passed over if the graph leads past it now', course({ blocks: [block('t'), block('a')], edges: [edge('t>a', never)], steps: [step('t'), step('a', { status: 'FAILED' })] }), ['(a)', 'SUCCEEDED']],
  ['one that succeeded stays so, and what follows it runs', course({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('a>b')], steps: [step('t'), step('a')] }), ['b#-1']],
  ['an element that succeeded is not taken again', course({ blocks: [block('t'), block('a')], edges: [edge('t*a')], steps: [step('t', { output: [1, 2, 3] }), step('a', { element: 0 }), step('a', { element: 1, status: 'FAILED' })] }), ['a#1']],
  ['LIMIT_EXCEEDED FLT-20: a run that took too long begins no further step', course({ blocks: [block('t'), block('a')], edges: [edge('t>a')], secondsLeft: -1 }), ['t', 'LIMIT_EXCEEDED: It took more than 15 minutes.']],
  ['but is over if there is none', course({ blocks: [block('t')], edges: [], secondsLeft: -1 }), ['t', 'SUCCEEDED']],
  ['LIMIT_EXCEEDED FLT-20: nor does one of more than 2000 steps', course({ blocks: [block('t'), block('a'), block('b'), block('c')], edges: [edge('t*a'), edge('t*b'), edge('a>c')], steps: [step('t', { output: Array(1000).fill(0) })] }), ['LIMIT_EXCEEDED: It has more than 2000 steps.']],
])('%s', (_, from, expected) => expect(shown(move(from))).toEqual(expected)) // biome-ignore format: a case a line

test('whoever has to stop begins no step; what was passed over is written down all the same', () => {
  const drawn = course({ blocks: [block('t'), block('a')], edges: [edge('t>a')] })
  expect(shown(move(drawn, AbortSignal.abort()))).toEqual(['t', 'LATER'])
})

test('a move that is made again, since its transaction was, is the same one', () => {
  const drawn = course({ blocks: [block('t'), block('a'), block('b')], edges: [edge('t>a', never), edge('t>b')] })
  expect(shown(move(drawn))).toEqual(shown(move(drawn)))
})

test('a step whose data turned out to be of payroll when it was carried out hides it where it is handed on', () => {
  const blocks = [block('t'), block('found'), block('mail', { body: '{{blocks.found}}' }), block('other')]
  const edges = [edge('t>found'), edge('found>mail'), edge('mail>other')]
  const first = move(course({ blocks, edges }))
  if (first.next.status !== 'READY') throw new Error('nothing begins')
  const mine = { ...first.next.begun, attempt: 1 }
  const ended = { stepId: mine.id, output: [{ net: 4200 }], feature: 'payroll' }
  const second = move(recording(first.course, mine, ended))
  expect(second.next).toMatchObject({ status: 'READY', begun: { blockId: 'mail', feature: 'payroll' } })
})
