import { expect } from 'vitest'
import { readXml } from '../../providers/reader/einvoice/read-xml.ts'
import { checkUbl, claimedBy } from '../einvoices/check/check-ubl.ts'
import { proves, sample } from '../prove.ts'
import { theApp } from '../world.ts'

type Listed = {
  id: string
  documentType: string
  status: string
  invoiceNumber: string
  invoiceDate: string
  currency: string
  total: number
  taxAmount: number
  items: { amount: number }[]
}

/** Invoices and memos of the demo are e-invoices that pass the checks and read back with the same figures. */
export async function expectEInvoices(authorization: string) {
  const get = (url: string) => theApp().server.inject({ method: 'GET', url, headers: { authorization } })
  const seen: Record<string, number> = {}
  for (const { id: organizationId, country } of await listed('/api/organizations')) {
    const documents = (await listed(`/api/documents?organizationId=${organizationId}&limit=100&page=PAGE`)) as Listed[]
    for (const document of ofEachType(documents.filter(isInvoice))) {
      const answer = await get(`/api/documents/${document.id}/einvoice`)
      expect(answer.statusCode, `${document.invoiceNumber}: ${answer.payload.slice(0, 1_000)}`).toBe(200)
      const specification = claimedBy(answer.rawPayload)
      expect(await checkUbl(answer.rawPayload, specification), document.invoiceNumber).toEqual([])
      await expectSame(answer.rawPayload, document)
      const kind = `${country} ${specification} ${document.documentType}`
      seen[kind] = (seen[kind] ?? 0) + 1
    }
  }
  expect(Object.keys(seen)).toEqual(
    expect.arrayContaining([
      ...(proves ? ['SG pint INVOICE', 'SG pint CREDIT_MEMO'] : []),
      'IL core INVOICE',
      'US bis INVOICE',
    ]),
  )

  /** All pages of a list that has pages. */
  async function listed(url: string) {
    const rows: { id: string; country?: string }[] = []
    for (let page = 1, last = 1; page <= last; page++) {
      const { pagination, ...answer } = JSON.parse((await get(url.replace('PAGE', String(page)))).payload)
      last = pagination?.totalPages ?? 1
      rows.push(...(Array.isArray(answer) ? answer : Object.values(answer).filter(Array.isArray).flat()))
    }
    return rows
  }
}

/** The first of each type and every fifth after it; all of them in `npm run prove`. */
const ofEachType = (documents: Listed[]) =>
  [...new Set(documents.map(({ documentType }) => documentType))].flatMap((type) =>
    sample(
      documents.filter(({ documentType }) => documentType === type),
      5,
    ),
  )

const isInvoice = ({ documentType, status }: Listed) =>
  status !== 'DRAFT' && documentType !== 'RECEIPT' && documentType !== 'PAYMENT_REQUEST'

async function expectSame(
  bytes: Buffer,
  { documentType, invoiceNumber, invoiceDate, currency, total, taxAmount, items }: Listed,
) {
  const { fields } = await readXml(bytes)
  const sign = documentType === 'CREDIT_MEMO' ? -1 : 1
  expect(fields).toMatchObject({
    documentNumber: { value: invoiceNumber },
    date: { value: invoiceDate },
    currency: { value: currency },
  })
  expect(Number(fields.total?.value)).toBe(sign * total)
  expect(Number(fields.taxAmount?.value) + 0).toBe(sign * taxAmount + 0)
  const amounts = (fields.items?.value ?? []).slice(0, items.length).map(({ amount }) => Number(amount))
  expect(amounts).toEqual(items.map(({ amount }) => sign * amount))
}
