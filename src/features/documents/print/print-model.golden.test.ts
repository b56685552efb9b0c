import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTypesetter } from '../../../providers/typeset/typeset.ts'
import {
  america,
  israel,
  lines,
  manyLines,
  printData,
  type Sample,
  singapore,
} from '../../../test/documents/print-samples.ts'
import { engines } from '../../../test/documents/typeset-engines.ts'
import { difference, pictureOf } from '../../../test/readers/picture.ts'
import type { PrintOptions } from './print-model.ts'
import { toPrintModel } from './to-print-model.ts'

// Compares each print with a reviewed picture. `npm run goldens` draws the pictures again: review every one that changed.

const folder = new URL('./goldens/', import.meta.url)
vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

type Case = Sample & { name: string; printing?: Partial<PrintOptions> }

const languages = { en: ['en'], he: ['he'], 'he-en': ['he', 'en'] } as const

const source = { number: 'INV-0042', issueDate: '2026-02-12', documentType: 'INVOICE', countrySpecificData: null }
const transfer = { paymentMethod: 'BANK_TRANSFER', paymentDate: '2026-03-02', dueDate: null, status: 'PAID' as const }

const received = { id: 'p', amountMinor: 919_244, paidAt: '2026-03-02', method: 'BANK_TRANSFER' }

/** One of each type, as a company in Israel would issue it. */
const types: Record<string, Sample> = {
  invoice: { row: { vatAllocationNumber: '202602121234567890123' } },
  'payment-request': { row: { documentType: 'PAYMENT_REQUEST', invoiceNumber: 'PR-0007' } },
  'invoice-receipt': {
    row: { documentType: 'INVOICE_RECEIPT', invoiceNumber: 'IR-0003', ...transfer, payments: [received] },
  },
  receipt: { row: { documentType: 'RECEIPT', invoiceNumber: 'REC-0019', paymentId: 'p', ...transfer }, source },
  'credit-memo': {
    row: {
      documentType: 'CREDIT_MEMO',
      invoiceNumber: 'CR-0002',
      status: 'PAID',
      dueDate: null,
      notes: 'ביטול שעות שלא בוצעו',
    },
    source,
  },
  'debit-memo': {
    row: { documentType: 'DEBIT_MEMO', invoiceNumber: 'DR-0001', notes: 'תוספת שעות לפי הזמנה 77' },
    source,
  },
}

const cases: Case[] = [
  ...Object.entries(types).flatMap(([name, sample]) =>
    Object.entries(languages).map(([code, each]) => ({
      ...sample,
      name: `${name}-${code}`,
      printing: { languages: each },
    })),
  ),
  { name: 'draft-he', row: { status: 'DRAFT', invoiceNumber: null }, printing: { copy: 'draft' } },
  { name: 'copy-he', printing: { copy: 'copy' } },
  {
    name: 'receipt-withheld-he',
    ...types.receipt,
    row: { ...types.receipt?.row, countrySpecificData: { withholdingTax: 232.15 } },
  },
  {
    name: 'foreign-currency-he-en',
    row: { currency: 'USD', exchangeRate: '3.6120' },
    printing: { languages: ['he', 'en'] },
  },
  { name: 'singapore-paynow', ...singapore, printing: { languages: ['en'] } },
  { name: 'america', ...america, printing: { languages: ['en'] } },
  {
    name: 'many-pages-en',
    ...america,
    row: { ...america.row, ...manyLines(74, (at) => `Steel bracket, galvanised, lot ${at}`, 8.875) },
    printing: { languages: ['en'] },
  },
  {
    name: 'many-pages-he',
    row: manyLines(74, (at) => `שעת עבודה ${at}, צוות Backend (דחוף)`, 18),
    printing: { languages: ['he'] },
  },
  {
    name: 'long-names-he-en',
    organization: {
      ...israel.organization,
      name: 'החברה הישראלית הכללית לפיתוח, ייצור ושיווק של מערכות תוכנה מתקדמות (2019) בע"מ – ISRAEL GENERAL SOFTWARE SYSTEMS LTD.',
    },
    row: {
      invoiceNumber: '2026/INV-000000042-REV/A',
      counterpartyName: 'Wolfeschlegelsteinhausenbergerdorff & Söhne Vermögensverwaltungsgesellschaft mbH & Co. KG',
      ...lines.over(
        [
          lines.item(
            'פיתוח ממשק API (REST/JSON) לפי מפרט v2.3.1, סעיפים 4–7; כולל בדיקות קבלה ב-Staging, תיעוד ב-OpenAPI 3.1 והדרכה של 3 ימים לצוות הלקוח באתר שלו, הכול לפי הצעה מס׳ 2026-114',
            1_234.5,
            987_654.321,
          ),
          lines.item('Averylongwordwithoutanyspacesthatnobodywouldwritebutsomebodywill'.repeat(2), 1, 0.01),
          lines.item('הנחה (10%-)', 1, 0, { amountMinor: -12_345 }),
        ],
        18,
      ),
    },
    printing: { languages: ['he', 'en'] },
  },
]

/** The pictures that docs/documents.md shows. */
const pictures = new URL('../../../../docs/pictures/', import.meta.url)
const documented = [
  'invoice-he',
  'invoice-he-en',
  'singapore-paynow',
  'receipt-withheld-he',
  'credit-memo-he-en',
  'many-pages-en',
]

const isUpdating = process.env.KONTOR_GOLDENS === '1'

// The pictures are drawn with one engine and compared with every installed one.
describe.each(isUpdating ? engines.slice(0, 1) : engines)('with the %s engine', (engine) => {
  const typesetter = openTypesetter({ engine })
  afterAll(() => typesetter.close())

  test.each(cases)('$name looks like its picture', async ({ name, printing, ...sample }) => {
    const model = toPrintModel(printData(sample), { languages: ['he'], copy: 'original', logo: null, ...printing })
    const pdf = await typesetter.typeset({ template: 'sales-document', data: model, organizationId: 'acme', rows: 10 })
    const picture = await pictureOf(pdf, { dpi: 60 })
    const file = new URL(`${name}.png`, folder)
    if (isUpdating) {
      for (const each of [folder, pictures]) mkdirSync(each, { recursive: true })
      writeFileSync(file, picture)
      if (documented.includes(name))
        writeFileSync(new URL(`${name}.png`, pictures), await pictureOf(pdf, { dpi: 110, colour: true }))
      return
    }
    expect(await difference(picture, readFileSync(file))).toBeLessThan(0.002)
  })
})

test('the comparison finds a block moved by two millimetres and ignores slight blurring', async () => {
  const golden = readFileSync(new URL('invoice-he.png', folder))
  const { width, height } = await sharp(golden).metadata()
  const [part, moved] = [{ left: 0, top: 180, width, height: 120 }, 5]
  const block = await sharp(golden).extract(part).toBuffer()
  const other = await sharp(golden)
    .composite([{ input: block, left: 0, top: part.top + moved }])
    .png()
    .toBuffer()
  expect(height).toBeGreaterThan(part.top + part.height)
  expect(await difference(golden, other)).toBeGreaterThan(0.002)
  expect(await difference(golden, await sharp(golden).blur(0.5).png().toBuffer())).toBeLessThan(0.002)
})
