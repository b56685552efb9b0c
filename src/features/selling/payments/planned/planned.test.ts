import { expect, test } from 'vitest'
import { addDays, today } from '../../../../core/values/day.ts'
import { doJob } from '../../../../test/job.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { verify } from '../../../../verify/verify.ts'
import { plannedPaymentsSubscriber, recordDuePayments } from './record-due.ts'

const now = today(new Date(), 'Asia/Singapore')
const nextWeek = addDays(now, 7)
const cheque = (dueDate = nextWeek) => ({
  method: 'CHECK',
  details: { cheque: { bank: '12', number: '5001', dueDate } },
})
const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })
const customerOf = async (amy: Someone) =>
  (await amy.call('customers_create', { ...home(amy), name: 'Globex', country: 'SG' })).id
const planned = async (amy: Someone, filter: object = {}) =>
  (await amy.call('invoices_planned_payments_list', { ...home(amy), ...filter })).plannedPayments

/** The day of the cheque has come. */
const arrive = (id: string, day = now) =>
  theApp().system.raw.query('update planned_payments set due_on = $2 where id = $1', [id, day])
const recordDue = (amy: Someone) =>
  doJob(recordDuePayments, {}, { flags: { [`organization:${amy.organizationId}`]: true as const } })
const paidLater = async (amy: Someone, more: object = {}) => {
  const { id } = await sell(amy, { status: 'SENT', customerId: await customerOf(amy) })
  const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: now, ...cheque(), ...more })
  return { id, payment }
}
const broken = async ({ organizationId }: Someone) =>
  (await verify({ system: theApp().system }))
    .filter(({ rows }) => (rows as { organizationId?: string }[]).some((row) => row.organizationId === organizationId))
    .map(({ id }) => id)

test('a cheque that is due later pays nothing before its day, and then once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, payment } = await paidLater(amy)
  expect(payment).toMatchObject({
    ...{ source: 'PLANNED', paidAt: nextWeek, amount: 109, allocatedTotal: 0, openRemainder: 0 },
    warnings: [{ code: 'PAYMENT_PLANNED', message: expect.stringContaining(nextWeek) }],
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', openBalance: 109, paidAmount: 0 })
  expect((await amy.call('invoices_payments_list', home(amy))).payments).toEqual([])
  await recordDue(amy)
  expect(await planned(amy, { documentId: id })).toMatchObject([{ id: payment.id, status: 'PLANNED', dueOn: nextWeek }])
  await arrive(payment.id)
  await Promise.all([recordDue(amy), recordDue(amy)])
  await recordDue(amy)
  const paid = await amy.call('invoices_get', { id })
  expect(paid).toMatchObject({ status: 'PAID', openBalance: 0 })
  expect((await amy.call('invoices_payments_list', home(amy))).payments).toMatchObject([
    { id: payment.id, paidAt: now, amount: 109, source: 'PAYMENT', details: { cheque: { number: '5001' } } },
  ])
  expect(await planned(amy)).toMatchObject([{ status: 'RECORDED', problem: null }])
  const history = (await amy.call('invoices_events', { id })) as { events: { type: string }[] }
  expect(history.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['PAYMENT_PLANNED', 'PAYMENT_RECORDED', 'PAID']),
  )
  expect(await broken(amy)).toEqual([])
})

test('marking as paid by a cheque that is due later leaves the document open, and its receipt is issued on that day', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT', customerId: await customerOf(amy) })
  const paying = {
    paymentDate: now,
    paymentMethod: 'CHECK',
    details: cheque().details,
    generateReceipt: true,
    sendReceiptEmail: true,
  }
  const answer = await amy.call('invoices_mark_paid', { id, ...paying })
  expect(answer).toMatchObject({ payment: { source: 'PLANNED' }, document: { status: 'SENT' }, receipt: null })
  await arrive(String(answer.payment?.id))
  await recordDue(amy)
  const { invoices } = (await amy.call('invoices_list', home(amy))) as {
    invoices: { documentType: string; total: number }[]
  }
  expect(invoices.filter(({ documentType }) => documentType === 'RECEIPT')).toMatchObject([{ total: 109 }])
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID' })
})

test('what was paid otherwise meanwhile stays open on the account of the customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, payment } = await paidLater(amy)
  await amy.call('invoices_payments', { id, amount: 100, paidAt: now })
  await arrive(payment.id)
  await recordDue(amy)
  const { payments } = await amy.call('invoices_payments_list', { ...home(amy), paymentId: payment.id })
  expect(payments).toMatchObject([{ amount: 109, allocatedTotal: 9, openRemainder: 100 }])
})

test('a payment over several documents by such a cheque is planned with its shares', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const [one, two] = [await sell(amy, { status: 'SENT', customerId }), await sell(amy, { status: 'SENT', customerId })]
  const allocations = [{ documentId: one.id }, { documentId: two.id, amount: 50 }]
  const payment = await amy.call('invoices_payments_create', {
    ...home(amy),
    amount: 200,
    currency: 'SGD',
    paidAt: now,
    customerId,
    allocations,
    ...cheque(),
  })
  expect(await planned(amy)).toMatchObject([
    {
      amount: 200,
      allocations: [
        { documentId: one.id, invoiceNumber: one.invoiceNumber, amount: 109 },
        { documentId: two.id, amount: 50 },
      ],
    },
  ])
  await arrive(payment.id)
  await recordDue(amy)
  expect(await amy.call('invoices_get', { id: two.id })).toMatchObject({ openBalance: 59 })
  expect((await amy.call('invoices_payments_list', home(amy))).payments).toMatchObject([{ openRemainder: 41 }])
})

test('several cheques are planned for what is open of a document, no more', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const plan = (amount: number) => amy.call('invoices_payments', { id, amount, paidAt: now, ...cheque() })
  await plan(60)
  await expect(plan(50)).rejects.toMatchObject({ status: 409, details: [{ code: 'PLANNED' }] })
  const last = await plan(49)
  await expect(
    amy.call('invoices_mark_paid', {
      id,
      paymentDate: now,
      paymentMethod: 'CHECK',
      details: cheque().details,
      sendReceiptEmail: false,
    }),
  ).rejects.toMatchObject({ status: 409 })
  expect(await amy.call('invoices_planned_payments_cancel', { id: last.id })).toMatchObject({ status: 'CANCELLED' })
  await plan(40)
})

test('a cancelled plan is never recorded, and a recorded one is voided as a payment', async () => {
  const amy = await member('MANAGER')
  const { payment } = await paidLater(amy)
  await amy.call('invoices_planned_payments_cancel', { id: payment.id })
  await amy.call('invoices_planned_payments_cancel', { id: payment.id })
  await arrive(payment.id)
  await recordDue(amy)
  expect((await amy.call('invoices_payments_list', home(amy))).payments).toEqual([])
  const other = await paidLater(amy)
  await arrive(other.payment.id)
  await recordDue(amy)
  await expect(amy.call('invoices_planned_payments_cancel', { id: other.payment.id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'RECORDED' }],
  })
  await amy.call('invoices_payments_void', { id: other.payment.id })
})

test('a cheque whose period was closed meanwhile counts from today on', async () => {
  const amy = await member('OWNER')
  const { payment } = await paidLater(amy)
  const yesterday = addDays(now, -1)
  await arrive(payment.id, addDays(now, -3))
  await amy.call('settings_update', { id: String(amy.organizationId), lockedUntil: yesterday } as never)
  await recordDue(amy)
  expect((await amy.call('invoices_payments_list', home(amy))).payments).toMatchObject([{ paidAt: now }])
})

test('what cannot be recorded says why, and is tried again', async () => {
  const amy = await member('OWNER')
  const { payment } = await paidLater(amy)
  await arrive(payment.id)
  await amy.call('settings_update', { id: String(amy.organizationId), lockedUntil: now } as never)
  await recordDue(amy)
  expect(await planned(amy)).toMatchObject([{ status: 'PLANNED', problem: expect.stringContaining('locked until') }])
  await amy.call('settings_update', { id: String(amy.organizationId), lockedUntil: null } as never)
  await recordDue(amy)
  expect(await planned(amy)).toMatchObject([{ status: 'RECORDED', problem: null }])
})

test('verify finds a planned payment that was forgotten', async () => {
  const amy = await member('CONTRIBUTOR')
  const { payment } = await paidLater(amy)
  await arrive(payment.id, addDays(now, -4))
  expect(await broken(amy)).toEqual(['INV-11'])
  await recordDue(amy)
  expect(await broken(amy)).toEqual([])
})

test.each([
  ['lines', { lineAllocations: [{ lineId: '1', amount: 1 }] }, 'lineAllocations'],
  ['an exchange rate', { exchangeRate: 2 }, 'exchangeRate'],
])('a planned cheque takes no %s', async (_, more, path) => {
  const amy = await member('CONTRIBUTOR')
  await paidLater(amy)
  await expect(paidLater(amy, more)).rejects.toMatchObject({ status: 400, details: [{ path }] })
})

test('the hour in which a cheque is due wants its organization, a later one does not', async () => {
  const amy = await member('CONTRIBUTOR')
  const { payment } = await paidLater(amy)
  const wants = async () => {
    const { rows } = await theApp().system.raw.query(
      `select * from (${plannedPaymentsSubscriber.wants}) w where organization_id = $1`,
      [amy.organizationId],
    )
    return rows.length
  }
  expect(await wants()).toBe(0)
  await arrive(payment.id)
  expect(await wants()).toBe(1)
  await recordDue(amy)
  expect(await wants()).toBe(0)
})
