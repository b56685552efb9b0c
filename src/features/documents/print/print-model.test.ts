import { expect, test } from 'vitest'
import { america, israel, lines, printData, type Sample, singapore } from '../../../test/documents/print-samples.ts'
import type { PrintModel, PrintOptions } from './print-model.ts'
import { toPrintModel } from './to-print-model.ts'

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

test('a payment code has a caption with its name', () => {
  expect(modelOf(singapore, { languages: ['en'] }).payment?.code?.caption).toBe('Scan to pay with PayNow')
  expect(modelOf(america, { languages: ['en'] }).payment?.code).toBeNull()
})

test('a cross rate is printed with six decimal places', () => {
  const row = { currency: 'USD', exchangeRate: '3.0737180391' }
  expect(modelOf({ row })['beneath-sums']).toEqual(['שער חליפין: 1 USD = 3.073718 ILS'])
})
