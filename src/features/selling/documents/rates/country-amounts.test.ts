import '../../../../test/own-world.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beforeAll, expect, test, vi } from 'vitest'
import { codesOf } from '../../../../test/documents/country-sale.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { storeRates } from '../../../books/exchange-rates/store.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const day = '2026-06-10'
beforeAll(() =>
  theApp().system.use(async (db) => {
    const rate = (source: 'BOI' | 'MAS', base: string, currency: string, value: string) => ({
      source, base, date: day, currency, rate: value,
    }) // biome-ignore format: a row
    await storeRates(db, [
      rate('BOI', 'ILS', 'ILS', '1'),
      rate('BOI', 'ILS', 'USD', '3.6512'),
      rate('MAS', 'SGD', 'SGD', '1'),
      rate('MAS', 'SGD', 'USD', '1.35'),
    ])
  }),
)

/** A member of a registered company. */
async function memberIn(country: 'IL' | 'SG', more = {}): Promise<Someone> {
  const amy = await member('MANAGER', { country })
  const numbers =
    country === 'IL'
      ? { registrationNumber: '514000009', taxNumber: '514000009' }
      : { registrationNumber: '201403121W', taxNumber: 'M90364879X' }
  await amy.call('organizations_update', {
    id: String(amy.organizationId),
    address: '1 Main Street',
    ...numbers,
    ...more,
  })
  return amy
}

const over = (amount: number, taxRate: number) => {
  const taxAmount = Math.round(amount * taxRate) / 100
  const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }]
  return {
    currency: 'USD',
    items,
    subtotal: amount,
    taxRate,
    taxAmount,
    total: amount + taxAmount,
    issueDate: day,
    status: 'UNSENT',
  }
}

/** The text of the PDF, without direction marks. */
async function printed(someone: Someone, id: string, query = '?language=en'): Promise<string> {
  const url = `/api/documents/${id}/pdf${query}`
  const { rawPayload } = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  const document = await getDocument({ data: new Uint8Array(rawPayload), verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  await document.destroy()
  const texts = items.map((item) => ('str' in item ? item.str : ''))
  return texts
    .join(' ')
    .replace(/[\u200b-\u200f\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
}

test('Israel: USD 3,000 at 3.6512 is printed as 10,953.60, VAT 1,971.65, in all 12,925.25 shekels, with the rate', async () => {
  const noa = await memberIn('IL')
  const created = await sell(noa, over(3_000, 18))
  expect(created).toMatchObject({ exchangeRate: 3.6512, exchangeRateDate: day, total: 3_540 })
  const text = await printed(noa, created.id)
  for (const part of ['10,953.60', '1,971.65', '12,925.25', `Exchange rate: 1 USD = 3.6512 ILS (${day})`])
    expect(text).toContain(part)
  const hebrew = await printed(noa, created.id, '?language=he')
  for (const part of ['10,953.60', '1,971.65', '12,925.25', '1 USD = 3.6512 ILS', day]) expect(hebrew).toContain(part)
})

test('Israel: a given rate is printed on a draft too', async () => {
  const noa = await memberIn('IL')
  const { id } = await sell(noa, {
    ...over(3_000, 18),
    status: 'DRAFT',
    exchangeRate: 3.7,
    exchangeRateDate: '2026-06-09',
  })
  const text = await printed(noa, id)
  for (const part of ['11,100.00', '1,998.00', '13,098.00', '1 USD = 3.7 ILS (2026-06-09)'])
    expect(text).toContain(part)
})

test('Israel: a company that counts in dollars prints the shekels of the same invoice', async () => {
  const noa = await memberIn('IL', { currency: 'USD' })
  const created = await sell(noa, over(3_000, 18))
  expect(created.exchangeRate).toBe(1)
  expect(codesOf(created.warnings ?? [])).not.toContain('HOME_AMOUNTS_MISSING')
  const text = await printed(noa, created.id)
  for (const part of ['10,953.60', '1,971.65', '12,925.25', `1 USD = 3.6512 ILS (${day})`]) expect(text).toContain(part)
})

test('Singapore: USD 1,000 at 1.3500 has GST of USD 90.00 and is printed as 1,350.00, GST 121.50, in all 1,471.50 Singapore dollars', async () => {
  const amy = await memberIn('SG')
  const created = await sell(amy, over(1_000, 9))
  expect(created).toMatchObject({ taxAmount: 90, total: 1_090, exchangeRate: 1.35, exchangeRateDate: day })
  const text = await printed(amy, created.id)
  for (const part of [
    '90.00',
    '1,090.00',
    '1,350.00',
    '121.50',
    '1,471.50',
    `Exchange rate: 1 USD = 1.35 SGD (${day})`,
  ])
    expect(text).toContain(part)
})
