import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'

/** The pages of a PDF as small grey pictures, one below the other. */
export async function pictureOf(pdf: Uint8Array, { dpi }: { dpi: number }): Promise<Buffer> {
  const pages = await pagesOf(pdf, dpi)
  const width = Math.max(...pages.map((page) => page.width))
  const height = pages.reduce((sum, page) => sum + page.height, 0)
  let top = 0
  const placed = pages.map((page) => {
    const at = {
      input: Buffer.from(page.data),
      raw: { width: page.width, height: page.height, channels: 4 as const },
      left: 0,
      top,
    }
    top += page.height
    return at
  })
  const sheet = sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite(placed)
  const whole = await sheet.png().toBuffer()
  return sharp(whole).grayscale().png({ palette: true, colours: 16, compressionLevel: 9, dither: 0 }).toBuffer()
}

/** Each page in colour, as a PNG. */
export async function colourPages(pdf: Uint8Array, { dpi }: { dpi: number }): Promise<Buffer[]> {
  const pages = await pagesOf(pdf, dpi)
  return Promise.all(
    pages.map(({ data, width, height }) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .png({ palette: true, colours: 64 })
        .toBuffer(),
    ),
  )
}

async function pagesOf(pdf: Uint8Array, dpi: number) {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  try {
    const pages = []
    for (const page of document.pages())
      pages.push(await page.render({ scale: dpi / 72, render: async ({ data }) => data }))
    return pages
  } finally {
    document.destroy()
    library.destroy()
  }
}

/**
 * How much two pictures differ: the share of tiles whose mean grey is clearly another. A letter drawn a little darker
 * changes no mean; a block that moved changes many.
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
