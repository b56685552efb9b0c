import { describe, expect, test } from 'vitest'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'

const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })
const companies = {
  IL: { currency: 'ILS', rate: 18, registered: { registrationNumber: '514000009', taxNumber: '514000009' } },
  SG: { currency: 'SGD', rate: 9, registered: { registrationNumber: '201403121W', taxNumber: '201403121W' } },
} as const
const day = '2026-02-10'
const period = { from: '2026-01-01', to: '2026-03-31' }

async function seller(
  country: 'IL' | 'SG' | 'US',
  registered: object = country === 'US' ? {} : companies[country].registered,
) {
  const amy = await member('MANAGER', { country })
  await amy.call('organizations_update', { id: home(amy).organizationId, ...registered })
  const customerId = (await amy.call('customers_create', { ...home(amy), name: 'Globex', country })).id
  return { amy, customerId }
}

const report = (amy: Someone, more: object = {}) =>
  amy.call('reports_tax_compliance', { ...home(amy), ...period, ...more }) as Promise<never>
const advances = async (amy: Someone, more: object = {}) =>
  ((await report(amy, more)) as { advances: object[] }).advances
const deposit = ({ amy, customerId }: Awaited<ReturnType<typeof seller>>, currency: string) =>
  amy.call('invoices_payments_create', { ...home(amy), customerId, amount: 1_180, currency, paidAt: day })

describe.each(Object.entries(companies))('%s', (country, { currency, rate }) => {
  const tax = Math.round((1_180 * rate * 100) / (100 + rate)) / 100

  test('a deposit is listed with the tax that may be due, and the invoice that it pays clears it', async () => {
    const company = await seller(country as 'IL')
    const { amy, customerId } = company
    const { id: paymentId } = await deposit(company, currency)
    const listed = {
      paymentId,
      date: day,
      counterparty: 'Globex',
      currency,
      amount: 1_180,
      base: Math.round((1_180 - tax) * 100) / 100,
      tax,
    }
    expect(await advances(amy)).toEqual([{ ...listed, documentId: null, documentType: null, number: null }])
    const receipt = await amy.call('invoices_payments_receipt', { id: paymentId })
    expect(await advances(amy)).toEqual([
      { ...listed, documentId: receipt.id, documentType: 'RECEIPT', number: receipt.invoiceNumber },
    ])
    expect(await advances(amy, { from: '2026-02-11' })).toEqual([])
    const sums = { subtotal: 1_000, taxRate: rate, taxAmount: rate * 10, total: 1_000 + rate * 10 }
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 1_000, amount: 1_000 }]
    const invoice = await sell(amy, { status: 'SENT', customerId, currency, items, ...sums })
    await amy.call('invoices_payments_allocate', { id: paymentId, allocations: [{ documentId: invoice.id }] })
    expect(await advances(amy)).toMatchObject(country === 'IL' ? [] : [{ amount: 1_180 - sums.total }])
  })

  test('a paid payment request is listed with its own tax, and its invoice clears it', async () => {
    const { amy, customerId } = await seller(country as 'IL')
    const sums = { subtotal: 1_000, taxRate: rate, taxAmount: rate * 10, total: 1_000 + rate * 10 }
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 1_000, amount: 1_000 }]
    const { id, invoiceNumber } = await sell(amy, {
      documentType: 'PAYMENT_REQUEST',
      status: 'SENT',
      customerId,
      currency,
      items,
      ...sums,
    })
    expect(await advances(amy)).toEqual([])
    await amy.call('invoices_payments', { id, amount: sums.total / 2, paidAt: day })
    expect(await advances(amy)).toMatchObject([
      {
        documentId: id,
        documentType: 'PAYMENT_REQUEST',
        number: invoiceNumber,
        amount: sums.total / 2,
        base: 500,
        tax: rate * 5,
      },
    ])
    const { warnings } = (await report(amy)) as { warnings: { code: string }[] }
    expect(warnings.map(({ code }) => code)).toContain('TAX_ON_ADVANCES')
    await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
    expect(await advances(amy)).toEqual([])
  })

  test('voided and refunded money, credits and money of organizations that are not registered are not listed', async () => {
    const company = await seller(country as 'IL')
    const { amy } = company
    const [one, two] = [await deposit(company, currency), await deposit(company, currency)]
    await amy.call('invoices_payments_void', { id: one.id })
    await amy.call('invoices_payments_refund', { id: two.id, paidAt: day })
    expect(await advances(amy)).toEqual([])
    const other = await seller(country as 'IL', {})
    await deposit(other, currency)
    expect(await advances(other.amy)).toEqual([])
  })

  test('the return names the money as something to check, with its amount and document', async () => {
    const company = await seller(country as 'IL')
    const { amy } = company
    const { id } = await deposit(company, currency)
    const receipt = await amy.call('invoices_payments_receipt', { id })
    const returned = (await (country === 'SG'
      ? amy.call('reports_gst_f5', { ...home(amy), ...period } as never)
      : amy.call('reports_statutory_file', {
          ...home(amy),
          file: 'il-pcn874',
          from: '2026-02-01',
          to: '2026-02-28',
        }))) as unknown as {
      problems: { code: string; message: string; severity: string; documentId: string }[]
    }
    expect(returned.problems.filter(({ code }) => code === 'TAX_ON_ADVANCE')).toMatchObject([
      { severity: 'CHECK', documentId: receipt.id, message: expect.stringContaining(`${tax} ${currency} may be due`) },
    ])
  })
})

test('the United States tax no advances', async () => {
  const company = await seller('US', { taxNumber: '12-3456789' })
  await deposit(company, 'USD')
  expect(await advances(company.amy)).toEqual([])
})

test('the file of the report has a line for each', async () => {
  const company = await seller('SG')
  await deposit(company, 'SGD')
  const { text } = await reportFileOf(company.amy, 'reports_tax_compliance', {
    ...home(company.amy),
    ...period,
    format: 'csv',
  })
  expect(text).toContain(
    `"${day}","${day}","ADVANCE",,,"Paid before a tax invoice; tax may be due (–)","SGD",1082.57,97.43,0,0,1`,
  )
})
