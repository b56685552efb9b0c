import { expect, test, vi } from 'vitest'
import { readXml } from '../../../../providers/reader/einvoice/read-xml.ts'
import { checkUbl, claimedBy } from '../../../../test/einvoices/check/check-ubl.ts'
import { spendingScans } from '../../../../test/einvoices/scanned.ts'
import { contentOf, readPdf, type Stream } from '../../../../test/readers/pdf-objects.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

/** The e-invoice of a document as a client gets it. */
async function download(amy: Someone, id: string, query = '') {
  const url = `/api/documents/${id}/einvoice${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...amy.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
}

const numbers = {
  registrationNumber: '201403121W',
  taxNumber: 'M90364879X',
  email: 'studio@acme.test',
  address: '1 Orchard Road, Singapore 238801',
}
const globex = {
  name: 'Globex Pte. Ltd.',
  country: 'SG',
  email: 'ap@globex.test',
  registrationNumber: '197401143C',
  address: '22 Raffles Place\nSingapore 048617',
}

/** A registered company in Singapore with a customer to whom it can send e-invoices. */
async function company(more: Record<string, unknown> = {}) {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  await amy.call('organizations_update', { id: organizationId, ...numbers })
  const { id: customerId } = await amy.call('customers_create', { organizationId, ...globex, ...more })
  return { amy, customerId }
}

test('an invoice of Singapore is PINT unless another format is requested, and each is a file', async () => {
  const { amy, customerId } = await company()
  const { id, invoiceNumber } = await sell(amy, { customerId, status: 'UNSENT', dueDate: '2030-01-31' })
  const pint = await download(amy, id)
  expect(pint).toMatchObject({ status: 200, headers: { 'content-type': 'application/octet-stream' } }) // browsers must not open it
  expect(pint.headers['content-disposition']).toContain(`${invoiceNumber}.xml`)
  expect(await checkUbl(pint.bytes, 'pint')).toEqual([])
  expect(pint.text).toContain(`<cbc:UUID>${id}</cbc:UUID>`)
  const ubl = await download(amy, id, '?format=ubl')
  expect(await checkUbl(ubl.bytes, 'bis')).toEqual([])
  const cii = await download(amy, id, '?format=cii')
  for (const { bytes } of [pint, ubl, cii])
    expect((await readXml(bytes)).fields).toMatchObject({
      documentNumber: { value: invoiceNumber },
      subtotal: { value: '100.00' },
      taxAmount: { value: '9.00' },
      total: { value: '109.00' },
      dueDate: { value: '2030-01-31' },
    })
  expect((await download(amy, id, '?format=edifact')).status).toBe(400)
})

test('an invoice to a private customer is UBL: Peppol BIS Billing if the customer has an address there, and EN 16931 if it has only e-mail', async () => {
  const { amy, customerId } = await company({ kind: 'INDIVIDUAL', registrationNumber: null })
  const addressed = await sell(amy, {
    customerId,
    status: 'UNSENT',
    countrySpecificData: { peppolId: '0195:SGTST1234' },
  })
  const peppol = await download(amy, addressed.id)
  expect(claimedBy(peppol.bytes)).toBe('bis')
  expect(await checkUbl(peppol.bytes, 'bis')).toEqual([])
  const { id } = await sell(amy, { customerId, status: 'UNSENT' })
  const byMail = await download(amy, id)
  expect(byMail.text).toContain('<cbc:EndpointID schemeID="EM">ap@globex.test</cbc:EndpointID>')
  expect(byMail.text).not.toContain('peppol')
  expect(await checkUbl(byMail.bytes, 'core')).toEqual([])
})

test('PINT needs an address in the Peppol network, which an e-mail address is not', async () => {
  const { amy, customerId } = await company({
    country: 'MY',
    registrationNumber: '199001000001',
    address: '1 Jalan Besar, 50000 Kuala Lumpur',
  })
  const given = await sell(amy, {
    customerId,
    status: 'UNSENT',
    countrySpecificData: { peppolId: '0230:199001000001' },
  })
  expect(await checkUbl((await download(amy, given.id)).bytes, 'pint')).toEqual([])
  const { id } = await sell(amy, { customerId, status: 'UNSENT' })
  expect(await checkUbl((await download(amy, id)).bytes, 'core')).toEqual([]) // and so it is no PINT unless asked for
  const { status, text } = await download(amy, id, '?format=pint')
  expect([status, JSON.parse(text).error.details]).toEqual([
    409,
    [expect.objectContaining({ path: 'countrySpecificData.peppolId', code: 'EINVOICE_INCOMPLETE' })],
  ])
})

test('a draft, a receipt and a payment request have no e-invoice, and PINT is for Singapore', async () => {
  const { amy, customerId } = await company()
  const issued = await sell(amy, { customerId, status: 'UNSENT' })
  expect((await download(amy, issued.id)).status).toBe(200)
  const draft = await sell(amy, { customerId })
  const request = await sell(amy, { customerId, status: 'UNSENT', documentType: 'PAYMENT_REQUEST' })
  const noa = await member('OWNER', { country: 'IL' })
  const abroad = await sell(noa, { status: 'UNSENT' })
  const codeOf = async (someone: Someone, id: string, query = '') => {
    const { status, text } = await download(someone, id, query)
    return [status, JSON.parse(text).error.details[0].code]
  }
  expect(await codeOf(amy, draft.id)).toEqual([409, 'DRAFT'])
  expect(await codeOf(amy, request.id)).toEqual([409, 'NO_EINVOICE'])
  expect(await codeOf(noa, abroad.id, '?format=pint')).toEqual([409, 'NO_EINVOICE'])
})

test('what is missing is listed, and can be entered after the document was issued', async () => {
  const amy = await member('OWNER')
  const { id, customerId } = await sell(amy, { status: 'UNSENT' })
  const { status, text } = await download(amy, id)
  expect(status).toBe(409)
  const { details } = JSON.parse(text).error as { details: { path: string; message: string; code: string }[] }
  expect(new Set(details.map(({ code }) => code))).toEqual(new Set(['EINVOICE_INCOMPLETE']))
  expect(details.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'organization.registrationNumber',
      'organization.taxNumber',
      'organization.address',
      'countrySpecificData.peppolId',
      'customer.registrationNumber',
      'customer.address',
    ]),
  )
  await amy.call('organizations_update', { id: String(amy.organizationId), ...numbers })
  await amy.call('customers_update_patch', { id: String(customerId), ...globex })
  const after = await download(amy, id)
  expect(after.status, after.text).toBe(200)
  expect(await checkUbl(after.bytes, 'pint')).toEqual([])
})

test('the issuer and the customer are those of the issue', async () => {
  const { amy, customerId } = await company()
  const { id } = await sell(amy, { customerId, status: 'UNSENT' })
  const before = await download(amy, id)
  await amy.call('organizations_update', {
    id: String(amy.organizationId),
    name: 'Other',
    address: '9 Elsewhere, Singapore 999999',
  })
  await amy.call('customers_update_patch', { id: customerId, name: 'Other', address: '9 Elsewhere, Singapore 999999' })
  expect((await download(amy, id)).text).toBe(before.text)
})

test('a credit memo names the invoice that it credits', async () => {
  const { amy, customerId } = await company()
  const { id, invoiceNumber } = await sell(amy, { customerId, status: 'UNSENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Returned' })
  const { bytes, text } = await download(amy, memo.id)
  expect(await checkUbl(bytes, 'pint')).toEqual([])
  expect(text).toContain(`<cbc:ID>${invoiceNumber}</cbc:ID>`)
  expect((await readXml(bytes)).fields).toMatchObject({ total: { value: '-109.00' }, taxAmount: { value: '-9.00' } })
})

test('Factur-X is the PDF with the invoice attached, and the kept original stays as it is', async () => {
  const { amy, customerId } = await company()
  const { id } = await sell(amy, { customerId, status: 'UNSENT' })
  const url = `/api/documents/${id}/pdf?copy=false`
  const original = () => theApp().server.inject({ method: 'GET', url, headers: { ...amy.credentials } })
  const kept = (await original()).rawPayload
  const { status, headers, bytes } = await download(amy, id, '?format=facturx')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  const { at } = readPdf(bytes)
  const file = at('Root', 'AF', 0, 'EF', 'F')
  expect(at('Root', 'AF', 0)).toMatchObject({ Type: '/Filespec', AFRelationship: '/Alternative' })
  expect(at('Root', 'Names', 'EmbeddedFiles', 'Names', 0)?.toString()).toBe('factur-x.xml')
  expect(contentOf(file as Stream).toString()).toBe((await download(amy, id, '?format=cii')).text)
  const xmp = contentOf(at('Root', 'Metadata') as Stream).toString()
  for (const part of [
    '<fx:ConformanceLevel>EN 16931<',
    '<fx:DocumentFileName>factur-x.xml<',
    '<pdfaid:part>3<',
    'pdfaSchema:prefix>fx<',
  ])
    expect(xmp).toContain(part)
  expect((await original()).rawPayload.equals(kept)).toBe(true)
})

test.each(['ubl', 'pint', 'cii', 'facturx'])(
  '%s of one organization becomes an expense of another with the same figures',
  async (format) => {
    const { amy, customerId } = await company()
    const items = [
      { id: '1', description: 'Consulting', quantity: 3, unitPrice: 33.33, amount: 99.99 },
      { id: '2', description: 'Lamp "Ø & more"', quantity: 2, unitPrice: 12.5, amount: 22.5, discountPercent: 10 },
    ]
    const { id, invoiceNumber, invoiceDate } = await sell(amy, {
      customerId,
      status: 'UNSENT',
      dueDate: '2030-01-31',
      items,
      subtotal: 122.49,
      taxAmount: 11.02,
      total: 133.51,
    })
    const { bytes } = await download(amy, id, `?format=${format}`)
    const { expense, scan } = await spendingScans(await member('MANAGER'), {
      name: `bill.${format === 'facturx' ? 'pdf' : 'xml'}`,
      bytes,
    })
    expect(scan).toMatchObject({ scanStatus: 'COMPLETED', providerId: 'kontor-einvoice' })
    expect(scan.extractedData?.items).toMatchObject(
      items.map(({ description, quantity, unitPrice, amount }) => ({ description, quantity, unitPrice, amount })),
    )
    expect(expense).toMatchObject({
      amount: 133.51,
      taxAmount: 11.02,
      taxRate: 9,
      currency: 'SGD',
      date: invoiceDate,
      documentNumber: invoiceNumber,
      vendor: 'Acme',
    })
  },
)
