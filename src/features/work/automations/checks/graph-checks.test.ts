import { describe, expect, test } from 'vitest'
import { events } from '../../../../catalog/events.ts'
import { apiOperations } from '../../../../catalog/operations.ts'
import { nearest } from '../../../../core/values/nearest.ts'
import { autoScanGraph } from '../auto-scan/automation.ts'
import type { Block, Edge, Graph } from '../automation.ts'
import { graphProblems } from '../graph.ts'
import { exampleGraph } from '../graph-help.ts'
import { saveWarnings } from '../save-warnings.ts'
import type { Template } from '../template.ts'
import { templates } from '../template-list.ts'
import { graphChecks } from './graph-checks.ts'

const catalog = { operations: apiOperations, events, bankFormats: {} }

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
    ['the time zone, and days around today', noted('{{context.timezone}} {{context.today-3d}} {{ context.today+14d }}')],
    ['a secret in a header', graph([paid, act('post', 'webhook.post', { url: 'https://example.com', headers: { authorization: 'Bearer {{secrets.API_KEY}}', 'x-key': '{{secrets.API_KEY}}' } })], 'start>post')],
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
    ['ordinary text with words of bindings', noted(`item. 5 and context. Then trigger.total was due {a} $5 {"b": {"c": 1}} \${{trigger.total}} {"d":{{trigger.total}}}`)],
    ['a short text with words of bindings', graph([paid, note('item. 5'), note('context. Then', 'two'), note('{{trigger.total}} item.id', 'three'), note('blocks. ', 'four')], 'start>note', 'start>two', 'start>three', 'start>four')],
    ['numbers, numeric text and days', guarded({ all: [{ left: '{{trigger.total}}', op: 'gt', right: ' 1000.50 ' }, { left: 5, op: 'lt', right: '{{trigger.total}}' }, { left: '{{trigger.dueDate}}', op: 'lt', right: '2026-01-31T08:00:00Z' }, { left: '{{trigger.dueDate}}', op: 'gte', right: '{{context.today}}' }, { left: '{{trigger.currency}}', op: 'gt', right: 'EUR' }] })],
    ['a comparison with null', guarded({ left: '{{trigger.dueDate}}', op: 'eq', right: null })],
    ['a subject in angle brackets', graph([paid, act('mail', 'email.send', { to: 'Amy@example.com, {{trigger.customerName}}', subject: '<Thanks>', body: 'x' })], 'start>mail')],
    ['a webhook with a bound address', graph([paid, act('post', 'webhook.post', { url: '{{trigger.customerName}}', headers: { 'X-Key': '{{secrets.API_KEY}}' } })], 'start>post')],
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
    const toFill = template.parameters.filter(
      ({ path }) => filled(template) && path.split('.').reduce((at: never, name) => at[name], template as never) === '',
    )
    expect(empty.map(({ code, path }) => [code, path])).toEqual(toFill.map(({ path }) => ['UNFILLED_VALUE', path]))
  })

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
    ['a day that is not written as one', noted('{{context.today-3}}'), ['UNKNOWN_FIELD blocks.1.config.input.name: The block note: {{context.today-3}} has no value. Did you mean context.today-3d?']],
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

describe('names that are nearly right', () => {
  test.each([
    ['custmerId', 'customerId'],
    ['customer', 'customerId'],
    ['toatl', 'total'],
    ['Total', 'total'],
    ['amount', undefined],
    ['name', undefined],
    ['x', undefined],
  ])('%s is %s', (given, meant) =>
    expect(nearest(given, ['id', 'subtotal', 'taxAmount', 'customerId', 'customerName', 'total', 'account'])).toBe(
      meant,
    ),
  )
})

describe('refs and rights', () => {
  const owner = { role: 'OWNER', source: 'AUTOMATION' } as const
  const said = (of: Graph, scopes: string[] | null = null) =>
    saveWarnings(catalog, of, { rights: { ...owner, scopes }, problem: null }).map(({ code, path, message }) => `${code} ${path}: ${message}`)
  const starts = (ref: string | null) => graph([block('start', 'TRIGGER', ref, {})])
  const calls = (ref: string | null) => graph([paid, block('a', 'ACTION', ref, { input: {} })], 'start>a')
  const finds = (spec: object) => graph([paid, find('f', spec)], 'start>f')
  const remedy = 'Save the graph signed in, or with a key that has the scope.'
  test.each<[string, string[], string[]]>([
    ['invoice.payed', said(starts('invoice.payed')), ['UNKNOWN_TRIGGER blocks.0.ref: The block start waits for invoice.payed, which is not in the catalog. Did you mean invoice.paid?']],
    ['Invoice.Paid', said(starts('Invoice.Paid')), ['UNKNOWN_TRIGGER blocks.0.ref: The block start waits for Invoice.Paid, which is not in the catalog. Did you mean invoice.paid?']],
    ['no trigger', said(starts(null)), ['UNKNOWN_TRIGGER blocks.0.ref: The block start has no ref: the event that it waits for, such as invoice.paid.']],
    ['nothing near', said(starts('moon.full')), ['UNKNOWN_TRIGGER blocks.0.ref: The block start waits for moon.full, which is not in the catalog. automations_catalog lists what there is.']],
    ['invoice_send', said(calls('invoice_send')), ['UNKNOWN_ACTION blocks.1.ref: The block a calls invoice_send, which is not in the catalog. Did you mean invoices_send?']],
    ['email_send', said(calls('email_send')), ['UNKNOWN_ACTION blocks.1.ref: The block a calls email_send, which is not in the catalog. Did you mean email.send?']],
    ['webhook_post', said(calls('webhook_post')), ['UNKNOWN_ACTION blocks.1.ref: The block a calls webhook_post, which is not in the catalog. Did you mean webhook.post?']],
    ['no action', said(calls(null)), ['UNKNOWN_ACTION blocks.1.ref: The block a has no ref: the action that it takes, such as invoices_send.']],
    ...['automations_create', 'automations_test', 'automations_replay', 'automations_replay_failed', 'automations_cancel'].map((ref): [string, string[], string[]] => [ref, said(calls(ref)), [`MISSING_SOURCE blocks.1.ref: The block a will fail: ${ref} cannot be called by an automation.`]]),
    ['automations_update of a graph', said(graph([paid, act('a', 'automations_update', { id: '{{trigger.id}}', blocks: '{{trigger}}' })], 'start>a')), ['MISSING_SOURCE blocks.1.ref: The block a will fail: automations_update with blocks or edges cannot be called by an automation.']],
    ['automations_update of a name', said(graph([paid, act('a', 'automations_update', { id: '{{trigger.id}}', name: 'x' })], 'start>a')), []],
    ['a field of a filter', said(finds({ root: 'Document', extract: [{ as: 'x', path: 'Document.totl' }] })), ['FILTER blocks.1.config.spec.extract.0.path: The block f: config.spec.extract.0.path names totl (did you mean total?); Document has ']],
    ['an object of a filter', said(finds({ root: 'Documents', extract: [{ as: 'x', path: 'Documents.total' }] })), ['FILTER blocks.1.config.spec.root: The block f: config.spec.root names Documents (did you mean Document?), which']],
    ['the scope of an action', said(calls('customers_list'), ['invoices:read']), [`MISSING_SCOPE blocks.1.ref: The block a will fail: customers_list needs the scope customers:read. ${remedy}`]],
    ['the scope of a trigger', said(starts('invoice.paid'), ['customers:read']), [`MISSING_SCOPE blocks.0.ref: The block start: without the scope invoices:read the payload of invoice.paid holds only id and organizationId. ${remedy}`]],
    ['the scope of a filter', said(finds({ root: 'Customer', extract: [{ as: 'x', path: 'Customer.id' }] }), ['invoices:read']), [`MISSING_SCOPE blocks.1.config.spec.root: The block f: Without the scope customers:read no rows of Customer are visible, so this filter finds nothing. ${remedy}`]],
  ])('%s', (_, found, expected) => startWith(found.slice(0, Math.max(1, expected.length)), expected))
}) // biome-ignore format: a case a line

describe('texts that look like bindings', () => {
  const filtered = (value: unknown) =>
    graph(
      [
        paid,
        find('f', {
          root: 'Document',
          predicates: [{ object: 'Document', field: 'notes', op: 'eq', value }],
          extract: [{ as: 'id', path: 'Document.id' }],
        }),
      ],
      'start>f',
    )
  const posted = (body: unknown) =>
    graph([paid, act('post', 'webhook.post', { url: 'https://example.com', body })], 'start>post')
  test.each<[string, Graph, string[]]>([
    ['an operand without braces', guarded({ left: 'trigger.amount', op: 'gt', right: 1000 }), ['NOT_A_BINDING edges.0.cond.left: The edge start>note: trigger.amount is taken as text. Write {{trigger.amount}} for its value.']],
    ['an operand inside all', guarded({ all: [{ left: '{{trigger.total}}', op: 'gt', right: 'context.today-3d' }] }), ['NOT_A_BINDING edges.0.cond.all.0.right', 'NOT_COMPARABLE edges.0.cond.all.0.right']],
    ['an input without braces', noted('blocks.start.0.id'), ['NOT_A_BINDING blocks.1.config.input.name']],
    ['an input inside a list', posted({ a: ['item.id'] }), ['NOT_A_BINDING blocks.1.config.input.body.a.0']],
    ['the value of a filter', filtered('trigger.customerId'), ['NOT_A_BINDING blocks.1.config.spec.predicates.0.value']],
    ['single braces', noted('Invoice {trigger.total} is paid'), ['NOT_A_BINDING blocks.1.config.input.name: The block note: {trigger.total} is taken as text. A binding has two braces on both sides: {{trigger.total}}.']],
    ['the braces of a script', noted(`Paid: \${trigger.total}`), ['NOT_A_BINDING blocks.1.config.input.name: The block note: $']],
    ['a binding that is not closed', noted('{{trigger.total}} {{trigger.total'), ['NOT_A_BINDING blocks.1.config.input.name: The block note: {{trigger.total is taken as text.']],
    ['a binding with one brace at its end', noted('{{trigger.total} is paid'), ['NOT_A_BINDING blocks.1.config.input.name']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

describe('comparisons', () => {
  test.each<[string, Graph, string[]]>([
    ['a number with other text', guarded({ left: '{{trigger.total}}', op: 'gt', right: '1,000' }), ['NOT_COMPARABLE edges.0.cond.right: The edge start>note: {{trigger.total}} is a number and "1,000" is not, so they are compared as text. Write a number such as 1000.']],
    ['other text with a number', guarded({ not: { left: 'much', op: 'lte', right: '{{trigger.total}}' } }), ['NOT_COMPARABLE edges.0.cond.not.left']],
    ['a day with other text', guarded({ left: '{{trigger.dueDate}}', op: 'lt', right: '31/01/2026' }), ['NOT_COMPARABLE edges.0.cond.right: The edge start>note: {{trigger.dueDate}} is a date']],
    ['a day with a number', guarded({ left: '{{trigger.dueDate}}', op: 'lt', right: 30 }), ['NOT_COMPARABLE edges.0.cond.right']],
    ['no right of an ordering', guarded({ left: '{{trigger.total}}', op: 'gt' }), ['MISSING_OPERAND edges.0.cond.right: The edge start>note: gt needs right, the value to compare with.']],
    ['no right of eq', guarded({ any: [{ left: '{{trigger.total}}', op: 'eq' }] }), ['MISSING_OPERAND edges.0.cond.any.0.right: The edge start>note: eq needs right, the value to compare with. Write right: null']],
    ['an ordering with null', guarded({ left: '{{trigger.total}}', op: 'gt', right: null }), ['MISSING_OPERAND edges.0.cond.right']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

describe('the input of actions', () => {
  const given = (ref: string, input: unknown) => graph([paid, act('a', ref, input)], 'start>a')
  test.each<[string, Graph, string[]]>([
    ['a missing field', given('invoices_send', {}), ['MISSING_INPUT blocks.1.config.input.id: The block a: invoices_send would refuse it: id is missing.']],
    ['an unknown field', given('customers_update', { id: '{{trigger.customerId}}', note: 'x' }), ['UNKNOWN_INPUT blocks.1.config.input.note: The block a: customers_update would refuse it: note is not a field of this operation; the nearest is notes.']],
    ['an unknown field of a read', given('customers_list', { serch: 'x' }), ['UNKNOWN_INPUT blocks.1.config.input.serch']],
    ['a wrong type', given('customers_update', { id: '{{trigger.customerId}}', notes: 7 }), ['INVALID_INPUT blocks.1.config.input.notes: The block a: customers_update would refuse it: notes must be text']],
    ['a wrong word', given('expenses_status', { id: '{{trigger.id}}', status: 'FINE' }), ['INVALID_INPUT blocks.1.config.input.status: The block a: expenses_status would refuse it: status must be one of']],
    ['an unfilled id', given('invoices_send', { id: '' }), ['UNFILLED_VALUE blocks.1.config.input.id: The block a: config.input.id is not filled in.']],
    ['a placeholder', given('invoices_send', { id: '<the invoice>' }), ['UNFILLED_VALUE blocks.1.config.input.id']],
    ['a placeholder for an id', given('invoices_send', { id: '<INVOICE_ID>' }), ['UNFILLED_VALUE blocks.1.config.input.id']],
    ['no web address', given('webhook.post', { url: 'example.com/hook' }), ['INVALID_INPUT blocks.1.config.input.url: The block a: webhook.post would refuse it: url must be a web address']],
    ['another protocol', given('webhook.post', { url: 'ftp://example.com' }), ['INVALID_INPUT blocks.1.config.input.url']],
    ['a header that Kontor sets', given('webhook.post', { url: 'https://example.com', headers: { Host: 'x', 'x-a': 'y' } }), ['INVALID_INPUT blocks.1.config.input.headers.Host: The block a: webhook.post would refuse it: The header "Host" cannot be set: Kontor sets it itself.']],
    ['no address', given('email.send', { to: 'Amy', subject: 'x', body: 'y' }), ['INVALID_INPUT blocks.1.config.input.to: The block a: email.send would refuse it: Amy is not an e-mail address.']],
    ['one of a list is no address', given('email.send', { to: ['amy@example.com', 'Bob', '{{trigger.customerName}}'], subject: 'x', body: 'y' }), ['INVALID_INPUT blocks.1.config.input.to.1']],
    ['fields in the wrong place', graph([paid, block('a', 'ACTION', 'invoices_send', { id: '{{trigger.id}}' })], 'start>a'), ['MISSING_INPUT blocks.1.config.input: The block a: the fields of the action belong into config.input, not config.']],
    ['no object', given('invoices_send', ['x']), ['INVALID_INPUT blocks.1.config.input']],
    ['the input of the engine', given('email.send', { to: [], subject: 'Hi {{trigger.id}}', bdy: 'x' }), ['MISSING_INPUT blocks.1.config.input.body', 'UNKNOWN_INPUT blocks.1.config.input.bdy: The block a: email.send would refuse it: bdy is not a field of this operation; the nearest is body.', 'INVALID_INPUT blocks.1.config.input.to']],
  ])('%s', (_, wrong, expected) => startWith(warned(wrong), expected)) // biome-ignore format: a case a line
})

describe('edges and paths', () => {
  test.each<[string, Graph, string[]]>([
    ['FOR_EACH over an object', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', 'all*note'), ['NOT_A_LIST edges.1.mode: The edge all*note: the output of the block all is not a list, so its target runs once. Set each to customers.']],
    ['FOR_EACH over a scalar', graph([paid, counted, note('x')], 'start>counted', 'counted*note'), ['NOT_A_LIST edges.1.mode']],
    ['each names no list', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all*note', { each: 'pagination' })), ['NOT_A_LIST edges.1.each']],
    ['each names nothing', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all*note', { each: 'custmers' })), ['UNKNOWN_FIELD edges.1.each: The edge all*note: the output of the block all has no custmers. Did you mean customers?']],
    ['each without FOR_EACH', graph([paid, act('all', 'customers_list', {}), note('x')], 'start>all', edge('all>note', { each: 'customers' })), ['UNUSED_EACH edges.1.each']],
    ['an edge into a trigger', graph([paid, on('invoice.sent', 'other')], 'start>other'), ['EDGE_TO_TRIGGER edges.0.toBlockId: The edge start>other has no effect: the TRIGGER other runs only when its own event occurs.']],
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
