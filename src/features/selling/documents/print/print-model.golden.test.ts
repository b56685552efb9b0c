import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTypesetter } from '../../../../providers/typeset/typeset.ts'
import {
  america,
  israel,
  lines,
  manyLines,
  printData,
  type Sample,
  singapore,
} from '../../../../test/documents/print-samples.ts'
import { casesOfEngines } from '../../../../test/documents/typeset-engines.ts'
import { difference, differenceTo, pictureOf } from '../../../../test/readers/picture.ts'
import type { PrintOptions } from './print-model.ts'
import { toPrintModel } from './to-print-model.ts'

// Compares each print with a reviewed picture. `npm run goldens` draws the pictures again: review every one that changed.

const folder = new URL('./goldens/', import.meta.url)
vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

type Case = Sample & { name: string; printing?: Partial<PrintOptions>; drawn?: { width: number; height: number } }

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
    name: 'receipt-cheques-he',
    ...types.receipt,
    row: { ...types.receipt?.row, paymentMethod: 'CHEQUE' },
    received: [
      {
        ...received,
        method: 'CHEQUE',
        reference: null,
        withheldMinor: 23_215,
        paid: [],
        details: {
          cheque: { bank: '12', branch: '600', account: '123456', number: '5001', dueDate: '2026-03-31' },
        },
      },
    ],
  },
  {
    name: 'foreign-currency-he-en',
    row: { currency: 'USD', exchangeRate: '3.6120' },
    printing: { languages: ['he', 'en'] },
  },
  { name: 'singapore-paynow', ...singapore, printing: { languages: ['en'] } },
  {
    name: 'singapore-mixed-rates',
    ...singapore,
    row: {
      ...singapore.row,
      payUntil: '2026-03-31',
      ...lines.over(
        [
          lines.item('Consulting in Singapore', 10, 150),
          lines.item('Export of samples to Jakarta', 4, 80, { taxRate: 0, taxCategory: 'ZR' }),
          lines.item('Interest on the instalment plan', 1, 45.5, { taxRate: 0, taxCategory: 'ES33' }),
          lines.item('Sale of goods from Batam to Perth', 1, 900, { taxRate: 0, taxCategory: 'OS' }),
        ],
        9,
      ),
    },
    printing: { languages: ['en'] },
  },
  {
    name: 'mixed-rates-he',
    row: lines.over(
      [
        lines.item('ייעוץ', 10, 400),
        lines.item('שירות לתושב חוץ', 1, 2_500, { taxRate: 0, taxCategory: 'ZERO' }),
        lines.item('שכר דירה למגורים', 1, 4_200, { taxRate: 0, taxCategory: 'EXEMPT' }),
      ],
      18,
    ),
  },
  { name: 'america', ...america, printing: { languages: ['en'] } },
  {
    name: 'america-order',
    ...america,
    customer: {
      name: 'Dana Scully',
      country: null,
      kind: 'INDIVIDUAL',
      registrationNumber: '123-45-6789',
      address: '3170 W 53rd Road #35\nAnnapolis, MD 21401',
    },
    row: {
      ...america.row,
      counterpartyName: 'Dana Scully',
      ...lines.over(
        [
          lines.item('Oak shelving, 6 ft', 4, 389.5, { discountPercent: 10, amountMinor: 140_220 }),
          lines.item('Installation on site', 6, 95, { discountMinor: 7_000, amountMinor: 50_000 }),
          lines.item('Delivery', 1, 80, { taxRate: 0, taxCategory: 'NON_TAXABLE' }),
        ],
        8.875,
      ),
      countrySpecificData: {
        poNumber: 'PO-2026-0815',
        terms: 'Net 30',
        shipTo: {
          name: 'Scully Warehouse',
          address: '25 Broadway\nDock 4',
          city: 'New York',
          state: 'NY',
          zip: '10004',
        },
        jurisdictions: [
          { name: 'New York State', rate: 4, amount: 76.09 },
          { name: 'New York City', rate: 4.5, amount: 85.6 },
          { name: 'Metropolitan Commuter District', rate: 0.375, amount: 7.13 },
        ],
        exemption: { reason: 'delivery is not taxable', certificateNumber: 'ST-120' },
      },
    },
    printing: { languages: ['en'] },
  },
  {
    name: 'discounts-he-en',
    row: lines.over(
      [
        lines.item('ייעוץ ארכיטקטורת ענן', 12, 420, { discountPercent: 12.5, amountMinor: 441_000 }),
        lines.item('אחסון שרתים (Hosting)', 1, 1_850.5, { discountMinor: 10_050, amountMinor: 175_000 }),
        lines.item('תמיכה טכנית', 3, 299.9),
      ],
      18,
    ),
    printing: { languages: ['he', 'en'] },
  },
  {
    name: 'cancelled-receipt-he',
    ...types.receipt,
    row: { ...types.receipt?.row, cancelledAt: '2026-03-03T08:00:00Z' },
  },
  ...(
    [
      [
        'chinese',
        'en',
        '陈氏贸易有限公司 (Chan Trading)',
        '香港九龍彌敦道 132 號\n臺灣銀行大樓 5 樓',
        '软件开发服务，第一季度',
      ],
      [
        'arabic',
        'en',
        'شركة النور للتجارة (ذ.م.م) – Al Noor',
        'شارع الملك حسين 12، الطابق 3\nعمّان 11118',
        'خدمات استشارية (Phase 2)',
      ],
      [
        'arabic',
        'he',
        'شركة النور للتجارة (ذ.م.م) – Al Noor',
        'شارع الملك حسين 12، الطابق 3\nعمّان 11118',
        'خدمات استشارية (Phase 2)',
      ],
      [
        'russian',
        'he',
        'ООО «Ромашка и партнёры»',
        'ул. Тверская, д. 7, кв. 15\nМосква 125009',
        'Разработка ПО (этап 2)',
      ],
    ] as const
  ).map(([script, language, name, address, description]) => ({
    name: `${script}-customer-${language}`,
    customer: { ...israel.customer, name, address },
    row: {
      counterpartyName: name,
      ...lines.over([lines.item(description, 3, 1_200), lines.item('Support', 1, 90)], 18),
    },
    printing: { languages: languages[language] },
  })),
  {
    name: 'many-scripts-en',
    ...singapore,
    row: {
      ...singapore.row,
      currency: 'INR',
      exchangeRate: '0.0155',
      rateCurrency: 'SGD',
      notes: 'Thank you 🙂 Cảm ơn ขอบคุณ',
      ...lines.over(
        [
          lines.item('Công ty TNHH Thương mại Điện tử Việt Nam', 1, 100),
          lines.item('บริษัท ตัวอย่างการทดสอบภาษาไทย จำกัด', 1, 100),
          lines.item('தமிழ் நிறுவனம், சிங்கப்பூர்', 1, 100),
          lines.item('उदाहरण प्राइवेट लिमिटेड, मुंबई', 1, 100),
          lines.item('株式会社サンプル・東京本社', 1, 100),
          lines.item('주식회사 예시, 서울특별시', 1, 100),
          lines.item('Ελληνική Εταιρεία ΑΕ', 1, 100),
        ],
        9,
      ),
    },
    printing: { languages: ['en'] },
  },
  ...Object.entries({ square: [400, 400], tall: [200, 500], wide: [1_400, 200] }).map(
    ([shape, [width = 1, height = 1]]) => ({
      name: `logo-${shape}-he`,
      drawn: { width, height },
    }),
  ),
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
const pictures = new URL('../../../../../docs/pictures/', import.meta.url)
const documented = [
  'invoice-he',
  'invoice-he-en',
  'singapore-mixed-rates',
  'america-order',
  'chinese-customer-en',
  'receipt-withheld-he',
  'credit-memo-he-en',
  'many-pages-en',
]

const isUpdating = process.env.KONTOR_GOLDENS === '1'

describe.each(casesOfEngines(cases, isUpdating))('with the $engine engine', ({ engine, drawn: its }) => {
  const typesetter = openTypesetter({ engine })
  afterAll(() => typesetter.close())

  test.each(its)('$name looks like its picture', async ({ name, printing, drawn, ...sample }) => {
    const images = drawn ? [{ path: '/logo.png', bytes: await drawnLogo(drawn) }] : []
    const options = { languages: ['he'], copy: 'original', logo: images[0]?.path ?? null, ...printing } as const
    const data = toPrintModel(printData(sample), options)
    const request = { template: 'sales-document', data, pictures: images, organizationId: 'acme', rows: 10 } as const
    const pdf = await typesetter.typeset(request)
    const file = new URL(`${name}.png`, folder)
    if (isUpdating) {
      for (const each of [folder, pictures]) mkdirSync(each, { recursive: true })
      writeFileSync(file, await pictureOf(pdf, { dpi: 60 }))
      if (documented.includes(name))
        writeFileSync(new URL(`${name}.png`, pictures), await pictureOf(pdf, { dpi: 110, colour: true }))
      return
    }
    expect(await differenceTo(readFileSync(file), pdf, { dpi: 60 })).toBeLessThan(0.002)
  })
})

/** A dark rectangle with a light frame inside, so that its borders can be seen. */
const drawnLogo = async ({ width, height }: { width: number; height: number }): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp({ create: { width: width - 40, height: height - 40, channels: 3, background: '#17495c' } })
      .extend({ top: 20, bottom: 20, left: 20, right: 20, background: '#c98f2e' })
      .png()
      .toBuffer(),
  )

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
