import { describe, expect, test } from 'vitest'
import { type Sample, sample } from '../../../test/einvoices/samples.ts'
import { isEInvoice, looksLikeXml, readXml } from './read-xml.ts'

const valuesOf = async (bytes: Buffer) => {
  const { fields } = await readXml(bytes)
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field?.value]))
}

const line = (description: string, quantity: string | null, unitPrice: string | null, amount: string | null) => ({
  description,
  quantity,
  unitPrice,
  amount,
})

describe('each field of an e-invoice is read exactly', () => {
  test.each<[Sample, object]>([
    [
      'cii-minimum',
      {
        vendor: 'Atelier Bruyère & Fils', vendorTaxNumber: '999888777', documentNumber: 'F-2026-017', date: '2026-03-04',
        currency: 'EUR', subtotal: '624.90', taxAmount: '46.25', total: '671.15',
      },
    ],
    [
      'cii-basic',
      {
        vendor: 'Papierhaus Nordwind GmbH', vendorTaxNumber: 'DE999999991', documentNumber: 'RE-20260311/5', date: '2026-03-11',
        dueDate: '2026-03-25', currency: 'EUR', subtotal: '90.00', taxAmount: '17.10', taxRate: '19', total: '107.10',
        paymentMethod: 'DIRECT_DEBIT', items: [line('Kopierpapier A4, 80 g', '20', '4.50', '90.00')],
      },
    ],
    [
      'cii-en16931', // two rates, the tax also in dollars, an amount paid before, and a name of business only
      {
        vendor: 'Lieferwerk Sonnental', vendorTaxNumber: 'DE123456780', documentNumber: '471102', date: '2026-03-15',
        currency: 'EUR', subtotal: '473.00', taxAmount: '56.87', total: '529.87', paymentMethod: 'BANK_TRANSFER',
        items: [line('Divider pages A4', '20.00', '9.90', '198.00'), line('Yogurt, banana', '50', '5.5', '275.00')],
      },
    ],
    [
      'cii-extended', // a credit note with groups, a rebate, freight, rounding and two instalments
      {
        vendor: 'Getränkequelle Auental KG', vendorTaxNumber: '201/113/40209', documentNumber: 'KR87654321012',
        date: '2026-04-01', dueDate: '2026-04-30', currency: 'EUR', subtotal: '-62.00', taxAmount: '-11.78', taxRate: '19',
        total: '-73.80',
        items: [line('Beer crate', '-5', '12.00', '-60.00'), line('Rebate', null, null, '3.00'), line('Freight', null, null, '-5.00')],
      },
    ],
    [
      'zugferd-1',
      {
        vendor: 'Altbau Werkstatt OHG', vendorTaxNumber: 'DE222222222', documentNumber: '2015-77', date: '2026-02-16',
        currency: 'EUR', subtotal: '100.00', taxAmount: '19.00', taxRate: '19', total: '119.00',
        items: [line('Carpentry', '2.00', '50.00', '100.00')],
      },
    ],
    [
      'ubl-invoice',
      {
        vendor: 'דפוס הגליל בע"מ', vendorTaxNumber: '514000017', documentNumber: 'חש-1044', date: '2026-02-10',
        dueDate: '2026-03-12', currency: 'ILS', subtotal: '200.00', taxAmount: '36.00', taxRate: '18', total: '236.00',
        paymentMethod: 'BANK_TRANSFER', items: [line('כרטיסי ביקור', '1000', '0.18', '180.00'), line('משלוח', null, null, '20.00')],
      },
    ],
    [
      'ubl-credit-note',
      {
        vendor: 'Fjordlys', vendorTaxNumber: '999000111', documentNumber: 'CN-9', date: '2026-02-20', dueDate: '2026-03-01',
        currency: 'EUR', subtotal: '-100.00', taxAmount: '-25.00', taxRate: '25', total: '-125.00', paymentMethod: 'CARD',
        items: [line('Lamp, returned', '-2', '50.00', '-100.00')],
      },
    ],
    [
      'peppol-sg', // the tax also in Singapore dollars
      {
        vendor: 'Merlion Freight Pte. Ltd.', vendorTaxNumber: 'M90000001A', documentNumber: 'INV-SG-88', date: '2026-05-05',
        currency: 'USD', subtotal: '100.00', taxAmount: '9.00', taxRate: '9', total: '108.99', paymentMethod: 'CASH',
        items: [line('Container, 20 ft', '1', '100.00', '100.00')],
      },
    ],
  ])('%s', async (name, values) => {
    expect(await valuesOf(sample(name))).toEqual(values)
    const reading = await readXml(sample(name))
    expect(reading).toMatchObject({ providerId: 'kontor-einvoice', pages: 1 })
    for (const field of Object.values(reading.fields)) expect(field).toMatchObject({ confidence: 1, box: null })
    expect(reading.checks.filter(({ holds }) => !holds)).toEqual([])
  }) // biome-ignore format: tables
})

const text = (name: Sample) => sample(name).toString('utf8')
const changed = (from: string, to: string, name: Sample = 'ubl-invoice') => {
  expect(text(name)).toContain(from)
  return Buffer.from(text(name).replaceAll(from, to))
}

describe('what varies between invoices', () => {
  test('a credit note whose amounts are negative already keeps them', async () => {
    const positive = text('ubl-credit-note')
    const negative = positive.replace(/(currencyID="EUR">|unitCode="EA">)/g, '$1-').replace('>-50.00', '>50.00')
    expect(await valuesOf(Buffer.from(negative))).toEqual(await valuesOf(Buffer.from(positive)))
  })

  test('an invoice that leaves the tax out has the difference of its totals', async () => {
    const bytes = changed('<ram:TaxTotalAmount currencyID="EUR">46.25</ram:TaxTotalAmount>', '', 'cii-minimum')
    expect(await valuesOf(bytes)).toMatchObject({ taxAmount: '46.25' })
  })

  test('the total is what is payable and what was paid before where it is not stated itself', async () => {
    const bytes = changed('<cbc:TaxInclusiveAmount currencyID="ILS">236.00</cbc:TaxInclusiveAmount>', '')
    expect(await valuesOf(bytes)).toMatchObject({ total: '236.00' })
  })

  test('an invoice that does not add up says so', async () => {
    const { checks } = await readXml(changed('>236.00<', '>263.00<'))
    expect(checks).toContainEqual({ rule: 'SUBTOTAL_PLUS_TAX', holds: false })
  })

  test('values that are no amounts, days or currencies are left out', async () => {
    const bytes = Buffer.from(
      text('ubl-invoice')
        .replace('2026-02-10+02:00', '2026-02-30')
        .replace('>ILS<', '>shekel<')
        .replace('>36.00<', '>1e3<'),
    )
    const values = await valuesOf(bytes)
    expect(values).not.toHaveProperty('date')
    expect(values).not.toHaveProperty('currency')
    expect(values).toMatchObject({ taxAmount: '36.00', total: '236.00' })
  })

  test('characters by number and marked sections are text, and control characters are dropped', async () => {
    const bytes = changed('דפוס הגליל בע"מ', 'A &amp;amp; B &#x5d0;&#0;<![CDATA[<&amp;>]]>&#8238;')
    expect(await valuesOf(bytes)).toMatchObject({ vendor: 'A &amp; B א <&amp;>' })
  })

  test('an invoice with very many lines is read, with the first thousand', async () => {
    const line = '<cac:InvoiceLine><cbc:LineExtensionAmount>0.01</cbc:LineExtensionAmount></cac:InvoiceLine>'
    const { fields, checks } = await readXml(changed('</Invoice>', `${line.repeat(45_000)}</Invoice>`))
    expect(fields.items?.value).toHaveLength(1_000)
    expect(checks).toContainEqual({ rule: 'ITEMS_ADD_UP', holds: false })
  })

  test('an invoice in the envelope of Peppol is read', async () => {
    const inner = text('peppol-sg').replace(/^<\?xml.*\?>/, '')
    const bytes = Buffer.from(
      `<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader/>${inner}</StandardBusinessDocument>`,
    )
    expect(await valuesOf(bytes)).toEqual(await valuesOf(sample('peppol-sg')))
  })

  test.each<[string, (xml: string) => Buffer]>([
    ['UTF-8 with a mark', (xml) => Buffer.from(`\ufeff${xml}`)],
    ['UTF-16', (xml) => Buffer.from(`\ufeff${xml}`.replace('UTF-8', 'UTF-16'), 'utf16le')],
    ['UTF-16 with the other order of bytes', (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (xml) => Buffer.from(xml.replace('UTF-8', 'UTF-16'), 'utf16le')],
    ['ISO 8859-1', (xml) => Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
  ])('an invoice in %s is read', async (_, encoded) => {
    const bytes = encoded(text('cii-minimum'))
    expect(isEInvoice(bytes)).toBe(true)
    expect(await valuesOf(bytes)).toEqual(await valuesOf(sample('cii-minimum')))
  })
})

describe('what is no e-invoice is refused with a reason', () => {
  const laughs = `<!DOCTYPE Invoice [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "&a;&a;">`).join('')}]>`
  const invoice = text('ubl-invoice')
  test.each<[string, () => Buffer, string]>([
    ['an order', () => changed('xsd:Invoice-2', 'xsd:Order-2'), 'UNSUPPORTED_TYPE'],
    ['an invoice in an unknown namespace', () => changed('urn:oasis:names:specification:ubl', 'urn:other'), 'UNSUPPORTED_TYPE'],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'UNSUPPORTED_TYPE'],
    ['an invoice without content', () => Buffer.from('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'), 'DAMAGED'],
    ['a cut-off invoice', () => sample('ubl-invoice').subarray(0, 2_000), 'DAMAGED'],
    ['two roots', () => Buffer.from('<a/><b/>'), 'DAMAGED'],
    ['no XML', () => Buffer.from('hello'), 'DAMAGED'],
    ['nothing', () => Buffer.alloc(0), 'DAMAGED'],
    ['a prefix without namespace', () => Buffer.from('<a:b/>'), 'DAMAGED'],
    ['an unknown encoding', () => Buffer.from('<?xml version="1.0" encoding="utf-7"?><a/>'), 'DAMAGED'],
    ['bytes of another encoding', () => Buffer.from(text('cii-minimum'), 'latin1'), 'DAMAGED'],
    ['entities (billion laughs)', () => Buffer.from(invoice.replace('?>', `?>${laughs}`).replace('דפוס', '&a19;')), 'DAMAGED'],
    ['entities in UTF-16', () => Buffer.from(`\ufeff${invoice.replace('?>', `?>${laughs}`)}`, 'utf16le'), 'DAMAGED'],
    ['a file by entity', () => Buffer.from(invoice.replace('?>', '?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>')), 'DAMAGED'],
    ['64 levels', () => Buffer.from('<a>'.repeat(64) + '</a>'.repeat(64)), 'UNSUPPORTED_TYPE'],
    ['65 levels', () => Buffer.from('<a>'.repeat(65) + '</a>'.repeat(65)), 'DAMAGED'],
    ['a million levels', () => Buffer.from('<a>'.repeat(1_000_000)), 'TOO_LARGE'],
    ['a million attributes', () => Buffer.from(`<a ${Array.from({ length: 1_000_000 }, (_, n) => `b${n}=""`).join(' ')}/>`), 'TOO_LARGE'],
    ['more than 10 MiB', () => Buffer.from(`<a>${' '.repeat(10 * 1024 * 1024)}</a>`), 'TOO_LARGE'],
    ['names of the prototype', () => Buffer.from('<__proto__ constructor="x"/>'), 'DAMAGED'],
  ])('%s', async (_, bytes, reason) => {
    await expect(readXml(sample('ubl-invoice'))).resolves.toBeDefined()
    await expect(readXml(bytes())).rejects.toMatchObject({ reason, message: expect.stringMatching(/^The .*\./) })
  }) // biome-ignore format: a table
})

test('a file is an e-invoice by its root, whatever it is called', () => {
  for (const name of ['cii-minimum', 'cii-basic', 'zugferd-1', 'ubl-invoice', 'ubl-credit-note'] as const) {
    expect(isEInvoice(sample(name))).toBe(true)
  }
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '%PDF-1.7',
    '',
    '<Invoice/>',
    '<?xml version="1.0"?><html/>',
  ]
  for (const other of others) expect(isEInvoice(Buffer.from(other))).toBe(false)
  expect(looksLikeXml(Buffer.from('\n<html>'))).toBe(true)
  expect(looksLikeXml(Buffer.from('%PDF-1.7'))).toBe(false)
})
