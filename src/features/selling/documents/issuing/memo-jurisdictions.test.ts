import { expect, test } from 'vitest'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { readPrintData } from '../print/print-data.ts'
import { toPrintModel } from '../print/to-print-model.ts'

/** The printed rows of the tax by jurisdiction, without direction marks. */
async function printedTax(amy: Someone, id: string) {
  const { organizationId } = amy
  const data = await withTransaction(theApp().confined, { organizationId }, ({ db }) => readPrintData(db, id))
  const { tables } = toPrintModel(data, { languages: ['en'], copy: 'original', logo: null })
  const table = tables.find(({ title }) => title.text === 'Tax by jurisdiction')
  return table?.rows.map((row) => row.map((cell) => cell.replace(/[\u200b\u2066-\u2069]/g, '')))
}

const facts = {
  poNumber: 'PO-7',
  terms: 'Net 30',
  shipTo: { city: 'Austin', state: 'TX', zip: '78744' },
  jurisdictions: [
    { name: 'Texas', rate: 6.25, amount: 62.5 },
    { name: 'Austin', rate: 1, amount: 10 },
    { name: 'Austin MTA', rate: 1, amount: 10 },
  ],
}
const line = (amount: number) => ({ id: '1', description: 'Desk', quantity: 1, unitPrice: amount, amount })
const sale = {
  ...{ currency: 'USD', items: [line(1_000)], subtotal: 1_000, taxRate: 8.25, taxAmount: 82.5, total: 1_082.5 },
  status: 'SENT',
}

test('a credit memo in the United States prints the sales tax by jurisdiction like the invoice that it corrects', async () => {
  const amy = await member('CONTRIBUTOR', { country: 'US' })
  const invoice = await sell(amy, { ...sale, countrySpecificData: facts })
  const memo = await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT', reason: 'Returned' })
  const rows = [['Texas', '6.25%', '$62.50'], ['Austin', '1%', '$10.00'], ['Austin MTA', '1%', '$10.00']] // biome-ignore format: rows
  expect([await printedTax(amy, invoice.id), await printedTax(amy, memo.id)]).toEqual([rows, rows])
  const { jurisdictions, poNumber, shipTo } = facts
  expect(memo.countrySpecificData).toEqual({ jurisdictions, poNumber, shipTo })
})

test('a memo over a part has its part of the tax of each jurisdiction, to the cent, and so has a debit memo', async () => {
  const amy = await member('CONTRIBUTOR', { country: 'US' })
  const { id } = await sell(amy, { ...sale, countrySpecificData: facts })
  for (const kind of ['CREDIT', 'DEBIT'] as const) {
    const memo = await amy.call('invoices_memos', { id, kind, items: [line(333.33)], reason: 'Price' })
    expect(memo.taxAmount).toBe(27.5)
    expect(await printedTax(amy, memo.id)).toEqual([
      ['Texas', '6.25%', '$20.84'],
      ['Austin', '1%', '$3.33'],
      ['Austin MTA', '1%', '$3.33'],
    ])
  }
})

test('a jurisdiction without an amount has none on the memo either, and a document without jurisdictions gives none', async () => {
  const amy = await member('CONTRIBUTOR', { country: 'US' })
  const named = await sell(amy, { ...sale, countrySpecificData: { jurisdictions: [{ name: 'Texas', rate: 8.25 }] } })
  const memo = await amy.call('invoices_memos', { id: named.id, kind: 'CREDIT', items: [line(100)], reason: 'Price' })
  expect(await printedTax(amy, memo.id)).toEqual([['Texas', '8.25%', '']])
  const plain = await sell(amy, { ...sale, countrySpecificData: { poNumber: 'PO-7' } })
  const other = await amy.call('invoices_memos', { id: plain.id, kind: 'CREDIT', reason: 'Returned' })
  expect([other.countrySpecificData, await printedTax(amy, other.id)]).toEqual([null, undefined])
})
