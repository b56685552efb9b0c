import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member } from '../../../test/world.ts'

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
