import { beforeAll, describe, expect, test } from 'vitest'
import { friday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { downloadStatutory } from '../../../../test/statutory/download.ts'
import { amount, ofType, readUniformFile } from '../../../../test/statutory/uniform-file.ts'
import { member, type Someone } from '../../../../test/world.ts'

beforeAll(storeTestRates)

const file = 'il-uniform-file'
/** Credits and receipts are of the day on which they are issued. */
const years = { from: '2023-01-01', to: '2029-12-31' }
const call = (amy: Someone, more = {}) =>
  amy.call('reports_statutory_file', { organizationId: String(amy.organizationId), file, ...years, ...more })
const download = async (amy: Someone, more = {}) =>
  readUniformFile((await downloadStatutory(amy, { file, ...years, ...more })).bytes)

async function company() {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  const numbers = { registrationNumber: '514000009', taxNumber: '514000009', address: 'הרצל 12, חיפה 3303142' }
  await amy.call('organizations_update', { id: organizationId, name: 'קפה הגליל בע"מ', ...numbers })
  const customer = async (name: string, more = {}) =>
    (await amy.call('customers_create', { organizationId, name, country: 'IL', ...more })).id
  const customerId = await customer('מסעדת הנמל', {
    registrationNumber: '123456782',
    address: 'נמל יפו 8, תל אביב',
    kind: 'ORGANIZATION',
  })
  const issue = (more: Record<string, unknown>) =>
    sell(amy, {
      customerId,
      currency: 'ILS',
      status: 'SENT',
      issueDate: friday,
      taxRate: 18,
      taxAmount: 18,
      total: 118,
      ...more,
    })
  return { amy, organizationId, customerId, customer, issue }
}

/** Documents of every type, in two currencies, with payments of every means. */
async function tradingCompany() {
  const { amy, organizationId, customerId, customer, issue } = await company()
  const item = await amy.call('logistics_items_create', {
    organizationId,
    name: 'פולי קפה',
    sku: 'BEAN-1',
    kind: 'GOODS',
    unit: 'ק"ג',
    tracked: true,
  })
  const lines = [
    { id: '1', description: 'ייעוץ', quantity: 3, unitPrice: 33.33, amount: 89.99, discountAmount: 10 },
    {
      id: '2',
      description: 'Export, zero rate',
      quantity: 1,
      unitPrice: 49.99,
      amount: 49.99,
      taxRate: 0,
      taxCategory: 'ZR',
    },
    {
      id: '3',
      itemId: item.id,

      description: 'פולים',
      quantity: 7,
      unitPrice: 0.45,
      amount: 3.15,
    },
  ]
  const mixed = await issue({ items: lines, subtotal: 143.13, taxAmount: 16.77, total: 159.9 })
  await amy.call('invoices_memos', { id: mixed.id, kind: 'CREDIT', reason: 'הוחזר' })
  const dollars = await issue({ currency: 'USD', taxRate: 0, taxAmount: 0, total: 100 })
  await amy.call('invoices_payments', { id: dollars.id, amount: 100, paidAt: '2023-12-11', method: 'BANK_TRANSFER' })
  const withheld = await issue({
    items: [{ id: '1', description: 'פרויקט', quantity: 1, unitPrice: 10_000, amount: 10_000 }],
    subtotal: 10_000,
    taxAmount: 1_800,
    total: 11_800,
  })
  const transfer = await amy.call('invoices_payments', {
    id: withheld.id,
    amount: 11_800,
    withheldAmount: 500,
    method: 'BANK_TRANSFER',
    paidAt: '2023-12-12',
  })
  await amy.call('invoices_payments_receipt', { id: transfer.id })
  const both = await issue({ documentType: 'INVOICE_RECEIPT' })
  const cheque = { cheque: { bank: '12', branch: '600', account: '123456', number: '77', dueDate: '2024-01-15' } }
  await amy.call('invoices_payments', { id: both.id, amount: 18, method: 'CASH', paidAt: friday })
  await amy.call('invoices_payments', { id: both.id, amount: 60, method: 'CHECK', details: cheque, paidAt: friday })
  await amy.call('invoices_payments', {
    id: both.id,
    amount: 40,
    method: 'CREDIT_CARD',
    details: { card: { last4: '4242', brand: 'Isracard', instalments: 3 } },
    paidAt: friday,
  })
  await issue({ documentType: 'PAYMENT_REQUEST' })
  const odd = await customer('李小龙 ☕️ \u200fRTL\u200e José\u0007\r\nNew line')
  await issue({ customerId: odd })
  await spendApproved(amy, {
    amount: 590,
    taxAmount: 90,
    taxRate: 18,
    currency: 'ILS',
    date: friday,
    vendor: 'ספק',
    vendorTaxNumber: '111111118',
    documentNumber: '77',
  })
  const { accounts } = await amy.call('reports_accounts', { organizationId })
  const [one, other] = ['CASH', 'REVENUE'].map((purpose) =>
    String(accounts.find((each) => each.purpose === purpose)?.id),
  )
  const booked = [
    { accountId: String(one), debit: 5 },
    { accountId: String(other), credit: 5 },
  ]
  await amy.call('reports_journal_entry_create', {
    organizationId,
    date: '2023-12-20',
    description: 'פקודה 你好',
    lines: booked,
  })
  return { amy, customerId }
}

describe('a company with documents of every type', () => {
  test('records, references and totals fit each other, the journal and the tax report', async () => {
    const { amy } = await tradingCompany()
    const contents = await download(amy)
    const headers = ofType(contents, 'C100')
    expect(headers.map((header) => header[1203]).toSorted()).toEqual([
      '300',
      '305',
      '305',
      '305',
      '305',
      '320',
      '330',
      '400',
    ])
    const { totals } = await amy.call('reports_journal', { organizationId: String(amy.organizationId), ...years })
    const lines = ofType(contents, 'B100')
    const side = (code: string) =>
      lines.filter((line) => line[1366] === code).reduce((sum, line) => sum + Number(line[1368]), 0)
    expect([side('1') / 100, side('2') / 100]).toEqual([totals.debit, totals.credit])
    const vat = (types: string[]) =>
      headers
        .filter((header) => types.includes(String(header[1203])))
        .reduce((sum, header) => sum + Number(header[1222]), 0)
    const tax = await amy.call('reports_tax_compliance', { organizationId: String(amy.organizationId), ...years })
    expect((vat(['305', '320']) - vat(['330'])) / 100).toBeCloseTo(tax.totals.output.tax, 6)
    const { totals: counted } = await call(amy)
    expect(
      Object.fromEntries(counted.filter(({ amount: sum }) => sum === null).map(({ code, count }) => [code, count])),
    ).toEqual(contents.summaries)
    expect(counted.find(({ code }) => code === 'DEBIT')?.amount).toBe(totals.debit)
    expect(contents.summary).toContain('"B100"')
    expect(contents.ini).toMatchObject({
      1003: '514000009',
      1011: '2',
      1013: '2',
      1018: 'קפה הגליל בע"מ',
      1019: 'הרצל',
      1020: '12',
      1021: 'חיפה',
      1022: '3303142',
      1023: '0000',
      1024: '20230101',
      1025: '20291231',
    })
  })

  test('credits are positive and name what they correct; discounts, zero rates and goods are on the lines', async () => {
    const { amy } = await tradingCompany()
    const contents = await download(amy)
    const credit = ofType(contents, 'C100').find((header) => header[1203] === '330')
    expect(credit).toMatchObject({ 1222: '+00000000001677', 1223: '+00000000015990', 1228: '0' })
    const credited = ofType(contents, 'D110').find((line) => line[1253] === '330')
    const mixed = ofType(contents, 'D110').filter((line) => line[1253] === '305' && line[1254] === credited?.[1257])
    expect(credited?.[1256]).toBe('305')
    expect(mixed.map((line) => [line[1264], line[1265], line[1266], line[1267], line[1268]])).toEqual([
      ['+0000000000030000', '+00000000003333', '-00000000001000', '+00000000008999', '1800'],
      ['+0000000000010000', '+00000000004999', '+00000000000000', '+00000000004999', '0000'],
      ['+0000000000070000', '+00000000000045', '+00000000000000', '+00000000000315', '1800'],
    ])
    expect(mixed.map((line) => [line[1258], line[1259], line[1263]])).toEqual([
      ['3', '', 'יחידה'],
      ['3', '', 'יחידה'],
      ['2', 'BEAN-1', 'ק"ג'],
    ])
  })

  test('a receipt has its means of payment, and the withheld tax in a field of its own', async () => {
    const { amy } = await tradingCompany()
    const contents = await download(amy)
    const receipt = ofType(contents, 'C100').find((header) => header[1203] === '400')
    expect(receipt).toMatchObject({ 1223: '+00000001180000', 1224: '+00000050000' })
    const money = ofType(contents, 'D120')
    expect(money.filter((line) => line[1303] === '400').map((line) => [line[1306], amount(line[1312])])).toEqual([
      ['4', 11_300],
    ])
    const parts = money.filter((line) => line[1303] === '320')
    expect(parts.map((line) => [line[1306], amount(line[1312])])).toEqual([
      ['1', 18],
      ['2', 60],
      ['3', 40],
    ])
    expect(parts[1]).toMatchObject({
      1307: '0000000012',
      1308: '0000000600',
      1309: '000000000123456',
      1310: '0000000077',
      1311: '20240115',
    })
    expect(parts[2]).toMatchObject({ 1313: '1', 1314: 'Isracard', 1315: '2' })
  })

  test('foreign amounts are in shekels, and a name in any script keeps the length of its record', async () => {
    const { amy } = await tradingCompany()
    const contents = await download(amy)
    const headers = ofType(contents, 'C100')
    expect(headers.find((header) => header[1218] === 'USD')).toMatchObject({
      1217: '+00000000010000',
      1223: '+00000000037099',
    })
    expect(headers.map((header) => header[1207])).toContain('??? ? RTL Jose   New line')
    expect(ofType(contents, 'B100').some((line) => line[1361] === 'פקודה ??')).toBe(true)
  })
})

test('the checklist says what would be rejected, and an altered document is gone from it', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const { id: customerId } = await amy.call('customers_create', {
    organizationId: String(amy.organizationId),
    name: '李',
    country: 'IL',
    registrationNumber: '123456789',
  })
  const sold = await sell(amy, {
    customerId,
    currency: 'ILS',
    status: 'SENT',
    documentType: 'RECEIPT',
    issueDate: friday,
    taxRate: 0,
    taxAmount: 0,
    total: 100,
  })
  const { problems } = await call(amy)
  expect(problems.filter(({ documentId }) => documentId === null).map(({ code }) => code)).toEqual([
    'SOFTWARE_NOT_REGISTERED',
    'ISSUER_NUMBER_MISSING',
    'ISSUER_ADDRESS_MISSING',
  ])
  const codes = problems.filter(({ documentId }) => documentId === sold.id).map(({ code }) => code)
  expect(codes).toEqual(['CUSTOMER_NAME', 'CUSTOMER_NUMBER', 'RECEIPT_WITHOUT_PAYMENT', 'PAYMENT_METHOD'])
  await amy.call('invoices_payments', { id: sold.id, amount: 100, method: 'CASH', paidAt: friday })
  const later = (await call(amy)).problems.filter(({ documentId }) => documentId === sold.id).map(({ code }) => code)
  expect(later).toEqual(['CUSTOMER_NAME', 'CUSTOMER_NUMBER'])
})

test('a currency without a rate is a problem of its document and of the books, and one with a rate is none', async () => {
  const { amy, issue } = await company()
  const zeroRated = { taxRate: 0, taxAmount: 0, total: 100 }
  const dollars = await issue({ currency: 'USD', ...zeroRated })
  const missing = async () =>
    (await call(amy)).problems
      .filter(({ code }) => code === 'EXCHANGE_RATE_MISSING')
      .map(({ documentId }) => documentId)
  expect(dollars.currency).toBe('USD')
  expect(await missing()).toEqual([])
  const francs = await issue({ currency: 'CHF', ...zeroRated })
  expect(await missing()).toEqual([null, francs.id])
})

test('a period without documents, one of several years, and one that is locked', async () => {
  const { amy, organizationId } = await company()
  const empty = await download(amy, { from: '2020-01-01', to: '2020-12-31' })
  expect(ofType(empty, 'C100')).toEqual([])
  expect(empty.ini).toMatchObject({ 1011: '1', 1023: '2020', 1024: '20200101' })
  expect((await download(amy)).ini).toMatchObject({ 1011: '2', 1023: '0000', 1024: '20230101' })
  const { issue } = { issue: (more = {}) => sell(amy, { currency: 'ILS', status: 'SENT', issueDate: friday, ...more }) }
  await issue()
  const before = await download(amy)
  await amy.call('settings_update', { id: organizationId, lockedUntil: '2023-12-31' } as never)
  const after = await download(amy)
  expect(ofType(after, 'B100').length).toBe(ofType(before, 'B100').length)
  const next = await download(amy, { from: '2024-01-01', to: '2024-12-31' })
  const receivables = ofType(next, 'C100')
  expect(receivables).toEqual([])
  expect(ofType(next, 'B110').some((account) => Number(account[1414]) !== 0)).toBe(true)
})

test('the files of a country are listed, and another country has none of them', async () => {
  const { amy, organizationId } = await company()
  const { files } = await amy.call('reports_statutory_files', { organizationId })
  expect(files[0]).toMatchObject({ file, period: 'any' })
  expect((await call(amy)).file).toBe(file)
  const bob = await member('OWNER', { country: 'US' })
  expect((await call(bob)).problems).toMatchObject([{ code: 'COUNTRY', field: 'country' }])
  await expect(call(bob, { format: 'file' })).rejects.toMatchObject({ details: [{ path: 'file' }] })
  await expect(call(bob, { file: 'il-none' })).rejects.toMatchObject({ details: [{ path: 'file' }] })
  const viewer = await member('VIEWER', { of: amy })
  expect((await call(viewer)).file).toBe(file)
  await expect(
    viewer.call('reports_statutory_file', { organizationId: String(bob.organizationId), file, ...years }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(call(amy, { to: '2022-01-01' })).rejects.toMatchObject({ details: [{ path: 'to' }] })
})
