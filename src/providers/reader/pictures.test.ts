import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makePdf, text } from '../../test/fakes/pdfs.ts'
import { pageOf, picturesOf } from './pictures.ts'
import type { Check, Reading } from './reading.ts'
import { isSettled } from './second/settled.ts'

const pictureOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
const sizesOf = (pictures: readonly Uint8Array[]) =>
  Promise.all(
    pictures.map(async (picture) => {
      const { width, height, format } = await sharp(picture).metadata()
      return `${format} ${width} × ${height}`
    }),
  )

test('a picture is reduced to 1600 pixels and turned upright', async () => {
  expect(await sizesOf(await picturesOf(await pictureOf(800, 400), 'image/png', [0]))).toEqual(['jpeg 800 × 400'])
  expect(await sizesOf(await picturesOf(await pictureOf(2400, 1800), 'image/png', [90]))).toEqual(['jpeg 1200 × 1600'])
})

test('a long strip is cut into parts that stay readable', async () => {
  const sizes = await sizesOf(await picturesOf(await pictureOf(600, 3600), 'image/png', []))
  expect(sizes).toEqual(['jpeg 600 × 945', 'jpeg 600 × 990', 'jpeg 600 × 990', 'jpeg 600 × 945'])
})

test('of a PDF the first three pages are drawn', async () => {
  const pages = Array.from({ length: 5 }, () => ({ content: text(['Total 118.00', 100, 600]) }))
  expect(await picturesOf(makePdf({ pages }), 'application/pdf', [])).toHaveLength(3)
})

test('one page of a PDF is drawn as fine as asked for, and a huge one less fine', async () => {
  const lines = { content: text(['Total 118.00', 100, 600]) }
  const pdf = makePdf({
    pages: [lines, { ...lines, size: [300, 200] }, { ...lines, size: [14_400, 14_400] }],
  })
  const drawn = async (page: number) => {
    const { pageCount, jpeg } = await pageOf(pdf, { page, dotsPerInch: 144 })
    return [pageCount, jpeg && (await sizesOf([jpeg]))[0]]
  }
  expect(await drawn(2)).toEqual([3, 'jpeg 600 × 400'])
  expect(await drawn(3)).toEqual([3, 'jpeg 3464 × 3464']) // 12 million pixels
  expect(await drawn(4)).toEqual([3, null])
  expect(await pageOf(pdf, { dotsPerInch: 144 })).toEqual({ pageCount: 3, jpeg: null })
})

test('an e-invoice and text that adds up need no second reader; files that cannot be shown have none', () => {
  const check = (holds: boolean): Check => ({ rule: 'SUBTOTAL_PLUS_TAX', holds })
  const reading = (providerId: Reading['providerId'], checks: Check[]) => ({
    reading: {
      providerId,
      checks,
      fields: { total: { value: '1', confidence: 1, box: null } },
      pages: 1,
      text: '',
      turned: [],
    },
  })
  expect(isSettled(reading('kontor-einvoice', []))).toBe(true)
  expect(isSettled(reading('kontor-pdf', [check(true)]))).toBe(true)
  expect(isSettled(reading('kontor-pdf', [check(true), check(false)]))).toBe(false)
  expect(isSettled(reading('kontor-pdf', []))).toBe(false)
  expect(isSettled(reading('kontor-ocr', [check(true)]))).toBe(false)
  expect(isSettled({ unread: 'NO_TEXT', message: '' })).toBe(false)
  expect(isSettled({ unread: 'ENCRYPTED', message: '' })).toBe(true)
})
