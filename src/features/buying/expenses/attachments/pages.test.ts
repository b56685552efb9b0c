import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makePdf, text } from '../../../../test/fakes/pdfs.ts'
import { difference, pictureOf } from '../../../../test/readers/picture.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const attach = (someone: Someone, fileName: string, bytes: Buffer) =>
  someone.call('expenses_upload', { file: { fileName, base64: bytes.toString('base64') } })

async function pictured(someone: Someone, id: string, page: string, query = '?dpi=96') {
  const url = `/api/expense-attachments/${id}/pages/${page}${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

const bill = (...totals: string[]) => makePdf({ pages: totals.map((total) => ({ content: text([total, 100, 600]) })) })

test('the pages of an attached PDF are counted and shown as pictures, which the browser may keep', async () => {
  const amy = await member('CONTRIBUTOR')
  const viewer = await member('VIEWER', { of: amy })
  const { id } = await attach(amy, 'bill.pdf', bill('Total 118.00', 'Terms of trade'))
  expect(await viewer.call('expenses_attachment_pages', { id })).toEqual({ pageCount: 2 })
  const first = await pictured(viewer, id, '1')
  expect(first.status).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': expect.stringMatching(/^inline; filename="bill 1.jpg"/),
    'content-security-policy': expect.stringMatching(/default-src 'none'/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=3600',
  })
  const expected = await pictureOf(bill('Total 118.00'), { dpi: 96 })
  const { width, height } = await sharp(expected).metadata()
  const shown = await sharp(first.bytes).resize(width, height, { fit: 'fill' }).toBuffer()
  expect(await difference(shown, expected)).toBeLessThan(0.01)
  const second = await pictured(viewer, id, '2')
  expect([second.status, second.bytes.equals(first.bytes)]).toEqual([200, false])
  expect((await pictured(viewer, id, '3')).status).toBe(404)
  for (const [page, query] of [['0', ''], ['1', '?dpi=1000']] as const) // biome-ignore format: a table
    expect((await pictured(viewer, id, page, query)).status).toBe(400)
})

test('a file that is no PDF, is damaged or has too many pages is refused with the reason', async () => {
  const amy = await member('CONTRIBUTOR')
  const files = [
    await attach(amy, 'a.txt', Buffer.from('Hello')),
    await attach(amy, 'damaged.pdf', Buffer.from('%PDF-1.7\n%%EOF\n')),
    await attach(amy, 'long.pdf', bill(...Array.from({ length: 51 }, (_, at) => `Page ${at}`))),
  ]
  const whole = await attach(amy, 'whole.pdf', bill('Total 118.00'))
  expect(await amy.call('expenses_attachment_pages', { id: whole.id })).toEqual({ pageCount: 1 })
  const reasons = [/is no PDF/, /damaged/, /51 pages/]
  for (const [at, { id }] of files.entries()) {
    const refused = { status: 409, details: [{ code: 'NO_PAGES', message: expect.stringMatching(reasons[at] ?? '') }] }
    await expect(amy.call('expenses_attachment_pages', { id })).rejects.toMatchObject(refused)
    expect((await pictured(amy, id, '1')).status).toBe(409)
  }
})
