import { expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member } from '../../../../test/world.ts'

test.each([
  ['123-456-789', '123456789'],
  ['מספר 0042', '0042'],
])('the allocation number %j is stored as %s, in any status', async (allocationNumber, digits) => {
  const amy = await member('CONTRIBUTOR')
  for (const status of ['DRAFT', 'PAID']) {
    const { id } = await sell(amy, { status })
    expect(await amy.call('invoices_manual_allocation', { id, allocationNumber })).toEqual({
      success: true,
      allocationNumber: digits,
    })
    expect((await amy.call('invoices_get', { id })).vatAllocationNumber).toBe(digits)
  }
})

test.each(['', 'none'])('the allocation number %j is refused', async (allocationNumber) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_manual_allocation', { id, allocationNumber })).rejects.toMatchObject({ status: 400 })
})

test.each([
  ['178-091-822', []],
  ['20240627231846297178091822', []],
  ['17809182', ['ALLOCATION_NUMBER']],
  ['000000000', ['ALLOCATION_NUMBER']],
])('in Israel the number %s is stored with the warnings %j', async (allocationNumber, codes) => {
  const amy = await member('CONTRIBUTOR', { country: 'IL' })
  const { id } = await sell(amy, { status: 'UNSENT', currency: 'ILS' })
  const { warnings = [], ...answer } = await amy.call('invoices_manual_allocation', { id, allocationNumber })
  expect(answer.allocationNumber).toBe(allocationNumber.replaceAll('-', ''))
  expect(warnings.map(({ code }) => code)).toEqual(codes)
})
