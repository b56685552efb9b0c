import '../../../../test/own-world.ts'
import { beforeAll, expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { verify } from '../../../../verify/verify.ts'
import { storeRates } from '../../../books/exchange-rates/store.ts'

const day = '2024-03-05'
beforeAll(() =>
  theApp().system.use((db) =>
    storeRates(
      db,
      Object.entries({ ILS: '1', USD: '3.6', KWD: '12', EUR: '4' }).map(([currency, rate]) => ({
        source: 'BOI' as const,
        base: 'ILS',
        date: day,
        currency,
        rate,
      })),
    ),
  ),
)

const sale = (amount: number, more = {}) => ({
  items: [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }],
  ...{ currency: 'USD', issueDate: day, subtotal: amount, taxRate: 0, taxAmount: 0, total: amount, status: 'UNSENT' },
  ...more,
})
const tooLarge = (path: string) => ({ status: 400, details: [{ path, code: 'AMOUNT_TOO_LARGE' }] })
const israeli = () => member('MANAGER', { country: 'IL' })
const journal = (amy: Someone) =>
  amy.call('reports_journal', { organizationId: String(amy.organizationId), from: day, to: day })

test.each([
  [1e12, 1e6],
  [1e9, 1e12],
  [9e12, 15_000],
])('%d at a rate of %d is refused, in a draft and when a draft is issued too', async (amount, exchangeRate) => {
  const amy = await israeli()
  const refusal = {
    ...tooLarge('exchangeRate'),
    message: expect.stringContaining('larger than an amount in ILS can be'),
  }
  await expect(sell(amy, sale(amount, { exchangeRate }))).rejects.toMatchObject(refusal)
  await expect(sell(amy, sale(amount, { exchangeRate, status: 'DRAFT' }))).rejects.toMatchObject(refusal)
  const { id } = await sell(amy, sale(amount, { exchangeRate: 1, status: 'DRAFT' }))
  await expect(amy.call('invoices_update', { id, exchangeRate })).rejects.toMatchObject(refusal)
  await expect(amy.call('invoices_update', { id, exchangeRate, status: 'UNSENT' })).rejects.toMatchObject(refusal)
  expect((await journal(amy)).entries).toEqual([])
})

test('the largest amount fits, one more does not, with a published rate too', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, sale(4_999_999_999_999.99, { exchangeRate: 2 }))
  await expect(sell(amy, sale(5_000_000_000_000, { exchangeRate: 2 }))).rejects.toMatchObject(tooLarge('exchangeRate'))
  await expect(sell(amy, sale(3_000_000_000_000))).rejects.toMatchObject(tooLarge('total'))
  expect((await journal(amy)).totals).toEqual({ debit: 9_999_999_999_999.98, credit: 9_999_999_999_999.98 })
  const debit = { id, kind: 'DEBIT', reason: 'More', items: sale(5_000_000_000_000).items } as const
  const amounts = { subtotal: 5_000_000_000_000, taxAmount: 0, total: 5_000_000_000_000 }
  await expect(amy.call('invoices_memos', { ...debit, ...amounts })).rejects.toMatchObject(tooLarge('total'))
})

test('a line that does not fit is refused, whatever the total is', async () => {
  const amy = await israeli()
  const line = (id: string, amount: number) => ({ id, description: 'x', quantity: 1, unitPrice: 1, amount })
  const items = [line('1', 9e12), line('2', -9e12), line('3', 10)]
  await expect(sell(amy, sale(10, { items, exchangeRate: 1e6 }))).rejects.toMatchObject(tooLarge('exchangeRate'))
  await sell(amy, sale(10, { items: [line('1', 9e6), line('2', -9e6), line('3', 10)], exchangeRate: 1e6 }))
})

test('a document fits in the currency of the country too', async () => {
  const amy = await israeli()
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  await expect(sell(amy, sale(3_000_000_000_000))).rejects.toMatchObject(tooLarge('total'))
  await sell(amy, sale(2_000_000_000_000))
})

test('a payment must fit at the rate of its day', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, sale(5_000_000_000_000, { exchangeRate: 1 }))
  const payment = { id, amount: 3_000_000_000_000, paidAt: day }
  await expect(amy.call('invoices_payments', payment)).rejects.toMatchObject(tooLarge('amount'))
  await amy.call('invoices_payments', { ...payment, amount: 2_000_000_000_000 })
  expect((await journal(amy)).totals.debit).toBeGreaterThan(0)
  expect((await verify({ system: theApp().system })).filter(({ id: rule }) => rule !== 'INV-22')).toEqual([])
})
