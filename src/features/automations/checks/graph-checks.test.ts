import { describe, expect, test } from 'vitest'
import { events } from '../../../catalog/events.ts'
import { apiOperations } from '../../../catalog/operations.ts'
import { autoScanGraph } from '../../mailboxes/auto-scan/automation.ts'
import type { Block, Edge, Graph } from '../automation.ts'
import { graphProblems } from '../graph.ts'
import { exampleGraph } from '../graph-help.ts'
import { saveWarnings } from '../save-warnings.ts'
import type { Template } from '../template.ts'
import { templates } from '../template-list.ts'
import { graphChecks } from './graph-checks.ts'

const catalog = { operations: apiOperations, events }

const block = (id: string, kind: Block['kind'], ref: string | null, config: object): Block => ({
  id, kind, ref, config: config as Block['config'], position: {},
}) // biome-ignore format: a list of words
const on = (ref: string, id = 'start') => block(id, 'TRIGGER', ref, {})
const act = (id: string, ref: string, input: unknown) => block(id, 'ACTION', ref, { input })
const find = (id: string, spec: object) => block(id, 'FILTER', null, { spec })
const note = (text: string, id = 'note') => act(id, 'expense_categories_create', { name: text })
const overdue = find('overdue', {
  root: 'Document',
  extract: [
    { as: 'id', path: 'Document.id' },
    { as: 'number', path: 'Document.invoiceNumber' },
  ],
})
const counted = find('counted', {
  root: 'Document',
  shape: 'scalar',
  extract: [{ as: 'n', path: 'Document.id', fn: 'count' }],
})
const ids = find('ids', { root: 'Document', shape: 'scalars', extract: [{ as: 'id', path: 'Document.id' }] })
const read = (id = 'read') => act(id, 'invoices_get', { id: '{{item.id}}' })

/** `a>b`, or `a*b` for FOR_EACH, with further fields of the edge. */
const edge = (text: string, more: Partial<Edge> = {}): Edge => {
  const [, fromBlockId = '', mode, toBlockId = ''] = /^(\w+)([>*])(\w+)$/.exec(text) ?? []
  return { id: text, fromBlockId, toBlockId, cond: null, mode: mode === '*' ? 'FOR_EACH' : 'ONCE', order: 0, ...more }
}
const graph = (blocks: Block[], ...edges: (string | Edge)[]): Graph => ({
  blocks,
  edges: edges.map((each) => (typeof each === 'string' ? edge(each) : each)),
})
const warned = (of: Graph) => {
  expect(graphProblems(of)).toEqual([])
  return [...graphChecks(catalog, of)].map(({ code, path, message }) => `${code} ${path}: ${message}`)
}
const paid = on('invoice.paid')
const noted = (text: string) => graph([paid, note(text)], 'start>note')
const guarded = (cond: object) => graph([paid, note('x')], edge('start>note', { cond: cond as Edge['cond'] }))

describe('no warning of what has a value, or may have one', () => {
  test.each<[string, Graph]>([
    ['a field of the payload', noted('{{trigger.customerId}} {{ trigger.total }}')],
    ['the payload, and the context', noted('{{trigger}} {{context.now}} {{context.today}} {{context.orgId}}')],
    ['the output of a trigger', noted('{{blocks.start.customerId}}')],
    ['a filter', graph([paid, overdue, note('{{blocks.overdue.count}} {{blocks.overdue.items}} {{blocks.overdue.0.number}}')], 'start>overdue', 'overdue>note')],
    ['scalars', graph([paid, ids, note('{{blocks.ids.0}} {{blocks.ids.count}} {{item}}')], 'start>ids', 'ids*note')],
    ['a scalar', graph([paid, counted, note('{{blocks.counted}}')], 'start>counted', 'counted>note')],
    ['an element', graph([paid, overdue, note('{{item.number}} {{item}}')], 'start>overdue', 'overdue*note')],
    ['a chain of elements', graph([paid, overdue, read(), note('{{item.number}} {{blocks.read.invoiceNumber}}')], 'start>overdue', 'overdue*read', 'read*note')],
    ['the list of outputs after a chain', graph([paid, overdue, read(), note('{{blocks.read.count}} {{blocks.read.0.invoiceNumber}}')], 'start>overdue', 'overdue*read', 'read>note')],
    ['a list inside an output', graph([paid, act('all', 'customers_list', {}), note('{{item.name}}')], 'start>all', edge('all*note', { each: 'customers' }))],
    ['a field of one of two triggers', graph([paid, on('expense.submitted', 'other'), note('{{trigger.customerId}} {{trigger.revision}}')], 'start>note', 'other>note')],
    ['the answer of a webhook', graph([paid, act('post', 'webhook.post', { url: 'https://example.com', body: { a: '{{trigger.id}}' } }), note('{{blocks.post.status}}')], 'start>post', 'post>note')],
    ['what an unknown action returns', graph([paid, act('moon', 'moon.land', { x: 1 }), note('{{blocks.moon.rocks.0}} ')], 'start>moon', 'moon>note')],
    ['an unknown event', graph([on('moon.full'), note('{{trigger.phase}}')], 'start>note')],
    ['a condition', guarded({ all: [{ left: '{{trigger.total}}', op: 'gt', right: 100 }, { not: { left: '{{blocks.start.currency}}', op: 'in', right: ['USD'] } }] })],
    ['a condition per element', graph([paid, overdue, note('x')], 'start>overdue', edge('overdue*note', { cond: { left: '{{item.number}}', op: 'exists' } }))],
    ['a condition on another source', graph([paid, overdue, counted, note('x')], 'start>overdue', 'start>counted', 'counted>note', edge('overdue>note', { cond: { left: '{{blocks.counted}}', op: 'gt', right: 1 } }))],
    ['an id with dots', graph([paid, { ...overdue, id: 'a.b' }, note('{{blocks.a.b.count}}')], edge('x', { fromBlockId: 'start', toBlockId: 'a.b' }), edge('y', { fromBlockId: 'a.b', toBlockId: 'note' }))],
    ['input that is bound whole', graph([paid, act('note', 'customers_create', '{{trigger}}')], 'start>note')],
    ['bound values of other types', graph([paid, act('pay', 'expenses_create', { amount: '{{trigger.total}}', date: '{{context.today}}', currency: '{{trigger.currency}}' })], 'start>pay')],
    ['fields of the resource, which are ignored', graph([paid, act('note', 'customers_update', { id: '{{trigger.customerId}}', createdAt: '2026-01-01', notes: 'x' })], 'start>note')],
    ['no block but a trigger', graph([paid])],
  ])('%s', (_, valid) => expect(warned(valid)).toEqual([])) // biome-ignore format: a case a line

  /** A template with its parameters filled in. */
  const filled = ({ blocks, edges, parameters }: Template): Graph => {
    const copy = structuredClone({ blocks, edges })
    for (const { path } of parameters) {
      const names = path.split('.')
      const last = names.pop() ?? ''
      const parent = names.reduce(
        (at: Record<string, unknown>, name) => at[name] as Record<string, unknown>,
        copy as never,
      )
      if (parent[last] === '') parent[last] = last === 'to' ? 'amy@example.com' : '01990000-0000-7000-8000-000000000001'
    }
    return copy
  }
  const every = { rights: { role: 'OWNER', scopes: null, source: 'AUTOMATION' }, problem: null } as const
  test.each(templates.map((each) => [each.id, each] as const))('the template %s, once filled in', (_, template) => {
    expect(saveWarnings(catalog, filled(template), every)).toEqual([])
    const empty = saveWarnings(catalog, template, every)
    const toFill = template.parameters.filter(({ path }) => filled(template) && path.split('.').reduce((at: never, name) => at[name], template as never) === '')
    expect(empty.map(({ code, path }) => [code, path])).toEqual(toFill.map(({ path }) => ['UNFILLED_VALUE', path]))
  }) // biome-ignore format: one call a line

  test('the example in the schema of automations_create', () => {
    const blocks = exampleGraph.blocks.map((each) => ({ ref: null, config: {}, position: {}, ...each }) as Block)
    const edges = exampleGraph.edges.map((each) => ({ cond: null, mode: 'ONCE', order: 0, ...each }) as Edge)
    expect(graphProblems({ blocks, edges })).toEqual([])
    expect(saveWarnings(catalog, { blocks, edges }, every)).toEqual([])
  })

  test('the graphs of auto-scans', () => {
    for (const cadence of ['DAILY', 'WEEKLY', 'MONTHLY'] as const)
      expect(saveWarnings(catalog, autoScanGraph(cadence, 'o', 'c'), every)).toEqual([])
  })
})

describe('bindings without a value', () => {
  test.each<[string, Graph, string[]]>([
    ['an unknown root', noted('{{triger.id}}'), ['UNKNOWN_BINDING blocks.1.config.input.name: The block note: {{triger.id}} has no value. Did you mean {{trigger.id}}?']],
    ['another root', noted('{{foo.x}}'), ['UNKNOWN_BINDING blocks.1.config.input.name: The block note: {{foo.x}} has no value. A binding begins with trigger, blocks, item, context.']],
    ['an empty binding', noted('{{}}'), ['UNKNOWN_BINDING blocks.1.config.input.name: The block note: {{}} has no value. A binding begins with trigger, blocks, item, context.']],
    ['a field of the payload', noted('{{trigger.custmerId}}'), ['UNKNOWN_FIELD blocks.1.config.input.name: The block note: {{trigger.custmerId}} has no value: the payload of invoice.paid has no custmerId. Did you mean trigger.customerId?']],
    ['a field of a text', noted('{{trigger.id.x}}'), ['UNKNOWN_FIELD blocks.1.config.input.name: The block note: {{trigger.id.x}} has no value: the payload of invoice.paid has no id.x.']],
    ['the context', noted('{{context.tody}}'), ['UNKNOWN_FIELD blocks.1.config.input.name: The block note: {{context.tody}} has no value. Did you mean context.today?']],
    ['an unknown block', noted('{{blocks.strt.id}}'), ['UNKNOWN_BLOCK blocks.1.config.input.name: The block note: {{blocks.strt.id}} has no value: there is no block strt. Did you mean blocks.start?']],
    ['a block that is not upstream', graph([paid, overdue, note('{{blocks.overdue.count}}')], 'start>overdue', 'start>note'), ['NOT_UPSTREAM blocks.2.config.input.name: The block note: {{blocks.overdue.count}} has no value: no path of edges leads from the block overdue to here.']],
    ['itself', noted('{{blocks.note.id}}'), ['NOT_UPSTREAM blocks.1.config.input.name: The block note: {{blocks.note.id}} has no value: no path of edges leads from the block note to here.']],
    ['an extract', graph([paid, overdue, note('{{blocks.overdue.0.nmber}}')], 'start>overdue', 'overdue>note'), ['UNKNOWN_FIELD blocks.2.config.input.name: The block note: {{blocks.overdue.0.nmber}} has no value: the output of the block overdue has no 0.nmber. Did you mean blocks.overdue.0.number?']],
    ['a field of a list', graph([paid, overdue, note('{{blocks.overdue.id}}')], 'start>overdue', 'overdue>note'), ['UNKNOWN_FIELD blocks.2.config.input.name: The block note: {{blocks.overdue.id}} has no value: the output of the block overdue has no id. There is blocks.overdue.count, blocks.overdue.items, blocks.overdue.0.']],
    ['a field of an element', graph([paid, overdue, note('{{item.name}}')], 'start>overdue', 'overdue*note'), ['UNKNOWN_FIELD blocks.2.config.input.name: The block note: {{item.name}} has no value: an element of the list has no name. There is item.id, item.number.']],
    ['no element', graph([paid, overdue, note('{{item.id}}')], 'start>overdue', 'overdue>note'), ['NO_ITEM blocks.2.config.input.name: The block note: {{item.id}} has no value: set mode FOR_EACH on the edge overdue>note.']],
    ['a list where a chain has one output', graph([paid, overdue, read(), note('{{blocks.read.0.id}}')], 'start>overdue', 'overdue*read', 'read*note'), ['UNKNOWN_FIELD blocks.3.config.input.name']],
    ['neither of two triggers', graph([paid, on('expense.submitted', 'other'), note('{{trigger.nothing}}')], 'start>note', 'other>note'), ['UNKNOWN_FIELD blocks.2.config.input.name: The block note: {{trigger.nothing}} has no value: the payload of invoice.paid or expense.submitted']],
    ['a trigger that does not lead there', graph([paid, on('expense.submitted', 'other'), note('{{trigger.revision}}')], 'start>note'), ['UNKNOWN_FIELD blocks.2.config.input.name']],
    ['the value of a predicate', graph([paid, find('f', { root: 'Document', predicates: [{ object: 'Document', field: 'id', op: 'eq', value: '{{trigger.custmer}}' }], extract: [{ as: 'id', path: 'Document.id' }] })], 'start>f'), ['UNKNOWN_FIELD blocks.1.config.spec.predicates.0.value']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

const startWith = (found: string[], expected: string[]) =>
  expect(found.map((each, n) => each.slice(0, expected[n]?.length))).toEqual(expected)

describe('the input of actions', () => {
  const given = (ref: string, input: unknown) => graph([paid, act('a', ref, input)], 'start>a')
  test.each<[string, Graph, string[]]>([
    ['a missing field', given('invoices_send', {}), ['MISSING_INPUT blocks.1.config.input.id: The block a: invoices_send would refuse it: id is missing.']],
    ['an unknown field', given('customers_update', { id: '{{trigger.customerId}}', note: 'x' }), ['UNKNOWN_INPUT blocks.1.config.input.note: The block a: customers_update would refuse it: note is not a field of this operation. Did you mean notes?']],
    ['an unknown field of a read', given('customers_list', { serch: 'x' }), ['UNKNOWN_INPUT blocks.1.config.input.serch']],
    ['a wrong type', given('customers_update', { id: '{{trigger.customerId}}', notes: 7 }), ['INVALID_INPUT blocks.1.config.input.notes: The block a: customers_update would refuse it: notes must be text']],
    ['a wrong word', given('expenses_status', { id: '{{trigger.id}}', status: 'FINE' }), ['INVALID_INPUT blocks.1.config.input.status: The block a: expenses_status would refuse it: status must be one of']],
    ['an unfilled id', given('invoices_send', { id: '' }), ['UNFILLED_VALUE blocks.1.config.input.id: The block a: config.input.id is not filled in.']],
    ['a placeholder', given('invoices_send', { id: '<the invoice>' }), ['UNFILLED_VALUE blocks.1.config.input.id']],
    ['fields in the wrong place', graph([paid, block('a', 'ACTION', 'invoices_send', { id: '{{trigger.id}}' })], 'start>a'), ['MISSING_INPUT blocks.1.config.input: The block a: the fields of the action belong into config.input, not config.']],
    ['no object', given('invoices_send', ['x']), ['INVALID_INPUT blocks.1.config.input']],
    ['the input of the engine', given('email.send', { to: [], subject: 'Hi {{trigger.id}}', bdy: 'x' }), ['MISSING_INPUT blocks.1.config.input.body', 'UNKNOWN_INPUT blocks.1.config.input.bdy: The block a: email.send would refuse it: bdy is not a field of this operation. Did you mean body?', 'INVALID_INPUT blocks.1.config.input.to']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

describe('edges and paths', () => {
  test.each<[string, Graph, string[]]>([
    ['FOR_EACH over an object', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', 'all*note'), ['NOT_A_LIST edges.1.mode: The edge all*note: the output of the block all is not a list, so its target runs once. Set each to customers.']],
    ['FOR_EACH over a scalar', graph([paid, counted, note('x')], 'start>counted', 'counted*note'), ['NOT_A_LIST edges.1.mode']],
    ['each names no list', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all*note', { each: 'pagination' })), ['NOT_A_LIST edges.1.each']],
    ['each names nothing', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all*note', { each: 'custmers' })), ['UNKNOWN_FIELD edges.1.each: The edge all*note: the output of the block all has no custmers. Did you mean customers?']],
    ['each without FOR_EACH', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all>note', { each: 'customers' })), ['UNUSED_EACH edges.1.each']],
    ['an unreachable block', graph([paid, note('x')]), ['UNREACHABLE blocks.1: The block note never runs: no path of edges leads to it from a TRIGGER.']],
    ['a condition that cannot hold', guarded({ left: '{{trigger.totl}}', op: 'gt', right: 100 }), ['UNKNOWN_FIELD edges.0.cond.left', 'NEVER_FOLLOWED edges.0.cond: The edge start>note is never followed']],
    ['one of all cannot hold', guarded({ all: [{ left: '{{trigger.total}}', op: 'gt', right: 1 }, { left: '{{foo.x}}', op: 'eq', right: 'a' }] }), ['UNKNOWN_BINDING edges.0.cond.all.1.left', 'NEVER_FOLLOWED edges.0.cond']],
    ['a condition that always holds', guarded({ not: { left: '{{trigger.totl}}', op: 'exists' } }), ['UNKNOWN_FIELD edges.0.cond.not.left']],
    ['a condition that depends on the data', guarded({ left: '{{trigger.totl}}', op: 'eq', right: '{{trigger.total}}' }), ['UNKNOWN_FIELD edges.0.cond.left']],
    ['an element in the condition of ONCE', guarded({ left: '{{item.id}}', op: 'exists' }), ['NO_ITEM edges.0.cond.left', 'NEVER_FOLLOWED edges.0.cond']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

describe('limits', () => {
  const every = { rights: { role: 'OWNER', scopes: null, source: 'AUTOMATION' }, problem: null } as const
  const large = (text: string) => {
    const blocks = [paid, ...Array.from({ length: 99 }, (_, n) => act(`b${n}`, 'invoices_get', { id: text }))]
    const edges = Array.from({ length: 300 }, (_, n) => {
      const to = 1 + (n % 99)
      return edge('a>b', { id: `${n}`, fromBlockId: blocks[Math.max(0, to - 1 - Math.floor(n / 99))]?.id ?? '', toBlockId: blocks[to]?.id ?? '', mode: n % 2 ? 'FOR_EACH' : 'ONCE' })
    })
    return { blocks, edges }
  } // biome-ignore format: a list of words

  test('at most 100 warnings', () => {
    const found = saveWarnings(catalog, large('{{foo.x}} {{foo.y}}'), every)
    expect(found).toHaveLength(100)
  })

  test('a large graph is checked quickly', () => {
    saveWarnings(catalog, large('{{trigger.id}}'), every)
    const spentMs = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage()
      saveWarnings(catalog, large('{{trigger.id}}'), every)
      return process.cpuUsage(before).user / 1_000
    })
    expect(Math.min(...spentMs)).toBeLessThan(50) // some 5 ms without the instruments of the test run
  })

  test('a path with very many dots is checked quickly', () => {
    const start = performance.now()
    warned(noted(`{{blocks${'.a'.repeat(200_000)}}}`))
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
