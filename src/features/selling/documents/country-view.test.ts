import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../test/documents/country-sale.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone } from '../../../test/world.ts'

/** A member of an organization with the master data that its country demands. */
async function memberIn(country: 'IL' | 'SG' | 'US', more = {}): Promise<Someone> {
  const amy = await member('MANAGER', { country })
  await amy.call('organizations_update', { id: String(amy.organizationId), address: '1 Main Street', ...more })
  return amy
}

const israeli = () => memberIn('IL', { registrationNumber: '514000009', taxNumber: '514000009' })
const singaporean = () => memberIn('SG', { registrationNumber: '201403121W', taxNumber: 'M90364879X' })

const customer = (amy: Someone, more = {}) =>
  amy.call('customers_create', {
    name: 'Globex',
    country: 'IL',
    address: 'There',
    registrationNumber: '512345679',
    ...more,
  })

/** A document with one line of an amount and a tax rate. */
const over = (amount: number, taxRate: number, more = {}) => {
  const taxAmount = Math.round(amount * taxRate) / 100
  const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }]
  return { currency: 'ILS', items, subtotal: amount, taxRate, taxAmount, total: amount + taxAmount, ...more }
}

describe('in Israel', () => {
  test('an invoice over 15,000 before VAT in June 2026 warns of a missing allocation number until it has one', async () => {
    const amy = await israeli()
    const { id: customerId } = await customer(amy)
    const big = over(15_000, 18, { customerId, issueDate: '2026-06-10', status: 'UNSENT' })
    const created = await sell(amy, big)
    const expected = [
      { code: 'ALLOCATION_NUMBER_MISSING', path: 'vatAllocationNumber', message: expect.stringContaining('5000 ILS') },
    ]
    expect(created.warnings).toEqual([expect.objectContaining({ code: 'ISSUE_DATE_PAST' }), ...expected])
    expect((await amy.call('invoices_get', { id: created.id })).warnings).toEqual(expected)
    expect((await amy.call('invoices_update', { id: created.id, status: 'SENT' })).warnings).toEqual(expected)
    await amy.call('invoices_manual_allocation', { id: created.id, allocationNumber: '178-091-822' })
    expect((await amy.call('invoices_get', { id: created.id })).warnings).toBeUndefined()
  })

  test('an exempt dealer who charges VAT gets a warning and is not refused', async () => {
    const amy = await memberIn('IL', { registrationNumber: '123456782' })
    const { id: customerId } = await customer(amy)
    const created = await sell(amy, over(100, 18, { customerId, status: 'UNSENT' }))
    expect(codesOf(created.warnings ?? [])).toEqual(['ISSUER_NOT_REGISTERED'])
    const { warnings } = await sell(amy, over(100, 0, { customerId, status: 'UNSENT' }))
    expect(warnings).toBeUndefined()
  })

  test('each warning has the path of the missing or wrong field', async () => {
    const amy = await memberIn('IL', { registrationNumber: '514000009', address: null })
    const { id: customerId } = await customer(amy, { address: null, registrationNumber: '514000004' })
    const { warnings = [] } = await sell(
      amy,
      over(100, 17, { customerId, currency: 'USD', status: 'UNSENT', issueDate: '2025-01-05' }),
    )
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ['ISSUE_DATE_PAST', 'issueDate'],
      ['EXCHANGE_RATE_MISSING', 'currency'],
      ['TAX_RATE', 'taxRate'],
      ['ISSUER_ADDRESS_MISSING', 'organization.address'],
      ['CUSTOMER_ADDRESS_MISSING', 'customer.address'],
      ['HOME_AMOUNTS_MISSING', 'exchangeRate'],
      ['REGISTRATION_NUMBER', 'customer.registrationNumber'],
    ])
    for (const { message } of warnings) expect(message).toMatch(/^[A-Z].*\.$/)
  })

  test('invoices of an organization with USD as its currency still need amounts in ILS', async () => {
    const amy = await memberIn('IL', { registrationNumber: '514000009', currency: 'USD' })
    const { id: customerId } = await customer(amy)
    const dollars = await sell(amy, over(100, 18, { customerId, currency: 'USD', status: 'UNSENT' }))
    expect(dollars).toMatchObject({ exchangeRate: 1, warnings: [{ code: 'HOME_AMOUNTS_MISSING' }] })
    expect((await sell(amy, over(100, 18, { customerId, currency: 'ILS' }))).warnings).toBeUndefined()
  })

  test('a credit memo without a reason causes a warning', async () => {
    const amy = await israeli()
    const { id: customerId } = await customer(amy)
    const { id } = await sell(amy, over(100, 18, { customerId, status: 'UNSENT' }))
    const items = [{ id: '1', description: 'Returned', quantity: 1, unitPrice: 10, amount: 10 }]
    const withoutReason = await amy.call('invoices_memos', { id, kind: 'CREDIT', items })
    expect(codesOf(withoutReason.warnings ?? [])).toEqual(['REASON_MISSING'])
    const withReason = await amy.call('invoices_memos', { id, kind: 'CREDIT', items, reason: 'Came back broken' })
    expect(withReason.warnings).toBeUndefined()
  })
})

describe('in Singapore', () => {
  test('an invoice of a registered company with complete data has no warnings', async () => {
    const amy = await singaporean()
    const { id: customerId } = await customer(amy, { country: 'SG', registrationNumber: '201132058E' })
    expect((await sell(amy, over(1_583.33, 9, { customerId, currency: 'SGD' }))).warnings).toBeUndefined()
  })

  test('a tax rate that was not in force on the issue date causes a warning with its path', async () => {
    const amy = await singaporean()
    const { id: customerId } = await customer(amy, { country: 'SG', registrationNumber: '201132058E' })
    const old = over(100, 9, { customerId, currency: 'SGD', issueDate: '2023-12-31', status: 'UNSENT' })
    expect((await sell(amy, old)).warnings).toMatchObject([
      { code: 'ISSUE_DATE_PAST', path: 'issueDate' },
      { code: 'EINVOICE_INCOMPLETE', path: 'organization.address' },
      { code: 'EINVOICE_INCOMPLETE', path: 'customer.address' },
      { code: 'TAX_RATE', path: 'taxRate' },
    ])
    const line = { id: '1', description: 'A', quantity: 1, unitPrice: 100, amount: 100, taxRate: 8 }
    const mixed = over(100, 9, { customerId, currency: 'SGD', items: [line], taxAmount: 8, total: 108 })
    expect((await sell(amy, mixed)).warnings).toMatchObject([{ code: 'TAX_RATE', path: 'items.0.taxRate' }])
  })
})

test.each([
  ['peppolId', 'banana', true],
  ['peppolId', 'EM:bob@example.com', true],
  ['sellerPeppolId', 7, true],
  ['peppolId', ' 0195:SGUEN201403121W ', false],
  ['peppolId', '', false],
])('a %s of %j that Peppol cannot deliver to causes a warning: %j', async (name, given, isWrong) => {
  const amy = await singaporean()
  const { id: customerId } = await customer(amy, { country: 'SG', registrationNumber: '201132058E' })
  const draft = over(1_583.33, 9, {
    customerId,
    currency: 'SGD',
    countrySpecificData: { [name]: given },
    status: 'DRAFT',
  })
  const created = await sell(amy, draft)
  const issued = await amy.call('invoices_update', { id: created.id, status: 'UNSENT' })
  for (const { warnings = [] } of [created, issued]) {
    const ofPeppol = warnings.filter(({ code }) => code === 'PEPPOL_ID')
    expect(ofPeppol.map(({ path }) => path)).toEqual(isWrong ? [`countrySpecificData.${name}`] : [])
  }
})

test('in the United States a combined city rate is accepted, and tax in a state without sales tax causes a warning', async () => {
  const amy = await memberIn('US')
  const { id: customerId } = await customer(amy, { country: 'US', registrationNumber: null, address: null })
  expect((await sell(amy, over(1_250, 8.875, { customerId, currency: 'USD' }))).warnings).toBeUndefined()
  const oregon = { shipTo: { state: 'OR' } }
  const taxed = await sell(amy, over(100, 5, { customerId, currency: 'USD', countrySpecificData: oregon }))
  expect(codesOf(taxed.warnings ?? [])).toEqual(['TAX_RATE'])
})
