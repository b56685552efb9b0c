import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { automate, graphOf, runSoFar, trigger } from '../../../../test/automations/automations.ts'
import { customer } from '../../../../test/automations/filters.ts'
import { inProof } from '../../../../test/prove.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runFilter } from './filter.ts'
import { filterOperators } from './spec.ts'

// Compares the results of a filter with those of a simple model of docs/automation-filters.md, which works in memory on
// the rows read through the API.

type Row = Record<string, unknown>
type World = Record<string, Row[]>
type Spec = Parameters<typeof expectedResults>[1]

const types: Record<string, Record<string, 'string' | 'number' | 'boolean' | 'day' | 'instant'>> = {
  Document: { id: 'string', customerId: 'string', status: 'string', invoiceNumber: 'string', currency: 'string', notes: 'string', total: 'number',
    paidAmount: 'number', taxRate: 'number', inDispute: 'boolean', dueDate: 'day', issueDate: 'day', createdAt: 'instant' },
  Customer: { id: 'string', name: 'string', email: 'string', kind: 'string', createdAt: 'instant' },
  DocumentLine: { id: 'string', documentId: 'string', description: 'string', quantity: 'number', amount: 'number' },
  Payment: { id: 'string', customerId: 'string', amount: 'number', openRemainder: 'number', currency: 'string', method: 'string', paidAt: 'day', voidedAt: 'instant' },
} // biome-ignore format: a table

const relations: Record<string, Record<string, { to: string; meets(from: Row, to: Row): boolean }>> = {
  Document: {
    customer: { to: 'Customer', meets: (document, { id }) => document.customerId === id },
    lines: { to: 'DocumentLine', meets: (document, line) => line.documentId === document.id },
    payments: { to: 'Payment', meets: (document, { documents }) => (documents as unknown[]).includes(document.id) },
  },
  Customer: {
    documents: { to: 'Document', meets: ({ id }, document) => document.customerId === id },
    payments: { to: 'Payment', meets: ({ id }, payment) => payment.customerId === id },
  },
  DocumentLine: { document: { to: 'Document', meets: (line, { id }) => line.documentId === id } },
  Payment: {
    customer: { to: 'Customer', meets: (payment, { id }) => payment.customerId === id },
    documents: { to: 'Document', meets: ({ documents }, { id }) => (documents as unknown[]).includes(id) },
  },
}

/** Singapore is eight hours ahead of UTC all year. */
const dayOf = (text: string) =>
  text.length === 10 ? text : new Date(Date.parse(text) + 8 * 3_600_000).toISOString().slice(0, 10)

/** Negative if left is less than right. Neither is null, and right matches the type. */
function compare(type: string, left: unknown, right: unknown): number {
  const [a, b] = [String(left), String(right)]
  const order = <T>(x: T, y: T) => (x === y ? 0 : x < y ? -1 : 1)
  if (type === 'number') return Number(a) - Number(b)
  if (type === 'day' || (type === 'instant' && b.length === 10)) return order(dayOf(a), dayOf(b))
  return type === 'instant' ? Date.parse(a) - Date.parse(b) : order(a, b)
}

function holds(type: string, op: string, left: unknown, right: unknown): boolean {
  const isEqual = (one: unknown) => (one === null || left === null ? one === left : compare(type, left, one) === 0)
  if (op === 'eq' || op === 'in') return [right].flat().some(isEqual)
  if (op === 'ne' || op === 'nin') return ![right].flat().some(isEqual)
  if (left === null || right === null) return false
  if (op === 'contains') return String(left).includes(String(right))
  const sign = compare(type, left, right)
  return op === 'gt' ? sign > 0 : op === 'gte' ? sign >= 0 : op === 'lt' ? sign < 0 : sign <= 0
}

/** The expected results: all combinations, filtered, without duplicates, and then grouped. */
function expectedResults(
  world: World,
  spec: {
    root: string
    follows: { from: string; name: string; as: string }[]
    predicates: { object: string; field: string; op: string; value: unknown }[]
    aggregateBy: string[]
    extract: { as: string; path: string; fn?: 'sum' | 'count' }[]
  },
): Row[] {
  const objects = new Map([[spec.root, spec.root]])
  let all: Record<string, Row>[] = (world[spec.root] ?? []).map((row) => ({ [spec.root]: row }))
  for (const { from, name, as } of spec.follows) {
    const relation = relations[objects.get(from) ?? '']?.[name]
    if (!relation) throw new Error(`${from} has no ${name}`)
    objects.set(as, relation.to)
    const targets = world[relation.to] ?? []
    all = all.flatMap((each) =>
      targets.filter((row) => relation.meets(each[from] ?? {}, row)).map((row) => ({ ...each, [as]: row })),
    )
  }
  const matching = all.filter((each) =>
    spec.predicates.every(({ object, field, op, value }) =>
      holds(types[objects.get(object) ?? '']?.[field] ?? '', op, each[object]?.[field] ?? null, value),
    ),
  )
  const split = (path: string) => path.split('.') as [string, string]
  const shown = [...objects.keys()].filter(
    (name) =>
      name === spec.root ||
      [...spec.aggregateBy, ...spec.extract.map((each) => each.path)].some((path) => split(path)[0] === name),
  )
  const key = (each: Record<string, Row>) => shown.map((name) => `${each[name]?.key}`).join(' ')
  const once = [...new Map(matching.map((each) => [key(each), each])).values()].sort((a, b) =>
    key(a) < key(b) ? -1 : 1,
  )
  const value = (each: Record<string, Row>, path: string) => each[split(path)[0]]?.[split(path)[1]] ?? null
  const isAggregate = spec.aggregateBy.length > 0 || spec.extract.some(({ fn }) => fn)
  const groupPaths = [...spec.aggregateBy, ...spec.extract.flatMap(({ fn, path }) => (fn ? [] : [path]))]
  const named = (each: (extract: Spec['extract'][number]) => unknown) =>
    Object.fromEntries(spec.extract.map((extract) => [extract.as, each(extract)]))
  if (!isAggregate) return once.map((each) => named(({ path }) => value(each, path)))
  const groups = new Map<string, typeof once>()
  for (const each of once) {
    const group = JSON.stringify(groupPaths.map((path) => value(each, path)))
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  if (groupPaths.length === 0 && groups.size === 0) groups.set('', [])
  return [...groups.values()].map((members) =>
    named(({ path, fn }) => {
      if (!fn) return value(members[0] ?? {}, path)
      const rows = [...new Map(members.map((each) => [each[split(path)[0]]?.key, value(each, path)])).values()]
      const present = rows.filter((each) => each !== null)
      return fn === 'count'
        ? present.length
        : Math.round(present.reduce<number>((sum, each) => sum + Number(each), 0) * 1e6) / 1e6
    }),
  )
}

/** Random specs with existing names. Their values occur in the data, are close to such values, or are null. */
function specs(world: World): fc.Arbitrary<Spec> {
  const pick =
    <T>(list: readonly T[]) =>
    (at: number) =>
      list[at % list.length] as T
  return fc
    .record({
      root: fc.constantFrom(...Object.keys(types)),
      follows: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
      predicates: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...filterOperators), fc.array(fc.nat(), { minLength: 1, maxLength: 3 })), { maxLength: 3 }),
      groups: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }),
      extract: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(undefined, undefined, 'sum' as const, 'count' as const)), { minLength: 1, maxLength: 3 }),
    }) // biome-ignore format: a record
    .map(({ root, ...random }) => {
      const objects: [string, string][] = [[root, root]]
      const follows = random.follows.map(([a, b], n) => {
        const [from, object] = pick(objects)(a)
        const [name, { to }] = pick(Object.entries(relations[object] ?? {}))(b)
        const as = `S${n}`
        objects.push([as, to])
        return { from, name, as }
      })
      const fieldAt = (a: number, b: number) => {
        const [object, type] = pick(objects)(a)
        const [field, kind] = pick(Object.entries(types[type] ?? {}))(b)
        return { object, field, kind, type, path: `${object}.${field}` }
      }
      const predicates = random.predicates.map(([a, b, op, values]) => {
        const { object, field, kind, type } = fieldAt(a, b)
        const candidates = candidatesFor(world[type] ?? [], field, kind)
        const list = values.map((each) => pick(candidates)(each))
        return { object, field, op, value: op === 'in' || op === 'nin' ? list : (list[0] ?? null) }
      })
      const groups = [...new Set(random.groups.map(([a, b]) => fieldAt(a, b).path))]
      const extract = random.extract.map(([a, b, fn], n) => {
        const { path, kind } = fieldAt(a, b)
        const usable = fn === 'sum' && kind !== 'number' ? 'count' : fn
        const isGrouped = groups.length > 0 && !usable
        return { as: `x${n}`, path: isGrouped ? pick(groups)(b) : path, ...(usable && { fn: usable }) }
      })
      return { root, follows, predicates, aggregateBy: groups, extract }
    })
}

function candidatesFor(rows: readonly Row[], field: string, kind: string): unknown[] {
  const values = rows.map((row) => row[field] ?? null)
  const texts = values.filter((value) => value !== null).map(String)
  const extra: Record<string, unknown[]> = {
    number: [0, 50, '109', '1e2', -1],
    string: ['', 'a', 'Z', 'G', 100],
    boolean: ['true', false],
    day: ['2026-02-01', '2026-02-01T20:00:00Z'],
    instant: ['2026-02-01', new Date().toISOString()],
  }
  return [...values, ...texts, ...(extra[kind] ?? []), null]
}

test('a filter finds the same results as a simple model in memory', async () => {
  const amy = await member('MANAGER')
  const world = await smallWorld(amy)
  const runId = await runSoFar(amy, await automate(amy, graphOf([trigger('invoice.paid')]), { armed: false }), [])
  const confined = (spec: Spec) =>
    withTransaction(theApp().confined, amy, async ({ db }) => {
      const rights = { role: 'VIEWER', scopes: null } as const
      const organizationId = amy.organizationId ?? ''
      const context = { db, now: new Date(), timezone: 'Asia/Singapore', organizationId, runId, rights }
      return (await runFilter(context, spec)).output
    })
  await fc.assert(
    fc.asyncProperty(specs(world), async (spec) => {
      const [found, expected] = [(await confined(spec)) as Row[], expectedResults(world, spec)]
      const isAggregate = spec.aggregateBy.length > 0 || spec.extract.some(({ fn }) => fn)
      const inOrder = (rows: Row[]) => (isAggregate ? rows.map((row) => JSON.stringify(row)).sort() : rows)
      expect(inOrder(found)).toEqual(inOrder(expected))
    }),
    { numRuns: inProof(100, 400), endOnFailure: false },
  )
})

/** The rows as the API returns them. `key` is unique and gives their order. */
async function smallWorld(amy: Someone): Promise<World> {
  const customers = [
    await customer(amy, 'Globex', { email: 'a@globex.test' }),
    await customer(amy, 'globex'),
    await customer(amy, 'Zoe', { kind: 'INDIVIDUAL' }),
    await customer(amy, 'Nobody'),
  ]
  const line = (id: string, amount: number) => ({
    id,
    description: `Part ${id}`,
    quantity: 1,
    unitPrice: amount,
    amount,
  })
  const sold = [
    { status: 'SENT', dueDate: '2026-02-01', notes: 'a' },
    { status: 'UNSENT', dueDate: '2026-02-02' },
    { status: 'DRAFT', notes: '' },
    { status: 'SENT', currency: 'EUR', items: [line('2', 60.5), line('1', 39.5)], subtotal: 100, taxRate: 0, taxAmount: 0, total: 100, notes: 'A' },
    { status: 'SENT', currency: 'JPY', items: [line('1', 50), line('2', 50), line('3', 9)], subtotal: 109, taxRate: null, taxAmount: 0, total: 109 },
    { status: 'DRAFT', items: [], subtotal: 0, taxAmount: 0, taxRate: null, total: 0, dueDate: '2026-01-01' },
  ] // biome-ignore format: a table
  const ids: string[] = []
  for (const [n, each] of sold.entries()) ids.push((await sell(amy, { customerId: customers[n % 3]?.id, ...each })).id)
  const [first = '', second = '', , euros = '', yen = ''] = ids
  const paid = { organizationId: amy.organizationId ?? '', paidAt: '2026-02-02', currency: 'SGD' }
  await amy.call('invoices_payments_create', {
    ...paid,
    amount: 200,
    method: 'CARD',
    allocations: [{ documentId: first }, { documentId: second, amount: 50 }],
  })
  await amy.call('invoices_payments', {
    id: euros,
    amount: 20,
    paidAt: '2026-02-01',
    lineAllocations: [
      { lineId: '1', amount: 10 },
      { lineId: '2', amount: 10 },
    ],
  })
  const { id: voided } = await amy.call('invoices_payments', { id: yen, amount: 9, paidAt: '2026-02-03' })
  await amy.call('invoices_payments_void', { id: voided })
  await amy.call('invoices_payments_create', {
    ...paid,
    amount: 7,
    currency: 'USD',
    customerId: customers[3]?.id ?? null,
  })
  const documents = await Promise.all(ids.map((id) => amy.call('invoices_get', { id })))
  const { payments } = await amy.call('invoices_payments_list', {
    organizationId: amy.organizationId ?? '',
    limit: 100,
  })
  return {
    Customer: customers.map((row) => ({ ...row, key: row.id })),
    Document: documents.map((row) => ({ ...row, key: row.id })),
    DocumentLine: documents.flatMap(({ id, items }) => items.map((item, n) => ({ ...item, documentId: id, key: `${id} ${n}` }))),
    Payment: payments.map((row) => ({ ...row, key: row.id, documents: row.allocations.map((each) => each.documentId) })),
  } // biome-ignore format: a table
}
