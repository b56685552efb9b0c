import { expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const customerOf = async (someone: Someone, ...emails: string[]) => {
  const { id } = await someone.call('customers_create', { name: 'Globex', country: 'SG', email: 'office@globex.test' })
  for (const email of emails) await someone.call('customers_recipients_post', { id, email })
  return id
}

const mailOf = ({ organizationId }: Someone) =>
  theApp().system.use((db) =>
    db
      .selectFrom('mailDeliveries')
      .select(['to', 'subject', 'template'])
      .where('organizationId', '=', String(organizationId))
      .orderBy('id')
      .execute(),
  )

test('sending a draft issues it and sends it to the recipients of the customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { customerId: await customerOf(amy, 'a@globex.test', 'b@globex.test') })
  expect(await amy.call('invoices_send', { id })).toEqual({
    success: true,
    sent: 2,
    kept: 2,
    failed: 0,
    totalRecipients: 2,
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', invoiceNumber: '1' })
  const emails = await mailOf(amy)
  expect(emails.map(({ to }) => to)).toEqual(['a@globex.test', 'b@globex.test'])
  expect(emails[0]).toMatchObject({ template: 'sales-document', subject: expect.stringMatching(/^Invoice 1 from /) })
})

test('without recipients the customer gets the e-mail, and a PAID document stays PAID', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { customerId: await customerOf(amy), status: 'PAID' })
  expect(await amy.call('invoices_send', { id })).toMatchObject({ sent: 1, totalRecipients: 1 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID' })
  expect((await mailOf(amy)).map(({ to }) => to)).toEqual(['office@globex.test'])
})

test('without any address sending is refused, and the draft is not issued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_send', { id })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('e-mail address'),
    details: [{ code: 'NO_RECIPIENTS' }],
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null })
})

test('LOAD-14: a draft that is too long to print is neither issued nor sent', async () => {
  const amy = await member('CONTRIBUTOR')
  const text = (rows: number) => ({
    items: Array.from({ length: 10 }, (_, n) => ({ id: `${n}`, description: 'Work\n'.repeat(rows), quantity: 1, unitPrice: 10, amount: 10 })),
  }) // biome-ignore format: a list
  const customerId = await customerOf(amy)
  const [short, long] = [await sell(amy, { customerId, ...text(1) }), await sell(amy, { customerId, ...text(1_100) })]
  expect(await amy.call('invoices_send', { id: short.id })).toMatchObject({ sent: 1, failed: 0 })
  await expect(amy.call('invoices_send', { id: long.id })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'PRINT_TOO_LONG', message: expect.stringContaining('rows of text') }],
  })
  expect(await amy.call('invoices_get', { id: long.id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null })
  expect(await mailOf(amy)).toHaveLength(1)
})

test('mark-paid sends the receipt, and succeeds for a customer without recipients', async () => {
  const amy = await member('CONTRIBUTOR')
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: true, generateReceipt: true }
  const known = await sell(amy, { customerId: await customerOf(amy), status: 'SENT' })
  const { email, receipt } = await amy.call('invoices_mark_paid', { id: known.id, ...paid })
  expect([email, receipt?.invoiceNumber]).toEqual([{ sent: 1, failed: 0 }, '1'])
  expect((await mailOf(amy))[0]?.subject).toMatch(/^Receipt 1 from /)
  const unknown = await sell(amy, { status: 'SENT' })
  expect(await amy.call('invoices_mark_paid', { id: unknown.id, ...paid })).toMatchObject({
    document: { status: 'PAID' },
    email: { sent: 0, failed: 0 },
  })
})

test('the e-mail has the title of the PDF and labels every bank number', async () => {
  const noa = await member('MANAGER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: '513456782' })
  await noa.call('settings_update', { id: String(noa.organizationId), language: 'en' })
  const account = {
    accountName: 'Noa',
    bankName: 'Leumi',
    localBankCode: '10',
    branchCode: '800',
    accountNumber: '99999999',
  }
  const { id: bankAccountId } = await noa.call('bank_accounts_create', account)
  const more = { customerId: await customerOf(noa), currency: 'ILS', bankAccountId, documentType: 'PAYMENT_REQUEST' }
  const { id } = await sell(noa, more)
  await noa.call('invoices_send', { id })
  const [email] = (await noa.call('organizations_outbox', {})).messages
  expect(email?.subject).toMatch(/^Transaction Invoice /)
  expect(email?.text).toContain('Leumi, Noa, Bank code 10, Branch 800, Account no. 99999999')
})

test('a cancelled or converted document is not sent', async () => {
  const amy = await member('MANAGER')
  const customerId = await customerOf(amy)
  const refused = (id: string, code: string) =>
    expect(amy.call('invoices_send', { id })).rejects.toMatchObject({ status: 409, details: [{ code }] })
  const request = { documentType: 'PAYMENT_REQUEST', status: 'UNSENT', customerId }
  const [cancelled, converted] = [await sell(amy, request), await sell(amy, request)]
  await amy.call('invoices_cancel', { id: cancelled.id })
  await refused(cancelled.id, 'CANCELLED')
  await amy.call('invoices_convert', { id: converted.id, documentType: 'INVOICE' })
  await refused(converted.id, 'CONVERTED')
  const receipt = await sell(amy, { documentType: 'RECEIPT', status: 'UNSENT', customerId })
  await amy.call('invoices_cancel', { id: receipt.id })
  await refused(receipt.id, 'CANCELLED')
  expect(await mailOf(amy)).toEqual([])
})
