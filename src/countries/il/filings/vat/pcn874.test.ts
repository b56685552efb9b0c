import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, firstDay, monthOf, today } from '../../../../core/values/day.ts'
import { friday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { downloadStatutory } from '../../../../test/statutory/download.ts'
import { readPcn874 } from '../../../../test/statutory/pcn874.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { pcn874Lines, recordsOf } from './pcn874-records.ts'
import type { VatEvent } from './read-vat.ts'

beforeAll(storeTestRates)

const file = 'il-pcn874'
const june = { from: '2026-06-01', to: '2026-06-30' }
const call = (amy: Someone, more = {}) =>
  amy.call('reports_statutory_file', { organizationId: String(amy.organizationId), file, ...june, ...more })
const download = async (amy: Someone, more = {}) =>
  readPcn874((await downloadStatutory(amy, { file, ...june, ...more })).bytes)

async function company() {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  await amy.call('organizations_update', {
    id: organizationId,
    registrationNumber: '777777715',
    taxNumber: '777777715',
  })
  const customer = async (name: string, more = {}) =>
    (await amy.call('customers_create', { organizationId, name, country: 'IL', ...more })).id
  const issue = (customerId: string, net: number, more = {}) => {
    const tax = Math.round(net * 18) / 100
    const items = [{ id: '1', description: 'ייעוץ', quantity: 1, unitPrice: net, amount: net }]
    const amounts = { items, subtotal: net, taxRate: 18, taxAmount: tax, total: Math.round((net + tax) * 100) / 100 }
    return sell(amy, { customerId, currency: 'ILS', status: 'SENT', issueDate: '2026-06-10', ...amounts, ...more })
  }
  return { amy, organizationId, customer, issue }
}

test('the example of the format: one sale, one input', () => {
  const common = { country: 'IL', untaxedMinor: 0, rateKnown: true, isEquipment: false, isSandboxNumber: false }
  const sale: VatEvent = {
    ...common,
    documentId: '1',
    documentType: 'INVOICE',
    side: 'OUTPUT',
    day: '2026-06-10',
    number: '1042',
    dealer: '123456782',
    allocationNumber: '20240627231846297178091822',
    taxedMinor: 1_500_000,
    taxMinor: 270_000,
    chargedNetMinor: 1_500_000,
  }
  const input: VatEvent = {
    ...common,
    documentId: '2',
    documentType: 'EXPENSE',
    side: 'INPUT',
    day: '2026-06-12',
    number: '77',
    dealer: '111111118',
    allocationNumber: null,
    taxedMinor: 500_000,
    taxMinor: 90_000,
    chargedNetMinor: 500_000,
  }
  const lines = pcn874Lines(recordsOf([sale, input], '2026-06-30'), {
    dealer: '777777715',
    lastDay: '2026-06-30',
    madeOn: '2026-07-15',
  })
  expect(lines).toEqual([
    'O777777715202606120260715+00000015000+000002700+00000000000+000000000000000001+00000000000+000000900+000000000000000001+00000001800',
    'S123456782202606100000000001042000002700+0000015000178091822',
    'T111111118202606120000000000077000000900+0000005000000000000',
    'X777777715',
  ])
})

test('sales, credits, exports, private customers and inputs; the sums are those of the tax report', async () => {
  const { amy, organizationId, customer, issue } = await company()
  const business = await customer('מסעדה', { registrationNumber: '123456782', kind: 'ORGANIZATION' })
  const large = await issue(business, 15_000)
  await amy.call('invoices_manual_allocation', { id: large.id, allocationNumber: '20240627231846297178091822' })
  await issue(await customer('נועה', { kind: 'INDIVIDUAL' }), 100.5)
  await issue(await customer('אורי', { kind: 'INDIVIDUAL' }), 200, { documentType: 'INVOICE_RECEIPT' })
  await issue(await customer('Berlin Bean', { country: 'DE' }), 1_000, { taxRate: 0, taxAmount: 0, total: 1_000 })
  const lines = [
    { id: '1', description: 'Here', quantity: 1, unitPrice: 300, amount: 300 },
    { id: '2', description: 'אילת', quantity: 1, unitPrice: 70, amount: 70, taxRate: 0, taxCategory: 'ZR' },
  ]
  await issue(business, 370, { items: lines, taxAmount: 54, total: 424 })
  await issue(business, 50, { documentType: 'PAYMENT_REQUEST' })
  const bill = { currency: 'ILS', taxRate: 18, date: '2026-06-12', vendor: 'ספק', vendorTaxNumber: '111111118' }
  await spendApproved(amy, { ...bill, amount: 5_900, taxAmount: 900, documentNumber: '77' })
  const returned = await spendApproved(amy, { ...bill, amount: 118, taxAmount: 18, documentNumber: 'A-78' })
  await amy.call('expenses_credits', { id: returned.id, amount: 59, date: '2026-06-20' })
  await spendApproved(amy, {
    currency: 'ILS',
    taxRate: 18,
    date: '2026-06-13',
    vendor: 'חניון',
    amount: 11.8,
    taxAmount: 1.8,
  })
  await spendApproved(amy, { currency: 'ILS', date: '2026-06-13', vendor: 'ללא מע"מ', amount: 500 })
  const found = await download(amy)
  expect(found).toMatchObject({ dealer: '777777715', period: '202606' })
  expect(
    found.records
      .map(({ type, dealer, reference, vat, amount, allocation }) => [type, dealer, reference, vat, amount, allocation])
      .toSorted(),
  ).toEqual(
    [
      ['S', '123456782', '000000001', 2_700, 15_000, '178091822'],
      ['L', '000000000', '000000002', 54, 301, '000000000'],
      ['Y', '999999999', '000000003', 0, 1_000, '000000000'],
      ['S', '123456782', '000000004', 54, 300, '000000000'],
      ['S', '123456782', '000000004', 0, 70, '000000000'],
      ['T', '111111118', '000000077', 900, 5_000, '000000000'],
      ['T', '111111118', '000000078', 18, 100, '000000000'],
      ['T', '111111118', '000000078', 9, -50, '000000000'],
      ['K', '000000000', '000000001', 2, 10, '000000000'],
    ].toSorted(),
  )
  const report = await amy.call('reports_tax_compliance', { organizationId, ...june })
  const { totals, problems } = await call(amy)
  const total = (code: string) => totals.find((each) => each.code === code)?.amount
  expect([total('EXACT_OUTPUT_VAT'), total('EXACT_INPUT_VAT')]).toEqual([
    report.totals.output.tax,
    report.totals.input.tax,
  ])
  expect(Math.abs(found.vat - report.totals.output.tax)).toBeLessThan(1)
  expect(Math.abs(found.taxed + found.untaxed - report.totals.output.base)).toBeLessThan(1)
  expect([total('PAYABLE'), total('OUTPUT_VAT'), total('TAXED_SALES')]).toEqual([found.payable, found.vat, found.taxed])
  expect(problems.map(({ code }) => code)).toEqual(['SUPPLIER_TAX_NUMBER_MISSING', 'DOCUMENT_NUMBER_MISSING'])
})

test('a credit memo is negative, and foreign amounts are in shekels', async () => {
  const { amy, customer, issue } = await company()
  const business = await customer('מסעדה', { registrationNumber: '123456782' })
  await issue(business, 100, { currency: 'USD', issueDate: friday })
  const dollars = await download(amy, { from: '2023-12-01', to: '2023-12-31' })
  expect(dollars.records.map(({ vat, amount }) => [vat, amount])).toEqual([[67, 371]])
  const sold = await issue(business, 1_000)
  await amy.call('invoices_memos', { id: sold.id, kind: 'CREDIT', reason: 'הוחזר' })
  const day = (await amy.call('invoices_list', { organizationId: String(amy.organizationId) })).invoices.find(
    ({ documentType }) => documentType === 'CREDIT_MEMO',
  )?.invoiceDate
  const month = String(day).slice(0, 7)
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
  const credited = await download(amy, { from: `${month}-01`, to: last })
  expect(credited.records.map(({ type, vat, amount }) => [type, vat, amount])).toEqual([['S', 180, -1_000]])
  expect(credited).toMatchObject({ vat: -180, taxed: -1_000, payable: -180 })
})

test('the tax of equipment, which is booked as an asset, is a figure of its own', async () => {
  const { amy, organizationId } = await company()
  const [category] = (await amy.call('expense_categories_list')).categories
  const { accounts } = await amy.call('reports_accounts', { organizationId })
  const id = String(accounts.find(({ code }) => code === '1500')?.id)
  await amy.call('reports_account_update', { id, categoryIds: [String(category?.id)], mappedFrom: '2025-01-01' })
  const bill = { currency: 'ILS', taxRate: 18, date: '2026-06-12', vendor: 'ספק', vendorTaxNumber: '111111118' }
  await spendApproved(amy, { ...bill, amount: 1_180, taxAmount: 180, documentNumber: '1', categoryId: category?.id })
  await spendApproved(amy, { ...bill, amount: 118, taxAmount: 18, documentNumber: '2' })
  const { totals } = await call(amy)
  const total = (code: string) => totals.find((each) => each.code === code)?.amount
  expect([total('EQUIPMENT_VAT'), total('INPUT_VAT'), total('PAYABLE')]).toEqual([180, 18, -198])
  expect(await download(amy)).toMatchObject({ inputVat: 198, payable: -198 })
})

test('the report is of one or two whole months, and names what the authority rejects', async () => {
  const { amy, customer, issue } = await company()
  await issue(await customer('ללא מספר'), 15_000)
  const { problems } = await call(amy)
  expect(problems).toMatchObject([
    { severity: 'REJECTED', code: 'CUSTOMER_NUMBER_MISSING', field: 'customer.registrationNumber' },
    { severity: 'CHECK', code: 'ALLOCATION_NUMBER_MISSING', field: 'vatAllocationNumber' },
  ])
  expect((await call(amy, { from: '2026-05-01' })).totals[0]?.amount).toBe(15_000)
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: null, taxNumber: null })
  expect((await call(amy)).problems.map(({ code }) => code)).toEqual([
    'ISSUER_NUMBER',
    'ISSUER_NOT_REGISTERED',
    'CUSTOMER_NUMBER_MISSING',
    'ALLOCATION_NUMBER_MISSING', // the organization was registered when it issued the document
  ])
  for (const days of [{ from: '2026-04-01' }, { to: '2026-06-29' }])
    await expect(call(amy, days)).rejects.toMatchObject({ details: [{ path: 'to' }] })
  await expect(call(amy, { from: '2026-06-02' })).rejects.toMatchObject({ details: [{ path: 'from' }] })
})

test('allocation numbers of sales are checked: none, an impossible one, one on two documents, and one of the sandbox', async () => {
  const { amy, organizationId, customer, issue } = await company()
  const business = await customer('מסעדה', { registrationNumber: '123456782', kind: 'ORGANIZATION' })
  const [good, odd, first, second, tested] = [
    await issue(business, 15_000),
    await issue(business, 15_000),
    await issue(business, 15_000),
    await issue(business, 15_000),
    await issue(business, 15_000),
  ]
  const small = await issue(business, 100)
  const note = (id: string, allocationNumber: string) =>
    amy.call('invoices_manual_allocation', { id, allocationNumber })
  await note(good.id, '178091821')
  await note(odd.id, '0')
  await note(first.id, '178091822')
  await note(second.id, '20240627231846297178091822')
  await note(tested.id, '178091823')
  await theApp().system.raw.query(
    `insert into clearances (organization_id, document_id, authority, environment, status, request, number, source, decided_at)
     values ($1, $2, 'il-ita-invoices', 'sandbox', 'APPROVED', '{}', '178091823', 'AUTHORITY', now())`,
    [organizationId, tested.id],
  )
  const { problems } = await call(amy)
  const of = (id: string) =>
    problems.filter(({ documentId }) => documentId === id).map(({ severity, code }) => [severity, code])
  expect([of(good.id), of(small.id)]).toEqual([[], []])
  expect(of(odd.id)).toEqual([['CHECK', 'ALLOCATION_NUMBER']])
  expect([of(first.id), of(second.id)]).toEqual([
    [['REJECTED', 'ALLOCATION_NUMBER_TWICE']],
    [['REJECTED', 'ALLOCATION_NUMBER_TWICE']],
  ])
  expect(of(tested.id)).toEqual([['REJECTED', 'SANDBOX_NUMBER']])
})

test('a report of a month that has not ended says so', async () => {
  const { amy } = await company()
  const day = today(new Date(), 'Asia/Jerusalem')
  const from = firstDay(monthOf(day))
  const to = addDays(addMonths(from, 1), -1)
  const codes = async (days: object) => (await call(amy, days)).problems.map(({ code }) => code)
  expect(await codes({ from, to })).toEqual(['PERIOD_NOT_ENDED'])
  expect(await codes({ from: addMonths(from, -1), to: addDays(from, -1) })).toEqual([])
})
