import { beforeAll, describe, expect, test } from 'vitest'
import { endOfThisYear } from '../../../../test/days.ts'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { queuedTo } from '../../../../test/queued-mail.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'
import type { Statement } from './statement.ts'

beforeAll(storeTestRates)

const statement = (amy: Someone, id: string, more: Record<string, unknown> = {}) =>
  amy.call('reports_customer_statement', { id, from: '2026-01-01', to: endOfThisYear(), ...more })

/** `day kind description amount balance` of each entry in the only currency. */
const lines = ({ currencies }: Statement) =>
  currencies.flatMap(({ entries }) =>
    entries.map(({ date, kind, description, amount, balance }) => [date, kind, description, amount, balance]),
  )

/** The closing balance is what the aging shows. */
const expectAged = ({ currencies }: Statement) => {
  for (const { closingBalance, aging } of currencies) {
    const { credits, ...buckets } = aging
    const open = Object.values(buckets).reduce((sum, amount) => sum + amount, 0)
    expect(Math.round((open - credits) * 100) / 100).toBe(closingBalance)
  }
}

describe('a statement', () => {
  test('has documents, payments, credits and refunds with a running balance', async () => {
    const amy = await member('MANAGER')
    const organizationId = String(amy.organizationId)
    const before = await sell(amy, { status: 'SENT', issueDate: '2025-12-01' })
    const customerId = String(before.customerId)
    const { id } = await sell(amy, { customerId, status: 'SENT', issueDate: '2026-01-10', dueDate: '2026-02-10' })
    await sell(amy, { customerId, status: 'DRAFT', issueDate: '2026-01-10' })
    await sell(amy, { status: 'SENT', issueDate: '2026-01-11' }) // of somebody else
    await amy.call('invoices_payments', { id: before.id, amount: 109, paidAt: '2026-01-15', method: 'BANK_TRANSFER' })
    const money = { organizationId, customerId, amount: 30, currency: 'SGD', paidAt: '2026-01-20' }
    const payment = await amy.call('invoices_payments_create', money)
    await amy.call('invoices_payments_refund', { id: payment.id, paidAt: '2026-01-21' })
    const report = await statement(amy, customerId, { to: '2026-01-31' })
    expect(report.currencies[0]).toMatchObject({ currency: 'SGD', openingBalance: 109, closingBalance: 109 })
    expect(lines(report)).toEqual([
      ['2026-01-10', 'DOCUMENT', 'Invoice 2', 109, 218],
      ['2026-01-15', 'PAYMENT', 'Payment, bank transfer', -109, 109],
      ['2026-01-20', 'PAYMENT', 'Payment', -30, 79],
      ['2026-01-21', 'REFUND', 'Refund', 30, 109],
    ])
    expect(report.currencies[0]?.aging).toMatchObject({ current: 109, over90: 0, credits: 0 })
    expectAged(report)
    await amy.call('invoices_memos', { id, kind: 'CREDIT' })
    const later = await statement(amy, customerId, { to: '2099-12-31' })
    expect(lines(later).at(-1)?.slice(1)).toEqual(['CREDIT', expect.stringContaining('Credit'), -109, 0])
    expect(later.currencies[0]?.closingBalance).toBe(0)
    expectAged(later)
    expect(lines(await statement(amy, customerId, { to: '2099-12-31' })).map(([, kind]) => kind)).toContain('CREDIT')
  })

  test('names payment methods in Hebrew', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    const { id, customerId } = await sell(amy, { status: 'SENT', currency: 'ILS', issueDate: '2026-01-10' })
    await amy.call('invoices_payments', { id, amount: 9, paidAt: '2026-01-15', method: 'BANK_TRANSFER' })
    await amy.call('invoices_payments', { id, amount: 9, paidAt: '2026-01-16', method: 'Bit' })
    const report = await statement(amy, String(customerId), { to: '2026-01-31', language: 'he' } as never)
    expect(
      lines(report)
        .slice(1)
        .map(([, , text]) => text),
    ).toEqual(['תשלום, העברה בנקאית', 'תשלום, Bit'])
  })

  test('shows a void, a cancelled payment request and its conversion', async () => {
    const amy = await member('MANAGER')
    const request = await sell(amy, { status: 'SENT', documentType: 'PAYMENT_REQUEST', issueDate: '2026-01-10' })
    const customerId = String(request.customerId)
    const other = await sell(amy, {
      customerId,
      status: 'SENT',
      documentType: 'PAYMENT_REQUEST',
      issueDate: '2026-01-10',
    })
    await amy.call('invoices_cancel', { id: other.id })
    await amy.call('invoices_convert', { id: request.id, documentType: 'INVOICE' })
    const { id } = await sell(amy, { customerId, status: 'SENT' })
    const payment = await amy.call('invoices_payments', { id, amount: 10, paidAt: '2026-02-01' })
    await amy.call('invoices_payments_void', { id: payment.id })
    const report = await statement(amy, customerId, { to: '2099-12-31' })
    expect(lines(report).map(([, kind, , amount]) => [kind, amount])).toEqual(
      expect.arrayContaining([
        ['CANCELLATION', -109],
        ['CONVERSION', -109],
        ['PAYMENT', -10],
        ['PAYMENT_VOIDED', 10],
      ]),
    )
    expect(report.currencies[0]?.closingBalance).toBe(218)
    expectAged(report)
  })

  test('has a balance for each currency, and the age of it', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    const { id, customerId } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    await sell(amy, { customerId, status: 'SENT', currency: 'ILS', issueDate: friday, dueDate: friday })
    await amy.call('invoices_payments', { id, amount: 33.37, paidAt: monday })
    const report = await statement(amy, String(customerId), { from: '2023-01-01', to: '2023-12-31', language: 'he' })
    expect(report.currencies.map(({ currency, closingBalance }) => [currency, closingBalance])).toEqual([
      ['ILS', 109],
      ['USD', 75.63],
    ])
    expect(report.currencies[0]?.aging.days1To30).toBe(109)
    expect(report.currencies[1]?.entries[0]?.description).toMatch(/^[\u0590-\u05ff].* 1$/)
    expectAged(report)
  })

  test('of a customer without documents is empty, and a period does not end before it begins', async () => {
    const amy = await member('MANAGER')
    const { id } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'Globex',
      country: 'SG',
    })
    expect(await statement(amy, id)).toMatchObject({ customerName: 'Globex', currencies: [] })
    await expect(statement(amy, id, { to: '2025-12-31' })).rejects.toMatchObject({ status: 400 })
  })

  test('comes as CSV, as a spreadsheet and as PDF', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    const { id: customerId } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'קפה "גן"',
      country: 'IL',
    })
    await sell(amy, { customerId, status: 'SENT', currency: 'ILS', issueDate: '2026-01-10' })
    const asked = { id: customerId, from: '2026-01-01', to: '2026-01-31' }
    const file = (format: string) => reportFileOf(amy, 'reports_customer_statement', { ...asked, format })
    expect((await file('csv')).text).toContain(',"ILS",109,109')
    expect((await file('xlsx')).text.startsWith('PK')).toBe(true)
    const pdf = await file('pdf')
    expect(pdf.text.startsWith('%PDF')).toBe(true)
    expect(pdf.type).toContain('application/pdf')
  })
})

describe('sending', () => {
  test('mails the PDF to the recipients of the customer, in their language', async () => {
    const amy = await member('MANAGER')
    const { id: customerId } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'Globex',
      country: 'SG',
    })
    await sell(amy, { customerId, status: 'SENT', issueDate: '2026-01-10' })
    const send = () => amy.call('reports_customer_statement_send', { id: customerId, to: '2026-01-31' })
    await expect(send()).rejects.toMatchObject({ status: 400 })
    const email = `dana-${customerId}@example.com`
    await amy.call('customers_recipients_post', { id: customerId, email })
    expect(await send()).toMatchObject({ success: true, sent: 1, failed: 0, totalRecipients: 1 })
    const [message] = await queuedTo(email)
    expect(message?.subject).toContain('Statement of account from Acme')
    expect(message?.template).toBe('customer-statement')
  })
})
