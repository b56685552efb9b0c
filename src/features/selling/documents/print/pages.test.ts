import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { originalOf, printed } from '../../../../test/documents/printed.ts'
import { difference, pictureOf } from '../../../../test/readers/picture.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

async function pictured(someone: Someone, id: string, page = '1', query = '?dpi=96') {
  const url = `/api/documents/${id}/pages/${page}${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

const atScreenSize = (pdf: Uint8Array) => pictureOf(pdf, { dpi: 96 })
const resized = async (png: Buffer, like: Buffer) => {
  const { width, height } = await sharp(like).metadata()
  return sharp(png).resize(width, height, { fit: 'fill' }).toBuffer()
}
const looksLike = async (png: Buffer, pdf: Uint8Array) => {
  const expected = await atScreenSize(pdf)
  return (await difference(await resized(png, expected), expected)) < 0.01
}

test('a page of a draft is shown as a picture that browsers show and do not run', async () => {
  const amy = await member('VIEWER', { of: await member('OWNER') })
  const { id } = await sell(await member('CONTRIBUTOR', { of: amy }))
  const { status, headers, bytes } = await pictured(amy, id)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^inline; filename="Invoice 1.png"/),
    'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'self'/),
    'x-content-type-options': 'nosniff',
  })
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 793, height: 1122 })
  expect(await looksLike(bytes, (await printed(amy, id)).bytes)).toBe(true)
  expect(await amy.call('invoices_pages', { id })).toEqual({ pageCount: 1, original: false })
})

test('a page of an issued document is that of the kept original; looking at it keeps none', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  expect(await amy.call('invoices_pages', { id })).toEqual({ pageCount: 1, original: false })
  const original = await originalOf(amy, id)
  expect(await amy.call('invoices_pages', { id })).toEqual({ pageCount: 1, original: true })
  await amy.call('invoices_mark_paid', {
    id,
    paymentDate: '2026-01-31',
    paymentMethod: 'CASH',
    sendReceiptEmail: false,
  })
  const { bytes } = await pictured(amy, id)
  expect(await looksLike(bytes, original)).toBe(true)
  const copy = (await pictured(amy, id, '1', '?dpi=96&copy=true')).bytes
  expect(copy.equals(bytes)).toBe(false)
  expect(await looksLike(copy, (await printed(amy, id)).bytes)).toBe(true)
})

test('the pages of a long document are shown one by one, and there is none after the last', async () => {
  const amy = await member('CONTRIBUTOR')
  const items = Array.from({ length: 60 }, (_, at) => ({ id: `${at}`, description: `Hour ${at}`, quantity: 1, unitPrice: 1, amount: 1 })) // biome-ignore format: a list
  const { id } = await sell(amy, { items, subtotal: 60, taxAmount: 5.4, total: 65.4 })
  const { pageCount } = await amy.call('invoices_pages', { id })
  expect(pageCount).toBeGreaterThan(1)
  const [first, last] = [await pictured(amy, id), await pictured(amy, id, `${pageCount}`)]
  expect([first.status, last.status]).toEqual([200, 200])
  expect(first.bytes.equals(last.bytes)).toBe(false)
  expect((await pictured(amy, id, `${pageCount + 1}`)).status).toBe(404)
  expect((await pictured(amy, id, '0')).status).toBe(400)
  expect((await pictured(amy, id, '1', '?dpi=1000')).status).toBe(400)
})

test('a PDF is saved, or shown in a tab or a frame of the app when that is asked for', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const saved = await printed(amy, id)
  expect(saved.headers['content-disposition']).toMatch(/^attachment;/)
  expect(saved.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
  const shown = await printed(amy, id, '?inline=true')
  expect(shown.headers['content-disposition']).toMatch(/^inline; filename="Invoice.pdf"/)
  expect(shown.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'/)
  expect(shown.headers['content-security-policy']).not.toContain('sandbox')
  expect(shown.bytes.equals(saved.bytes)).toBe(true)
})
