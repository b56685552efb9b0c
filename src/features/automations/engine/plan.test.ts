import { expect, test } from 'vitest'
import type { Block, Edge, Graph } from '../automation.ts'
import { topologicalOrder } from '../graph.ts'
import { keyOfPosition } from './elements.ts'
import { type PlanInput, plan, type StepState } from './plan.ts'
import { TruncatedOutput } from './stored-values.ts'

/** A graph from `a>b`, or `a*b` for FOR_EACH, each with an optional condition. Blocks that begin with t are triggers. */
function graphFrom(...arrows: (string | [string, object])[]): Graph {
  const edges = arrows.map((arrow, n): Edge => {
    const [text, cond] = Array.isArray(arrow) ? arrow : [arrow, null]
    const [, from = '', mode, to = ''] = /^(\w+)([>*])(\w+)$/.exec(text) ?? []
    return {
      id: `e${n}`, fromBlockId: from, toBlockId: to, mode: mode === '*' ? 'FOR_EACH' : 'ONCE', order: -n,
      cond: cond as Record<string, unknown> | null,
    }
  }) // biome-ignore format: a list of words
  const ids = [...new Set(edges.flatMap(({ fromBlockId, toBlockId }) => [fromBlockId, toBlockId]))]
  const blocks = ids.map(
    (id): Block => ({ id, kind: id.startsWith('t') ? 'TRIGGER' : 'ACTION', ref: id, config: {}, position: {} }),
  )
  return { blocks, edges }
}

const planInput = (...fired: string[]): PlanInput => ({
  fired: new Set(fired),
  trigger: { total: 10 },
  context: { now: '', today: '', orgId: '', timezone: 'UTC' },
})
/** Steps are found by position too, as versions before recorded them. */
const keyOf = (element: number) => (element < 0 ? '' : keyOfPosition(element))
const succeeded = (blockId: string, output: unknown = null, element = -1): StepState => ({
  blockId, elementKey: keyOf(element), status: 'SUCCEEDED', output, isTruncated: false,
}) // biome-ignore format: a list of words
const skipped = (blockId: string, element = -1): StepState => ({
  ...succeeded(blockId, null, element),
  status: 'SKIPPED',
})

/** `b`, `b#1` for an element, `(b)` if skipped. */
const summary = ({ next }: ReturnType<typeof plan>) =>
  next.map(({ block, element, skip }) => {
    const name = element < 0 ? block.id : `${block.id}#${element}`
    return skip ? `(${name})` : name
  })

test('a block runs after all its sources, independent of the display order, and otherwise in the given order', () => {
  const order = topologicalOrder(graphFrom('t>c', 'c>d', 'a>d', 't>a', 'd>b')).map(({ id }) => id)
  expect(order).toEqual(['t', 'c', 'a', 'd', 'b'])
})

const yes = { left: '{{trigger.total}}', op: 'eq', right: 10 }
const no = { not: yes }

test.each<[string, Graph, string[], StepState[], string[]]>([
  ['a run starts at the trigger that fired', graphFrom('t>a'), ['t'], [], ['t']],
  ['the targets of the trigger follow', graphFrom('t>a', 't>b'), ['t'], [succeeded('t')], ['a', 'b']],
  ['a block waits for all its sources', graphFrom('t>a', 't>b', 'a>c', 'b>c'), ['t'], [succeeded('t'), succeeded('a')], ['b']],
  ['a target is skipped if its condition fails', graphFrom(['t>a', no], 't>b'), ['t'], [succeeded('t')], ['(a)', 'b']],
  ['a block is skipped if all its sources are skipped', graphFrom(['t>a', no], 'a>b'), ['t'], [succeeded('t'), skipped('a')], ['(b)']],
  ['a block runs if one of its sources succeeded', graphFrom(['t>a', no], 'a>c', 't>c'), ['t'], [succeeded('t'), skipped('a')], ['c']],
  ['a trigger that did not fire is skipped', graphFrom('t1>a', 't2>b'), ['t2'], [], ['(t1)', 't2']],
  ['blocks that only the skipped trigger leads to are skipped', graphFrom('t1>a', 't2>b'), ['t2'], [skipped('t1'), succeeded('t2')], ['(a)', 'b']],
  ['a block that both triggers lead to runs', graphFrom('t1>a', 't2>a'), ['t2'], [skipped('t1'), succeeded('t2')], ['a']],
  ['a block without sources is skipped', { ...graphFrom('t>a'), blocks: [...graphFrom('t>a').blocks, ...graphFrom('b>b').blocks.slice(0, 1)] }, ['t'], [succeeded('t')], ['a', '(b)']],
  ['FOR_EACH runs the target once per element', graphFrom('t>l', 'l*a'), ['t'], [succeeded('t'), succeeded('l', [1, 2, 3])], ['a#0', 'a#1', 'a#2']],
  ['FOR_EACH continues at the first unfinished element', graphFrom('t>l', 'l*a'), ['t'], [succeeded('t'), succeeded('l', [1, 2, 3]), succeeded('a', 'x', 0)], ['a#1', 'a#2']],
  ['the next block waits for all elements', graphFrom('t>l', 'l*a', 'a>b'), ['t'], [succeeded('t'), succeeded('l', [1, 2]), succeeded('a', 0, 0)], ['a#1']],
  ['the next block runs once after all elements', graphFrom('t>l', 'l*a', 'a>b'), ['t'], [succeeded('t'), succeeded('l', [1, 2]), succeeded('a', 0, 0), succeeded('a', 0, 1)], ['b']],
  ['a second FOR_EACH runs once per output of the elements', graphFrom('t>l', 'l*a', 'a*b'), ['t'], [succeeded('t'), succeeded('l', [1, 2]), succeeded('a', 'x', 0), succeeded('a', 'y', 1)], ['b#0', 'b#1']],
  ['an empty list skips the target', graphFrom('t>l', 'l*a', 'a>b'), ['t'], [succeeded('t'), succeeded('l', [])], ['(a)']],
  ['FOR_EACH over a value that is not a list runs once', graphFrom('t>l', 'l*a'), ['t'], [succeeded('t'), succeeded('l', { id: 1 })], ['a']],
  ['a condition under FOR_EACH is checked per element', graphFrom('t>l', ['l*a', { left: '{{item.n}}', op: 'gt', right: 1 }]), ['t'], [succeeded('t'), succeeded('l', [{ n: 1 }, { n: 2 }])], ['(a#0)', 'a#1']],
  ['a block with two FOR_EACH edges runs once per element of both lists', graphFrom('t>l', 't>m', 'l*a', 'm*a'), ['t'], [succeeded('t'), succeeded('l', [1]), succeeded('m', [2, 3])], ['a#0', 'a#1', 'a#2']],
  ['a failed or interrupted step is executed again', graphFrom('t>a'), ['t'], [succeeded('t'), { ...succeeded('a'), status: 'FAILED' }], ['a']],
  ['a run has finished when no steps are left', graphFrom('t>a', ['t>b', no]), ['t'], [succeeded('t'), succeeded('a'), skipped('b')], []],
  ['a skipped step is executed if the changed graph leads to it', graphFrom('t>a'), ['t'], [succeeded('t'), skipped('a')], ['a']],
  ['a succeeded step stays done if the changed graph no longer leads to it', graphFrom(['t>a', no], 'a>b'), ['t'], [succeeded('t'), succeeded('a')], ['b']],
  ['steps of removed blocks are ignored', graphFrom('t>a'), ['t'], [succeeded('t'), succeeded('gone'), succeeded('a')], []],
])('%s', (_, graph, fired, steps, expected) => {
  expect(summary(plan(graph, planInput(...fired), steps))).toEqual(expected)
}) // biome-ignore format: a case a line

test('a planned step has the scope of its bindings', () => {
  const steps = [succeeded('t', { total: 10 }), succeeded('l', ['x', 'y']), succeeded('a', 'ax', 0)]
  const { next, outputs } = plan(graphFrom('t>l', 'l*a'), planInput('t'), steps)
  expect(next[0]).toMatchObject({ element: 1, item: 'y', scope: { item: 'y', trigger: { total: 10 } } })
  expect([...outputs]).toEqual([['t', { total: 10 }], ['l', ['x', 'y']]])
}) // biome-ignore format: a list of words

test('the output of a block under FOR_EACH is the list of the outputs of its elements, without skipped ones', () => {
  const graph = graphFrom('t>l', ['l*a', { left: '{{item}}', op: 'ne', right: 2 }], 'a>b')
  const steps = [
    succeeded('t'),
    succeeded('l', [1, 2, 3]),
    succeeded('a', 'one', 0),
    skipped('a', 1),
    succeeded('a', 'three', 2),
  ]
  expect(plan(graph, planInput('t'), steps).outputs.get('a')).toEqual(['one', 'three'])
})

const truncated = new TruncatedOutput()
const condition = (left: string) => ({ left, op: 'eq', right: 1 })

test.each<[string, Graph, StepState[]]>([
  ['a truncated output', graphFrom('t>l', ['l>a', condition('{{blocks.l.n}}')]), [succeeded('l', truncated)]],
  ['an element of a truncated list', graphFrom('t>l', ['l*a', condition('{{item.n}}')]), [succeeded('l', truncated)]],
  ['a truncated element', graphFrom('t>l', ['l*a', condition('{{item.n}}')]), [succeeded('l', [{ n: 1 }, truncated])]],
  [
    'a truncated element by its index',
    graphFrom('t>l', ['l>a', condition('{{blocks.l.1.n}}')]),
    [succeeded('l', [{ n: 1 }, truncated])],
  ],
  [
    'a list with a truncated element',
    graphFrom('t>l', ['l>a', condition('{{blocks.l}}')]),
    [succeeded('l', [{ n: 1 }, truncated])],
  ],
])('a condition on %s fails, because its answer could be wrong', (_, graph, steps) => {
  expect(() => plan(graph, planInput('t'), [succeeded('t'), ...steps])).toThrow(
    'The output of l was too large to be stored',
  )
})

test('a condition may use the number of elements, and elements that are not truncated', () => {
  const steps = [succeeded('t'), succeeded('l', [{ n: 1 }, truncated])]
  const counted = graphFrom('t>l', ['l>a', { left: '{{blocks.l.count}}', op: 'eq', right: 2 }])
  expect(summary(plan(counted, planInput('t'), steps))).toEqual(['a'])
  expect(summary(plan(graphFrom('t>l', ['l>a', condition('{{blocks.l.0.n}}')]), planInput('t'), steps))).toEqual(['a'])
  expect(summary(plan(graphFrom('t>l', ['l*a', yes]), planInput('t'), steps))).toEqual(['a#0', 'a#1'])
})
