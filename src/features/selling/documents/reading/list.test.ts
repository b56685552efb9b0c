import '../../../../test/own-world.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

let amy: Someone
let globex: string
beforeAll(async () => {
  amy = await member('CONTRIBUTOR')
  const customer = async (name: string) => (await amy.call('customers_create', { name, country: 'SG' })).id
  globex = await customer('globex')
  const flowers = await customer('פרחי השרון')
  const acme = await customer('Acme')
  const line = (amount: number) => ({
    items: [{ id: '1', description: 'x', quantity: 1, unitPrice: amount, amount }],
    subtotal: amount,
    taxRate: 0,
    taxAmount: 0,
    total: amount,
  })
  await sell(amy, { ...line(30), notes: 'a', customerId: globex, issueDate: '2026-01-03', dueDate: '2026-02-02' })
  await sell(amy, { ...line(10), notes: 'b 100%', customerId: flowers, issueDate: '2026-01-01', status: 'SENT' })
  await sell(amy, {
    ...line(20),
    notes: 'c',
    customerId: acme,
    issueDate: '2026-01-02',
    dueDate: '2026-02-01',
    status: 'PAID',
  })
  const yen = { ...line(25), currency: 'JPY', customerId: acme, documentType: 'RECEIPT', issueDate: '2026-01-04' }
  await sell(amy, { ...yen, notes: 'd', dueDate: '2026-02-03', status: 'UNSENT' })
})

const listed = async (input = {}) =>
  (await amy.call('invoices_list', { organizationId: String(amy.organizationId), ...input })).invoices
    .map(({ notes }) => notes?.[0])
    .join('')

test.each([
  ['issueDate', 'bcad', 'dacb'],
  ['dueDate', 'cadb', 'dacb'],
  ['total', 'bcda', 'adcb'],
  ['status', 'adbc', 'cbda'],
  ['documentNumber', 'bdca', 'cdba'],
  ['customerName', 'cdab', 'badc'],
] as const)(
  'sorted by %s the list is %s ascending and %s descending; empty values come last',
  async (sortBy, up, down) => {
    expect(await listed({ sortBy, sortOrder: 'asc' })).toBe(up)
    expect(await listed({ sortBy, sortOrder: 'desc' })).toBe(down)
  },
)

test('by default the latest document comes first', async () => {
  expect(await listed()).toBe('dacb')
})

test.each([
  [{ status: 'DRAFT' }, 'a'],
  [{ status: 'SENT' }, 'b'],
  [{ status: '' }, 'dacb'],
  [{ documentType: 'RECEIPT' }, 'd'],
  [{ documentType: 'INVOICE' }, 'acb'],
  [{ documentType: 'POEM' }, ''],
  [{ disputed: 'true' }, ''],
  [{ disputed: 'false' }, 'dacb'],
  [{ search: 'ACME' }, 'dc'],
  [{ search: 'פרחי' }, 'b'],
  [{ search: ' globex ' }, 'a'],
  [{ search: '100%' }, 'b'],
  [{ search: '%' }, 'b'],
  [{ search: '2' }, 'c'],
  [{ search: "'; drop table documents; --" }, ''],
  [{ search: 'acme', status: 'PAID' }, 'c'],
  [{ customerId: 'nope' }, ''],
])('%j finds %j', async (input, found) => expect(await listed(input)).toBe(found))

test('a customer filter lists the documents of that customer', async () => {
  expect(await listed({ customerId: globex })).toBe('a')
})

test('INV-23: pages with equal sort keys show each document once', async () => {
  const zoe = await member('CONTRIBUTOR')
  for (let n = 0; n < 7; n++) await sell(zoe)
  for (const sortBy of ['issueDate', 'dueDate', 'total', 'status', 'documentNumber', 'customerName'] as const) {
    const seen = []
    for (const page of [1, 2, 3]) {
      const input = { organizationId: String(zoe.organizationId), sortBy, page, limit: 3 }
      const { invoices, pagination } = await zoe.call('invoices_list', input)
      expect(pagination).toEqual({ page, limit: 3, total: 7, totalPages: 3 })
      seen.push(...invoices.map(({ id }) => id))
    }
    expect(new Set(seen).size).toBe(7)
  }
})

test.each([{ limit: 101 }, { limit: 0 }, { page: 0 }, { status: 'LATE' }, { sortBy: 'notes' }, { disputed: 'maybe' }])(
  '%j is refused',
  async (wrong) => expect(listed(wrong)).rejects.toMatchObject({ status: 400 }),
)

test('a list without an organization is refused', async () => {
  await expect(amy.call('invoices_list', {} as never)).rejects.toMatchObject({ status: 400 })
})

describe('LOAD-03: an index serves', () => {
  const orders = [
    'issue_date', 'issue_date desc', 'due_date nulls last', 'due_date desc nulls last',
    'major_units(total_minor, minor_digits)', 'major_units(total_minor, minor_digits) desc',
    'status_rank(status), issue_date', 'status_rank(status) desc, issue_date desc', 'sequence nulls last', 'sequence desc nulls last', 'lower(counterparty_name)',
    'lower(counterparty_name) desc',
  ] // biome-ignore format: a list of words
  test.each(orders)('the order %s', async (order) => {
    const id = order.includes(' desc') ? 'id desc' : 'id'
    const plan = await explained(`kind = 'SALES' order by ${order}, ${id} limit 25`)
    expect(plan).toMatch(/Index (Only )?Scan/)
    expect(plan).not.toMatch(/Sort|Disabled: true/)
  })

  test.each([
    `counterparty_id = gen_random_uuid() and kind = 'SALES' order by issue_date, id limit 25`,
    `status_rank(status) = status_rank('SENT') and kind = 'SALES' order by issue_date desc, id desc limit 25`,
    `in_dispute = true and kind = 'SALES' order by issue_date desc, id desc limit 25`,
  ])('%s', async (where) => expect(await explained(where)).toMatch(/Index (Only )?Scan/))
})

/** The query plan for the role of requests, with sorts and sequential scans disabled. */
const explained = (where: string) =>
  theApp().system.use(async (_, connection) => {
    await connection.query('begin')
    await connection.query('set local role kontor_confined')
    await connection.query('set local enable_seqscan = off')
    await connection.query('set local enable_sort = off')
    await connection.query('set local enable_bitmapscan = off')
    const { rows } = await connection.query(`explain select id from documents where ${where}`)
    await connection.query('rollback')
    return rows.map((row) => String(row['qUERY PLAN'] ?? Object.values(row)[0])).join('\n')
  })
