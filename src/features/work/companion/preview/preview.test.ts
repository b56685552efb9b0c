import { beforeAll, expect, test } from 'vitest'
import { draftPayslip } from '../../../../test/payroll/rows.ts'
import { previewFor } from '../../../../test/previews.ts'
import { queuedTo } from '../../../../test/queued-mail.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, withKey } from '../../../../test/world.ts'

let amy: Someone
beforeAll(async () => {
  amy = await member('OWNER')
})

let customers = 0
/** A customer with addresses of their own. */
async function globex(someone = amy) {
  const email = `office${++customers}@globex.test`
  const { id } = await someone.call('customers_create', { name: 'Globex', country: 'SG', email })
  return { customerId: id, email }
}

/** The mail that was sent to an address, as a preview shows it. */
async function sentTo(email: string, someone = amy) {
  const { messages } = await someone.call('organizations_outbox', {})
  const sent = messages.find(({ to }) => to === email)
  const attachments = sent?.attachments.map(({ fileName }) => fileName)
  return { to: [sent?.to], subject: sent?.subject, text: sent?.text, attachments }
}

const valuesOf = (lines: { label: { en: string }; value: string }[], label: string) =>
  lines.filter((line) => line.label.en === label).map(({ value }) => value)

test('an issued invoice is shown with its mail as it is sent, word for word', async () => {
  const { customerId, email } = await globex()
  const { id, invoiceNumber } = await sell(amy, { customerId, status: 'UNSENT', dueDate: '2027-01-31' })
  const { title, mail, lines } = await previewFor(amy, 'invoices_send', { id })
  expect(title).toEqual({
    en: `Send invoice ${invoiceNumber} of 109.00 SGD to “Globex”`,
    he: `שליחת חשבונית ${invoiceNumber} על סך 109.00 SGD אל “Globex”`,
  })
  expect(mail).toMatchObject({ to: [email], attachments: [`Invoice ${invoiceNumber}.pdf`] })
  expect(valuesOf(lines, 'To')).toEqual([email])
  expect(valuesOf(lines, 'Total')).toEqual(['109.00 SGD'])
  await amy.call('invoices_send', { id })
  expect(mail).toEqual(await sentTo(email))
})

test.each([
  ['SG', 'INVOICE', {}],
  ['IL', 'INVOICE', { taxRate: 18, taxAmount: 18, total: 118, currency: 'ILS' }],
  ['IL', 'INVOICE_RECEIPT', { paymentMethod: 'CASH', taxRate: 18, taxAmount: 18, total: 118, currency: 'ILS' }],
  ['IL', 'PAYMENT_REQUEST', { taxRate: 18, taxAmount: 18, total: 118, currency: 'ILS' }],
  ['US', 'RECEIPT', { taxRate: 0, taxAmount: 0, total: 100, currency: 'USD' }],
] as const)(
  'a draft of %s (%s) is shown with the number and the mail that it gets',
  async (country, documentType, more) => {
    const noa = await member('OWNER', { country })
    await noa.call('settings_update', {
      ...{ id: String(noa.organizationId), numbering: [{ documentType, prefix: 'K-', padding: 5, nextNumber: 31 }] },
    })
    const { customerId, email } = await globex(noa)
    const { id } = await sell(noa, { customerId, documentType, ...more })
    const { title, mail } = await previewFor(noa, 'invoices_send', { id })
    expect(title.en).toMatch(/^Issue and send .* K-00031 of .* to “Globex”; it cannot be changed afterwards$/)
    await noa.call('invoices_send', { id })
    expect(mail).toEqual(await sentTo(email, noa))
  },
)

test('a statement and an order are shown with their mail as it is sent', async () => {
  const { customerId, email } = await globex()
  await sell(amy, { customerId, status: 'UNSENT' })
  const statement = await previewFor(amy, 'reports_customer_statement_send', { id: customerId, language: 'he' })
  await amy.call('reports_customer_statement_send', { id: customerId, language: 'he' })
  expect(statement.title.en).toBe('Send the statement of account to “Globex”')
  expect(statement.mail).toEqual(await sentTo(email))

  const to = 'sales@acme.test'
  const { id: supplierId } = await amy.call('suppliers_create', { name: 'Acme', country: 'SG', email: to })
  const lines = [{ description: 'Lamp', quantity: 12, unitPrice: 10 }]
  const { id } = await amy.call('orders_create', { kind: 'PURCHASE', supplierId, lines, status: 'OPEN' })
  const order = await previewFor(amy, 'orders_send', { id })
  await amy.call('orders_send', { id })
  expect(order.title.en).toBe('Send purchase order PO-0001 of 120.00 SGD to “Acme”')
  expect(order.mail).toMatchObject({ to: [to], attachments: ['Purchase Order PO-0001.pdf'] })
  expect(order.mail).toEqual(await sentTo(to))
})

test('the payslips of a month are counted, approved and sent as shown', async () => {
  const noa = await member('OWNER')
  const organizationId = String(noa.organizationId)
  const { id: payslipId } = await draftPayslip(noa)
  const { month, counterpartyId, net, currency, employeeName } = await noa.call('payroll_payslips_get', {
    id: payslipId,
  })
  const approve = await previewFor(noa, 'payroll_approve', { organizationId, month })
  const netText = `${net.toLocaleString('en', { minimumFractionDigits: 2 })} ${currency}`
  expect(approve.title.en).toBe(`Approve 1 payslip of ${month}, ${netText} net; they cannot be changed afterwards`)
  expect(valuesOf(approve.lines, 'People')).toEqual([`${employeeName}, ${netText}`])
  await noa.call('payroll_approve', { organizationId, month })
  const email = 'dana.levi@staff.test'
  await noa.call('payroll_employees_update', { id: counterpartyId, email })
  const sending = await previewFor(noa, 'payroll_payslips_send', { organizationId, month })
  expect(sending.title.en).toBe(`Send 1 payslip of ${month} to employees`)
  await noa.call('payroll_payslips_send', { organizationId, month })
  expect((await queuedTo(email))[0]).toMatchObject({ subject: sending.mail?.subject, text: sending.mail?.text })
  const pay = await previewFor(noa, 'payroll_pay', { organizationId, payslipId, kind: 'NET', paidAt: '2026-04-01' })
  expect(pay.title.en).toBe(`Record that “${employeeName}” was paid ${netText} for ${month}`)
  const { allocated } = await noa.call('payroll_pay', { organizationId, payslipId, kind: 'NET', paidAt: '2026-04-01' })
  expect(allocated).toBe(net)
})

test('payments are shown with amount, payer and what stays open', async () => {
  const { customerId } = await globex()
  const { id, invoiceNumber } = await sell(amy, { customerId, status: 'UNSENT' })
  const input = { id, amount: 9, paidAt: '2026-01-31', method: 'CASH' }
  const part = await previewFor(amy, 'invoices_payments', input)
  expect(part.title.en).toBe(`Record a payment of 9.00 SGD from “Globex” for invoice ${invoiceNumber}`)
  expect(valuesOf(part.lines, 'Still open after it')).toEqual(['100.00 SGD'])
  const payment = await amy.call('invoices_payments', input)
  const paid = { id, paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const rest = await previewFor(amy, 'invoices_mark_paid', paid)
  expect(rest.title.en).toBe(`Record that “Globex” paid invoice ${invoiceNumber} in full: 100.00 SGD`)
  const { receipt } = await amy.call('invoices_mark_paid', paid)
  expect(valuesOf(rest.lines, 'Receipt')).toEqual([receipt?.invoiceNumber])
  const voided = await previewFor(amy, 'invoices_payments_void', { id: payment.id })
  expect(voided.title.en).toBe('Void the payment of 9.00 SGD of 2026-01-31')
  expect(valuesOf(voided.lines, 'Open again')).toEqual([`${invoiceNumber} 9.00 SGD`])
  const open = { amount: 50, currency: 'SGD', paidAt: '2026-01-31', customerId }
  expect((await previewFor(amy, 'invoices_payments_create', open)).title.en).toBe(
    'Record a payment of 50.00 SGD received from “Globex”',
  )
  const { id: creditId } = await amy.call('invoices_payments_create', open)
  const refund = await previewFor(amy, 'invoices_payments_refund', { id: creditId, paidAt: '2026-02-01' })
  expect(refund.title.en).toBe('Refund 50.00 SGD to “Globex”')
})

test('expenses are shown with what changes and who is paid', async () => {
  const { id: supplierId } = await amy.call('suppliers_create', { name: 'Shell', country: 'SG' })
  const { id } = await amy.call('expenses_create', {
    ...{ amount: 117, currency: 'SGD', date: '2026-01-31', supplierId, title: 'Fuel' },
  })
  const approve = await previewFor(amy, 'expenses_status', { id, status: 'APPROVED' })
  expect(approve.title).toEqual({
    en: 'Approve the expense: 117.00 SGD, “Fuel”, “Shell”',
    he: 'אישור ההוצאה: 117.00 SGD, “Fuel”, “Shell”',
  })
  expect(valuesOf(approve.lines, 'Status')).toEqual(['draft → approved'])
  const pay = await previewFor(amy, 'expenses_payments', { id, amount: 17, paidAt: '2026-02-01' })
  expect(pay.title.en).toBe('Record that 17.00 SGD was paid to “Shell”')
  expect(valuesOf(pay.lines, 'Still open after it')).toEqual(['100.00 SGD'])
})

test('issuing says which number, how much, and that it is final', async () => {
  const noa = await member('OWNER')
  const { customerId } = await globex(noa)
  const { id, ...draft } = await sell(noa, { customerId })
  const issue = await previewFor(noa, 'invoices_update', { id, status: 'UNSENT' })
  expect(issue.title.en).toBe('Issue invoice 1 of 109.00 SGD to “Globex”; it cannot be changed afterwards')
  expect(valuesOf(issue.lines, 'Tax')).toEqual(['9.00 SGD'])
  expect(draft.status).toBe('DRAFT')
  await noa.call('invoices_update', { id, status: 'UNSENT' })
  const memo = await previewFor(noa, 'invoices_memos', { id, kind: 'CREDIT' })
  const issued = await noa.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(memo.title.en).toBe(
    `Issue credit memo ${issued.invoiceNumber} of 109.00 SGD for invoice 1 of “Globex”; it is final`,
  )
  expect(issued.total).toBe(109)
})

test('a change of role says from what to what; an automation says what starts it and what it does', async () => {
  const bob = await member('VIEWER', { of: amy })
  const role = { id: String(amy.organizationId), userId: bob.userId, role: 'MANAGER' }
  expect((await previewFor(amy, 'users_member_update', role)).title.en).toBe(
    'Change the role of “VIEWER” from VIEWER to MANAGER',
  )
  const blocks = [
    { id: 'start', kind: 'TRIGGER', ref: 'invoice.paid' },
    { id: 'mail', kind: 'ACTION', ref: 'email.send', config: { input: { to: 'a@x.test', subject: 'Paid' } } },
  ]
  const edges = [{ id: 'e', fromBlockId: 'start', toBlockId: 'mail' }]
  const { id } = await amy.call('automations_create', {
    ...{ organizationId: String(amy.organizationId), name: 'Thanks', blocks, edges },
  } as never)
  const { title, lines } = await previewFor(amy, 'automations_enable', { id })
  expect(title.en).toBe('Enable the automation “Thanks”: it acts by itself from now on')
  expect(valuesOf(lines, 'Starts when')).toEqual(['invoice.paid'])
  expect(valuesOf(lines, 'Step')).toEqual(['email.send: {"to":"a@x.test","subject":"Paid"}'])
})

test('an update says from what to what', async () => {
  const { customerId, email } = await globex()
  const { lines, title } = await previewFor(amy, 'customers_update_patch', { id: customerId, email: 'eve@evil.test' })
  expect(title.en).toBe(`Change the customer: “Globex”, ${email}`)
  expect(valuesOf(lines, 'E-mail address')).toEqual([`${email} → eve@evil.test`])
})

test('the fingerprint changes with whatever the person decides on, and with nothing else', async () => {
  const { customerId } = await globex()
  const account = { accountName: 'Main', bankName: 'DBS', iban: null, accountNumber: '1' }
  const { id: bankAccountId } = await amy.call('bank_accounts_create', account)
  const { id } = await sell(amy, { customerId, bankAccountId })
  const fingerprint = async (tool = 'invoices_send') => (await previewFor(amy, tool, { id })).fingerprint
  const seen = [await fingerprint()]
  expect(await fingerprint()).toBe(seen[0])
  const steps: [string, () => Promise<unknown>][] = [
    ['amount', () => amy.call('invoices_update', { id, items: [{ id: '1', description: 'Work', quantity: 2, unitPrice: 60, amount: 120 }], subtotal: 120, taxAmount: 10.8, total: 130.8 })],
    ['recipient', () => amy.call('customers_recipients_post', { id: customerId, email: 'new@globex.test' })],
    ['account', () => amy.call('bank_accounts_update', { id: bankAccountId, accountNumber: '2' })],
    ['due date', () => amy.call('invoices_update', { id, dueDate: '2027-02-01' })],
    ['next number', () => sell(amy, { status: 'UNSENT' })],
    ['status', () => amy.call('invoices_update', { id, status: 'UNSENT' })],
  ] // biome-ignore format: one line a step
  for (const [what, step] of steps) {
    await step()
    const now = await fingerprint()
    expect([what, seen.includes(now)]).toEqual([what, false])
    seen.push(now)
  }
  await amy.call('customers_create', { name: 'Somebody else', country: 'SG' })
  await sell(amy, { customerId })
  expect(seen.at(-1)).toBe(await fingerprint())
  const other = await previewFor(amy, 'invoices_link_renew', { id })
  expect(seen).not.toContain(other.fingerprint)
})

test('what a person may not read is refused instead of asked about', async () => {
  const [eve, viewer] = [await member('OWNER'), await member('EMPLOYEE', { of: amy })]
  const { customerId } = await globex()
  const { id } = await sell(amy, { customerId })
  await expect(previewFor(eve, 'invoices_send', { id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(previewFor(viewer, 'invoices_send', { id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(previewFor(amy, 'invoices_send', { id: (await sell(amy)).id })).rejects.toMatchObject({
    details: [{ code: 'NO_RECIPIENTS' }],
  })
  const foreign = { customerId: (await globex(eve)).customerId }
  await expect(previewFor(amy, 'invoices_create', { ...foreign, status: 'UNSENT' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a key without the settings is shown everything but the number', async () => {
  const { customerId, email } = await globex()
  const { id } = await sell(amy, { customerId })
  const key = await withKey(amy, ['invoices:read', 'invoices:write'])
  const { title, mail } = await previewFor(key, 'invoices_send', { id })
  expect(title.en).toBe('Issue and send invoice of 109.00 SGD to “Globex”; it cannot be changed afterwards')
  expect(mail?.to).toEqual([email])
})

test('texts of records cannot break a line, turn the text around or hide in it', async () => {
  const name = `Glo\nbex\u202e\u200b ${'x'.repeat(300)}`
  const { id } = await amy.call('customers_create', { name, country: 'SG' })
  const { title, lines } = await previewFor(amy, 'customers_delete', { id })
  const shown = [title.en, title.he, ...lines.map(({ value }) => value)]
  for (const text of shown) {
    expect(text).not.toMatch(/[\p{Cc}\u200b\u202e]/u)
    expect(text).toContain('Glo bex')
    expect([...text].length).toBeLessThanOrEqual(240)
  }
})

test('a password is not shown', async () => {
  const input = { organizationId: String(amy.organizationId), name: 'Receipts', provider: 'IMAP', password: 'hush' }
  const { lines } = await previewFor(amy, 'integrations_email_settings_post', input)
  expect(valuesOf(lines, 'Password')).toEqual(['••••'])
  expect(JSON.stringify(lines)).not.toContain('hush')
})

test('a change of the settings says what they are now, and asks again when they have changed', async () => {
  const noa = await member('OWNER')
  const id = String(noa.organizationId)
  await noa.call('settings_update', { id, defaultTaxRate: 9 })
  const before = await previewFor(noa, 'settings_update', { id, defaultTaxRate: 7 })
  expect(valuesOf(before.lines, 'Default tax rate')).toEqual(['9 → 7'])
  await noa.call('settings_update', { id, defaultTaxRate: 8 })
  expect((await previewFor(noa, 'settings_update', { id, defaultTaxRate: 7 })).fingerprint).not.toBe(before.fingerprint)
})

test('what would do nothing is refused and not asked about', async () => {
  await expect(previewFor(amy, 'payroll_payslips_send', { month: '2019-01' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'There is no payslip of that month to send.',
  })
})
