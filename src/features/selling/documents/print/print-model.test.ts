import { expect, test } from 'vitest'
import {
  america,
  israel,
  lines,
  manyLines,
  printData,
  type Sample,
  singapore,
} from '../../../../test/documents/print-samples.ts'
import type { PrintModel, PrintOptions } from './print-model.ts'
import { toPrintModel, toPrintModelInSlices } from './to-print-model.ts'

/** The print model without direction marks. */
function modelOf(sample: Sample, printing: Partial<PrintOptions> = {}): PrintModel {
  const model = toPrintModel(printData(sample), { languages: ['he'], copy: 'original', logo: null, ...printing })
  return JSON.parse(JSON.stringify(model).replace(/[\u200b\u2066-\u2069]/g, ''))
}

const source = { number: 'INV-0042', issueDate: '2026-02-12', documentType: 'INVOICE', countrySpecificData: null }
const receipt: NonNullable<Sample['row']> = {
  documentType: 'RECEIPT',
  invoiceNumber: 'REC-0019',
  paymentId: 'p',
  paymentMethod: 'BANK_TRANSFER',
  paymentDate: '2026-03-02',
  status: 'PAID',
}
const sumsOf = ({ sums }: PrintModel) => sums.map(({ label, value }) => [label.text, value])
const rowsOf = ({ tables }: PrintModel) => tables.flatMap(({ rows }) => rows)

test('a receipt in Israel shows no VAT and one line over the received amount, with the invoice it settles', () => {
  const model = modelOf({ row: receipt, source })
  expect(sumsOf(model)).toEqual([['סה"כ התקבל', '₪9,192.44']])
  expect(model.lines).toEqual([
    {
      description: ['תשלום עבור חשבונית מס INV-0042'],
      numbers: ['1', '9,192.44'],
      amount: '9,192.44',
      running: '9,192.44',
    },
  ])
  expect(model.customer.label.text).toBe('התקבל מאת')
})

test('an invoice-receipt without a recorded payment states none', () => {
  const payments = [{ id: 'p', amountMinor: 919_244, paidAt: '2026-03-02', method: 'CASH' }]
  const row = { ...receipt, documentType: 'INVOICE_RECEIPT', paymentId: null }
  const titles = (more: object) => modelOf({ row: { ...row, ...more } }).tables.map(({ title }) => title.text)
  expect(titles({ payments })).toContain('פירוט התקבולים')
  expect(titles({ payments: [], status: 'SENT' })).not.toContain('פירוט התקבולים')
})

test('a credited invoice shows the credit apart from payments, and asks for the rest', () => {
  const row = { creditedMinor: 100_00, paidMinor: 0 }
  const model = modelOf({ row }, { languages: ['en'] })
  expect(sumsOf(model).slice(-2)).toEqual([
    ['Credited', '-100.00'],
    ['Balance due', '₪9,092.44'],
  ])
  expect(modelOf({ row: { ...row, creditedMinor: 919_244 } }).payment).toBeNull()
})

test('a receipt in a foreign currency shows the received amount in ILS and no VAT', () => {
  const model = modelOf({ row: { ...receipt, currency: 'USD', exchangeRate: '3.6512' }, source }, { languages: ['en'] })
  expect(JSON.stringify([model.sums, model.tables])).not.toContain('VAT')
  expect(rowsOf(model)[0]?.[0]).toBe('Total')
})

test('a receipt that was created directly keeps its line descriptions', () => {
  const model = modelOf({ row: receipt })
  expect(model.lines).toHaveLength(1)
  expect(model.lines[0]?.description).toHaveLength(3)
})

test('a receipt over a part of an invoice describes it in the language of the print', () => {
  const row = { ...receipt, ...lines.over([lines.item('Payment of INV-0042', 1, 500)], 0) }
  expect(modelOf({ row, source }).lines[0]?.description).toEqual(['תשלום עבור חשבונית מס INV-0042'])
})

test('a receipt in Singapore shows its GST', () => {
  const model = modelOf({ ...singapore, row: { ...singapore.row, ...receipt }, source }, { languages: ['en'] })
  expect(sumsOf(model).map(([label]) => label)).toContain('GST 9%')
})

test('a receipt over 11,800.00 with 500.00 withheld shows 11,300.00 received, 500.00 withheld and 11,800.00 in total', () => {
  const row = {
    ...receipt,
    ...lines.over([lines.item('ייעוץ', 1, 10_000)], 18),
    countrySpecificData: { withholdingTax: 500 },
  }
  const model = modelOf({ row, source })
  expect(rowsOf(model)).toEqual([
    ['העברה בנקאית', '02/03/2026', '11,300.00'],
    ['ניכוי מס במקור', '', '500.00'],
  ])
  expect(sumsOf(model)).toEqual([['סה"כ התקבל', '₪11,800.00']])
})

test('the withheld tax does not exceed the payment', () => {
  const row = {
    ...receipt,
    ...lines.over([lines.item('ייעוץ', 1, 100)], 0),
    countrySpecificData: { withholdingTax: 500 },
  }
  expect(rowsOf(modelOf({ row, source })).map(([, , amount]) => amount)).toEqual(['0.00', '100.00'])
})

test('a memo names the type, number and date of the document that it corrects', () => {
  const row = { documentType: 'CREDIT_MEMO', invoiceNumber: 'CR-0002', status: 'PAID' as const, notes: 'טעות' }
  const { facts } = modelOf({ row, source })
  expect(facts).toContainEqual({
    label: { text: 'בגין מסמך', too: null },
    value: 'חשבונית מס INV-0042 מיום 12/02/2026',
  })
})

test('the number of a customer abroad is labeled and masked by the rules of their country', () => {
  const numberOf = (country: string, registrationNumber: string, kind: 'INDIVIDUAL' | 'ORGANIZATION') =>
    modelOf(
      { customer: { ...israel.customer, address: null, country, registrationNumber, kind } },
      { languages: ['en'] },
    ).customer.lines.at(-1)
  expect(numberOf('SG', '201912345D', 'ORGANIZATION')).toBe('UEN 201912345D')
  expect(numberOf('SG', 'S1234567D', 'INDIVIDUAL')).toBe('NRIC/FIN *****567D')
  expect(numberOf('US', '123-45-6789', 'INDIVIDUAL')).toBe('Tax ID ***-**-6789')
  expect(numberOf('DE', 'HRB 86891', 'ORGANIZATION')).toBe('Registration No. HRB 86891')
})

test('the number of a person without a country, billed from the United States, is masked', () => {
  const customer = { ...israel.customer, country: null, kind: 'INDIVIDUAL' as const, registrationNumber: '123456789' }
  expect(modelOf({ ...america, customer }, { languages: ['en'] }).customer.lines).toContain('Tax ID ***-**-6789')
})

const mixed = lines.over(
  [
    lines.item('A', 1, 1_000),
    lines.item('B', 1, 500, { taxRate: 0, taxCategory: 'ZR' }),
    lines.item('C', 1, 200, { taxRate: 0, taxCategory: 'es33' }),
    lines.item('D', 1, 100, { taxRate: 9, taxCategory: 'SR' }),
  ],
  9,
)

test('zero-rated and exempt lines are tax rows of their own in Singapore', () => {
  const model = modelOf({ ...singapore, row: { ...singapore.row, ...mixed } }, { languages: ['en'] })
  expect(sumsOf(model)).toEqual([
    ['Subtotal', '1,800.00'],
    ['GST 9%', '99.00'],
    ['GST 0% · Zero-rated (ZR)', '0.00'],
    ['GST · Exempt (ES33)', '0.00'],
    ['Total', '$1,899.00'],
  ])
  expect(rowsOf(model)).toEqual([
    ['9%  Standard-rated (SR)', '1,100.00', '99.00', '1,199.00'],
    ['0%  Zero-rated (ZR)', '500.00', '0.00', '500.00'],
    ['Exempt (ES33)', '200.00', '0.00', '200.00'],
  ])
  expect(model.lines.map(({ numbers }) => numbers.at(-1))).toEqual(['9%', '0% ZR', 'ES33', '9%'])
})

test('zero-rated and exempt lines are tax rows of their own in Israel', () => {
  const row = lines.over(
    [lines.item('A', 1, 100), lines.item('B', 1, 50, { taxRate: 0, taxCategory: 'zero' }), lines.item('C', 1, 20, { taxRate: 0, taxCategory: 'EXEMPT' })],
    18,
  ) // biome-ignore format: a line each
  expect(sumsOf(modelOf({ row })).slice(1, -1)).toEqual([
    ['מע"מ 18%', '18.00'],
    ['מע"מ 0% · שיעור אפס', '0.00'],
    ['מע"מ · פטור ממע"מ', '0.00'],
  ])
})

test('a document with one rate and category has one tax row and no table of taxes', () => {
  const row = { ...singapore.row, ...lines.over([lines.item('A', 1, 100, { taxCategory: 'SR' }), lines.item('B', 1, 50)], 9) }
  const model = modelOf({ ...singapore, row }, { languages: ['en'] })
  expect(sumsOf(model).map(([label]) => label)).toEqual(['Subtotal', 'GST 9%', 'Total'])
  expect(model.tables).toEqual([])
}) // biome-ignore format: a case a line

test('documents of the United States have the currency symbol on every amount', () => {
  const item = lines.item('A', 2, 750, { amountMinor: 150_000 })
  const row = { ...america.row, ...lines.over([item, lines.item('B', 1, 0, { amountMinor: -5_000 })], 8.875), paidMinor: 1_000 }
  const model = modelOf({ ...america, row }, { languages: ['en'] })
  expect(model.lines.map(({ numbers, amount }) => [...numbers, amount])).toEqual([
    ['2', '$750.00', '$1,500.00'],
    ['1', '$0.00', '-$50.00'],
  ])
  expect(sumsOf(model)).toContainEqual(['Paid', '-$10.00'])
  expect(modelOf({ row: { ...row, currency: 'ILS' } }).lines[0]?.amount).toBe('1,500.00')
}) // biome-ignore format: a case a line

test.each([
  ['INR', '₹118.00'],
  ['KRW', '₩11,800'],
  ['VND', '₫11,800'],
  ['PHP', '₱118.00'],
  ['CHF', 'CHF\u00a0118.00'],
])('the total in %s is printed as %s', (currency, total) => {
  const row = { currency, exchangeRate: '1', ...lines.over([lines.item('A', 1, 100)], 18) }
  expect(sumsOf(modelOf({ row })).at(-1)?.[1]).toBe(total)
})

test('purchase order, terms, ship-to address and jurisdictions are printed in the United States when they are given', () => {
  const facts = {
    poNumber: 'PO-7',
    terms: 'Net 30',
    shipTo: { name: 'Depot', city: 'Austin', state: 'TX', zip: '78744' },
    jurisdictions: [{ name: 'Texas', rate: 6.25, amount: 97.38 }],
    exemption: { reason: 'resale', certificateNumber: 'R-1' },
  }
  const model = modelOf({ ...america, row: { ...america.row, countrySpecificData: facts } }, { languages: ['en'] })
  expect(model.facts.slice(-2).map(({ label, value }) => [label.text, value])).toEqual([
    ['PO number', 'PO-7'],
    ['Terms', 'Net 30'],
  ])
  expect(model['ship-to']).toEqual({ label: { text: 'Ship to', too: null }, lines: ['Depot', 'Austin, TX 78744'] })
  expect(model.tables).toMatchObject([{ rows: [['Texas', '6.25%', '$97.38']] }])
  expect(model['beneath-sums']).toEqual(['Exempt from sales tax: resale, certificate R-1'])
  const plain = modelOf(america, { languages: ['en'] })
  expect([plain['ship-to'], plain.tables]).toEqual([null, []])
})

test('a discount has a column of its own, and documents without one do not', () => {
  const discounted = [
    lines.item('A', 1, 100, { discountPercent: 12.5, amountMinor: 8_750 }),
    lines.item('B', 1, 100, { discountMinor: 1_000, amountMinor: 9_000 }),
    lines.item('C', 1, 100, { discountPercent: 0 }),
  ]
  const model = modelOf({ row: lines.over(discounted, 18) }, { languages: ['en'] })
  expect(model.columns.map(({ text }) => text)).toEqual(['Description', 'Quantity', 'Unit price', 'Discount', 'Amount (ILS)'])
  expect(model.lines.map(({ numbers }) => numbers.at(-1))).toEqual(['12.5%', '10.00', ''])
  expect(modelOf({}, { languages: ['en'] }).columns).toHaveLength(4)
}) // biome-ignore format: a case a line

test('a cancelled document is marked as cancelled beside its title and across the page', () => {
  const model = modelOf(
    { row: { ...receipt, cancelledAt: '2026-03-03T08:00:00Z' }, source },
    { languages: ['he', 'en'] },
  )
  expect(model.mark).toBe('מבוטל')
  expect(model.tags).toEqual(expect.arrayContaining(['מבוטל', 'CANCELLED']))
})

test('the payment code expires on the last day to pay', () => {
  const codeOf = (payUntil: string | null) =>
    modelOf({ ...singapore, row: { ...singapore.row, payUntil } }, { languages: ['en'] }).payment?.code?.svg
  expect(codeOf('2026-03-31')).toBeDefined()
  expect(codeOf('2026-03-31')).not.toBe(codeOf(null))
  expect(codeOf('2026-03-31')).not.toBe(codeOf('2026-04-30'))
})

test('a payment code has a caption with its name', () => {
  expect(modelOf(singapore, { languages: ['en'] }).payment?.code?.caption).toBe('Scan to pay with PayNow')
  expect(modelOf(america, { languages: ['en'] }).payment?.code).toBeNull()
})

test('a cross rate is printed with the digits that the amounts were computed with', () => {
  const row = { currency: 'USD', exchangeRate: '3.0737180391' }
  expect(modelOf({ row })['beneath-sums']).toEqual(['שער חליפין: 1 USD = 3.0737180391 ILS'])
})

test('a receipt without a recorded payment does not say that money was received', () => {
  const row = { ...receipt, paymentId: null, payments: [], status: 'SENT' as const }
  const model = modelOf({ row }, { languages: ['en'] })
  expect(sumsOf(model).at(-1)?.[0]).toBe('Total')
  expect(model.customer.label.text).toBe('Bill to')
  expect(model['beneath-sums']).toContain('No payment has been recorded.')
  const invoiceReceipt = { ...row, documentType: 'INVOICE_RECEIPT' }
  expect(modelOf({ row: invoiceReceipt })['beneath-sums']).toContain('לא נרשם תשלום.')
  expect(modelOf({ row: receipt })['beneath-sums']).not.toContain('לא נרשם תשלום.')
})

test('LOAD-14: a long document is prepared in slices, with the same result, and others have turns in between', async () => {
  const data = printData({ row: manyLines(450, (at) => `Work ${at}`, 18) })
  const options = { languages: ['he'], copy: 'original', logo: null } as const
  let turns = 0
  const count = () => {
    turns += 1
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)
  const model = await toPrintModelInSlices(data, options)
  clearImmediate(turning)
  expect(model).toEqual(toPrintModel(data, options))
  expect(turns).toBeGreaterThanOrEqual(4)
})
