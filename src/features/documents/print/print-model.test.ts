import { expect, test } from 'vitest'
import { america, factsOf, israel, lines, type Sample, singapore } from '../../../test/print-samples.ts'
import type { PrintModel, PrintOptions } from './print-model.ts'
import { toPrintModel } from './to-print-model.ts'

/** A paper as text, without the marks of direction. */
function paperOf(sample: Sample, printing: Partial<PrintOptions> = {}): PrintModel {
  const paper = toPrintModel(factsOf(sample), { languages: ['he'], copy: 'original', logo: null, ...printing })
  return JSON.parse(JSON.stringify(paper).replace(/[\u200b\u2066-\u2069]/g, ''))
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

test('a receipt in Israel shows no VAT: one line over all that was received, for the invoice that it settles', () => {
  const paper = paperOf({ row: receipt, source })
  expect(sumsOf(paper)).toEqual([['סה"כ התקבל', '₪9,192.44']])
  expect(paper.lines).toEqual([
    {
      description: ['תשלום עבור חשבונית מס INV-0042'],
      numbers: ['1', '9,192.44'],
      amount: '9,192.44',
      running: '9,192.44',
    },
  ])
  expect(paper.customer.label.text).toBe('התקבל מאת')
})

test('in a foreign currency it shows all that was received in shekels, and no VAT either', () => {
  const paper = paperOf({ row: { ...receipt, currency: 'USD', exchangeRate: '3.6512' }, source }, { languages: ['en'] })
  expect(JSON.stringify([paper.sums, paper.tables])).not.toContain('VAT')
  expect(rowsOf(paper)[0]?.[0]).toBe('Total')
})

test('one that was written by hand keeps what it is for', () => {
  const paper = paperOf({ row: receipt })
  expect(paper.lines).toHaveLength(1)
  expect(paper.lines[0]?.description).toHaveLength(3)
})

test('a receipt over a part says what for in the language of the page', () => {
  const row = { ...receipt, ...lines.over([lines.item('Payment of INV-0042', 1, 500)], 0) }
  expect(paperOf({ row, source }).lines[0]?.description).toEqual(['תשלום עבור חשבונית מס INV-0042'])
})

test('a receipt in Singapore shows the GST that it holds', () => {
  const paper = paperOf({ ...singapore, row: { ...singapore.row, ...receipt }, source }, { languages: ['en'] })
  expect(sumsOf(paper).map(([label]) => label)).toContain('GST 9%')
})

test('11,800.00 of which 5 % of 10,000.00 were withheld: 11,300.00 by transfer, 500.00 by the state, 11,800.00 in all', () => {
  const row = {
    ...receipt,
    ...lines.over([lines.item('ייעוץ', 1, 10_000)], 18),
    countrySpecificData: { withholdingTax: 500 },
  }
  const paper = paperOf({ row, source })
  expect(rowsOf(paper)).toEqual([
    ['העברה בנקאית', '02/03/2026', '11,300.00'],
    ['ניכוי מס במקור', '', '500.00'],
  ])
  expect(sumsOf(paper)).toEqual([['סה"כ התקבל', '₪11,800.00']])
})

test('no more is withheld than was paid', () => {
  const row = {
    ...receipt,
    ...lines.over([lines.item('ייעוץ', 1, 100)], 0),
    countrySpecificData: { withholdingTax: 500 },
  }
  expect(rowsOf(paperOf({ row, source })).map(([, , amount]) => amount)).toEqual(['0.00', '100.00'])
})

test('a memo names the type, number and day of what it is about', () => {
  const row = { documentType: 'CREDIT_MEMO', invoiceNumber: 'CR-0002', status: 'PAID' as const, notes: 'טעות' }
  const { facts } = paperOf({ row, source })
  expect(facts).toContainEqual({
    label: { text: 'בגין מסמך', too: null },
    value: 'חשבונית מס INV-0042 מיום 12/02/2026',
  })
})

test('a customer abroad has the number of their own country, called and masked as there', () => {
  const numberOf = (country: string, registrationNumber: string, kind: 'INDIVIDUAL' | 'ORGANIZATION') =>
    paperOf(
      { customer: { ...israel.customer, address: null, country, registrationNumber, kind } },
      { languages: ['en'] },
    ).customer.lines.at(-1)
  expect(numberOf('SG', '201912345D', 'ORGANIZATION')).toBe('UEN 201912345D')
  expect(numberOf('SG', 'S1234567D', 'INDIVIDUAL')).toBe('NRIC/FIN *****567D')
  expect(numberOf('US', '123-45-6789', 'INDIVIDUAL')).toBe('Tax ID ***-**-6789')
  expect(numberOf('DE', 'HRB 86891', 'ORGANIZATION')).toBe('Registration No. HRB 86891')
})

test('a code to pay with says what it is', () => {
  expect(paperOf(singapore, { languages: ['en'] }).payment?.code?.caption).toBe('Scan to pay with PayNow')
  expect(paperOf(america, { languages: ['en'] }).payment?.code).toBeNull()
})

test('a rate made from two others is printed to six decimals', () => {
  const row = { currency: 'USD', exchangeRate: '3.0737180391' }
  expect(paperOf({ row })['beneath-sums']).toEqual(['שער חליפין: 1 USD = 3.073718 ILS'])
})
