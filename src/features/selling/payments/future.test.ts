import { expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const timezone = 'Pacific/Auckland'
const now = () => today(new Date(), timezone)
const tomorrow = () => addDays(now(), 1)
const late = (path: string, code = 'FUTURE_PAYMENT_DATE') => ({ status: 400, details: [{ path, code }] })
const seller = async () => {
  const amy = await member('MANAGER')
  await amy.call('organizations_update', { id: String(amy.organizationId), timezone })
  return amy
}
const money = { amount: 10, currency: 'SGD' }
const spend = (amy: Someone, date = '2026-01-31') =>
  amy.call('expenses_create', {
    organizationId: String(amy.organizationId),
    amount: 50,
    currency: 'SGD',
    date,
    description: 'Paper',
  } as never)

test('money is received today at the latest, whatever records it; today is that of the time zone of the organization', async () => {
  const amy = await seller()
  const { id } = await sell(amy, { status: 'SENT' })
  const paid = { paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const pay = (paidAt: string) => amy.call('invoices_payments_create', { ...money, paidAt })
  await expect(pay(tomorrow())).rejects.toMatchObject({
    ...late('paidAt'),
    message: expect.stringContaining(`dated ${tomorrow()}, which is after today (${now()}). Record it on the day`),
  })
  const received = await pay(now())
  await expect(amy.call('invoices_payments', { id, amount: 10, paidAt: tomorrow() })).rejects.toMatchObject(
    late('paidAt'),
  )
  await expect(amy.call('invoices_mark_paid', { id, ...paid, paymentDate: tomorrow() })).rejects.toMatchObject(
    late('paymentDate'),
  )
  await expect(amy.call('invoices_update', { id, status: 'PAID', paymentDate: tomorrow() })).rejects.toMatchObject(
    late('paymentDate'),
  )
  await expect(sell(amy, { status: 'PAID', paymentDate: tomorrow() })).rejects.toMatchObject(late('paymentDate'))
  await expect(amy.call('invoices_payments_refund', { id: received.id, paidAt: tomorrow() })).rejects.toMatchObject(
    late('paidAt'),
  )
  await amy.call('invoices_payments_refund', { id: received.id, paidAt: now() })
  const many = await amy.call('invoices_bulk_mark_paid', {
    organizationId: String(amy.organizationId),
    ids: [id],
    ...paid,
    paymentDate: tomorrow(),
  })
  expect(many).toMatchObject({ results: [{ error: { details: [{ code: 'FUTURE_PAYMENT_DATE' }] } }] })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', openBalance: 109 })
  await amy.call('invoices_mark_paid', { id, ...paid, paymentDate: now() })
})

test('a draft may say when it will be paid', async () => {
  const amy = await seller()
  const { id } = await sell(amy, { status: 'DRAFT', paymentDate: tomorrow() })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', paidAmount: 0 })
})

test('an expense is paid and refunded today at the latest', async () => {
  const amy = await seller()
  const { id } = await spend(amy)
  await expect(amy.call('expenses_payments', { id, amount: 50, paidAt: tomorrow() })).rejects.toMatchObject(
    late('paidAt'),
  )
  await expect(amy.call('expenses_payments_create', { ...money, paidAt: tomorrow() })).rejects.toMatchObject(
    late('paidAt'),
  )
  const advance = await amy.call('expenses_payments_create', { ...money, paidAt: now() })
  await expect(amy.call('expenses_payments_refund', { id: advance.id, paidAt: tomorrow() })).rejects.toMatchObject(
    late('paidAt'),
  )
  await amy.call('expenses_payments', { id, amount: 50, paidAt: now() })
})

test('an expense or a supplier credit that is dated after today is not booked, but may be entered', async () => {
  const amy = await seller()
  const ahead = await spend(amy, tomorrow())
  expect(ahead.warnings?.map(({ code }) => code)).toContain('FUTURE_DATE')
  await expect(amy.call('expenses_status', { id: ahead.id, status: 'APPROVED' })).rejects.toMatchObject({
    ...late('date', 'FUTURE_EXPENSE_DATE'),
    message: expect.stringContaining('Approve it on that day'),
  })
  const { id } = await spend(amy, now())
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  await expect(amy.call('expenses_credits', { id, amount: 5, date: tomorrow() })).rejects.toMatchObject(
    late('date', 'FUTURE_EXPENSE_DATE'),
  )
  await amy.call('expenses_credits', { id, amount: 5, date: now() })
})

test('the database refuses money of tomorrow by itself', async () => {
  const amy = await seller()
  const { id } = await amy.call('invoices_payments_create', { ...money, paidAt: now() })
  const move = theApp().system.raw.query('update payments set paid_at = $1 where id = $2', [tomorrow(), id])
  await expect(move).rejects.toMatchObject({ constraint: 'paid_at_not_in_future' })
})
