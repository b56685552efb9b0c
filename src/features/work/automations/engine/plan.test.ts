import { expect, test } from 'vitest'
import type { Block, Edge, Graph } from '../automation.ts'
import { topologicalOrder } from '../graph.ts'
import { keyOfPosition } from './elements.ts'
import { type PlanInput, plan, type StepState } from './plan.ts'
import { TruncatedOutput } from './stored-values.ts'

/** A graph from `a>b`, or `a*b` for FOR_EACH, each with an optional condition and `each`. Blocks that begin with t are triggers. */
function graphFrom(...arrows: (string | [string, object | null, (string | null)?])[]): Graph {
  const edges = arrows.map((arrow, n): Edge => {
    const [text, cond, each = null] = Array.isArray(arrow) ? arrow : [arrow, null]
    const [, from = '', mode, to = ''] = /^(\w+)([>*])(\w+)$/.exec(text) ?? []
    return {
      id: `e${n}`, fromBlockId: from, toBlockId: to, mode: mode === '*' ? 'FOR_EACH' : 'ONCE', order: -n,
      cond: cond as Record<string, unknown> | null, each,
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
  context: { now: '', today: '', weekday: '', orgId: '', timezone: 'UTC' },
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

/** The keys that steps are recorded with when the plan is carried out to its end; `fails` lists what does not succeed. */
function carryOut(
  graph: Graph,
  outputs: Record<string, unknown>,
  { steps = [], fails = [] }: { steps?: readonly StepState[]; fails?: readonly string[] } = {},
) {
  const recorded = new Map(steps.map((step) => [`${step.blockId} ${step.elementKey}`, step]))
  const done: string[] = []
  for (;;) {
    const { next } = plan(graph, planInput('t'), [...recorded.values()])
    const [step] = next
    if (!step) return { steps: [...recorded.values()], done }
    const { block, elementKey, skip, item, scope } = step
    const name = item === undefined ? block.id : `${block.id} ${JSON.stringify(item)}`
    const fail = !skip && fails.includes(name)
    const output = skip || fail ? null : outputFor(outputs[block.id], item, scope)
    const status = skip ? 'SKIPPED' : fail ? 'FAILED' : 'SUCCEEDED'
    recorded.set(`${block.id} ${elementKey}`, { blockId: block.id, elementKey, status, output, isTruncated: false })
    if (!skip) done.push(name)
    if (fail) return { steps: [...recorded.values()], done }
  }
}
const outputFor = (output: unknown, item: unknown, scope: unknown): unknown =>
  typeof output === 'function' ? output(item, scope) : (output ?? null)

const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const only = (id: number) => ({ left: '{{item.id}}', op: 'eq', right: id })

test.each<[string, { before: Graph; lists: Record<string, unknown>; fails: string; after: Graph; now?: Record<string, unknown>; expected: string[] }]>([
  ['the edges were reordered', { before: graphFrom('t>l', 't>m', 'l*a', 'm*a'), lists: { l: rows(1, 2), m: rows(3, 4) }, fails: 'a {"id":3}', after: graphFrom('t>l', 't>m', 'm*a', 'l*a'), expected: ['a {"id":3}', 'a {"id":4}'] }],
  ['the block that gives the list was replaced by one with another order', { before: graphFrom('t>l', 'l*a'), lists: { l: rows(1, 2, 3) }, fails: 'a {"id":2}', after: graphFrom('t>m', 'm*a'), now: { m: rows(3, 2, 1) }, expected: ['m', 'a {"id":3}', 'a {"id":2}'] }],
  ['a filter was inserted before the list', { before: graphFrom('t>l', 'l*a'), lists: { l: rows(1, 2, 3) }, fails: 'a {"id":2}', after: graphFrom('t>l', 'l>m', 'm*a'), now: { m: rows(2, 1) }, expected: ['m', 'a {"id":2}'] }],
  ['elements were added and removed', { before: graphFrom('t>l', 'l*a'), lists: { l: rows(1, 2, 3) }, fails: 'a {"id":3}', after: graphFrom('t>m', 'm*a'), now: { m: rows(4, 2, 5) }, expected: ['m', 'a {"id":4}', 'a {"id":5}'] }],
  ['the elements have no id', { before: graphFrom('t>l', 'l*a'), lists: { l: ['x', 'y', 'z'] }, fails: 'a "z"', after: graphFrom('t>m', 'm*a'), now: { m: ['z', 'y', 'x', 'w'] }, expected: ['m', 'a "z"', 'a "w"'] }],
  ['the list has equal elements', { before: graphFrom('t>l', 'l*a'), lists: { l: ['x', 'x', 'y'] }, fails: 'a "y"', after: graphFrom('t>m', 'm*a'), now: { m: ['y', 'x', 'x', 'x'] }, expected: ['m', 'a "y"', 'a "x"'] }],
  ['the fields of an element have another order', { before: graphFrom('t>l', 'l*a'), lists: { l: [{ n: 1, m: 2 }, 'y'] }, fails: 'a "y"', after: graphFrom('t>m', 'm*a'), now: { m: [{ m: 2, n: 1 }, 'y'] }, expected: ['m', 'a "y"'] }],
  ['both lists have the same elements', { before: graphFrom('t>l', 't>m', 'l*a', 'm*a'), lists: { l: rows(1, 2), m: rows(1, 2) }, fails: 'a {"id":9}', after: graphFrom('t>l', 't>m', 'm*a', 'l*a'), expected: [] }],
  ['a list was added', { before: graphFrom('t>l', 'l*a'), lists: { l: rows(1, 2) }, fails: 'a {"id":2}', after: graphFrom('t>l', 't>m', 'm*a', 'l*a'), now: { m: rows(3) }, expected: ['m', 'a {"id":3}', 'a {"id":2}'] }],
  ['a block was inserted into the chain', { before: graphFrom('t>l', 'l*a', 'a*b'), lists: { l: rows(1, 2) }, fails: 'b {"id":2}', after: graphFrom('t>l', 'l*a', 'a*c', 'c*b'), expected: ['c {"id":1}', 'c {"id":2}', 'b {"id":2}'] }],
  ['the list of a chain was replaced', { before: graphFrom('t>l', 'l*a', 'a*b'), lists: { l: rows(1, 2) }, fails: 'b {"id":2}', after: graphFrom('t>m', 'm*a', 'a*b'), now: { m: rows(2, 1) }, expected: ['m', 'b {"id":2}'] }],
  ['a list inside an element', { before: graphFrom('t>l', 'l*a', 'a*b'), lists: { l: rows(1, 2), a: () => rows(8, 9) }, fails: 'b {"id":9}', after: graphFrom('t>m', 'm*a', 'a*b'), now: { m: rows(2, 1) }, expected: ['m', 'b {"id":8}', 'b {"id":9}', 'b {"id":9}'] }],
  ['a condition no longer leads to elements that succeeded', { before: graphFrom('t>l', 'l*a', 'a>b'), lists: { l: rows(1, 2) }, fails: 'a {"id":2}', after: graphFrom('t>l', ['l*a', only(9)], 'a>b'), expected: ['b'] }],
  ['a condition leads to an element that was skipped', { before: graphFrom('t>l', ['l*a', only(1)], 'a>b'), lists: { l: rows(1, 2) }, fails: 'b', after: graphFrom('t>l', 'l*a', 'a>b'), expected: ['a {"id":2}', 'b'] }],
])('INV-13: a replay carries out the elements without a success, each once: %s', (_, { before, lists, fails, after, now = {}, expected }) => {
  const { steps } = carryOut(before, lists, { fails: [fails] })
  const replayed = carryOut(after, { ...lists, ...now }, { steps })
  expect(replayed.done).toEqual(expected)
  expect(carryOut(after, { ...lists, ...now }, { steps: replayed.steps }).done).toEqual([])
}) // biome-ignore format: a case a line

test('INV-13: a step that is carried out again stays the same step after its list was replaced', () => {
  const { steps } = carryOut(graphFrom('t>l', 'l*a'), { l: rows(1, 2) }, { fails: ['a {"id":2}'] })
  const replayed = carryOut(graphFrom('t>m', 'm*a'), { m: rows(2, 1) }, { steps })
  expect(replayed.steps.filter(({ blockId }) => blockId === 'a').map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
}) // biome-ignore format: a list of words

test('in a chain the element stays the element, and blocks before have their output for it', () => {
  const outputs = { l: rows(1, 2), a: ({ id }: { id: number }) => ({ made: id * 10 }) }
  const { steps } = carryOut(graphFrom('t>l', 'l*a', 'a*b', 'b*c'), outputs, { fails: ['c {"id":1}'] })
  const { next } = plan(graphFrom('t>l', 'l*a', 'a*b', 'b*c'), planInput('t'), steps)
  expect(next.map(({ item, scope }) => [item, scope.blocks.get('a'), scope.blocks.get('l')])).toEqual([
    [{ id: 1 }, { made: 10 }, rows(1, 2)],
    [{ id: 2 }, { made: 20 }, rows(1, 2)],
  ])
  const after = plan(graphFrom('t>l', 'l*a', 'a>z'), planInput('t'), steps)
  expect(after.next[0]?.scope.blocks.get('a')).toEqual([{ made: 10 }, { made: 20 }])
})

test.each([['a*c', 'b*c'], ['b*c', 'a*c'], ['l*c', 'b*c', 'a*c']])('two chains of one list meet in one step per element, with the outputs of both: %s %s', (...last) => {
  const outputs = { l: rows(1, 2), a: ({ id }: { id: number }) => `a${id}`, b: ({ id }: { id: number }) => `b${id}` }
  const graph = graphFrom('t>l', 'l*a', 'l*b', ...last)
  const { steps } = carryOut(graph, outputs, { fails: ['c {"id":1}'] })
  const { next } = plan(graph, planInput('t'), steps)
  expect(next.map(({ item, scope }) => [item, scope.blocks.get('a'), scope.blocks.get('b')])).toEqual([
    [{ id: 1 }, 'a1', 'b1'],
    [{ id: 2 }, 'a2', 'b2'],
  ])
}) // biome-ignore format: a list of words

test('a chain skips the elements that were skipped before, unless another chain leads to them', () => {
  const lists = { l: rows(1, 2, 3) }
  const chain = graphFrom('t>l', ['l*a', { not: only(2) }], 'a*b', 'b*c')
  expect(carryOut(chain, lists).done.filter((name) => name.startsWith('c'))).toEqual(['c {"id":1}', 'c {"id":3}'])
  const diamond = graphFrom('t>l', ['l*a', only(1)], ['l*b', { not: only(1) }], 'a*c', 'b*c')
  expect(carryOut(diamond, lists).done.filter((name) => name.startsWith('c'))).toHaveLength(3)
})

test.each<[string, string | null, unknown, string[]]>([
  ['a list in a field', 'rows', { rows: ['x', 'y'] }, ['a "x"', 'a "y"']],
  ['a list at a path with an index', 'pages.1.rows', { pages: [{}, { rows: ['x'] }] }, ['a "x"']],
  ['the items of a list', 'items', ['x', 'y'], ['a "x"', 'a "y"']],
  ['an empty list', 'rows', { rows: [] }, []],
  ['something missing', 'none.there', { rows: ['x'] }, ['a {"rows":["x"]}']],
  ['something that is no list', 'rows', { rows: 'x' }, ['a {"rows":"x"}']],
  ['nothing', null, { rows: ['x'] }, ['a {"rows":["x"]}']],
])('each: %s', (_, each, output, expected) => {
  const { done } = carryOut(graphFrom('t>l', ['l*a', null, each]), { l: output })
  expect(done.filter((name) => name.startsWith('a'))).toEqual(expected)
})

test('two lists of one output are two lists, even with equal elements', () => {
  const graph = graphFrom('t>l', ['l*a', null, 'names'], ['l*a', null, 'cities'])
  expect(carryOut(graph, { l: { names: ['x'], cities: ['x'] } }).done.slice(2)).toEqual(['a "x"', 'a "x"'])
})

test('each inside an output for one element leads to the elements of all of them', () => {
  const graph = graphFrom('t>l', 'l*a', ['a*b', null, 'rows'])
  const { done } = carryOut(graph, { l: rows(1, 2), a: ({ id }: { id: number }) => ({ rows: rows(id * 10, 7) }) })
  expect(done.slice(4)).toEqual(['b {"id":10}', 'b {"id":7}', 'b {"id":20}', 'b {"id":7}'])
})

test('FOR_EACH over an output that was too large to be stored fails, because its list is not known', () => {
  const large = (blockId: string, elementKey = ''): StepState => ({ ...succeeded(blockId), elementKey, isTruncated: true })
  const inField = graphFrom('t>l', ['l*a', null, 'rows'])
  expect(() => plan(inField, planInput('t'), [succeeded('t'), large('l')])).toThrow('The output of l was too large')
  const chain = graphFrom('t>l', 'l*a', 'a*b')
  const steps = [succeeded('t'), succeeded('l', rows(1)), large('a', 'l:id=1')]
  expect(() => plan(chain, planInput('t'), steps)).toThrow('The output of a was too large')
}) // biome-ignore format: a list of words

test('data that looks like the marker of a truncated output is data', () => {
  const data = { truncated: true, bytes: 5 }
  const graph = graphFrom('t>l', ['l*a', { left: '{{item.bytes}}', op: 'eq', right: 5 }], ['a>b', { left: '{{blocks.l.0.bytes}}', op: 'eq', right: 5 }])
  expect(carryOut(graph, { l: [data] }).done).toEqual(['t', 'l', `a ${JSON.stringify(data)}`, 'b'])
}) // biome-ignore format: a list of words

const byPosition = (blockId: string, element: number, status: StepState['status'] = 'SUCCEEDED'): StepState => ({
  ...succeeded(blockId, null, element),
  status,
})

test.each<[string, Graph, Record<string, unknown>, StepState[], string[]]>([
  ['elements of two lists', graphFrom('t>l', 't>m', 'l*a', 'm*a'), { l: [1, 2], m: [3, 4] }, [byPosition('a', 0), byPosition('a', 1), byPosition('a', 2)], ['a 4']],
  ['the outputs of a chain, without the skipped elements', graphFrom('t>l', ['l*a', { left: '{{item}}', op: 'gt', right: 1 }], 'a*b'), { l: [1, 2, 3] }, [byPosition('a', 0, 'SKIPPED'), byPosition('a', 1), byPosition('a', 2), byPosition('b', 0)], ['b 3']],
  ['an output that is a list, as one element', graphFrom('t>l', 'l*a', 'a*b'), { l: [1, 2], a: () => [7, 8] }, [{ ...byPosition('a', 0), output: [7, 8] }, { ...byPosition('a', 1), output: [7, 8] }, byPosition('b', 0)], ['b 7', 'b 8']],
  ['an element that failed', graphFrom('t>l', 'l*a'), { l: [1, 2] }, [byPosition('a', 0), byPosition('a', 1, 'FAILED')], ['a 2']],
])('INV-13: steps of the version before were recorded by position: %s', (_, graph, lists, steps, expected) => {
  const before = carryOut(graph, lists, { fails: ['a 1', 'a 2'] }).steps.filter(({ blockId }) => 'tlm'.includes(blockId))
  const replayed = carryOut(graph, lists, { steps: [...before, ...steps] })
  expect(replayed.done).toEqual(expected)
  expect(replayed.steps.filter(({ status }) => status !== 'SUCCEEDED' && status !== 'SKIPPED')).toEqual([])
}) // biome-ignore format: a case a line

test('LIMIT_EXCEEDED: lists inside elements count together, and no more elements are read than needed to see it', () => {
  const inner = Array.from({ length: 400 }, (_, n) => n)
  const graph = graphFrom('t>l', 'l*a', 'a*b')
  const lists = [1, 2, 3].map((n) => ({ ...succeeded('a', inner), elementKey: `l:${n}` }))
  const { elements } = plan(graph, planInput('t'), [succeeded('t'), succeeded('l', [1, 2, 3]), ...lists])
  expect(elements).toBe(1001)
  expect(plan(graphFrom('t>l', 'l*a'), planInput('t'), [succeeded('t'), succeeded('l', inner.concat(inner, inner))]).elements).toBe(1001)
}) // biome-ignore format: a list of words

test('the key of an element fits into an index, however long its content and the ids of the blocks are', () => {
  const long = '\u05d0'.repeat(200)
  const graph = graphFrom('t>l', 'l*a', 'a*b')
  const renamed = JSON.parse(JSON.stringify(graph).replaceAll('"l"', `"${long}"`)) as Graph
  const { steps } = carryOut(renamed, { [long]: [long.repeat(9), long.repeat(9), 'a/b:c%'], a: () => [long] })
  const keys = steps.map(({ elementKey }) => elementKey)
  expect(new Set(keys).size).toBeGreaterThan(6)
  expect(Math.max(...keys.map((key) => Buffer.byteLength(key)))).toBeLessThan(700)
})

test('in the scope of an element a block that ran for it has the output for this element, also behind a ONCE edge', () => {
  const graph = graphFrom('t>l', ['l*a', { left: '{{item}}', op: 'ne', right: 2 }], 'l*b', 'a>b')
  const steps = [
    succeeded('t'), succeeded('l', [1, 2, 3]), succeeded('a', 'one', 0), skipped('a', 1), succeeded('a', 'three', 2),
  ] // biome-ignore format: a list of words
  const { next } = plan(graph, planInput('t'), steps)
  expect(next.map(({ item, scope }) => [item, scope.blocks.get('a')])).toEqual([
    [1, 'one'],
    [2, undefined], // not the outputs of the others
    [3, 'three'],
  ])
})

test('LIMIT_EXCEEDED FLT-20: conditions that compare too much fail instead of occupying the process', () => {
  const any = Array.from({ length: 20 }, () => ({ left: '{{item}}', op: 'in', right: '{{trigger.words}}' }))
  const graph = graphFrom('t>l', ['l*a', { any }])
  const input = { ...planInput('t'), trigger: { words: Array.from({ length: 100 }, (_, n) => `word ${n}`) } }
  const steps = [
    succeeded('t'),
    succeeded(
      'l',
      Array.from({ length: 1_000 }, (_, n) => n),
    ),
  ]
  expect(() => plan(graph, input, steps)).toThrow(
    'LIMIT_EXCEEDED: The conditions of the graph compare more than 300000 values.',
  )
  const small = { ...input, trigger: { words: ['one', 'two'] } }
  expect(plan(graph, small, steps).next.length).toBe(1) // skipped: no element is among the words
})
