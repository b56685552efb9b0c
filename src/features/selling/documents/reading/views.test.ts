import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { statementCounter } from '../../../../test/statements.ts'
import { member, type Someone } from '../../../../test/world.ts'

let amy: Someone
let ids: Record<string, string>
const day = (days: number) => addDays(today(new Date(), 'UTC'), days)

/** A draft, an unsent one, a late one, a disputed one, a part-paid and a paid one, and one without a due date. */
beforeAll(async () => {
  amy = await member('MANAGER')
  const eve = await member('MANAGER')
  await sell(eve, { status: 'SENT', dueDate: day(-9) })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const made = async (more: object) => (await sell(amy, { customerId, ...more })).id
  ids = {
    draft: await made({ issueDate: '2026-01-10', dueDate: day(-30) }),
    unsent: await made({ status: 'UNSENT', issueDate: '2026-02-10', dueDate: day(30) }),
    late: await made({ status: 'SENT', issueDate: '2026-03-10', dueDate: day(-3) }),
    disputed: await made({ status: 'SENT', issueDate: '2026-04-10', dueDate: day(30) }),
    partPaid: await made({ status: 'SENT', issueDate: '2026-05-10', dueDate: day(-9) }),
    paid: await made({ status: 'SENT', issueDate: '2026-06-10', dueDate: day(-9) }),
    undated: await made({
      status: 'SENT',
      issueDate: '2026-07-10',
      items: [{ id: '1', description: 'Small', quantity: 1, unitPrice: 7.5, amount: 7.5 }],
      subtotal: 7.5,
      taxRate: 0,
      taxAmount: 0,
      total: 7.5,
    }),
  }
  await amy.call('invoices_events_post', { id: String(ids.disputed), type: 'DISPUTED' } as never)
  await amy.call('invoices_payments', { id: String(ids.partPaid), amount: 9, paidAt: '2026-06-01' })
  await amy.call('invoices_payments', { id: String(ids.paid), amount: 109, paidAt: '2026-06-12' })
})

const list = (input: object = {}) =>
  amy.call('invoices_list', { organizationId: String(amy.organizationId), ...input } as never)

const names = (found: readonly { id: string }[]) =>
  found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id).sort()

const found = async (input: object) => {
  const { invoices, pagination } = await list(input)
  expect(pagination.total).toBe(invoices.length)
  return names(invoices)
}

const views = {
  all: ['disputed', 'draft', 'late', 'paid', 'partPaid', 'undated', 'unsent'],
  drafts: ['draft'],
  toSend: ['unsent'],
  open: ['disputed', 'late', 'partPaid', 'undated', 'unsent'],
  overdue: ['late', 'partPaid'],
  paid: ['paid'],
  inDispute: ['disputed'],
}

describe('a view shows', () => {
  test.each(Object.entries(views))('%s', async (view, expected) => {
    expect(await found({ view })).toEqual(expected)
  })

  test('as many documents as its count says, without those of others', async () => {
    const { counts } = await list({ counts: true, search: 'nothing has this' })
    expect(counts).toEqual(Object.fromEntries(Object.entries(views).map(([view, expected]) => [view, expected.length])))
  })
})

describe('documents are filtered', () => {
  test.each([
    [{ statuses: ['DRAFT', 'UNSENT'] }, ['draft', 'unsent']],
    [{ statuses: ['SENT'], status: 'PAID' }, []],
    [{ statuses: ['SENT'], view: 'overdue' }, ['late', 'partPaid']],
    [{ statuses: ['PAID'], view: 'drafts' }, []],
    [{ overdue: true }, ['late', 'partPaid']],
    [{ overdue: false }, ['disputed', 'draft', 'paid', 'undated', 'unsent']],
    [{ issuedFrom: '2026-03-10', issuedTo: '2026-04-10' }, ['disputed', 'late']],
    [{ dueFrom: day(1) }, ['disputed', 'unsent']],
    [{ dueTo: day(-9) }, ['draft', 'paid', 'partPaid']],
    [{ maxAmount: '7.5' }, ['undated']],
    [{ minAmount: '7.51', view: 'toSend' }, ['unsent']],
    [{ search: 'Globex', overdue: true }, ['late', 'partPaid']],
  ])('by %j', async (input, expected) => {
    expect(await found(input)).toEqual(expected)
  })

  test.each([
    { issuedFrom: 'soon' },
    { dueTo: '2026-02-30' },
    { minAmount: 'much' },
    { statuses: ['OPEN'] },
    { view: 'x' },
  ])('%j is refused', async (input) => {
    await expect(list(input)).rejects.toMatchObject({ status: 400, details: [{ path: expect.any(String) }] })
  })
})

test('the ids of all that match are given in the order of the list, whatever the page', async () => {
  const all = await list({ sortBy: 'issueDate', sortOrder: 'asc', limit: 100 })
  const page = await list({ sortBy: 'issueDate', sortOrder: 'asc', limit: 2, page: 2, ids: true, view: 'open' })
  const open = all.invoices
    .map(({ id }) => id)
    .filter((id) => names([{ id }]).some((name) => views.open.includes(name)))
  expect(page.ids).toEqual(open)
  expect(page.invoices.map(({ id }) => id)).toEqual(open.slice(2, 4))
  expect((await list({ search: 'Globex', ids: true, limit: 1 })).ids).toHaveLength(7)
})

test('without being asked, a list has neither counts nor ids; lines are left out on request', async () => {
  const usual = await list()
  expect(Object.keys(usual).sort()).toEqual(['invoices', 'pagination'])
  expect(usual.invoices[0]?.items).toHaveLength(1)
  const light = await list({ lines: false })
  expect(light.invoices).toEqual(usual.invoices.map(({ items: _, ...document }) => document))
})

test('counts cost one statement, and ids one in a second round trip, which needs a transaction', async () => {
  const statements = statementCounter()
  const usual = await statements(() => list())
  expect(await statements(() => list({ counts: true }))).toBe(usual + 1)
  expect(await statements(() => list({ ids: true, overdue: true, minAmount: '1' }))).toBeLessThanOrEqual(usual + 2)
})
