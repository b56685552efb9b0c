import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { drawReceipt } from '../../../test/documents/drawn-receipt.ts'
import type { Page } from '../reading.ts'
import { readImagePages, readPixels } from './ocr.ts'
import { decodePicture } from './picture.ts'
import { endTesseract } from './tesseract.ts'

/** The only page of a picture. */
async function readImage(bytes: Buffer): Promise<Page> {
  const [page] = await readImagePages(bytes)
  if (!page) throw new Error('There is no page.')
  return page
}

vi.setConfig({ testTimeout: 120_000 }) // loading the models takes seconds on a busy machine
afterAll(endTesseract)

const english = [
  'Corner Grocery Ltd',
  'Date: 14/03/2025 17:42',
  { left: 'Milk 2 x 3.40', right: '6.80' },
  { left: 'Brown bread', right: '12.95' },
  { left: 'TOTAL', right: '19.75' },
  'Thank you for your visit',
]

const hebrew = [
  { right: 'מכולת השכונה בע"מ' },
  { right: 'חשבונית מס/קבלה מספר 10457' },
  { right: 'תאריך: 14/03/2025 שעה: 17:42' },
  { left: '12.90', right: 'לחם אחיד פרוס' },
  { left: '7.34', right: 'מע"מ 18%' },
  { left: '50.91', right: 'סה"כ לתשלום' },
  { right: 'שולם באשראי Visa 4580' },
]

const textsOf = (page: Page) => page.lines.map(({ text }) => text)
const [drawnEnglish, drawnHebrew] = [drawReceipt(english), drawReceipt(hebrew)]
const asDrawn = [
  'Corner Grocery Ltd',
  'Date: 14/03/2025 17:42',
  'Milk 2 x 3.40 6.80',
  'Brown bread 12.95',
  'TOTAL 19.75',
  'Thank you for your visit',
]

describe('English', () => {
  test('lines and words have their text, their place on the page and a confidence', async () => {
    const page = await readImage(await drawnEnglish)
    expect(textsOf(page)).toEqual(asDrawn)
    expect(page).toMatchObject({ number: 1, width: 640 })
    const [label, amount] = page.lines.find(({ text }) => text.startsWith('TOTAL'))?.words ?? []
    expect(label).toMatchObject({ text: 'TOTAL' })
    expect(amount).toMatchObject({ text: '19.75' })
    expect(label?.box.x).toBeCloseTo(30 / 640, 1)
    expect((amount?.box.x ?? 0) + (amount?.box.width ?? 0)).toBeCloseTo(610 / 640, 1)
    expect(amount?.box.y).toBeCloseTo((30 + 4 * 45) / page.height, 1)
    for (const { confidence, direction } of page.lines) {
      expect(confidence).toBeGreaterThan(0.8)
      expect(confidence).toBeLessThanOrEqual(1)
      expect(direction).toBe('ltr')
    }
  })

  test.each([90, 180, 270] as const)('a picture turned by %i degrees is turned back', async (angle) => {
    const page = await readImage(
      await sharp(await drawnEnglish)
        .rotate(angle)
        .png()
        .toBuffer(),
    )
    expect(textsOf(page)).toEqual(asDrawn)
    expect(page.turned).toBe(360 - angle)
    expect(page.width).toBe(640)
  })

  test('the orientation in EXIF data is applied', async () => {
    const turned = await sharp(await drawnEnglish)
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const page = await readImage(turned)
    expect(textsOf(page)).toEqual(asDrawn)
    expect(page.turned).toBeUndefined()
  })

  test('skewed lines stay together', async () => {
    const skewed = await sharp(await drawnEnglish)
      .rotate(5, { background: '#ddd' })
      .png()
      .toBuffer()
    expect(textsOf(await readImage(skewed))).toEqual(asDrawn)
  })

  test('every line of a long strip is read once', async () => {
    const amounts = Array.from({ length: 70 }, (_, index) => `${index + 100}.50`)
    const strip = await drawReceipt(
      amounts.map((amount) => ({ left: 'Item', right: amount })),
      { width: 420 },
    )
    expect(textsOf(await readImage(strip))).toEqual(amounts.map((amount) => `Item ${amount}`))
  })
})

describe('Hebrew', () => {
  const expected = [
    'חשבונית מס/קבלה מספר 10457',
    'תאריך: 14/03/2025 שעה: 17:42',
    'לחם אחיד פרוס 12.90',
    'מע"מ 18% 7.34',
    'סה"כ לתשלום 50.91',
    'שולם באשראי Visa 4580',
  ]

  test('lines are in logical order, digits and Latin words included', async () => {
    const page = await readImage(await drawnHebrew)
    expect(textsOf(page).slice(1)).toEqual(expected)
    expect(page.lines.map(({ direction }) => direction)).toEqual(page.lines.map(() => 'rtl'))
    const total = page.lines[5]
    expect(total?.words.at(-1)?.box.x).toBeCloseTo(30 / 640, 1)
    expect(total?.words[0]?.box.x).toBeGreaterThan(0.8)
  })

  test('a picture upside down is turned', async () => {
    const page = await readImage(
      await sharp(await drawnHebrew)
        .rotate(180)
        .png()
        .toBuffer(),
    )
    expect(page.turned).toBe(180)
    expect(textsOf(page)).toContain('סה"כ לתשלום 50.91')
  })
})

describe('Without ONNX Runtime', () => {
  const read = async (bytes: Buffer) => {
    const pages: Page[] = []
    for await (const picture of decodePicture(bytes)) pages.push(await readPixels(picture, async () => undefined))
    return pages.flatMap(textsOf)
  }

  test('Tesseract reads English', async () => {
    const texts = await read(await drawnEnglish)
    expect(texts).toContain('Date: 14/03/2025 17:42')
    expect(texts).toContain('TOTAL 19.75')
  })

  test('Tesseract reads Hebrew', async () => {
    const texts = await read(await drawnHebrew)
    expect(texts).toContain('סה"כ לתשלום 50.91')
  })
})

describe('Files', () => {
  const photo = async () =>
    await sharp(await drawnEnglish)
      .jpeg()
      .toBuffer()

  test('a file without its end is damaged, unless only the last bytes are missing', async () => {
    const bytes = await photo()
    expect(textsOf(await readImage(bytes))).toEqual(asDrawn)
    expect(textsOf(await readImage(bytes.subarray(0, -2)))).toEqual(asDrawn)
    await expect(readImage(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ reason: 'DAMAGED' })
    await expect(readImage(bytes.subarray(0, 100))).rejects.toMatchObject({ reason: 'DAMAGED' })
  })

  test('a picture with more than 50 million pixels is not decoded', async () => {
    const paper = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer()
    expect((await readImage(await paper(400, 600))).lines).toEqual([])
    await expect(readImage(await paper(8000, 6400))).rejects.toMatchObject({ reason: 'TOO_LARGE' })
  })

  test('a blank page has no lines', async () => {
    const paper = sharp({ create: { width: 800, height: 1200, channels: 3, background: '#fdfdf8' } })
    expect((await readImage(await paper.jpeg().toBuffer())).lines).toEqual([])
  })

  test('drawings that can refer to other files are refused', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')
    await expect(readImage(svg)).rejects.toMatchObject({ reason: 'UNSUPPORTED_TYPE' })
  })

  test('a HEIF file without a picture is damaged', async () => {
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(200)])
    await expect(readImage(bytes)).rejects.toMatchObject({ reason: 'DAMAGED' })
  })

  test('the pages of a TIFF file are read one after the other', async () => {
    const pages = [await drawReceipt(['First page 11.10']), await drawReceipt(['Second page 22.20'])]
    const file = await sharp(pages, { join: { animated: true } })
      .tiff()
      .toBuffer()
    const read = await readImagePages(file)
    expect(read.map(textsOf)).toEqual([['First page 11.10'], ['Second page 22.20']])
    expect(read.map(({ number, lines }) => [number, lines[0]?.box.page])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })
})
