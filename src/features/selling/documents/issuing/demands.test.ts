import { describe, expect, test } from 'vitest'
import { accessPointCredentials, invoiceNow, reportedInvoice, reportingCompany } from '../../../../test/access-point.ts'
import { clearingCompany, integration, largeInvoice } from '../../../../test/clearance.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

/** Three lines of 1.05 at 9 %: 0.09 each, and 0.28 together. */
const line = (id: string) => ({ id, description: 'Part', quantity: 1, unitPrice: 1.05, amount: 1.05 })
const perLine = { items: ['1', '2', '3'].map(line), subtotal: 3.15, taxAmount: 0.27, total: 3.42 }
const whole = { ...perLine, taxAmount: 0.28, total: 3.43 }

const demanded = ({ warnings = [] }: { warnings?: { code: string; path: string }[] }) =>
  warnings.filter(({ code }) => code === 'EINVOICE_INCOMPLETE').map(({ path }) => path)
const refusedAt = (...paths: string[]) => ({
  status: 400,
  details: paths.map((path) => ({ path, code: 'EINVOICE_INCOMPLETE' })),
})
const disconnect = (amy: Someone) => amy.call('integrations_tax_authority_delete', invoiceNow(amy))

async function einvoiceStatus(amy: Someone, id: string) {
  const url = `/api/documents/${id}/einvoice`
  return (await theApp().server.inject({ method: 'GET', url, headers: { ...amy.credentials } })).statusCode
}

/** A registered company in Singapore that is not connected to an access point. */
async function company() {
  const amy = await reportingCompany()
  await disconnect(amy)
  return amy
}

describe('without an access point, what an e-invoice will demand is a warning', () => {
  test('about tax that was rounded for each line, which no e-invoice may state', async () => {
    const amy = await company()
    const good = await reportedInvoice(amy, whole)
    expect([demanded(good), await einvoiceStatus(amy, good.id)]).toEqual([[], 200])
    const bad = await reportedInvoice(amy, perLine)
    expect(bad.warnings).toContainEqual({
      code: 'EINVOICE_INCOMPLETE',
      path: 'taxAmount',
      message: expect.stringContaining('is 0.27, but the rates of its lines give 0.28'),
    })
    expect(await einvoiceStatus(amy, bad.id)).toBe(409)
    const draft = await reportedInvoice(amy, { ...perLine, status: 'DRAFT' })
    expect([demanded(draft), JSON.stringify(draft.warnings).includes('Credit the document')]).toEqual([
      ['taxAmount'],
      false,
    ])
    expect(demanded(await amy.call('invoices_update', { id: draft.id, status: 'UNSENT' }))).toEqual(['taxAmount'])
  })

  test('about a credit memo without a reason, which never becomes an e-invoice', async () => {
    const amy = await company()
    const { id } = await reportedInvoice(amy, { items: [{ ...line('1'), amount: 100, unitPrice: 100 }] })
    const items = [{ ...line('1'), amount: 10, unitPrice: 10 }]
    const good = await amy.call('invoices_memos', { id, kind: 'CREDIT', items, reason: 'Returned' })
    expect([demanded(good), await einvoiceStatus(amy, good.id)]).toEqual([[], 200])
    for (const reason of [undefined, null, '', '  ']) {
      const memo = await amy.call('invoices_memos', {
        id,
        kind: 'CREDIT',
        items,
        ...(reason !== undefined && { reason }),
      })
      expect([reason, demanded(memo), await einvoiceStatus(amy, memo.id)]).toEqual([reason, ['reason'], 409])
    }
    expect(demanded(await amy.call('invoices_memos', { id, kind: 'DEBIT', items }))).toEqual([])
  })

  test('about parties, each field once, if the organization is registered for the tax; they can be entered later', async () => {
    const amy = await company()
    const invoice = await reportedInvoice(amy, {}, { address: null, registrationNumber: null })
    expect(demanded(invoice)).toEqual(
      expect.arrayContaining(['customer.address', 'customer.registrationNumber', 'countrySpecificData.peppolId']),
    )
    expect(new Set(demanded(invoice)).size).toBe(demanded(invoice).length)
    expect(demanded(await reportedInvoice(amy, {}, { kind: 'INDIVIDUAL', registrationNumber: null }))).toEqual([])
    const small = await member('OWNER', { country: 'SG' })
    const untaxed = { taxRate: 0, taxAmount: 0, total: 100 }
    expect(demanded(await sell(small, { status: 'UNSENT', ...untaxed }))).toEqual([])
  })
})

describe('with an access point, a document that would be refused there is not issued', () => {
  test('by any operation that issues one', async () => {
    const amy = await reportingCompany()
    expect(demanded(await reportedInvoice(amy, whole))).toEqual([])
    await expect(reportedInvoice(amy, perLine)).rejects.toMatchObject(refusedAt('taxAmount'))
    const { id } = await reportedInvoice(amy, { ...perLine, status: 'DRAFT' })
    const refused = refusedAt('taxAmount')
    await expect(amy.call('invoices_update', { id, status: 'UNSENT' })).rejects.toMatchObject(refused)
    await expect(amy.call('invoices_send', { id })).rejects.toMatchObject(refused)
    const paid = { paymentDate: '2026-01-05', paymentMethod: 'CASH', sendReceiptEmail: false }
    await expect(amy.call('invoices_mark_paid', { id, ...paid })).rejects.toMatchObject(refused)
    const sent = await amy.call('invoices_bulk_send', { ids: [id], organizationId: String(amy.organizationId) })
    expect(sent.results).toMatchObject([{ ok: false, error: { details: refused.details } }])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null })
    const { taxAmount, total } = whole
    const right = await amy.call('invoices_update', { id, status: 'UNSENT', taxAmount, total })
    expect([right.invoiceNumber, demanded(right)]).toEqual(['2', []])
  })

  test('nor an invoice whose customer cannot be reached there', async () => {
    const amy = await reportingCompany()
    await expect(reportedInvoice(amy, {}, { address: 'Somewhere' })).rejects.toMatchObject(
      refusedAt('customer.address'),
    )
    expect((await reportedInvoice(amy, {})).invoiceNumber).toBe('1')
  })

  test('nor a credit memo without a reason', async () => {
    const amy = await reportingCompany()
    const { id } = await reportedInvoice(amy, whole)
    const credit = { id, kind: 'CREDIT' as const }
    await expect(amy.call('invoices_memos', credit)).rejects.toMatchObject(refusedAt('reason'))
    expect(await amy.call('invoices_memos', { ...credit, reason: 'Returned' })).toMatchObject({ invoiceNumber: '1' })
  })

  test('but the memo of an invoice with such tax is, with a warning, and so is the invoice for a payment request', async () => {
    const amy = await company()
    const invoice = await reportedInvoice(amy, perLine)
    const request = await reportedInvoice(amy, { ...perLine, documentType: 'PAYMENT_REQUEST' })
    expect(demanded(request)).toEqual(['taxAmount'])
    await amy.call('integrations_tax_authority_post', { ...invoiceNow(amy), credentials: accessPointCredentials })
    const memo = await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT', reason: 'Wrong tax' })
    expect([memo.taxAmount, demanded(memo)]).toEqual([0.27, ['taxAmount']])
    const converted = await amy.call('invoices_convert', { id: request.id, documentType: 'INVOICE' })
    expect(demanded(converted)).toEqual(['taxAmount'])
  })
})

test('a credit memo without a reason has a warning in every country', async () => {
  for (const country of ['IL', 'SG', 'US'] as const) {
    const amy = await member('CONTRIBUTOR', { country })
    const { id } = await sell(amy, { status: 'SENT' })
    const items = [{ ...line('1'), amount: 10, unitPrice: 10 }]
    const codes = async (reason: string | null) => {
      const { warnings = [] } = await amy.call('invoices_memos', { id, kind: 'CREDIT', items, reason })
      return warnings.map(({ code, path }) => (path === 'reason' ? 'REASON_MISSING' : code))
    }
    expect(await codes('Returned')).not.toContain('REASON_MISSING')
    expect(
      (await codes(null)).filter((code) => code === 'REASON_MISSING'),
      country,
    ).toHaveLength(1)
  }
})

test('Israel: a large invoice to a business without a dealer number is not issued while the tax authority is connected', async () => {
  const amy = await clearingCompany()
  expect((await largeInvoice(amy)).invoiceNumber).toBe('1')
  const nobody = { registrationNumber: null }
  await expect(largeInvoice(amy, {}, nobody)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'customer.registrationNumber', code: 'CLEARANCE_INCOMPLETE' }],
  })
  expect((await largeInvoice(amy, {}, { ...nobody, kind: 'INDIVIDUAL' })).invoiceNumber).toBe('2')
  await amy.call('integrations_tax_authority_delete', integration(amy))
  const { warnings = [] } = await largeInvoice(amy, {}, nobody)
  expect(warnings.map(({ code }) => code)).toContain('CUSTOMER_NUMBER_MISSING')
})
