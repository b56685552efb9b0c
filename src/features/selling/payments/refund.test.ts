import { expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }

/** A payment of 150 SGD by a customer, of which nothing is allocated yet. */
async function deposit(amy: Someone, more: Record<string, unknown> = {}) {
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const money = { amount: 150, currency: 'SGD', customerId, ...day }
  return { ...(await amy.call('invoices_payments_create', { ...money, ...more })), customerId }
}
const refund = (amy: Someone, id: string, more: Record<string, unknown> = {}) =>
  amy.call('invoices_payments_refund', { id, paidAt: '2026-02-03', ...more })
const paymentOf = async (amy: Someone, id: string) =>
  (await amy.call('invoices_payments_list', {})).payments.find((payment) => payment.id === id)

test('a refund is a payment of its own and reduces the open remainder', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await deposit(amy)
  const part = await refund(amy, id, { amount: 40, method: 'BANK_TRANSFER', reference: 'R-1' })
  expect(part).toMatchObject({
    refundOf: id,
    source: 'REFUND',
    direction: 'INCOMING',
    customerId,
    amount: 40,
    paidAt: '2026-02-03',
    method: 'BANK_TRANSFER',
    reference: 'R-1',
    openRemainder: 0,
    allocations: [],
  })
  expect(await paymentOf(amy, id)).toMatchObject({ refundedTotal: 40, openRemainder: 110 })
  expect(await refund(amy, id)).toMatchObject({ amount: 110 })
  expect(await paymentOf(amy, id)).toMatchObject({ refundedTotal: 150, openRemainder: 0 })
})

test('more than the open remainder cannot be refunded, nor a voided payment, a refund or nothing', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await deposit(amy)
  const { id: documentId } = await sell(amy, { status: 'SENT', customerId })
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId }] })
  await expect(refund(amy, id, { amount: 41.01 })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'amount', code: 'AMOUNT_OVER_REMAINDER' }],
  })
  await expect(refund(amy, id, { amount: 1.001 })).rejects.toMatchObject({ status: 400 })
  await expect(refund(amy, id, { bankAccountId: newId() })).rejects.toMatchObject({ status: 400 })
  const given = await refund(amy, id, { amount: 41 })
  await expect(refund(amy, id)).rejects.toMatchObject({ status: 409, details: [{ code: 'NOTHING_OPEN' }] })
  await expect(refund(amy, given.id)).rejects.toMatchObject({ status: 409, details: [{ code: 'REFUND' }] })
  const other = await deposit(amy)
  await amy.call('invoices_payments_void', { id: other.id })
  await expect(refund(amy, other.id)).rejects.toMatchObject({ status: 409, details: [{ code: 'VOIDED' }] })
})

test('a refund is never allocated, and a payment with live refunds cannot be voided', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await deposit(amy)
  const { id: documentId } = await sell(amy, { status: 'SENT', customerId })
  const given = await refund(amy, id, { amount: 41 })
  await expect(
    amy.call('invoices_payments_allocate', { id: given.id, allocations: [{ documentId, amount: 1 }] }),
  ).rejects.toMatchObject({ status: 409, details: [{ code: 'REFUND' }] })
  await expect(amy.call('invoices_payments_void', { id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'REFUNDED' }],
  })
  await amy.call('invoices_payments_void', { id: given.id, reason: 'The transfer came back' })
  expect(await paymentOf(amy, id)).toMatchObject({ refundedTotal: 0, openRemainder: 150 })
  expect(await amy.call('invoices_payments_void', { id })).toMatchObject({ voidedAt: expect.any(String) })
})

test('the open credit of a memo is refunded', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'PAID' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', { source: 'CREDIT_MEMO' })
  expect(payments).toMatchObject([{ openRemainder: 109 }])
  expect(await refund(amy, String(payments[0]?.id))).toMatchObject({ amount: 109, source: 'REFUND' })
  expect((await amy.call('invoices_payments_list', { open: 'true' })).payments).toEqual([])
})

test('a refund is money that goes out, and a voided one comes back on the day of the void', async () => {
  const amy = await member('MANAGER')
  const { id } = await deposit(amy)
  const cash = async () => {
    const { cashFlowByMonth } = await amy.call('dashboard_get', {
      organizationId: String(amy.organizationId),
      year: 2026,
    })
    return cashFlowByMonth.filter(({ inflow, outflow }) => inflow !== 0 || outflow !== 0)
  }
  const given = await refund(amy, id, { amount: 40 })
  expect(await cash()).toEqual([
    { month: '2026-01', inflow: 150, outflow: 0, net: 150 },
    { month: '2026-02', inflow: 0, outflow: 40, net: -40 },
  ])
  await amy.call('invoices_payments_void', { id: given.id })
  const months = await cash()
  expect(months.slice(0, 2)).toEqual([
    { month: '2026-01', inflow: 150, outflow: 0, net: 150 },
    { month: '2026-02', inflow: 0, outflow: 40, net: -40 },
  ])
  expect(months.slice(2).map(({ net }) => net)).toEqual(today(new Date(), 'UTC').startsWith('2026') ? [40] : [])
})

test('INV-10: a refund emits payment.refunded, and no payment.recorded', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await deposit(amy)
  const given = await refund(amy, id)
  const { rows } = await theApp().system.raw.query(
    "select type, payload ->> 'refundOf' as refund_of from events where organization_id = $1 and payload ->> 'id' = $2",
    [amy.organizationId, given.id],
  )
  expect(rows).toEqual([{ type: 'payment.refunded', refund_of: id }])
})

test('the database refuses a refund of another currency or customer, above the amount, and of a refund', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await deposit(amy)
  const insert = (more: { of?: string; currency?: string; customer?: string | null; minor?: number }) =>
    theApp().system.raw.query(
      `insert into payments (organization_id, id, direction, counterparty_id, amount_minor, currency, minor_digits, paid_at, source, refund_of)
       values ($1, $2, 'INCOMING', $3, $4, $5, 2, '2026-02-01', 'REFUND', $6) returning id`,
      [
        amy.organizationId,
        newId(),
        more.customer ?? customerId,
        more.minor ?? 100,
        more.currency ?? 'SGD',
        more.of ?? id,
      ],
    )
  const { rows } = await insert({})
  const { id: other } = await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  await expect(insert({ currency: 'USD' })).rejects.toMatchObject({ constraint: 'refund_fits_payment' })
  await expect(insert({ customer: other })).rejects.toMatchObject({ constraint: 'refund_fits_payment' })
  await expect(insert({ of: rows[0].id })).rejects.toMatchObject({ constraint: 'refund_fits_payment' })
  await expect(insert({ minor: 14_901 })).rejects.toMatchObject({ constraint: 'allocated_within_payment' })
  await expect(
    theApp().system.raw.query('update payments set voided_at = now() where id = $1', [id]),
  ).rejects.toMatchObject({ constraint: 'refunded_payment_stays' })
})

test('INV-03: refunds, allocations and a void of one payment at the same time never exceed it', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await deposit(amy, { amount: 50 })
  const documents = await Promise.all(Array.from({ length: 8 }, () => sell(amy, { status: 'SENT', customerId })))
  const outcomes = await Promise.allSettled([
    ...documents.map(({ id: documentId }) =>
      amy.call('invoices_payments_allocate', { id, allocations: [{ documentId, amount: 10 }] }),
    ),
    ...Array.from({ length: 8 }, () => refund(amy, id, { amount: 10 })),
    ...Array.from({ length: 2 }, () => amy.call('invoices_payments_void', { id })),
  ])
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.status] : []))
  expect(refusals.filter((status) => ![400, 409].includes(status))).toEqual([])
  const { rows } = await theApp().system.raw.query(
    `select p.voided_at is null as live, p.allocated_minor, p.refunded_minor,
       (select coalesce(sum(amount_minor), 0) from allocations a where a.payment_id = p.id and a.voided_at is null) as allocated,
       (select coalesce(sum(amount_minor), 0) from payments r where r.refund_of = p.id and r.voided_at is null) as refunded
     from payments p where p.id = $1`,
    [id],
  )
  const [{ live, allocated, refunded, allocated_minor, refunded_minor }] = rows
  expect([Number(allocated), Number(refunded)]).toEqual([Number(allocated_minor), Number(refunded_minor)])
  expect(Number(allocated) + Number(refunded)).toBe(live ? 5_000 : 0)
})

test('tax that was withheld is not refunded: the cash is, as far as it is open', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await deposit(amy, { withheldAmount: 30 })
  await expect(refund(amy, id, { amount: 121 })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('At most 120 SGD'),
    details: [{ code: 'AMOUNT_OVER_OPEN' }],
  })
  await refund(amy, id, { amount: 100 })
  expect(await refund(amy, id)).toMatchObject({ amount: 20 })
  await expect(refund(amy, id)).rejects.toMatchObject({ status: 400, details: [{ code: 'AMOUNT_OVER_OPEN' }] })
  const insert = theApp().system.raw.query(
    `insert into payments (organization_id, id, counterparty_id, direction, amount_minor, currency, minor_digits, paid_at, source, refund_of)
     select organization_id, gen_random_uuid(), counterparty_id, 'INCOMING', 1, currency, minor_digits, paid_at, 'REFUND', id
     from payments where id = $1`,
    [id],
  )
  await expect(insert).rejects.toMatchObject({ constraint: 'refund_fits_payment' })
})

test('a refund that is dated before its payment has a warning', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await deposit(amy)
  const { warnings = [] } = await refund(amy, id, { paidAt: '2026-01-30' })
  expect(warnings.map(({ code }) => code)).toContain('REFUND_BEFORE_PAYMENT')
})
