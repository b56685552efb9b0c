import { describe, expect, test } from 'vitest'
import { graphOf, trigger } from '../../../../test/automations/automations.ts'
import { customer, preview, someone, take, where } from '../../../../test/automations/filters.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, theApp, withKey } from '../../../../test/world.ts'
import { filterCatalog } from './objects.ts'

/** Two customers: Globex owes 109 twice, one of them in dispute, and has a draft; Initech paid 50 of 100 in euros. */
async function books() {
  const amy = await member('MANAGER')
  const [globex, initech] = [
    await customer(amy, 'Globex', { email: 'pay@globex.test' }),
    await customer(amy, 'Initech'),
  ]
  const line = (unitPrice: number, id = '1') => ({
    id,
    description: `Work ${id}`,
    quantity: 1,
    unitPrice,
    amount: unitPrice,
  })
  const issued = { customerId: globex.id, status: 'SENT', dueDate: '2026-01-10' }
  const [first, second] = [await sell(amy, issued), await sell(amy, { ...issued, dueDate: '2026-02-10' })]
  const draft = await sell(amy, { customerId: globex.id, dueDate: null })
  const euros = await sell(amy, {
    customerId: initech.id, status: 'SENT', currency: 'EUR', items: [line(60), line(40, '2')],
    subtotal: 100, taxRate: 0, taxAmount: 0, total: 100,
  }) // biome-ignore format: a document
  await amy.call('invoices_payments', { id: euros.id, amount: 50, paidAt: '2026-03-01', method: 'CARD' })
  return { amy, globex, initech, first, second, draft, euros }
}

test('a preview counts the results of a filter and shows the first five, oldest first', async () => {
  const amy = await member('CONTRIBUTOR')
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.push((await customer(amy, `C${n}`)).id)
  const spec = { root: 'Customer', extract: take('Customer.id', 'Customer.name') }
  expect(await preview(amy, spec)).toEqual({
    count: 7,
    sample: ids.slice(0, 5).map((id, n) => ({ id, name: `C${n}` })),
  })
  expect(await preview(amy, { ...spec, extract: take('Customer.name'), shape: 'scalars' })).toEqual({
    count: 7,
    sample: ['C0', 'C1', 'C2', 'C3', 'C4'],
  })
  expect(await preview(amy, { ...spec, shape: 'scalar' })).toEqual({ count: 7, sample: [], scalar: ids[0] })
  const none = { ...spec, predicates: [where('Customer', 'name', 'eq', 'nobody')] }
  expect(await preview(amy, none)).toEqual({ count: 0, sample: [] })
  expect(await preview(amy, { ...none, shape: 'scalar' })).toEqual({ count: 0, sample: [], scalar: null })
})

test('a preview counts up to 1000 results', async () => {
  const amy = await member('VIEWER')
  await theApp().system.raw.query(
    `insert into customers (organization_id, id, name, kind, default_currencies, status)
     select $1, gen_random_uuid(), 'Customer ' || n, 'ORGANIZATION', '{}', 'ACTIVE' from generate_series(1, 1200) n`,
    [amy.organizationId],
  )
  const spec = { root: 'Customer', extract: take('Customer.name') }
  expect(await preview(amy, spec)).toMatchObject({ count: 1000, sample: { length: 5 } })
  const counted = { ...spec, extract: [{ as: 'n', path: 'Customer.id', fn: 'count' }], shape: 'scalar' }
  expect(await preview(amy, counted)).toEqual({ count: 1000, sample: [], scalar: 1200 })
})

describe('followed relations', () => {
  test('a document can be shown with its customer', async () => {
    const { amy, first, second } = await books()
    const spec = {
      root: 'Document',
      follows: [{ from: 'Document', name: 'customer' }],
      predicates: [where('Customer', 'name', 'eq', 'Globex'), where('Document', 'status', 'ne', 'DRAFT')],
      extract: take('Document.id', 'Customer.email'),
    }
    expect(await preview(amy, spec)).toEqual({
      count: 2,
      sample: [first, second].map(({ id }) => ({ id, email: 'pay@globex.test' })),
    })
  })

  test('a customer with several overdue documents is one result, or one per document if a field of the document is extracted', async () => {
    const { amy, globex } = await books()
    const spec = {
      root: 'Customer',
      follows: [{ from: 'Customer', name: 'documents', as: 'Overdue' }],
      predicates: [where('Overdue', 'daysOverdue', 'gt', 0)],
      extract: take('Customer.id'),
    }
    expect(await preview(amy, spec)).toEqual({ count: 1, sample: [{ id: globex.id }] })
    expect(await preview(amy, { ...spec, extract: take('Customer.id', 'Overdue.dueDate') })).toEqual({
      count: 2,
      sample: [{ id: globex.id, dueDate: '2026-01-10' }, { id: globex.id, dueDate: '2026-02-10' }],
    }) // biome-ignore format: a list
  })

  test('a payment allocated to two lines of a document is one result', async () => {
    const { amy, euros } = await books()
    const lines = [{ lineId: '1', amount: 10 }, { lineId: '2', amount: 10 }] // biome-ignore format: a list
    await amy.call('invoices_payments', { id: euros.id, amount: 20, paidAt: '2026-03-02', lineAllocations: lines })
    const follows = [{ from: 'Document', name: 'payments' }]
    const spec = { root: 'Document', follows, extract: take('Document.id', 'Payment.amount') }
    expect((await preview(amy, spec)).sample).toEqual([{ id: euros.id, amount: 50 }, { id: euros.id, amount: 20 }]) // biome-ignore format: a list
  })

  test('following a relation and its inverse finds all documents of the same customer', async () => {
    const { amy, first, globex } = await books()
    const follows = [
      { from: 'Document', name: 'customer' },
      { from: 'Customer', name: 'documents', as: 'Sibling' },
    ]
    const counted = [{ as: 'documents', path: 'Sibling.id', fn: 'count' }]
    const predicates = [where('Document', 'id', 'eq', first.id), where('Customer', 'id', 'eq', globex.id)]
    expect((await preview(amy, { root: 'Document', follows, predicates, extract: counted })).sample).toEqual([
      { documents: 3 },
    ])
  })
})

describe('groups, sums and counts', () => {
  test('documents are summed by currency', async () => {
    const { amy } = await books()
    const extract = [
      { as: 'currency', path: 'Document.currency' },
      { as: 'total', path: 'Document.total', fn: 'sum' },
      { as: 'open', path: 'Document.openBalance', fn: 'sum' },
      { as: 'documents', path: 'Document.id', fn: 'count' },
      { as: 'due', path: 'Document.dueDate', fn: 'count' },
    ]
    const groups = [
      { currency: 'EUR', total: 100, open: 50, documents: 1, due: 0 },
      { currency: 'SGD', total: 327, open: 218, documents: 3, due: 2 },
    ]
    const spec = { root: 'Document', aggregateBy: ['Document.currency'], extract }
    expect(await preview(amy, spec)).toEqual({ count: 2, sample: groups })
    expect(await preview(amy, { ...spec, aggregateBy: [] })).toMatchObject({ count: 2, sample: groups })
  })

  test('a document counts once in a sum, also if its lines are followed', async () => {
    const { amy } = await books()
    const spec = {
      root: 'Document',
      follows: [{ from: 'Document', name: 'lines' }],
      aggregateBy: ['Document.currency'],
      extract: [
        { as: 'currency', path: 'Document.currency' },
        { as: 'total', path: 'Document.total', fn: 'sum' },
        { as: 'lines', path: 'DocumentLine.id', fn: 'count' },
        { as: 'amount', path: 'DocumentLine.amount', fn: 'sum' },
      ],
    }
    expect((await preview(amy, spec)).sample).toEqual([
      { currency: 'EUR', total: 100, lines: 2, amount: 100 },
      { currency: 'SGD', total: 327, lines: 3, amount: 300 },
    ])
  })

  test('a group by the id of an object can show all fields of the object', async () => {
    const { amy, globex, initech } = await books()
    const spec = {
      root: 'Document',
      follows: [{ from: 'Document', name: 'customer' }],
      aggregateBy: ['Customer.id'],
      extract: [...take('Customer.id', 'Customer.name'), { as: 'n', path: 'Document.id', fn: 'count' }],
    }
    expect((await preview(amy, spec)).sample).toEqual([
      { id: globex.id, name: 'Globex', n: 3 },
      { id: initech.id, name: 'Initech', n: 1 },
    ])
  })

  test('the sum of no rows is 0, and the count of a scalar is the number of rows behind it', async () => {
    const { amy } = await books()
    const sum = [{ as: 'sum', path: 'Document.total', fn: 'sum' }]
    const only = (currency: string) => ({
      root: 'Document',
      predicates: [where('Document', 'currency', 'eq', currency)],
      extract: sum,
      shape: 'scalar',
    })
    expect(await preview(amy, only('SGD'))).toEqual({ count: 3, sample: [], scalar: 327 })
    expect(await preview(amy, only('USD'))).toEqual({ count: 0, sample: [], scalar: 0 })
  })

  test('a sum over several currencies gives a warning', async () => {
    const { amy } = await books()
    const spec = { root: 'Document', extract: [{ as: 'sum', path: 'Document.total', fn: 'sum' }], shape: 'scalar' }
    expect(await preview(amy, spec)).toMatchObject({
      scalar: 427,
      warnings: [{ code: 'MIXED_CURRENCIES', path: 'spec.extract.0' }],
    })
  })
})

test('a preview compares a binding as text with a warning, or refuses it if the field is not text', async () => {
  const amy = await member('CONTRIBUTOR')
  await customer(amy, '{{trigger.name}}')
  const bound = (field: string) => ({
    root: 'Customer',
    predicates: [where('Customer', field, 'eq', '{{trigger.name}}')],
    extract: take('Customer.name'),
  })
  expect(await preview(amy, bound('name'))).toEqual({
    count: 1,
    sample: [{ name: '{{trigger.name}}' }],
    warnings: [{ code: 'UNRESOLVED_BINDING', path: 'spec.predicates.0.value', message: expect.any(String) }],
  })
  await expect(preview(amy, bound('createdAt'))).rejects.toMatchObject({
    status: 400,
    details: [{ message: expect.stringContaining('only when the automation runs') }],
  })
})

test('a filter returns the same field values as the API', async () => {
  const { amy, euros } = await books()
  const document = await amy.call('invoices_get', { id: euros.id })
  const shared = filterCatalog.Document?.fields.map(({ name }) => name).filter((name) => name in document) ?? []
  const spec = {
    root: 'Document',
    predicates: [where('Document', 'id', 'eq', euros.id)],
    extract: take(...shared.map((name) => `Document.${name}`)),
  }
  expect(shared.length).toBeGreaterThan(20)
  expect((await preview(amy, spec)).sample).toEqual([
    Object.fromEntries(shared.map((name) => [name, document[name as keyof typeof document]])),
  ])
})

test.each(Object.entries(filterCatalog))(
  'every field and relation of %s can be filtered',
  async (object, { fields, morphisms }) => {
    const amy = ['Employee', 'Payslip'].includes(object) ? await member('CONTRIBUTOR') : await someone()
    const predicates = fields.flatMap(({ name, type }) => [
      where(object, name, 'ne', { string: 'x', number: 1, boolean: true, date: '2026-01-31' }[type]),
      where(object, name, 'contains', ''),
    ])
    for (let n = 0; n < predicates.length; n += 50)
      await preview(amy, {
        root: object,
        predicates: predicates.slice(n, n + 50),
        extract: take(...fields.map(({ name }) => `${object}.${name}`)),
      })
    for (const [name, to] of Object.entries(morphisms)) {
      expect(filterCatalog).toHaveProperty(to)
      const [first] = filterCatalog[to]?.fields ?? []
      const follows = [{ from: object, name, as: 'There' }]
      await preview(amy, { root: object, follows, extract: take(`There.${first?.name}`) })
    }
  },
)

describe('permissions', () => {
  const spec = { root: 'Customer', extract: take('Customer.name') }

  test('INV-18: a filter finds no rows of another organization, for any object, field or relation', async () => {
    const { amy, globex, first, euros } = await books()
    const eve = await member('OWNER')
    const ids = [globex.id, first.id, euros.id, amy.userId, amy.organizationId]
    for (const [object, { fields, morphisms }] of Object.entries(filterCatalog)) {
      for (const { name } of fields.filter(({ name }) => /id$/i.test(name))) {
        const theirs = {
          root: object,
          predicates: [where(object, name, 'in', ids)],
          extract: take(`${object}.${name}`),
        }
        expect([object, name, (await preview(eve, theirs)).count]).toEqual([object, name, 0])
      }
      for (const relation of Object.keys(morphisms)) {
        const follows = [{ from: object, name: relation, as: 'There' }]
        const all = { root: object, follows, extract: take(`${object}.${fields[0]?.name}`) }
        const text = JSON.stringify(await preview(eve, all))
        for (const id of ids) expect(text).not.toContain(id)
      }
    }
    await expect(
      eve.call('automations_preview', { organizationId: amy.organizationId ?? '', spec } as never),
    ).rejects.toMatchObject({ status: 403 })
  })

  test('a preview needs the role VIEWER and the scope automations:read', async () => {
    const { amy } = await books()
    const [viewer, employee] = [await member('VIEWER', { of: amy }), await member('EMPLOYEE', { of: amy })]
    expect(await preview(await withKey(viewer, ['automations:read', 'customers:read']), spec)).toMatchObject({
      count: 2,
    })
    await expect(preview(await withKey(viewer, ['customers:read']), spec)).rejects.toMatchObject({ status: 403 })
    await expect(preview(employee, spec)).rejects.toMatchObject({ status: 403 })
  })

  test('objects that the credential may not read show no rows, and a warning names the scope', async () => {
    const { amy } = await books()
    const seen = await preview(await withKey(amy, ['automations:read', 'customers:read']), spec)
    expect(seen).toMatchObject({ count: 2 })
    expect(seen.warnings).toBeUndefined()
    const unseen = await preview(await withKey(amy, ['automations:read', 'customers:write', 'invoices:read']), spec)
    expect(unseen).toEqual({
      count: 0,
      sample: [],
      warnings: [{ code: 'MISSING_SCOPE', path: 'spec.root', message: expect.stringContaining('customers:read') }],
    })
  })

  const documents = { from: 'Customer', name: 'documents' }
  const hasDocuments = { root: 'Customer', follows: [documents], extract: take('Customer.name') }
  const total = { as: 'sum', path: 'Document.total', fn: 'sum' as const }
  const number = { as: 'count', path: 'Document.id', fn: 'count' as const }
  const ofCustomers = { as: 'count', path: 'Customer.id', fn: 'count' as const }

  test.each([
    ['extracts', { ...hasDocuments, extract: take('Customer.name', 'Document.total') }, undefined],
    ['must exist', hasDocuments, undefined],
    ['compares', { ...hasDocuments, predicates: [where('Document', 'total', 'gt', 0)] }, undefined],
    ['excludes', { ...hasDocuments, predicates: [where('Document', 'status', 'ne', 'PAID')] }, undefined],
    ['groups by', { ...hasDocuments, aggregateBy: ['Document.currency'], extract: [{ as: 'c', path: 'Document.currency' }, ofCustomers] }, undefined],
    ['sums', { ...hasDocuments, predicates: [where('Document', 'currency', 'eq', 'SGD')], extract: [total], shape: 'scalar' }, 0],
    ['counts', { ...hasDocuments, extract: [number], shape: 'scalar' }, 0],
    ['uses to count others', { ...hasDocuments, extract: [ofCustomers], shape: 'scalar' }, 0],
    ['takes the first of', { ...hasDocuments, extract: [{ as: 'id', path: 'Document.id' }], shape: 'scalar' }, null],
    ['reaches others through', { root: 'Customer', follows: [documents, { from: 'Document', name: 'customer', as: 'Buyer' }], extract: take('Buyer.name') }, undefined],
  ])('a filter that %s rows of a related object finds nothing without the scope for that object', async (_, spec, scalar) => {
    const { amy } = await books()
    const found = await preview(await withKey(amy, ['automations:read', 'customers:read', 'invoices:read']), spec)
    expect(found.count).toBeGreaterThan(0)
    const hidden = await preview(await withKey(amy, ['automations:read', 'customers:read']), spec)
    expect(hidden).toEqual({
      count: 0,
      sample: [],
      warnings: [{ code: 'MISSING_SCOPE', path: 'spec.follows.0', message: expect.stringContaining('invoices:read') }],
      ...(scalar !== undefined && { scalar }),
    })
  }) // biome-ignore format: a case a line

  test('a filter in a run finds no rows of objects that its graph may not read', async () => {
    const { amy } = await books()
    const filter = { id: 'f', kind: 'FILTER' as const, config: { spec: hasDocuments } }
    const graph = graphOf([trigger('invoice.paid'), filter], 'start>f')
    const outputOf = async (scopes: string[]) => {
      const holder = await withKey(amy, ['automations:write', ...scopes])
      const { organizationId = '' } = amy
      const { id, warnings } = await holder.call('automations_create', { organizationId, name: 'x', ...graph } as never)
      const { status, steps } = await amy.call('automations_test', { id })
      return { status, warnings, found: JSON.stringify(steps[1]?.output) !== '[]' }
    }
    expect(await outputOf(['customers:read', 'invoices:read'])).toEqual({ status: 'SUCCEEDED', found: true })
    expect(await outputOf(['customers:read'])).toEqual({
      status: 'SUCCEEDED',
      found: false,
      warnings: [
        { code: 'MISSING_SCOPE', path: 'blocks.0.ref', message: expect.stringContaining('invoices:read') },
        {
          code: 'MISSING_SCOPE',
          path: 'blocks.1.config.spec.follows.0',
          message: expect.stringContaining('invoices:read'),
        },
      ],
    })
  })
})
