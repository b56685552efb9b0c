import { describe, expect, test } from 'vitest'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { member, type Someone } from '../../../../test/world.ts'

const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) =>
  warnings.map(({ code }) => code).filter((code) => code === 'CERTIFICATE_EXPIRED' || code === 'NOT_WITHHELD')

/** A supplier from whom 30 % are withheld, with a certificate that has ended unless something else is said. */
async function supplier(amy: Someone, more: object = {}) {
  const terms = { withholdingRate: 30, withholdingValidUntil: '2026-01-31', ...more }
  const { id } = await amy.call('suppliers_create', {
    organizationId: String(amy.organizationId),
    name: 'Acme',
    ...terms,
  })
  return id
}
const bill = { currency: 'ILS', amount: 1_180, date: '2026-01-05' }

describe('Israel: a payment to a supplier', () => {
  test('in full, with a certificate that has ended, has warnings about the certificate and about the tax', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const { id } = await spendApproved(amy, { ...bill, supplierId: await supplier(amy) })
    const paid = await amy.call('expenses_payments', { id, amount: 1_180, paidAt: '2026-02-01' })
    expect(codesOf(paid)).toEqual(['CERTIFICATE_EXPIRED', 'NOT_WITHHELD'])
    expect(paid.warnings?.map(({ path }) => path)).toEqual(['supplier.withholdingValidUntil', 'withheldAmount'])
  })

  test.each([
    ['in time, with the tax withheld', '2026-01-31', 354, {}, []],
    ['with the tax on the amount before VAT', '2026-01-31', 300, {}, []],
    ['with less withheld', '2026-01-31', 200, {}, ['NOT_WITHHELD']],
    ['late, with the tax withheld', '2026-02-01', 354, {}, ['CERTIFICATE_EXPIRED']],
    ['who is exempt', '2026-01-31', 0, { withholdingRate: 0 }, []],
    ['whose exemption has ended', '2026-02-01', 0, { withholdingRate: 0 }, ['CERTIFICATE_EXPIRED']],
    ['without a certificate', '2026-02-01', 0, { withholdingRate: null, withholdingValidUntil: null }, []],
  ])('%s', async (_, paidAt, withheldAmount, terms, expected) => {
    const amy = await member('OWNER', { country: 'IL' })
    const supplierId = await supplier(amy, terms)
    const { id } = await spendApproved(amy, { ...bill, supplierId })
    expect(codesOf(await amy.call('expenses_payments', { id, amount: 1_180, paidAt, withheldAmount }))).toEqual(
      expected,
    )
  })

  test('over several expenses, or in advance, has them too', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const supplierId = await supplier(amy)
    const organizationId = String(amy.organizationId)
    const { id: expenseId } = await spendApproved(amy, { ...bill, supplierId })
    const payment = { organizationId, amount: 1_180, currency: 'ILS', paidAt: '2026-02-01' }
    for (const more of [{ allocations: [{ expenseId }] }, { supplierId, allocations: [] }])
      expect(codesOf(await amy.call('expenses_payments_create', { ...payment, ...more }))).toEqual([
        ...['CERTIFICATE_EXPIRED', 'NOT_WITHHELD'],
      ])
  })

  test('in another country has none', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id } = await spendApproved(amy, { ...bill, currency: 'SGD', supplierId: await supplier(amy) })
    expect(codesOf(await amy.call('expenses_payments', { id, amount: 1_180, paidAt: '2026-02-01' }))).toEqual([])
  })
})

test('Israel: what a person gets back is no payment to the supplier of the bill', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const terms = { kind: 'INDIVIDUAL', taxNumber: '111111118' }
  const claimantId = await supplier(amy, { name: 'Dana', ...terms })
  const { id } = await spendApproved(amy, { ...bill, supplierId: await supplier(amy), claimantId })
  expect(codesOf(await amy.call('expenses_payments', { id, amount: 1_180, paidAt: '2026-02-01' }))).toEqual([])
})

test('Israel: the approval of a bill has a warning if the certificate of its supplier has ended', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const approve = async (terms: object) => {
    const { id } = await spend(amy, { ...bill, supplierId: await supplier(amy, terms) })
    return codesOf(await amy.call('expenses_status', { id, status: 'APPROVED' }))
  }
  expect(await approve({ withholdingValidUntil: '2099-12-31' })).toEqual([])
  expect(await approve({})).toEqual(['CERTIFICATE_EXPIRED'])
})
