import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawReceipt, inVisualOrder } from './receipt.ts'

const lunch = {
  language: 'en', vendor: 'Café Lumière', address: '12 Main St', number: 'R-12', date: '2026-01-31', title: 'Lunch',
  currency: 'SGD', total: 109, taxRate: 9, taxAmount: 9, paidBy: 'Card',
} as const // biome-ignore format: a list of words

test('a receipt is a PNG picture of a few kilobytes, the same every time', async () => {
  const picture = drawReceipt(lunch)
  expect(drawReceipt(lunch)).toEqual(picture)
  expect(picture.length).toBeLessThan(16 * 1024)
  const { format, width, height } = await sharp(picture).metadata()
  expect({ format, width }).toEqual({ format: 'png', width: 420 })
  const { data } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect(data).toHaveLength(420 * (height ?? 0))
  const ink = data.filter((pixel) => pixel < 128).length / data.length
  expect(ink).toBeGreaterThan(0.02)
  expect(ink).toBeLessThan(0.2)
  expect(inflateSync(idatOf(picture))).toHaveLength((420 + 1) * (height ?? 0))
})

test('another amount gives another picture', () => {
  expect(drawReceipt({ ...lunch, total: 110 })).not.toEqual(drawReceipt(lunch))
})

test('a Hebrew receipt has its labels on the right', async () => {
  const rows = { vendor: 'חשמל', number: '1', date: '2026-01-31', title: 'חשבון', currency: 'ILS', total: 1 }
  const { data, info } = await sharp(drawReceipt({ language: 'he', ...rows }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // the number is a single digit at the left margin, its label a word at the right margin, in the row below the first rule
  const rule =
    Array.from({ length: info.height }, (_, y) => y).find((y) => (data[y * info.width + 32] ?? 255) < 128) ?? 0
  const columns = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at).filter((x) =>
      Array.from({ length: 22 }, (_, at) => rule + 6 + at).some((y) => (data[y * info.width + x] ?? 255) < 128),
    ).length
  expect(columns(24, 210)).toBeLessThan(12)
  expect(columns(210, 396)).toBeGreaterThan(20)
})

test.each([
  ['Lunch, 12.50', 'Lunch, 12.50'],
  ['סה״כ', 'כ״הס'],
  ['מע״מ 18%', '18% מ״עמ'],
  ['רחוב 12, חיפה', 'הפיח ,12 בוחר'],
])('%s is drawn as %s', (text, drawn) => {
  expect(inVisualOrder(text)).toBe(drawn)
})

/** The compressed pixels: the content of the chunk IDAT, which follows the signature and IHDR. */
function idatOf(png: Uint8Array): Uint8Array {
  const at = 8 + 25
  const length = new DataView(png.buffer, png.byteOffset).getUint32(at)
  return png.subarray(at + 8, at + 8 + length)
}
