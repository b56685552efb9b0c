import { beforeAll, expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { statementCounter } from '../../../test/statements.ts'
import { member, type Someone } from '../../../test/world.ts'

let amy: Someone
let ids: Record<string, string>
let customerId: string

beforeAll(async () => {
  amy = await member('MANAGER')
  const sold = await sell(amy, { status: 'SENT' })
  customerId = sold.customerId
  const pay = async (more: object) =>
    (
      await amy.call('invoices_payments_create', {
        amount: 50,
        currency: 'SGD',
        paidAt: '2026-02-01',
        method: 'CHECK',
        ...more,
      } as never)
    ).id
  ids = {
    used: await pay({ allocations: [{ documentId: sold.id, amount: 50 }] }),
    open: await pay({ customerId, amount: 20.5, paidAt: '2026-03-01', method: 'CASH' }),
    voided: await pay({ amount: 10, paidAt: '2026-04-01' }),
  }
  await amy.call('invoices_payments_void', { id: String(ids.voided), reason: 'Bounced' })
})

const list = (input: object = {}) => amy.call('invoices_payments_list', input as never)

test.each([
  [{ view: 'all' }, ['open', 'used', 'voided']],
  [{ view: 'unallocated' }, ['open']],
  [{ open: 'true' }, ['open']],
  [{ open: 'false' }, ['used', 'voided']],
  [{ paidFrom: '2026-03-01' }, ['open', 'voided']],
  [{ paidTo: '2026-03-01' }, ['open', 'used']],
  [{ minAmount: '20.5', maxAmount: '49' }, ['open']],
  [{ method: 'CHECK' }, ['used', 'voided']],
  [{ paidFrom: '2026-02-15', method: 'CASH', view: 'unallocated' }, ['open']],
])('payments are filtered by %j', async (input, expected) => {
  const { payments, pagination } = await list(input)
  const names = payments.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id))
  expect(names.sort()).toEqual(expected)
  expect(pagination.total).toBe(expected.length)
})

test('views are counted, and the ids of all that match are given', async () => {
  const { counts, ids: all } = await list({ counts: true, ids: true, limit: 1 })
  expect(counts).toEqual({ all: 3, unallocated: 1 })
  expect(all).toEqual([ids.voided, ids.open, ids.used])
  const statements = statementCounter()
  expect((await statements(() => list({ counts: true, ids: true }))) - (await statements(() => list()))).toBe(2)
})

test('a payment names its customer; one without a customer has no name', async () => {
  const { payments } = await list()
  expect(payments.map(({ customerId: of, customerName }) => [of, customerName])).toEqual([
    [null, null],
    [customerId, 'Globex'],
    [customerId, 'Globex'],
  ])
})
