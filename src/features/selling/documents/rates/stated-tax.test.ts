import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { percentOf } from '../../../../core/values/money.ts'
import { amountsIn } from '../../../../countries/tax.ts'
import { saleOf } from '../../../../test/documents/country-sale.ts'
import { inProof } from '../../../../test/prove.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { readPrintData } from '../print/print-data.ts'
import { toPrintModel } from '../print/to-print-model.ts'

/** The tax of a document in the currency of the country, wherever it is stated, as text with two decimals. */
async function statedTax(amy: Someone, id: string, currency: string) {
  const { organizationId } = amy
  const data = await withTransaction(theApp().confined, { organizationId }, ({ db }) => readPrintData(db, id))
  const { tables } = toPrintModel(data, { languages: ['en'], copy: 'original', logo: null })
  const inCurrency = tables.find(({ title }) => title.text.includes(currency))
  const taxRow = inCurrency?.rows[1]?.[1]?.replace(/[^0-9.]/g, '')
  const url = `/api/documents/${id}/einvoice?format=cii`
  const { payload } = await theApp().server.inject({ method: 'GET', url, headers: { ...amy.credentials } })
  const inXml = new RegExp(`TaxTotalAmount currencyID="${currency}">([0-9.]+)<`).exec(payload)?.[1]
  return { printed: taxRow, inEInvoice: inXml }
}

/** What the journal has on the accounts of tax for a document, without the sign. */
async function bookedTax(amy: Someone, id: string) {
  const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
  const account = String(accounts.find(({ purpose }) => purpose === 'OUTPUT_TAX')?.code)
  const period = { organizationId: String(amy.organizationId), from: '2026-01-01', to: '2099-12-31' }
  const { entries } = await amy.call('reports_journal', { ...period, account })
  const found = entries.filter(({ documentId }) => documentId === id)
  return Math.abs(found.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toFixed(2)
}

const companies = {
  IL: { numbers: { registrationNumber: '514000009', taxNumber: '514000009' }, currency: 'ILS', taxRate: 18 },
  SG: { numbers: { registrationNumber: '201403121W', taxNumber: 'M90364879X' }, currency: 'SGD', taxRate: 9 },
} as const

/** A second line without tax, in a category that has an account of its own. */
const untaxed = {
  id: '2',
  description: 'Abroad',
  quantity: 1,
  unitPrice: 33.33,
  amount: 33.33,
  taxRate: 0,
  taxCategory: 'ZR',
}

/** Net amount and exchange rate. The first of each country has another tax if it is computed from the converted net amount. */
const sales = {
  IL: [[79.81, 3.6097], [79.82, 3.6093], [1_234.56, 3.6512], [0.07, 3.999999], [99_999.99, 3.70993783057]],
  SG: [[100.05, 1.3509], [333.33, 1.2871], [0.06, 1.35], [98_765.43, 1.30993783057]],
} as const // biome-ignore format: a country a line

describe.each(['IL', 'SG'] as const)('%s', (country) => {
  const { numbers, currency, taxRate } = companies[country]

  test('the tax in the currency of the country that an invoice and its memo print is the booked one, and that of the e-invoice', async () => {
    const amy = await member('MANAGER', { country })
    await amy.call('organizations_update', {
      id: String(amy.organizationId),
      address: '1 Main Street',
      email: 'a@acme.test',
      ...numbers,
    })
    const customer = {
      name: 'Globex',
      country,
      email: 'ap@globex.test',
      registrationNumber: numbers.registrationNumber,
      address: '22 Main Street',
    }
    const { id: customerId } = await amy.call('customers_create', customer)
    const cases = sales[country].flatMap(([amount, rate]) => [
      { amount, rate, others: [] },
      { amount, rate, others: [untaxed] },
    ])
    for (const { amount, rate, others } of cases) {
      const netMinor = Math.round((amount + (others[0]?.amount ?? 0)) * 100)
      const taxMinor = Number(percentOf(BigInt(Math.round(amount * 100)), taxRate, 'half-up'))
      const [subtotal, taxAmount, total] = [netMinor / 100, taxMinor / 100, (netMinor + taxMinor) / 100]
      const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }, ...others]
      const terms = { currency: 'USD', exchangeRate: rate, status: 'UNSENT', issueDate: '2026-06-10', taxRate }
      const invoice = await sell(amy, { customerId, ...terms, items, subtotal, taxAmount, total })
      const memo = await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT', reason: 'Returned' })
      for (const { id } of [invoice, memo]) {
        const booked = await bookedTax(amy, id)
        expect({ amount, rate, others, ...(await statedTax(amy, id, currency)) }).toEqual({
          ...{ amount, rate, others },
          printed: Number(booked).toLocaleString('en', { minimumFractionDigits: 2 }).replaceAll(',', ''),
          inEInvoice: booked,
        })
      }
    }
  })
})

test('the amounts that documents state in the currency of the country are those of the journal, whatever the amounts, rates and currencies', async () => {
  const documents = fc.record({
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
    home: fc.constantFrom('ILS', 'SGD'),
    subtotalMinor: fc.integer({ min: 1, max: 10_000_000 }),
    taxRate: fc.constantFrom(9, 18, 17, 8.875),
    exchangeRate: fc.integer({ min: 1, max: 9_999_999 }).map((rate) => rate / 100_000),
  })
  const cases = fc.sample(documents, inProof(500, 20_000)).map((each, at) => {
    const taxMinor = percentOf(BigInt(each.subtotalMinor), each.taxRate, 'half-up')
    return { ...each, at, taxMinor: Number(taxMinor) }
  })
  const { rows } = await theApp().system.use((db) =>
    sql<{ subtotal: string; tax: string }>`
      select home_minor(c."subtotalMinor", c.currency, c.home, c."exchangeRate")::text as subtotal,
        home_minor(c."taxMinor", c.currency, c.home, c."exchangeRate")::text as tax
      from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) as c ("subtotalMinor" numeric, "taxMinor" numeric, currency text, home text, "exchangeRate" numeric, at int) order by c.at`.execute(
      db,
    ),
  )
  expect(rows).toHaveLength(cases.length)
  for (const [at, { home, subtotalMinor, taxMinor, ...more }] of cases.entries()) {
    const document = { ...more, subtotalMinor: BigInt(subtotalMinor), taxMinor: BigInt(taxMinor) }
    const stated = amountsIn(home, saleOf({ document }).document)
    expect([cases[at], String(stated?.subtotalMinor), String(stated?.taxMinor)]).toEqual([
      ...[cases[at], rows[at]?.subtotal, rows[at]?.tax],
    ])
  }
})
