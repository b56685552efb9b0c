import { expect, test } from 'vitest'
import { lines, printData, type Sample } from '../../../../test/documents/print-samples.ts'
import type { ReceivedPayment } from './read-received.ts'
import { toPrintModel } from './to-print-model.ts'

const receipt: NonNullable<Sample['row']> = {
  documentType: 'RECEIPT',
  invoiceNumber: 'REC-0019',
  paymentId: 'p',
  status: 'PAID',
  ...lines.over([lines.item('Payment of INV-0042', 1, 11_000), lines.item('Payment on account', 1, 800)], 0),
}
const paid = [{ number: 'INV-0042', documentType: 'INVOICE' }]
const payment: ReceivedPayment = {
  id: 'p',
  paidAt: '2026-03-02',
  method: 'BANK_TRANSFER',
  reference: null,
  details: null,
  amountMinor: 1_180_000,
  withheldMinor: 50_000,
  paid,
}

/** The lines and the rows of the payments, without direction marks. */
function printed(received: ReceivedPayment[], more: Partial<NonNullable<Sample['row']>> = {}) {
  const data = printData({ row: { ...receipt, ...more }, received })
  const model = toPrintModel(data, { languages: ['he'], copy: 'original', logo: null })
  const plain: typeof model = JSON.parse(JSON.stringify(model).replace(/[\u200b\u2066-\u2069]/g, ''))
  return {
    lines: plain.lines.map(({ description, amount }) => [...description, amount]),
    rows: plain.tables.flatMap(({ rows }) => rows),
  }
}

test('withheld tax is printed as a further means of payment', () => {
  expect(printed([payment]).rows).toEqual([
    ['העברה בנקאית', '02/03/2026', '11,300.00'],
    ['ניכוי מס במקור', '', '500.00'],
  ])
})

test('tax that the document declares is printed only if its payments have none', () => {
  const declared = { countrySpecificData: { withholdingTax: 300 } }
  expect(printed([payment], declared).rows.map(([, , amount]) => amount)).toEqual(['11,300.00', '500.00'])
  const without = { ...payment, withheldMinor: 0 }
  expect(printed([without], declared).rows.map(([, , amount]) => amount)).toEqual(['11,500.00', '300.00'])
})

test('the lines of a receipt name the documents and what is on account in the language of the print', () => {
  expect(printed([payment]).lines).toEqual([
    ['תשלום עבור חשבונית מס INV-0042', '11,000.00'],
    ['תשלום על חשבון', '800.00'],
  ])
})

test('the details of a payment are printed beside its method', () => {
  const details = {
    cheque: { bank: '12', branch: '600', account: '123456', number: '5001', dueDate: '2026-03-31' },
  }
  const [[cheque] = []] = printed([{ ...payment, method: 'CHEQUE', details, reference: 'REF-7' }]).rows
  expect(cheque).toBe("צ'ק, בנק 12, סניף 600, חשבון 123456, מס' 5001, לפירעון 31/03/2026, אסמכתא REF-7")
  const card = { card: { last4: '4242', brand: 'Visa', instalments: 3 } }
  const [[byCard] = []] = printed([{ ...payment, method: 'CARD', details: card }]).rows
  expect(byCard).toBe('כרטיס אשראי, Visa, **** 4242, 3 תשלומים')
})

test('a receipt without a recorded payment prints none', () => {
  expect(printed([]).rows).toEqual([])
})

test('the reference of a transfer that is also the reference of the payment is printed once', () => {
  const details = { transfer: { reference: 'T-1' } }
  const means = (reference: string | null) => printed([{ ...payment, reference, details }]).rows[0]?.[0]
  expect(means('T-1')).toBe('העברה בנקאית, אסמכתא T-1')
  expect(means('R-2')).toBe('העברה בנקאית, אסמכתא T-1, אסמכתא R-2')
})
