import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'

/** A picture of the pages of a PDF side by side, in grey for comparison or in colour to show, with few colours to be small. */
export async function pictureOf(
  pdf: Uint8Array,
  { dpi, colour = false }: { dpi: number; colour?: boolean },
): Promise<Buffer> {
  const sheet = sharp(await sheetOf(pdf, dpi))
  if (colour) return sheet.png({ palette: true, colours: 48, compressionLevel: 9, dither: 0 }).toBuffer()
  return sheet.grayscale().png({ palette: true, colours: 16, compressionLevel: 9, dither: 0 }).toBuffer()
}

/** The pages of a PDF side by side. */
async function sheetOf(pdf: Uint8Array, dpi: number): Promise<Buffer> {
  const pages = await pagesOf(pdf, dpi)
  const height = Math.max(...pages.map((page) => page.height))
  let width = 0
  const placed = pages.map((page) => {
    const raw = { width: page.width, height: page.height, channels: 4 as const }
    const at = { input: Buffer.from(page.data), raw, left: width, top: 0 }
    width += page.width
    return at
  })
  return sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .composite(placed)
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/**
 * How much a PDF differs from its golden picture. To give it the few colours of a golden picture takes longer than to typeset
 * it, so that is done only if it seems to differ.
 */
export async function differenceTo(golden: Buffer, pdf: Uint8Array, { dpi }: { dpi: number }): Promise<number> {
  const found = await difference(await sheetOf(pdf, dpi), golden)
  return found < 0.002 ? found : difference(await pictureOf(pdf, { dpi }), golden)
}

/** Loaded once for the process, because that takes longer than drawing a page. */
let library: Promise<PDFiumLibrary> | undefined

/** The pages of a PDF as pixels with four channels. */
export async function pagesOf(pdf: Uint8Array, dpi: number) {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  try {
    const pages = []
    for (const page of document.pages())
      pages.push(await page.render({ scale: dpi / 72, render: async ({ data }) => data }))
    return pages
  } finally {
    document.destroy()
  }
}

/**
 * How much two pictures differ: the share of tiles with a clearly different mean grey. A letter drawn a little darker
 * changes no tile; a block that moved changes many.
 */
export async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [a, b].map((png) => sharp(png).grayscale().raw().toBuffer({ resolveWithObject: true })),
  )
  if (!one || !other || one.info.width !== other.info.width || one.info.height !== other.info.height) return 1
  const { width, height } = one.info
  let [tiles, changed] = [0, 0]
  for (let top = 0; top < height; top += tile)
    for (let left = 0; left < width; left += tile) {
      tiles++
      if (Math.abs(mean(one.data, { left, top, width, height }) - mean(other.data, { left, top, width, height })) > 14)
        changed++
    }
  return changed / tiles
}

const tile = 8

function mean(data: Buffer, { left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>) {
  let [sum, count] = [0, 0]
  for (let y = top; y < Math.min(top + tile, height); y++)
    for (let x = left; x < Math.min(left + tile, width); x++, count++) sum += data[y * width + x] ?? 0
  return sum / count
}
