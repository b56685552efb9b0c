import { expect, test } from 'vitest'
import { codesOf } from '../../../../test/documents/country-sale.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member } from '../../../../test/world.ts'

test('a document warns of characters that cannot be printed, when it is issued and when it is read', async () => {
  const amy = await member('CONTRIBUTOR')
  const item = { id: '1', quantity: 2, unitPrice: 50, amount: 100 }
  const plain = await sell(amy, { items: [{ ...item, description: '陈氏 & شركة & Ромашка' }], status: 'UNSENT' })
  expect(codesOf(plain.warnings ?? [])).not.toContain('UNPRINTABLE_CHARACTER')
  const party = { ...item, description: 'Party 🎉🎉 and 🙂' }
  const { id, warnings } = await sell(amy, { items: [party], notes: 'Bye 🙂', status: 'UNSENT' })
  const expected = [
    {
      code: 'UNPRINTABLE_CHARACTER',
      path: 'items.0.description',
      message: expect.stringContaining('cannot be printed (🎉 🙂)'),
    },
    { code: 'UNPRINTABLE_CHARACTER', path: 'notes', message: expect.stringContaining('(🙂)') },
  ]
  const aboutPrint = (all: typeof warnings) => all?.filter(({ code }) => code === 'UNPRINTABLE_CHARACTER')
  expect(aboutPrint(warnings)).toEqual(expected)
  expect(aboutPrint((await amy.call('invoices_get', { id })).warnings)).toEqual(expected)
  const { customerId } = plain
  await amy.call('customers_update', { id: customerId, name: 'Emoji 🦊', address: '🏠 Street' })
  const named = await sell(amy, { customerId, status: 'UNSENT' })
  expect(aboutPrint(named.warnings)?.map(({ path }) => path)).toEqual(['customer.name', 'customer.address'])
})
