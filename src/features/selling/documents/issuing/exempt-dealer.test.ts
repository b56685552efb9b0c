import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Jerusalem')
/** An Israeli dealer who is not registered for VAT, unless a number of a company is given; documents are without tax. */
async function dealer(registrationNumber = '123456782') {
  const noa = await member('OWNER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber })
  const { id: customerId } = await noa.call('customers_create', { name: 'Globex', country: 'IL' })
  const untaxed = { customerId, currency: 'ILS', taxRate: 0, taxAmount: 0, total: 100 }
  const issue = (documentType: string, more = {}) => sell(noa, { ...untaxed, documentType, status: 'SENT', ...more })
  return { noa, issue }
}

/** The balances of all accounts that are not zero. */
async function balances(someone: Someone) {
  const query = { organizationId: String(someone.organizationId), from: '2020-01-01', to: day }
  const { entries } = await someone.call('reports_journal', query)
  const sums = new Map<string, number>()
  for (const { accountName, debit, credit } of entries)
    sums.set(String(accountName), (sums.get(String(accountName)) ?? 0) + debit - credit)
  return [...sums].filter(([, sum]) => sum !== 0)
}

const paid = { status: 'PAID', paymentDate: day, paymentMethod: 'CASH' }

test("an exempt dealer's invoice-receipt is a receipt by law and cancelled when its payment is voided", async () => {
  const { noa, issue } = await dealer()
  const { id, invoiceNumber } = await issue('INVOICE_RECEIPT', paid)
  const { payments } = await noa.call('invoices_payments_list', { documentId: id })
  await noa.call('invoices_payments_void', { id: String(payments[0]?.id) })
  expect(await noa.call('invoices_get', { id })).toMatchObject({
    invoiceNumber,
    cancelledAt: expect.any(String),
    paidAmount: 0,
    openBalance: 0,
  })
  expect(await balances(noa)).toEqual([]) // no income, no money
  const another = await issue('INVOICE_RECEIPT', paid)
  expect(another.invoiceNumber).toBe('2')
  await expectSoundBooks()
})

test("a company's invoice-receipt is a tax document: it is open again when its payment is voided, and not cancelled", async () => {
  const { noa, issue } = await dealer('513456782')
  const { id } = await issue('INVOICE_RECEIPT', paid)
  const { payments } = await noa.call('invoices_payments_list', { documentId: id })
  await noa.call('invoices_payments_void', { id: String(payments[0]?.id) })
  expect(await noa.call('invoices_get', { id })).toMatchObject({ cancelledAt: null, openBalance: 100 })
  await expect(noa.call('invoices_cancel', { id })).rejects.toMatchObject({ details: [{ code: 'TAX_DOCUMENT' }] })
  await expect(
    theApp().system.raw.query('update documents set cancelled_at = now() where id = $1', [id]),
  ).rejects.toThrow('cancelled_type')
  await expectSoundBooks()
})

test("an exempt dealer's invoice-receipt can be cancelled while nothing is paid", async () => {
  const { noa, issue } = await dealer()
  const { id } = await issue('INVOICE_RECEIPT')
  const payment = await noa.call('invoices_payments', { id, amount: 40, paidAt: day })
  await expect(noa.call('invoices_cancel', { id })).rejects.toMatchObject({ details: [{ code: 'HAS_PAYMENTS' }] })
  await noa.call('invoices_payments_void', { id: payment.id })
  expect(await noa.call('invoices_get', { id })).toMatchObject({ cancelledAt: expect.any(String) })
  const other = await issue('INVOICE_RECEIPT')
  expect(await noa.call('invoices_cancel', { id: other.id })).toMatchObject({
    cancelledAt: expect.any(String),
    openBalance: 0,
  })
  await expectSoundBooks()
})

test("an exempt dealer's invoice-receipt gets no memo, paid or not: it is cancelled", async () => {
  const { noa, issue } = await dealer()
  const items = [{ id: '9', description: 'Travel', quantity: 1, unitPrice: 10, amount: 10 }]
  const memos = [{ kind: 'CREDIT' } as const, { kind: 'DEBIT', items } as const]
  const [company, bill] = [await dealer('513456782'), await issue('INVOICE')]
  const ofCompany = await company.issue('INVOICE_RECEIPT', paid)
  for (const memo of memos) {
    const allowed = { documentType: `${memo.kind}_MEMO` }
    expect(await noa.call('invoices_memos', { id: bill.id, ...memo })).toMatchObject(allowed)
    expect(await company.noa.call('invoices_memos', { id: ofCompany.id, ...memo })).toMatchObject(allowed)
  }
  for (const more of [{}, paid]) {
    const { id } = await issue('INVOICE_RECEIPT', more)
    for (const memo of memos) {
      const refused = noa.call('invoices_memos', { id, ...memo })
      await expect(refused).rejects.toMatchObject({ status: 409, details: [{ code: 'NOT_A_TAX_DOCUMENT' }] })
      await expect(refused).rejects.toThrow(/cancel/i)
    }
    const insert = theApp().system.raw.query(
      `insert into documents (organization_id, id, document_type, status, source_document_id, counterparty_id, currency, minor_digits, issue_date,
         subtotal_minor, tax_minor, total_minor, generator_version)
       select organization_id, gen_random_uuid(), 'CREDIT_MEMO', 'UNSENT', id, counterparty_id, currency, 2, issue_date, 0, 0, 0, '0'
       from documents where id = $1`,
      [id],
    )
    await expect(insert).rejects.toMatchObject({ constraint: 'memo_of_tax_document' })
  }
  await expectSoundBooks()
})

test('verify finds a valid receipt by law whose payments are all void', async () => {
  const { noa, issue } = await dealer()
  const { id } = await issue('INVOICE_RECEIPT', paid)
  await expectSoundBooks()
  const { payments } = await noa.call('invoices_payments_list', { documentId: id })
  const client = await theApp().system.raw.connect()
  try {
    await client.query('begin')
    await client.query('alter table documents disable trigger guard_legal_content')
    await client.query('update payments set voided_at = now() where id = $1', [payments[0]?.id])
    await client.query('update documents set cancelled_at = null where id = $1', [id])
    const { ledgerChecks } = await import('../../../../ledger/verify-rules.ts')
    const rule = ledgerChecks.find(({ says }) => says.startsWith('A receipt is valid only while'))
    const { rows } = await client.query(String(rule?.finds))
    expect(rows).toMatchObject([{ id }])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('the payment request of an exempt dealer is converted to a receipt, but not to a second document of its own type', async () => {
  const { noa, issue } = await dealer()
  const { id, invoiceNumber } = await issue('PAYMENT_REQUEST', paid)
  expect(invoiceNumber).toBe('1')
  await expect(noa.call('invoices_convert', { id, documentType: 'INVOICE' })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'CONVERTED_TO_ANOTHER_TYPE' }],
    message: expect.stringContaining('/receipt'),
  })
  expect((await issue('INVOICE')).invoiceNumber).toBe('2')
  const receipt = await noa.call('invoices_convert', { id, documentType: 'INVOICE_RECEIPT' })
  expect(receipt).toMatchObject({ documentType: 'INVOICE_RECEIPT', status: 'PAID', invoiceNumber: '1' })
  const company = await dealer('513456782')
  const request = await company.issue('PAYMENT_REQUEST', paid)
  const invoice = await company.noa.call('invoices_convert', { id: request.id, documentType: 'INVOICE' })
  expect(invoice).toMatchObject({ documentType: 'INVOICE', status: 'PAID' })
  await expectSoundBooks()
})
