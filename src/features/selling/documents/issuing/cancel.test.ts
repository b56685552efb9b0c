import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const year = Number(day.slice(0, 4))
const request = (amy: Someone, more = {}) => sell(amy, { documentType: 'PAYMENT_REQUEST', status: 'SENT', ...more })
const balances = async ({ organizationId }: Someone) => {
  const { rows } = await theApp().system.raw.query(
    'select account, sum(debit_minor - credit_minor)::int as balance from journal() where organization_id = $1 group by 1',
    [organizationId],
  )
  return Object.fromEntries(rows.filter(({ balance }) => balance !== 0).map((row) => [row.account, row.balance]))
}

test('a cancelled payment request keeps its number and status and is no longer owed', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await request(amy)
  const cancelled = await amy.call('invoices_cancel', { id, reason: 'Wrong customer' })
  const expected = { status: 'SENT', invoiceNumber: '1', cancelledAt: expect.any(String), openBalance: 0 }
  expect(cancelled).toMatchObject(expected)
  expect(await amy.call('invoices_cancel', { id })).toEqual(cancelled)
  const { events } = await amy.call('invoices_events', { id })
  expect(events[0]).toMatchObject({ type: 'CANCELLED', payload: { reason: 'Wrong customer' } })
  expect(events.filter(({ type }) => type === 'CANCELLED')).toHaveLength(1)
  const organizationId = String(amy.organizationId)
  expect(await amy.call('dashboard_get', { organizationId, year })).toMatchObject({
    outstandingAmount: 0,
    pendingPaymentsList: [],
  })
  expect(await balances(amy)).toEqual({})
  await expectSoundBooks()
})

test('a cancelled payment request cannot be paid, converted or opened again', async () => {
  const amy = await member('CONTRIBUTOR')
  const valid = await request(amy)
  await amy.call('invoices_payments', { id: valid.id, amount: 1, paidAt: day })
  const { id } = await request(amy)
  await amy.call('invoices_cancel', { id })
  const refused = { status: 409, details: [{ code: 'CANCELLED' }] }
  await expect(amy.call('invoices_payments', { id, amount: 1, paidAt: day })).rejects.toMatchObject(refused)
  await expect(amy.call('invoices_update', { id, status: 'PAID' })).rejects.toMatchObject(refused)
  await expect(amy.call('invoices_convert', { id, documentType: 'INVOICE' })).rejects.toMatchObject(refused)
  await expect(
    theApp().system.raw.query('update documents set cancelled_at = null where id = $1', [id]),
  ).rejects.toThrow('does not change')
})

test('a payment request with a payment is cancelled once the payment is void', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await request(amy)
  const payment = await amy.call('invoices_payments', { id, amount: 10, paidAt: day })
  await expect(amy.call('invoices_cancel', { id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'HAS_PAYMENTS' }],
  })
  await expect(
    theApp().system.raw.query('update documents set cancelled_at = now() where id = $1', [id]),
  ).rejects.toThrow('closed_document_is_unpaid')
  await amy.call('invoices_payments_void', { id: payment.id })
  expect(await amy.call('invoices_cancel', { id })).toMatchObject({ cancelledAt: expect.any(String) })
})

test('a receipt for a payment can be cancelled while the payment stays', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const paid = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(receipt).toMatchObject({ paidAmount: 109, openBalance: 0, cancelledAt: null })
  expect(await amy.call('invoices_cancel', { id: String(receipt?.id) })).toMatchObject({
    status: 'PAID',
    paidAmount: 0,
    openBalance: 0,
    cancelledAt: expect.any(String),
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', paidAmount: 109, receiptNumber: null })
  await expectSoundBooks()
})

test('a tax document is credited, not cancelled; a draft is neither', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const documentType of ['INVOICE', 'INVOICE_RECEIPT']) {
    const { id } = await sell(amy, { documentType, status: 'SENT' })
    await expect(amy.call('invoices_cancel', { id })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('memos'),
      details: [{ code: 'TAX_DOCUMENT' }],
    })
    await expect(
      theApp().system.raw.query('update documents set cancelled_at = now() where id = $1', [id]),
    ).rejects.toThrow('cancelled_type')
  }
  const draft = await request(amy, { status: 'DRAFT' })
  await expect(amy.call('invoices_cancel', { id: draft.id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'DRAFT' }],
  })
})

test('a payment request or receipt gets no tax credit note: the refusal says to cancel it', async () => {
  const amy = await member('CONTRIBUTOR')
  const invoice = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT' })
  for (const documentType of ['PAYMENT_REQUEST', 'RECEIPT']) {
    const { id } = await sell(amy, { documentType, status: 'SENT' })
    await expect(amy.call('invoices_memos', { id, kind: 'CREDIT' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('/cancel'),
      details: [{ code: 'NOT_A_TAX_DOCUMENT' }],
    })
    await expect(amy.call('invoices_delete', { id })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('/cancel'),
    })
    await expect(
      theApp().system.raw.query(
        `insert into documents (organization_id, id, document_type, status, source_document_id, counterparty_id, currency, minor_digits, issue_date,
          subtotal_minor, tax_minor, total_minor, generator_version)
        select organization_id, gen_random_uuid(), 'CREDIT_MEMO', 'UNSENT', id, counterparty_id, currency, minor_digits, issue_date, 0, 0, 0, '0'
        from documents where id = $1`,
        [id],
      ),
    ).rejects.toThrow('is cancelled')
  }
})
