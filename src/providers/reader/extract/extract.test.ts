import { expect, test } from 'vitest'
import { printed } from '../../../test/printed-page.ts'
import type { FieldName, Hints } from '../reading.ts'
import { extract } from './extract.ts'

const singapore: Hints = { country: 'SG', dateOrder: 'DMY', currency: 'SGD', today: '2026-11-16' }
const israel: Hints = { country: 'IL', dateOrder: 'DMY', currency: 'ILS', today: '2026-11-16' }
const america: Hints = { country: 'US', dateOrder: 'MDY', currency: 'USD', today: '2026-11-16' }

function read(hints: Hints, ...lines: string[]) {
  const { fields, checks } = extract([printed(...lines)], hints)
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]))
  const confidence = (name: FieldName) => fields[name]?.confidence ?? 0
  return { values, fields, confidence, checks: Object.fromEntries(checks.map(({ rule, holds }) => [rule, holds])) }
}

const cashReceipt = [
  '       BRIGHT LANE HARDWARE PTE LTD',
  '         12 Tamarind Road #01-05',
  '           Singapore 123456',
  '        GST Reg No: 201403121W',
  '             TAX INVOICE',
  'Receipt No: R000123',
  'Date: 23/05/2025 14:20',
  'Wall plug set',
  ' 2 x 4.50                        9.00',
  'Masking tape 48mm',
  ' 1 x 3.72                        3.72',
  'Subtotal                        12.72',
  'GST 9%                           1.14',
  'Rounding                        -0.01',
  'TOTAL                       S$ 13.85',
  'CASH                            20.00',
  'CHANGE                           6.15',
  '      THANK YOU PLEASE COME AGAIN',
]

test('a cash receipt is read with all its fields, and its calculations come out', () => {
  const { values, checks } = read(singapore, ...cashReceipt)
  expect(values).toEqual({
    vendor: 'BRIGHT LANE HARDWARE PTE LTD', vendorTaxNumber: '201403121W', documentNumber: 'R000123', date: '2025-05-23',
    currency: 'SGD', subtotal: '12.72', taxAmount: '1.14', taxRate: '9', total: '13.85', paymentMethod: 'CASH',
    items: [
      { description: 'Wall plug set', quantity: '2', unitPrice: '4.50', amount: '9.00' },
      { description: 'Masking tape 48mm', quantity: '1', unitPrice: '3.72', amount: '3.72' },
    ],
  }) // biome-ignore format: two lists
  expect(checks).toEqual({ SUBTOTAL_PLUS_TAX: true, ITEMS_ADD_UP: true, CASH_MINUS_CHANGE: true, TAX_RATE: true })
})

test('a contradiction is reported and lowers the confidence in the total', () => {
  const right = read(singapore, ...cashReceipt)
  expect(right.confidence('total')).toBeGreaterThanOrEqual(0.9)
  const wrong = read(singapore, ...cashReceipt.map((line) => line.replace('S$ 13.85', 'S$ 18.85')))
  expect(wrong.checks).toMatchObject({ SUBTOTAL_PLUS_TAX: false, CASH_MINUS_CHANGE: false })
  expect(wrong.confidence('total')).toBeLessThan(right.confidence('total'))
})

test('the box of a value is around its print', () => {
  const { fields } = read(singapore, ...cashReceipt)
  const box = fields.total?.box
  expect(box?.x).toBeCloseTo(31 / 48)
  expect(box?.width).toBeCloseTo(5 / 48)
})

test('the total after rounding is the total, also where the cash has to tell it', () => {
  const { values } = read(
    singapore,
    'NORTH PIER CAFE', '03/04/2025 10:11', 'Flat white        6.48', 'Total             6.48', 'Rounding adj      0.02',
    'Total rounded     6.50', 'Cash             10.00', 'Change            3.50',
  ) // biome-ignore format: a page
  expect(values.total).toBe('6.50')
})

test('a table of taxes has totals of its own, which are not the total', () => {
  const { values } = read(
    singapore,
    'NORTH PIER MART', '03/04/2025 10:11', 'Rice            10.90', 'Total (incl. GST)   10.90', 'Visa            10.90',
    'GST Summary    Amount    Tax', 'SR 9%          10.00     0.90', 'Total          10.00     0.90',
  ) // biome-ignore format: a page
  expect(values).toMatchObject({ total: '10.90', taxAmount: '0.90', taxRate: '9', paymentMethod: 'CARD' })
})

test('a Hebrew receipt is read', () => {
  const { values, checks } = read(
    israel,
    '          מאפיית השקד בע"מ',
    '           רחוב האורן 12, חיפה',
    '             ח.פ. 515738755',
    '          חשבונית מס קבלה',
    "חשבונית מס' 98680078",
    'תאריך: 12/04/2025   שעה: 13:27',
    'לחם אחיד                  15.30',
    'עוגיות שוקולד             34.70',
    'סה"כ לפני מע"מ            50.00',
    'מע"מ 18%                   9.00',
    'סה"כ לתשלום               59.00 ₪',
    'מזומן                     60.00',
    'עודף                       1.00',
  )
  expect(values).toMatchObject({
    vendor: 'מאפיית השקד בע"מ', vendorTaxNumber: '515738755', documentNumber: '98680078', date: '2025-04-12',
    currency: 'ILS', subtotal: '50.00', taxAmount: '9.00', taxRate: '18', total: '59.00', paymentMethod: 'CASH',
  }) // biome-ignore format: two rows
  expect(checks).toMatchObject({ SUBTOTAL_PLUS_TAX: true, CASH_MINUS_CHANGE: true })
})

const invoice = [
  'Lakeview Consulting LLC          # INVOICE',
  '85 Maple Avenue          Invoice no.: 2025/114',
  'Fairhaven, OH 41229      Date: 04/09/2025',
  'EIN 45-6054498           Due date: 05/09/2025',
  '',
  'Bill to:',
  'Orchard Films Inc.',
  '9 Hill Street',
  'Description         Qty     Price      Amount',
  'Site inspection       2    610.00    1,220.00',
  'Report                1    280.50      280.50',
  '                  Subtotal    1,500.50',
  '                  Sales tax 6%   90.03',
  '                  Amount due  $1,590.53',
]

test('an invoice is read: the seller and not the buyer, the date and the due date, the items', () => {
  const { values, checks } = read(america, ...invoice)
  expect(values).toMatchObject({
    vendor: 'Lakeview Consulting LLC', vendorTaxNumber: '45-6054498', documentNumber: '2025/114', date: '2025-04-09',
    dueDate: '2025-05-09', currency: 'USD', subtotal: '1500.50', taxAmount: '90.03', taxRate: '6', total: '1590.53',
    items: [
      { description: 'Site inspection', quantity: '2', unitPrice: '610.00', amount: '1220.00' },
      { description: 'Report', quantity: '1', unitPrice: '280.50', amount: '280.50' },
    ],
  }) // biome-ignore format: rows
  expect(checks).toMatchObject({ SUBTOTAL_PLUS_TAX: true, ITEMS_ADD_UP: true, TAX_RATE: true })
})

test.each<[string, Hints, string[], string]>([
  ['the country', singapore, ['Date 04/09/2025'], '2025-09-04'],
  ['the country', america, ['Date 04/09/2025'], '2025-04-09'],
  ['a part above 12', america, ['Date 23/09/2025'], '2025-09-23'],
  ['another date of the document', america, ['Date 04/09/2025', 'Printed 30/09/2025'], '2025-09-04'],
  ['the future', { ...singapore, today: '2025-06-01' }, ['Date 04/09/2025'], '2025-04-09'],
])('the order of day and month follows %s', (_, hints, lines, date) => {
  expect(read(hints, 'NORTH PIER CAFE', ...lines, 'Total 5.00').values.date).toBe(date)
})

test('a name over several full lines of the same print is one name', () => {
  const { values } = read(
    singapore,
    '# EASTERN LANTERN', '# HARDWARE (PUNGGOL)', '# PTE LTD', 'Blk 5 Lorong Bunga', 'Date 04/09/2025', 'Total   5.00',
  ) // biome-ignore format: a page
  expect(values.vendor).toBe('EASTERN LANTERN HARDWARE (PUNGGOL) PTE LTD')
})

test.each<[string, Hints, string, string]>([
  ['a sign', singapore, 'Total RM 5.00', 'MYR'],
  ['a code', singapore, 'Total EUR 5.00', 'EUR'],
  ['a dollar sign, by the country', singapore, 'Total $5.00', 'SGD'],
  ['a dollar sign, by the country', america, 'Total $5.00', 'USD'],
  ['nothing but the organization', israel, 'Total 5.00', 'ILS'],
])('the currency is known from %s', (_, hints, line, currency) => {
  expect(read(hints, 'NORTH PIER CAFE', line).values.currency).toBe(currency)
})

test('amounts that were put one row too low are moved to their labels', () => {
  const head = ['NORTH PIER HOTEL LLC', 'Issued 06/13/2025', 'Room charge      200.00']
  const straight = read(america, ...head, 'Sum    200.00', 'Tax     12.00', 'Total  212.00')
  expect(straight.values).toMatchObject({ subtotal: '200.00', taxAmount: '12.00', total: '212.00' })
  const crooked = read(america, ...head, '       200.00', 'Sum     12.00', 'Tax    212.00', 'Total')
  expect(crooked.values).toMatchObject({ subtotal: '200.00', taxAmount: '12.00', total: '212.00' })
})

test('a tax whose label is misread is known from the sums', () => {
  const { values } = read(
    singapore,
    'NORTH PIER CAFE',
    '03/04/2025 10:11',
    'Subtotal   100.00',
    '6S7 9%       9.00',
    'Total      109.00',
  )
  expect(values).toMatchObject({ subtotal: '100.00', taxAmount: '9.00', total: '109.00' })
})

test('values below their labels are read by columns, also with rows of other columns between', () => {
  const { values } = read(
    singapore,
    'NORTH PIER POWER PTE LTD',
    'Sold to:       Invoice No.  Date        Due date',
    'Orchard Films',
    '               CS-758386    21-05-2024  28-05-2024',
    'Mobile plan    96.60',
    'Amount due     96.60',
  )
  expect(values).toMatchObject({
    documentNumber: 'CS-758386',
    date: '2024-05-21',
    dueDate: '2024-05-28',
    vendor: 'NORTH PIER POWER PTE LTD',
  })
})

test('a quantity and a price with rows of their own are one item', () => {
  const { values } = read(
    singapore,
    'HILLSIDE SERVICE STATION', '2024-03-23 20:38', 'Premium 98', 'Litres           26.73', 'Price/L           4.45',
    'Grand Total     118.95', 'Visa            118.95',
  ) // biome-ignore format: a page
  expect(values.items).toEqual([{ description: 'Premium 98', quantity: '26.73', unitPrice: '4.45', amount: '118.95' }])
})

test('a doubtful word of the name takes the form that it has elsewhere, a certain one stays', () => {
  const page = printed(
    'LANTEBN BOOKS PTE LTD',
    '5 Lorong Bunga',
    'Date 04/09/2025',
    'Total    5.00',
    'Visit LANTERN again',
  )
  const withConfidence = (confidence: number) => {
    const lines = page.lines.map((line) => ({
      ...line,
      words: line.words.map((word) => (word.text === 'LANTEBN' ? { ...word, confidence } : word)),
    }))
    return extract([{ ...page, lines }], singapore).fields.vendor
  }
  expect(withConfidence(0.99)?.value).toBe('LANTEBN BOOKS PTE LTD')
  expect(withConfidence(0.7)?.value).toBe('LANTERN BOOKS PTE LTD')
  expect(withConfidence(0.7)?.confidence ?? 1).toBeLessThan(withConfidence(0.99)?.confidence ?? 0)
})

test('a page without text gives no fields', () => {
  expect(extract([printed()], singapore)).toEqual({ fields: {}, checks: [] })
  expect(extract([], singapore)).toEqual({ fields: {}, checks: [] })
})

test('confidence is a probability that never claims to be certain', () => {
  const { fields } = read(singapore, ...cashReceipt)
  for (const field of Object.values(fields)) {
    expect(field.confidence).toBeGreaterThanOrEqual(0.01)
    expect(field.confidence).toBeLessThanOrEqual(0.99)
  }
})

test.each([
  [
    'many rows',
    Array.from({ length: 10_000 }, (_, at) => `Item ${at}  1 x 3.72   3.72  TOTAL 12.00 DISCOUNT ${at}.10`),
  ],
  [
    'many sums',
    Array.from({ length: 3_000 }, (_, at) => `${['SUBTOTAL', 'GST 9%', 'DISCOUNT', 'ROUNDING'][at % 4]}  ${at}.10`),
  ],
  ['a long row', ['1.'.repeat(50_000) + '-'.repeat(50_000)]],
  ['a row of many words', ['12/03/2024 TOTAL 1,00 '.repeat(5_000)]],
])('a page with %s is read within seconds', (_, lines) => {
  const before = process.cpuUsage()
  extract([printed(...lines)], singapore)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
})
