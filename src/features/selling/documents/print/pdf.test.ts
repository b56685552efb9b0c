import '../../../../test/own-world.ts'
import { expect, test, vi } from 'vitest'
import { createApp } from '../../../../program/app.ts'
import { printed } from '../../../../test/documents/printed.ts'
import { png } from '../../../../test/fakes/bombs.ts'
import { readPdf, Stream } from '../../../../test/readers/pdf-objects.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, testConfig, theApp, theDatabase } from '../../../../test/world.ts'
import { readPrintData } from './print-data.ts'
import { issuedRows, leastRows } from './print-length.ts'
import { printedRows } from './printed-rows.ts'
import { toPrintModel } from './to-print-model.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

test('an issued invoice is printed with its number, parties, lines, tax and total', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, invoiceNumber } = await sell(amy, { status: 'UNSENT' })
  const { status, headers, bytes } = await printed(amy, id)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain(`Invoice ${invoiceNumber}.pdf`)
  const text = await textOf(bytes)
  for (const part of [String(invoiceNumber), 'Acme', 'Globex', 'Consulting', '50.00', '100.00', '9.00', '109.00'])
    expect(text).toContain(part)
  expect(text).not.toContain('DRAFT')
})

test('the PDF of a draft is marked as a draft', async () => {
  const amy = await member('CONTRIBUTOR')
  const { bytes } = await printed(amy, (await sell(amy)).id)
  expect(await textOf(bytes)).toContain('DRAFT')
})

test('printing a document twice gives identical bytes', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const [first, second] = [await printed(amy, id), await printed(amy, id)]
  expect(first.bytes.equals(second.bytes)).toBe(true)
})

test('in Israel the download is a copy unless the original is requested, in Hebrew, English or both', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  await registerDealer(noa)
  const { id } = await sell(noa, { status: 'UNSENT', currency: 'ILS' })
  const copy = await textOf((await printed(noa, id, '?language=en')).bytes)
  expect(copy).toContain('Copy')
  expect(copy).not.toContain('Original')
  const original = await textOf((await printed(noa, id, '?language=en&copy=false')).bytes)
  expect(original).toContain('Original')
  const hebrew = (await printed(noa, id, '?language=he')).bytes
  expect(readPdf(hebrew).at('Root', 'Lang')?.toString()).toBe('he')
  const both = await textOf((await printed(noa, id, '?language=he-en')).bytes)
  expect(both).toContain('Tax Invoice')
  expect((await printed(noa, id, '?language=fr')).status).toBe(400)
})

/** Sets a company number, which makes the organization a registered dealer. */
async function registerDealer({ userId, organizationId = '' }: Someone) {
  expect(userId).not.toBe('')
  await theApp().system.use((db) =>
    db.updateTable('organizations').set({ registrationNumber: '513456782' }).where('id', '=', organizationId).execute(),
  )
}

test('a document with Chinese and Arabic names, emoji and template syntax is printed', async () => {
  const amy = await member('CONTRIBUTOR')
  const organizationId = String(amy.organizationId)
  const name = '陈 Trading 👩🏽‍💻 مثال'
  const customer = await amy.call('customers_create', { organizationId, name, country: 'SG' })
  const items = [
    { id: '1', description: '#eval("1+1") \\ $x$ *bold* <tag> 🙂', quantity: 2, unitPrice: 50, amount: 100 },
  ]
  const { id } = await sell(amy, { status: 'UNSENT', customerId: customer.id, items })
  const { status, bytes } = await printed(amy, id)
  expect(status).toBe(200)
  const text = await textOf(bytes)
  expect(text).toContain('陈 Trading ??')
  expect(text.normalize('NFKC')).toMatch(/[\u0620-\u064a]/)
  expect(text).toContain('#eval("1+1")')
})

test('a damaged logo is left out, and a valid one is printed', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const { id } = await sell(amy) // an issued document keeps the logo that it was issued with
  const plain = (await printed(amy, id)).bytes
  expect(picturesIn(plain)).toBe(0)
  const bring = async (fileName: string, bytes: Buffer) => {
    const file = { fileName, base64: bytes.toString('base64') }
    const logo = await amy.call('organizations_file_upload', { organizationId, file })
    await amy.call('settings_update', { id: organizationId, logoFileId: logo.id })
  }
  await bring('logo.png', Buffer.concat([pixel.subarray(0, 33), Buffer.from('not a picture any more')]))
  expect((await printed(amy, id)).status).toBe(200)
  await bring('logo.png', pixel)
  const { status, bytes } = await printed(amy, id)
  expect(status).toBe(200)
  expect(bytes.length).toBeGreaterThan(plain.length)
  expect(picturesIn(bytes)).toBeGreaterThan(0)
})

test('FLT-13: a document is printed without a logo that has too many pixels', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const { id } = await sell(amy)
  const upload = (bytes: Buffer) => {
    const file = { fileName: 'logo.png', base64: bytes.toString('base64') }
    return amy.call('organizations_file_upload', { organizationId, file })
  }
  await amy.call('settings_update', {
    id: organizationId,
    logoFileId: (await upload(png(200, 200, { isComplete: true }))).id,
  })
  expect(picturesIn((await printed(amy, id)).bytes)).toBeGreaterThan(0)
  // An older version accepted such a logo, so the settings may name one.
  const large = await upload(png(4001, 4000, { isComplete: true }))
  await theApp().system.use((db) =>
    db
      .updateTable('organizationSettings')
      .set({ logoFileId: large.id })
      .where('organizationId', '=', organizationId)
      .execute(),
  )
  const { status, bytes } = await printed(amy, id)
  expect([status, picturesIn(bytes)]).toEqual([200, 0])
})

const picturesIn = (pdf: Buffer) =>
  readPdf(pdf).objects.filter((object) => object instanceof Stream && object.dictionary.Subtype === '/Image').length

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test('a receipt is marked as cancelled after its payment was voided', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const paying = { paymentDate: '2026-01-05', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const { receipt, payment } = await amy.call('invoices_mark_paid', { id, ...paying })
  const textNow = async () => textOf((await printed(amy, String(receipt?.id))).bytes)
  expect(await textNow()).not.toContain('CANCELLED')
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  expect(await textNow()).toContain('CANCELLED')
})

test('a viewer may print a document', async () => {
  const amy = await member('CONTRIBUTOR')
  const viewer = await member('VIEWER', { of: amy })
  expect((await printed(viewer, (await sell(amy)).id)).status).toBe(200)
  expect(operationNamed('invoices_pdf')).toMatchObject({ scope: 'invoices:read', role: 'VIEWER' })
})

/** A draft with this many lines, each with this description. */
const longDocument = (someone: Someone, count: number, description: string) =>
  sell(someone, {
    items: Array.from({ length: count }, (_, n) => ({ id: `${n}`, description, quantity: 1, unitPrice: 1, amount: 1 })),
    subtotal: count,
    taxRate: 0,
    taxAmount: 0,
    total: count,
  })

test('LOAD-14: a document of a thousand lines is printed, and one with more text than that is refused with 400', async () => {
  const amy = await member('CONTRIBUTOR')
  const long = await printed(amy, (await longDocument(amy, 1_000, 'Consulting')).id)
  expect(long.status).toBe(200)
  expect(readPdf(long.bytes).at('Root', 'Pages', 'Count')).toBeGreaterThan(20)
  const { id } = await longDocument(amy, 1_000, 'Consulting\n'.repeat(11))
  const refused = await printed(amy, id)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.bytes.toString())).toMatchObject({
    error: { details: [{ path: 'items', code: 'PRINT_TOO_LONG' }] },
  })
})

test('a document that could never be printed is not issued, and its draft has a warning', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, warnings } = await longDocument(amy, 100, 'Consulting '.repeat(900))
  const tooLong = {
    path: 'items',
    code: 'PRINT_TOO_LONG',
    message: expect.stringContaining('Shorten the descriptions'),
  }
  expect(warnings).toContainEqual(tooLong)
  await expect(amy.call('invoices_update', { id, status: 'UNSENT' })).rejects.toMatchObject({
    status: 400,
    details: [tooLong],
  })
  const short = await amy.call('invoices_update', {
    id,
    items: [{ id: '1', description: 'Work', quantity: 1, unitPrice: 100, amount: 100 }],
    status: 'UNSENT',
  })
  const items = [{ id: '2', description: 'Consulting\n'.repeat(9).repeat(100), quantity: 1, unitPrice: 1, amount: 1 }]
  await amy.call('invoices_memos', { id: short.id, kind: 'DEBIT', items })
})

test('the rows that are known before a document is issued are never more than the rows that are printed', async () => {
  const amy = await member('CONTRIBUTOR')
  const descriptions = ['Work', ' a\n\nb \n', 'x'.repeat(300), 'שירות\n'.repeat(5), 'word '.repeat(40)]
  for (const [count, description] of descriptions.entries())
    for (const notes of [null, '  ', 'Thanks\n'.repeat(7)]) {
      const { id } = await longDocument(amy, count + 1, description)
      await amy.call('invoices_update', { id, notes })
      const data = await theApp().system.use((db) => readPrintData(db, id))
      const model = toPrintModel(data, { languages: ['en'], copy: 'draft', logo: null })
      const { documentType, items } = data.row
      expect(leastRows({ documentType, items, notes })).toBeLessThanOrEqual(printedRows(model))
      expect(issuedRows(data.row)).toBeLessThanOrEqual(printedRows(model))
    }
})

test('RATE: the PDFs of an organization have a limit of their own', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const limited = await createApp(testConfig({ RATE_LIMIT_SCALE: '0.02' }), theDatabase())
  const print = () =>
    limited.server.inject({ method: 'GET', url: `/api/documents/${id}/pdf`, headers: { ...amy.credentials } })
  const statuses = [(await print()).statusCode, (await print()).statusCode]
  const { statusCode, body, headers } = await print()
  await limited.close()
  expect([...statuses, statusCode]).toEqual([200, 200, 429])
  expect(body).toContain('PDFs printed by this organization')
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})
