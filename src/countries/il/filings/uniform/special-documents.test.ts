import { beforeAll, expect, test } from 'vitest'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { downloadStatutory } from '../../../../test/statutory/download.ts'
import { amount, ofType, readUniformFile } from '../../../../test/statutory/uniform-file.ts'
import { member, type Someone } from '../../../../test/world.ts'

beforeAll(storeTestRates)

const asked = { file: 'il-uniform-file', from: '2023-01-01', to: '2029-12-31' }
const download = async (amy: Someone) => readUniformFile((await downloadStatutory(amy, asked)).bytes)
const codes = async (amy: Someone, documentId: string) => {
  const { problems } = await amy.call('reports_statutory_file', {
    organizationId: String(amy.organizationId),
    ...asked,
  })
  return problems.filter((problem) => problem.documentId === documentId).map(({ code }) => code)
}

async function issuer(registrationNumber: string) {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  await amy.call('organizations_update', { id: organizationId, registrationNumber, address: 'הרצל 1, חיפה' })
  const { id: customerId } = await amy.call('customers_create', { organizationId, name: 'לקוח', country: 'IL' })
  const issue = (more: Record<string, unknown>) =>
    sell(amy, {
      customerId,
      currency: 'ILS',
      status: 'SENT',
      issueDate: friday,
      taxRate: 0,
      taxAmount: 0,
      total: 100,
      ...more,
    })
  return { amy, organizationId, issue }
}

test('an exempt dealer: transaction invoices and receipts; a credit notice has no code', async () => {
  const { amy, issue } = await issuer('123456782')
  const invoice = await issue({})
  const both = await issue({ documentType: 'INVOICE_RECEIPT' })
  await amy.call('invoices_payments', { id: both.id, amount: 100, method: 'CASH', paidAt: friday })
  const memo = await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT', reason: 'טעות' })
  const contents = await download(amy)
  expect(
    ofType(contents, 'C100')
      .map((header) => [header[1203], amount(header[1222])])
      .toSorted(),
  ).toEqual([
    ['300', 0],
    ['330', 0],
    ['400', 0],
  ])
  expect(contents.ini[1015]).toBe('000000000')
  const { invoices } = await amy.call('invoices_list', { organizationId: String(amy.organizationId) })
  const id = String(invoices.find(({ documentType }) => documentType === 'CREDIT_MEMO')?.id)
  expect(memo).toBeDefined()
  expect(await codes(amy, id)).toEqual(['DOCUMENT_TYPE_WITHOUT_CODE'])
  expect(await codes(amy, invoice.id)).toEqual([])
})

test('a cancelled request is marked, and a receipt whose payment was taken back is a problem', async () => {
  const { amy, issue } = await issuer('514000009')
  const request = await issue({ documentType: 'PAYMENT_REQUEST' })
  const both = await issue({ documentType: 'INVOICE_RECEIPT' })
  const payment = await amy.call('invoices_payments', { id: both.id, amount: 100, method: 'CASH', paidAt: friday })
  expect(await codes(amy, both.id)).toEqual([])
  expect(ofType(await download(amy), 'C100').map((header) => header[1228])).toEqual(['0', '0'])
  await amy.call('invoices_cancel', { id: request.id })
  await amy.call('invoices_payments_void', { id: payment.id, reason: 'Bounced' })
  expect(await codes(amy, both.id)).toEqual(['RECEIPT_WITHOUT_PAYMENT', 'PAYMENT_METHOD'])
  const headers = ofType(await download(amy), 'C100')
  expect(headers.map((header) => [header[1203], header[1228]]).toSorted()).toEqual([
    ['300', '1'],
    ['320', '0'],
  ])
})

test('a receipt in dollars in several payments with withheld tax: lines and payments add up in shekels', async () => {
  const { amy, issue } = await issuer('514000009')
  const items = [1, 2, 3].map((id) => ({
    id: String(id),
    description: `Line ${id}`,
    quantity: 3,
    unitPrice: 11.11,
    amount: 33.33,
  }))
  const dollars = { currency: 'USD', items, subtotal: 99.99, taxRate: 18, taxAmount: 18, total: 117.99 }
  const both = await issue({ documentType: 'INVOICE_RECEIPT', ...dollars })
  await amy.call('invoices_payments', { id: both.id, amount: 33.33, method: 'CASH', paidAt: friday })
  await amy.call('invoices_payments', {
    id: both.id,
    amount: 84.66,
    withheldAmount: 10.01,
    method: 'BANK_TRANSFER',
    paidAt: monday,
  })
  const contents = await download(amy)
  const [header] = ofType(contents, 'C100')
  expect([
    amount(header?.[1217]),
    header?.[1218],
    amount(header?.[1222]),
    amount(header?.[1223]),
    amount(header?.[1224]),
  ]).toEqual([117.99, 'USD', 66.78, 437.74, 37.14])
  expect(ofType(contents, 'D120').map((line) => line[1306])).toEqual(['1', '4'])
  expect(await codes(amy, both.id)).toEqual([])
})

test('numbers, text and codes that do not fit are problems and do not break a record', async () => {
  const { amy, organizationId, issue } = await issuer('514000009')
  const long = { name: `${'א'.repeat(80)}\u0007${'👩‍💻'.repeat(30)}`, country: 'IL' }
  const { id: customerId } = await amy.call('customers_create', { organizationId, ...long })
  const items = [
    {
      id: '1',
      description: `שורה\nשנייה ${'x'.repeat(200)} 李`,
      quantity: 0.123456,
      unitPrice: 0.333333,
      amount: 0.04,
    },
  ]
  await issue({ customerId, items, subtotal: 0.04, total: 0.04 })
  await amy.call('organizations_update', { id: organizationId, currency: 'USD' })
  const found = await amy.call('reports_statutory_file', { organizationId, ...asked })
  expect(found.problems.map(({ code }) => code)).toEqual([
    'SOFTWARE_NOT_REGISTERED',
    'BOOKS_NOT_IN_SHEKELS',
    'EARLIER_CURRENCY',
  ])
  await amy.call('organizations_update', { id: organizationId, currency: 'ILS' })
  const [line] = ofType(await download(amy), 'D110')
  expect(line).toMatchObject({
    1260: `שורה שנייה ${'x'.repeat(19)}`,
    1264: '+0000000000001235',
    1265: '+00000000000033',
  })
})
