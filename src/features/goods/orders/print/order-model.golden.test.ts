import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { findCountry } from '../../../../countries/countries.ts'
import { openTypesetter } from '../../../../providers/typeset/typeset.ts'
import { america, israel, singapore } from '../../../../test/documents/print-samples.ts'
import { casesOfEngines } from '../../../../test/documents/typeset-engines.ts'
import { differenceTo, pictureOf } from '../../../../test/readers/picture.ts'
import type { Languages } from '../../../selling/documents/print/print-model.ts'
import type { LineRow } from '../read.ts'
import { toOrderModel } from './order-model.ts'
import type { OrderPrintData } from './print-data.ts'

// Compares prints of orders with reviewed pictures, which `npm run goldens` draws again.

const folder = new URL('./goldens/', import.meta.url)
const pictures = new URL('../../../../../docs/pictures/', import.meta.url)
vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

type Row = OrderPrintData['row']
type Sample = {
  country: 'IL' | 'SG' | 'US'
  lines: LineRow[]
  row?: Partial<Row>
  units?: Record<string, string>
  termsDays?: number | null
}

const line = (description: string, quantity: number, unitPrice: number, more: Partial<LineRow> = {}): LineRow => ({
  ...{
    id: description,
    itemId: null,
    sku: null,
    description,
    quantity: String(quantity),
    unitPrice: String(unitPrice),
  },
  ...{ amountMinor: Math.round(quantity * unitPrice * 100), taxRate: null, taxCategory: null },
  ...{ fulfilled: '0', extra: '0', invoiced: '0', ...more },
})

const homes = { IL: israel, SG: singapore, US: america }

function orderData({ country, lines, row, units = {}, termsDays = null }: Sample): OrderPrintData {
  const { organization, customer } = homes[country]
  const rules = findCountry(country)
  if (!rules || !customer) throw new Error('A sample needs a country.')
  const subtotalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const taxMinor = Math.round(
    lines.reduce((sum, { amountMinor, taxRate }) => sum + (amountMinor * Number(taxRate ?? 0)) / 100, 0),
  )
  return {
    row: {
      ...{ id: '0199a000-0000-7000-8000-000000000001', organizationId: '0199a000-0000-7000-8000-000000000002' },
      ...{
        kind: 'PURCHASE',
        status: 'OPEN',
        orderNumber: 'PO-0042',
        orderDate: '2026-02-12',
        expectedDate: '2026-03-05',
      },
      ...{ currency: rules.currency, subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor, reference: null },
      ...{ counterpartyId: '0199a000-0000-7000-8000-000000000003', counterpartyName: customer.name ?? '', notes: null },
      ...{ createdAt: '2026-02-12T08:30:00Z', updatedAt: '2026-02-12T08:30:00Z', openedAt: '2026-02-12T08:30:00Z' },
      ...{ endedAt: null, endReason: null, sentAt: null, createdBy: null, lines },
      ...row,
    } as Row,
    issuer: organization as OrderPrintData['issuer'],
    party: { ...customer, email: 'orders@globex.example', phone: null },
    ...{ senderName: null, chosenLanguage: null, termsDays, units: new Map(Object.entries(units)), logo: undefined },
    ...{ country: rules, language: rules.documents.languages[0] },
  }
}

const israeli: Sample = {
  country: 'IL',
  lines: [
    line('שמן זית כתית מעולה 750 מ"ל', 240, 28.5, { sku: 'OIL-750', taxRate: '18' }),
    line('Cardboard boxes, 6 bottles', 40, 3.2, { sku: 'BOX-6', taxRate: '18' }),
    line('עגבניות שרי, קרטון', 12, 55, { taxRate: '0' }),
  ],
  units: { 'שמן זית כתית מעולה 750 מ"ל': 'בקבוקים', 'Cardboard boxes, 6 bottles': 'pcs' },
  row: { notes: 'נא לספק בין 08:00 ל-14:00.\nכניסה מרחוב הברזל.', reference: 'הצעה 7781' },
  termsDays: 30,
}

const cases: (Sample & { name: string; languages: Languages })[] = [
  { name: 'purchase-he', languages: ['he'], ...israeli },
  { name: 'purchase-en', languages: ['en'], ...israeli },
  { name: 'purchase-he-en', languages: ['he', 'en'], ...israeli },
  { name: 'draft-he', languages: ['he'], ...israeli, row: { status: 'DRAFT', orderNumber: null, openedAt: null } },
  {
    ...{ name: 'singapore-en', languages: ['en'], country: 'SG', termsDays: 0 },
    lines: [
      line('Desk lamp, brushed steel', 120, 18.4, { sku: 'LMP-01', taxRate: '9', taxCategory: 'SR' }),
      line('LED bulb E27, 8 W, box of ten', 36, 22.75, { sku: 'BLB-E27', taxRate: '9', taxCategory: 'SR' }),
    ],
    units: { 'Desk lamp, brushed steel': 'pcs', 'LED bulb E27, 8 W, box of ten': 'boxes' },
  },
  {
    ...{ name: 'confirmation-america', languages: ['en'], country: 'US' },
    lines: [line('Oak shelving, 6 ft', 4, 389.5, { sku: 'OAK-6' }), line('Installation on site', 6.5, 95)],
    row: { kind: 'SALES', orderNumber: 'SO-0007', reference: 'PO 99812', notes: 'Delivery to the loading dock.' },
  },
]

const isUpdating = process.env.KONTOR_GOLDENS === '1'

describe.each(casesOfEngines(cases, isUpdating))('with the $engine engine', ({ engine, drawn: its }) => {
  const typesetter = openTypesetter({ engine })
  afterAll(() => typesetter.close())

  test.each(its)('the order $name looks like its picture', async ({ name, languages, ...sample }) => {
    const data = toOrderModel(orderData(sample), { languages, logo: null })
    const pdf = await typesetter.typeset({ template: 'sales-document', data, organizationId: 'acme', rows: 10 })
    const file = new URL(`${name}.png`, folder)
    if (isUpdating) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, await pictureOf(pdf, { dpi: 60 }))
      if (name === 'purchase-he-en')
        writeFileSync(new URL('purchase-order-he-en.png', pictures), await pictureOf(pdf, { dpi: 110, colour: true }))
      return
    }
    expect(await differenceTo(readFileSync(file), pdf, { dpi: 60 })).toBeLessThan(0.002)
  })
})
