import { expect, test } from 'vitest'
import type { Block, Edge, Graph } from '../automation.ts'
import { topological } from '../graph.ts'
import { type PlanInput, plan, type StepState } from './plan.ts'
import { toStored } from './stored-values.ts'

/** `a>b`, `a*b` under FOR_EACH, each with a guard if given; blocks whose name begins with t are triggers. */
function drawn(...arrows: (string | [string, object])[]): Graph {
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

const facts = (...fired: string[]): PlanInput => ({
  fired: new Set(fired),
  trigger: { total: 10 },
  context: { now: '', today: '', orgId: '' },
})
const did = (blockId: string, output: unknown = null, element = -1): StepState => ({
  blockId, element, status: 'SUCCEEDED', output,
}) // biome-ignore format: a list of words
const passed = (blockId: string, element = -1): StepState => ({ blockId, element, status: 'SKIPPED', output: null })

/** `b`, `b#1` for an element, `(b)` when passed over. */
const shown = ({ next }: ReturnType<typeof plan>) =>
  next.map(({ block, element, skip }) => {
    const name = element < 0 ? block.id : `${block.id}#${element}`
    return skip ? `(${name})` : name
  })

test('blocks run after all that lead to them, whatever their display order, and otherwise as given', () => {
  const order = topological(drawn('t>c', 'c>d', 'a>d', 't>a', 'd>b')).map(({ id }) => id)
  expect(order).toEqual(['t', 'c', 'a', 'd', 'b'])
})

const yes = { left: '{{trigger.total}}', op: 'eq', right: 10 }
const no = { not: yes }

test.each<[string, Graph, string[], StepState[], string[]]>([
  ['a run begins at the trigger that fired', drawn('t>a'), ['t'], [], ['t']],
  ['then its targets', drawn('t>a', 't>b'), ['t'], [did('t')], ['a', 'b']],
  ['a block waits for every block that leads to it', drawn('t>a', 't>b', 'a>c', 'b>c'), ['t'], [did('t'), did('a')], ['b']],
  ['a guard that does not pass skips the target', drawn(['t>a', no], 't>b'), ['t'], [did('t')], ['(a)', 'b']],
  ['what only skipped blocks lead to is skipped', drawn(['t>a', no], 'a>b'), ['t'], [did('t'), passed('a')], ['(b)']],
  ['one way in is enough', drawn(['t>a', no], 'a>c', 't>c'), ['t'], [did('t'), passed('a')], ['c']],
  ['of two triggers the one that did not fire is skipped', drawn('t1>a', 't2>b'), ['t2'], [], ['(t1)', 't2']],
  ['and so are blocks reachable from it alone', drawn('t1>a', 't2>b'), ['t2'], [passed('t1'), did('t2')], ['(a)', 'b']],
  ['a block that both lead to runs', drawn('t1>a', 't2>a'), ['t2'], [passed('t1'), did('t2')], ['a']],
  ['a block that nothing leads to is skipped', { ...drawn('t>a'), blocks: [...drawn('t>a').blocks, ...drawn('b>b').blocks.slice(0, 1)] }, ['t'], [did('t')], ['a', '(b)']],
  ['FOR_EACH runs the target once for each element', drawn('t>l', 'l*a'), ['t'], [did('t'), did('l', [1, 2, 3])], ['a#0', 'a#1', 'a#2']],
  ['and goes on at the first that is unfinished', drawn('t>l', 'l*a'), ['t'], [did('t'), did('l', [1, 2, 3]), did('a', 'x', 0)], ['a#1', 'a#2']],
  ['what follows waits for all of them', drawn('t>l', 'l*a', 'a>b'), ['t'], [did('t'), did('l', [1, 2]), did('a', 0, 0)], ['a#1']],
  ['and runs once', drawn('t>l', 'l*a', 'a>b'), ['t'], [did('t'), did('l', [1, 2]), did('a', 0, 0), did('a', 0, 1)], ['b']],
  ['or for each of what they came to', drawn('t>l', 'l*a', 'a*b'), ['t'], [did('t'), did('l', [1, 2]), did('a', 'x', 0), did('a', 'y', 1)], ['b#0', 'b#1']],
  ['a list of nothing skips the target', drawn('t>l', 'l*a', 'a>b'), ['t'], [did('t'), did('l', [])], ['(a)']],
  ['what is no list runs once', drawn('t>l', 'l*a'), ['t'], [did('t'), did('l', { id: 1 })], ['a']],
  ['a guard under FOR_EACH is asked for each element', drawn('t>l', ['l*a', { left: '{{item.n}}', op: 'gt', right: 1 }]), ['t'], [did('t'), did('l', [{ n: 1 }, { n: 2 }])], ['(a#0)', 'a#1']],
  ['two lists that lead to one block are both fanned out', drawn('t>l', 't>m', 'l*a', 'm*a'), ['t'], [did('t'), did('l', [1]), did('m', [2, 3])], ['a#0', 'a#1', 'a#2']],
  ['a failed or broken off step is taken again', drawn('t>a'), ['t'], [did('t'), { ...did('a'), status: 'FAILED' }], ['a']],
  ['a run is over when nothing is left', drawn('t>a', ['t>b', no]), ['t'], [did('t'), did('a'), passed('b')], []],
  ['a step that was passed over is taken if the graph now wants it', drawn('t>a'), ['t'], [did('t'), passed('a')], ['a']],
  ['a step that succeeded stays done if the graph no longer wants it', drawn(['t>a', no], 'a>b'), ['t'], [did('t'), did('a')], ['b']],
  ['steps of blocks that are gone do not matter', drawn('t>a'), ['t'], [did('t'), did('gone'), did('a')], []],
])('%s', (_, graph, fired, steps, expected) => {
  expect(shown(plan(graph, facts(...fired), steps))).toEqual(expected)
}) // biome-ignore format: a case a line

test('a step knows what its bindings stand for', () => {
  const steps = [did('t', { total: 10 }), did('l', ['x', 'y']), did('a', 'ax', 0)]
  const { next, outputs } = plan(drawn('t>l', 'l*a'), facts('t'), steps)
  expect(next[0]).toMatchObject({ element: 1, item: 'y', scope: { item: 'y', trigger: { total: 10 } } })
  expect([...outputs]).toEqual([['t', { total: 10 }], ['l', ['x', 'y']]])
}) // biome-ignore format: a list of words

test('the output of a block under FOR_EACH is the list of what its elements came to, without those passed over', () => {
  const graph = drawn('t>l', ['l*a', { left: '{{item}}', op: 'ne', right: 2 }], 'a>b')
  const steps = [did('t'), did('l', [1, 2, 3]), did('a', 'one', 0), passed('a', 1), did('a', 'three', 2)]
  expect(plan(graph, facts('t'), steps).outputs.get('a')).toEqual(['one', 'three'])
})

const leftOut = toStored('x'.repeat(300_000))
const guard = (left: string) => ({ left, op: 'eq', right: 1 })

test.each<[string, Graph, StepState[]]>([
  ['what was left out', drawn('t>l', ['l>a', guard('{{blocks.l.n}}')]), [did('l', leftOut)]],
  ['an element of a list that was left out', drawn('t>l', ['l*a', guard('{{item.n}}')]), [did('l', leftOut)]],
  ['an element that was left out', drawn('t>l', ['l*a', guard('{{item.n}}')]), [did('l', [{ n: 1 }, leftOut])]],
  ['one of several, by its place', drawn('t>l', ['l>a', guard('{{blocks.l.1.n}}')]), [did('l', [{ n: 1 }, leftOut])]],
  ['all of them', drawn('t>l', ['l>a', guard('{{blocks.l}}')]), [did('l', [{ n: 1 }, leftOut])]],
])('a guard is not asked about %s: it might lead the wrong way', (_, graph, steps) => {
  expect(() => plan(graph, facts('t'), [did('t'), ...steps])).toThrow('What l came to was too large to be kept')
})

test('how many there are is known whatever was left out of them, and so is what the guard does not ask about', () => {
  const steps = [did('t'), did('l', [{ n: 1 }, leftOut])]
  const counted = drawn('t>l', ['l>a', { left: '{{blocks.l.count}}', op: 'eq', right: 2 }])
  expect(shown(plan(counted, facts('t'), steps))).toEqual(['a'])
  expect(shown(plan(drawn('t>l', ['l>a', guard('{{blocks.l.0.n}}')]), facts('t'), steps))).toEqual(['a'])
  expect(shown(plan(drawn('t>l', ['l*a', yes]), facts('t'), steps))).toEqual(['a#0', 'a#1'])
})
