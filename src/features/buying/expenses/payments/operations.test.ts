import { describe, expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const spend = (someone: Someone, more: object = {}) =>
  someone.call('expenses_create', {
    ...{ amount: 100, currency: 'SGD', date: '2026-01-31', organizationId: String(someone.organizationId) },
    ...more,
  })

const paidAt = '2026-02-01'

test('an expense is paid in parts, and what a payment leaves is paid later from its remainder', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  const partly = await amy.call('expenses_payments', { id, amount: 40, paidAt, method: 'CASH' })
  expect(partly).toMatchObject({
    paidAmount: 40,
    openBalance: 60,
    payments: [{ amount: 40, allocated: 40, paidAt, method: 'CASH' }],
  })
  await expect(amy.call('expenses_payments', { id, amount: 61, paidAt })).rejects.toMatchObject({ status: 400 })
  const over = await amy.call('expenses_payments', { id, amount: 90, paidAt, allowUnallocated: true })
  expect(over).toMatchObject({ paidAmount: 100, openBalance: 0 })
  expect(over.payments.map(({ amount, allocated }) => [amount, allocated])).toEqual([
    [40, 40],
    [90, 60],
  ])
  const other = await spend(amy)
  const { payments } = await amy.call('expenses_payments_list', { open: 'true' })
  expect(payments).toMatchObject([{ amount: 90, openRemainder: 30 }])
  const paymentId = payments[0]?.id ?? ''
  await amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId: other.id }] })
  expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 30, openBalance: 70 })
  await amy.call('expenses_payments_void', { id: paymentId, reason: 'bounced' })
  expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 0, openBalance: 100 })
  expect(await amy.call('expenses_get', { id })).toMatchObject({ paidAmount: 40, openBalance: 60 })
})

test('payments of expenses and of sales are seen with their own scopes only', async () => {
  const amy = await member('OWNER')
  const { id } = await spend(amy)
  await amy.call('expenses_payments', { id, amount: 40, paidAt })
  const { payments } = await amy.call('expenses_payments_list', {})
  const paymentId = payments[0]?.id ?? ''
  expect((await amy.call('invoices_payments_list', {})).payments).toEqual([])
  for (const call of [
    () => amy.call('invoices_payments_void', { id: paymentId }),
    () => amy.call('invoices_payments_refund', { id: paymentId, paidAt }),
    () => amy.call('invoices_payments_allocate', { id: paymentId, allocations: [{ documentId: id }] }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
})

test('8 clients that pay the same expense at once never pay more than is open', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => amy.call('expenses_payments', { id, amount: 30, paidAt })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await amy.call('expenses_get', { id })).toMatchObject({ paidAmount: 90, openBalance: 10 })
})

const company = (someone: Someone, name: string) =>
  someone.call('customers_create', { organizationId: String(someone.organizationId), name, country: 'SG' })
const listed = async (someone: Someone, query: Record<string, unknown> = {}) =>
  (await someone.call('expenses_payments_list', query)).payments

test.each([
  [{ amount: 0 }], [{ amount: -5 }], [{ amount: 0.001 }], [{ amount: 100.01 }], [{ paidAt: '' }], [{ paidAt: 'soon' }],
  [{ paidAt: undefined }], [{ bankAccountId: 'nope' }], [{ colour: 'red' }],
])('a payment with %j is refused and changes nothing', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  await expect(amy.call('expenses_payments', { id, amount: 5, paidAt, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
  expect(await listed(amy)).toEqual([])
  expect(await amy.call('expenses_payments', { id, amount: 100, paidAt })).toMatchObject({ openBalance: 0 })
}) // biome-ignore format: a list of words

test('a payment of one supplier pays no expense of another, nor one in another currency', async () => {
  const amy = await member('CONTRIBUTOR')
  const [globex, initech] = [await company(amy, 'Globex'), await company(amy, 'Initech')]
  const own = await spend(amy, { supplierId: globex.id })
  const other = await spend(amy, { supplierId: initech.id })
  const dollars = await spend(amy, { supplierId: globex.id, currency: 'USD' })
  const money = { amount: 30, currency: 'SGD', paidAt, organizationId: String(amy.organizationId) }
  const pay = (expenseId: string) =>
    amy.call('expenses_payments_create', { ...money, supplierId: globex.id, allocations: [{ expenseId, amount: 10 }] })
  const paid = await pay(own.id)
  expect(paid).toMatchObject({ amount: 30, openRemainder: 20, allocations: [{ amount: 10 }] })
  for (const { id } of [other, dollars]) {
    await expect(pay(id)).rejects.toMatchObject({ status: expect.toSatisfy((status) => [400, 409].includes(status)) })
    const later = amy.call('expenses_payments_allocate', { id: paid.id, allocations: [{ expenseId: id, amount: 1 }] })
    await expect(later).rejects.toMatchObject({ status: expect.toSatisfy((status) => [400, 409].includes(status)) })
  }
  expect(await listed(amy, { supplierId: globex.id })).toMatchObject([{ id: paid.id }])
  expect(await listed(amy, { supplierId: initech.id })).toEqual([])
  const unknown = amy.call('expenses_payments_create', { ...money, supplierId: 'nope' })
  await expect(unknown).rejects.toMatchObject({ status: 400 })
})

test('one payment is allocated to several expenses, in part, later, and taken back', async () => {
  const amy = await member('CONTRIBUTOR')
  const [first, second] = [await spend(amy), await spend(amy, { amount: 50 })]
  const money = { amount: 130, currency: 'SGD', paidAt, organizationId: String(amy.organizationId) }
  const allocations = [{ expenseId: first.id }, { expenseId: second.id, amount: 20 }]
  const payment = await amy.call('expenses_payments_create', { ...money, allocations })
  expect(payment).toMatchObject({ amount: 130, openRemainder: 10 })
  const state = async (id: string) => {
    const { paidAmount, openBalance } = await amy.call('expenses_get', { id })
    return [paidAmount, openBalance]
  }
  expect([await state(first.id), await state(second.id)]).toEqual([
    [100, 0],
    [20, 30],
  ])
  const rest = (amount?: number) =>
    amy.call('expenses_payments_allocate', {
      id: payment.id,
      allocations: [{ expenseId: second.id, ...(amount && { amount }) }],
    })
  await expect(rest(11)).rejects.toMatchObject({ status: 400 })
  expect(await rest()).toMatchObject({ openRemainder: 0 })
  await expect(rest()).rejects.toMatchObject({ status: 409 })
  const toFirst = payment.allocations.find(({ documentId }) => documentId === first.id)?.id ?? ''
  const back = { id: payment.id, allocationId: toFirst }
  expect(await amy.call('expenses_payments_unallocate', back)).toMatchObject({ openRemainder: 100 })
  expect(await amy.call('expenses_payments_unallocate', back)).toMatchObject({ openRemainder: 100 })
  expect([await state(first.id), await state(second.id)]).toEqual([
    [0, 100],
    [30, 20],
  ])
  expect(await listed(amy, { expenseId: second.id })).toMatchObject([{ id: payment.id }])
})

test('a remainder is refunded, a refund is voided, and a refunded payment is not voided before', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  await amy.call('expenses_payments', { id, amount: 130, paidAt, allowUnallocated: true })
  const [payment] = await listed(amy)
  const paymentId = payment?.id ?? ''
  const refund = (amount?: number) =>
    amy.call('expenses_payments_refund', { id: paymentId, paidAt: '2026-02-03', ...(amount && { amount }) })
  await expect(refund(31)).rejects.toMatchObject({ status: 400 })
  const made = await refund(10)
  expect(made).toMatchObject({ amount: 10, source: 'REFUND', refundOf: paymentId })
  expect(await listed(amy, { open: 'true' })).toMatchObject([{ id: paymentId, openRemainder: 20 }])
  const cancel = (which: string) => amy.call('expenses_payments_void', { id: which })
  await expect(cancel(paymentId)).rejects.toMatchObject({ status: 409 })
  expect(await cancel(made.id)).toMatchObject({ voidedAt: expect.any(String) })
  expect(await cancel(paymentId)).toMatchObject({ voidedAt: expect.any(String) })
  expect(await cancel(paymentId)).toMatchObject({ voidedAt: expect.any(String) }) // again, and nothing happens
  expect(await amy.call('expenses_get', { id })).toMatchObject({ paidAmount: 0, openBalance: 100, payments: [] })
  await expect(refund(1)).rejects.toMatchObject({ status: 409 })
})

test('the credit of a supplier needs an approved expense and a manager, and stays', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const { id } = await spend(amy)
  const credit = (amount: number | undefined, someone = amy) =>
    someone.call('expenses_credits', { id, date: '2026-02-02', ...(amount && { amount }) })
  await expect(credit(10)).rejects.toMatchObject({ status: 409 })
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  await expect(credit(10, bob)).rejects.toMatchObject({ status: 403 })
  const credited = await credit(10)
  expect(credited).toMatchObject({ creditedAmount: 10, openBalance: 90, credits: [{ amount: 10, openRemainder: 0 }] })
  const paymentId = credited.credits[0]?.paymentId ?? ''
  await expect(amy.call('expenses_payments_void', { id: paymentId })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('expenses_payments', { id, amount: 90.01, paidAt })).rejects.toMatchObject({ status: 400 })
  expect(await amy.call('expenses_payments', { id, amount: 90, paidAt })).toMatchObject({ openBalance: 0 })
  const rest = await credit(undefined)
  expect(rest.credits).toMatchObject([{ amount: 10 }, { amount: 90, openRemainder: 90 }])
  await expect(credit(1)).rejects.toMatchObject({ status: 409 })
  const refunded = await amy.call('expenses_payments_refund', {
    id: rest.credits[1]?.paymentId ?? '',
    paidAt: '2026-02-03',
  })
  expect(refunded).toMatchObject({ amount: 90, source: 'REFUND' })
  expect(await amy.call('expenses_get', { id })).toMatchObject({ creditedAmount: 10, paidAmount: 90, openBalance: 0 })
})

test('a payment that is voided while it is allocated ends without live allocations', async () => {
  const amy = await member('CONTRIBUTOR')
  for (let round = 0; round < 4; round++) {
    const expenses = [await spend(amy), await spend(amy)]
    const money = { amount: 150, currency: 'SGD', paidAt, organizationId: String(amy.organizationId) }
    const { id } = await amy.call('expenses_payments_create', money)
    const allocating = expenses.flatMap(({ id: expenseId }) =>
      Array.from({ length: 3 }, () =>
        amy.call('expenses_payments_allocate', { id, allocations: [{ expenseId, amount: 40 }] }),
      ),
    )
    const voiding = Array.from({ length: 2 }, () => amy.call('expenses_payments_void', { id }))
    const answers = await Promise.allSettled([...allocating, ...voiding])
    const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []))
    expect(refused.filter((status) => ![400, 409].includes(status))).toEqual([])
    await amy.call('expenses_payments_void', { id })
    for (const expense of expenses)
      expect(await amy.call('expenses_get', { id: expense.id })).toMatchObject({ paidAmount: 0, openBalance: 100 })
  }
})

test('the credit of a supplier is no expense to be paid', async () => {
  const amy = await member('OWNER')
  const { id } = await spendApproved(amy)
  const { credits } = await amy.call('expenses_credits', { id, amount: 40 })
  const expenseId = credits[0]?.id ?? ''
  const refused = { status: 400, details: [{ code: 'UNKNOWN_REFERENCE' }] }
  const money = { amount: 30, currency: 'SGD', paidAt }
  const paying = amy.call('expenses_payments_create', { ...money, allocations: [{ expenseId }] })
  await expect(paying).rejects.toMatchObject(refused)
  const { id: paymentId } = await amy.call('expenses_payments_create', money)
  const later = amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId }] })
  await expect(later).rejects.toMatchObject(refused)
})

describe('without a supplier', () => {
  const open = async (amy: Someone, how: string) => {
    const { id } = await spendApproved(amy, { vendor: 'Rail' })
    const more = { id, amount: 130, paidAt, allowUnallocated: true }
    if (how === 'payment') return { id, paymentId: (await amy.call('expenses_payments', more)).payments[0]?.id ?? '' }
    await amy.call('expenses_payments', { id, amount: 100, paidAt })
    const { credits } = await amy.call('expenses_credits', { id, amount: 30 })
    return { id, paymentId: credits[0]?.paymentId ?? '' }
  }

  test.each(['payment', 'credit'])('the rest of a %s keeps to the vendor', async (how) => {
    const amy = await member('OWNER')
    const { paymentId } = await open(amy, how)
    const supplier = await amy.call('customers_create', { name: 'Rail Inc', country: 'SG' })
    const claimant = await amy.call('customers_create', { name: 'Dana', country: 'SG', kind: 'INDIVIDUAL' })
    const others = [
      { vendor: 'Bus' },
      {},
      { vendor: 'Rail', supplierId: supplier.id },
      { vendor: 'Rail', claimantId: claimant.id },
    ]
    const allocate = async (fields: object) => {
      const { id: expenseId } = await spend(amy, fields)
      return amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId, amount: 5 }] })
    }
    for (const other of others)
      await expect(allocate(other)).rejects.toMatchObject({
        status: 400,
        details: [{ path: 'allocations.0.expenseId', code: 'OTHER_CUSTOMER' }],
      })
    expect(await allocate({ vendor: 'RAIL' })).toMatchObject({ openRemainder: 25 })
  })

  test('an advance that paid nothing yet pays any expense, and the database keeps it to one vendor from then on', async () => {
    const amy = await member('OWNER')
    const { id } = await amy.call('expenses_payments_create', { amount: 30, currency: 'SGD', paidAt })
    const { id: expenseId } = await spend(amy, { vendor: 'Rail' })
    await amy.call('expenses_payments_allocate', { id, allocations: [{ expenseId, amount: 5 }] })
    await amy.call('expenses_payments_allocate', { id, allocations: [{ expenseId, amount: 5 }] })
    const bus = await spend(amy, { vendor: 'Bus' })
    const stored = theApp().system.raw.query(
      `insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 100)`,
      [amy.organizationId, newId(), id, bus.id],
    )
    await expect(stored).rejects.toMatchObject({ constraint: 'payment_of_customer' })
  })
})
