import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone } from '../../../test/world.ts'

const codes = ['RATE_DIFFERS', 'TAX_NOT_CHARGED', 'STATE_NOT_IN_TABLE']
const texan = { name: 'Globex', country: 'US', address: '4120 Freidrich Ln, Austin, TX 78744' }
const salesTaxRates = [
  { state: 'TX', rate: 6.25, since: '2020-01-01' },
  { state: 'TX', rate: 8.25, since: '2026-01-01' },
]

const taxed = (rate: number | null, taxAmount: number, more: object = {}) => ({
  currency: 'USD',
  status: 'UNSENT',
  issueDate: '2026-03-01',
  items: [{ id: '1', description: 'Chairs', quantity: 1, unitPrice: 100, amount: 100 }],
  subtotal: 100,
  taxRate: rate,
  taxAmount,
  total: 100 + taxAmount,
  ...more,
})

async function seller(rates = salesTaxRates): Promise<Someone> {
  const amy = await member('OWNER', { country: 'US' })
  await amy.call('settings_update', { id: String(amy.organizationId), salesTaxRates: rates })
  return amy
}

async function warned(amy: Someone, document: object, customer: object = texan) {
  const organizationId = String(amy.organizationId)
  const { id: customerId } = await amy.call('customers_create', { organizationId, ...texan, ...customer })
  const { warnings = [] } = await sell(amy, { customerId, ...document })
  return warnings.filter(({ code }) => codes.includes(code)).map(({ code, path }) => [code, path])
}

test.each([
  ['the rate of the state on the day of the document', taxed(8.25, 8.25), {}, []],
  ['the rate that was valid on an earlier day', taxed(6.25, 6.25, { issueDate: '2025-12-31' }), {}, []],
  ['another rate', taxed(6.25, 6.25), {}, [['RATE_DIFFERS', 'taxRate']]],
  ['another rate on a line', taxed(null, 6.25, { items: [{ id: '1', description: 'Chairs', quantity: 1, unitPrice: 100, amount: 100, taxRate: 6.25 }] }), {}, [['RATE_DIFFERS', 'items.0.taxRate']]],
  ['no tax', taxed(0, 0), {}, [['TAX_NOT_CHARGED', 'taxRate']]],
  ['no tax and no rate', taxed(null, 0), {}, [['TAX_NOT_CHARGED', 'taxRate']]],
  ['no tax with an exemption', taxed(0, 0, { countrySpecificData: { exemption: { reason: 'Resale', certificateNumber: '1' } } }), {}, []],
  ['no tax with a category', taxed(0, 0, { items: [{ id: '1', description: 'Chairs', quantity: 1, unitPrice: 100, amount: 100, taxCategory: 'RESALE' }] }), {}, []],
  ['tax of a state that is not in the table', taxed(5, 5), { address: '1 Pike St, Seattle, WA 98101' }, [['STATE_NOT_IN_TABLE', 'taxRate']]],
  ['no tax of a state that is not in the table', taxed(0, 0), { address: '1 Pike St, Seattle, WA 98101' }, []],
  ['a place to ship to in another state', taxed(0, 0, { countrySpecificData: { shipTo: { state: 'OR' } } }), {}, []],
  ['a customer abroad', taxed(0, 0), { country: 'DE' }, []],
  ['a receipt', taxed(0, 0, { documentType: 'RECEIPT', paymentMethod: 'CASH' }), {}, []],
])('a document in the United States is compared with the own table: %s', async (_, document, customer, expected) => {
  expect(await warned(await seller(), document, customer)).toEqual(expected)
}) // biome-ignore format: a case a line

test('without a table, and in another country, there is no such warning', async () => {
  expect(await warned(await seller(), taxed(0, 0))).toHaveLength(1)
  expect(await warned(await seller([]), taxed(0, 0))).toEqual([])
  const sam = await member('OWNER', { country: 'SG' })
  await sam.call('settings_update', { id: String(sam.organizationId), salesTaxRates })
  expect(await warned(sam, taxed(0, 0))).toEqual([])
})

test('a draft and its change are compared too', async () => {
  const amy = await seller()
  const organizationId = String(amy.organizationId)
  const { id: customerId } = await amy.call('customers_create', { organizationId, ...texan })
  const draft = await sell(amy, { customerId, ...taxed(6.25, 6.25), status: 'DRAFT' })
  expect(draft.warnings?.map(({ code }) => code)).toContain('RATE_DIFFERS')
  const changed = await amy.call('invoices_update', { id: draft.id, taxRate: 8.25, taxAmount: 8.25, total: 108.25 })
  expect(changed.warnings?.map(({ code }) => code) ?? []).not.toContain('RATE_DIFFERS')
})
