import sharp from 'sharp'
import { turnPicture } from './ocr/orientation.ts'
import { decodePicture } from './ocr/picture.ts'
import type { Raster } from './ocr/raster.ts'
import { openPdf } from './pdf/open.ts'

/** Models reduce larger pictures to about this size themselves. */
const sideMax = 1600
const [pagesMax, picturesMax] = [3, 4]

/** The first pages as JPEG files, upright. `turned` has the degrees, clockwise, that each page has to be turned by. */
export async function picturesOf(bytes: Buffer, contentType: string, turned: readonly number[]): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = []
  let page = 0
  for await (const raster of contentType === 'application/pdf' ? pagesOf(bytes) : firstOf(bytes)) {
    const quarters = (turned[page++] ?? 0) / 90
    pictures.push(...(await partsOf(quarters ? await turnPicture(raster, quarters) : raster)))
  }
  return pictures.slice(0, picturesMax)
}

/** How many pages a PDF has, and one of them as a JPEG file, as it lies in the file. */
export async function pageOf(
  bytes: Buffer,
  { page, dotsPerInch }: { page?: number | undefined; dotsPerInch: number },
): Promise<{ pageCount: number; jpeg: Uint8Array | null }> {
  const pdf = await openPdf(bytes)
  try {
    if (page === undefined || page > pdf.pages) return { pageCount: pdf.pages, jpeg: null }
    const { data, width, height } = pdf.render(page, dotsPerInch)
    const picture = sharp(data, { raw: { width, height, channels: 3 } })
    // Letters in colour stay sharp without the usual reduction of colours.
    return { pageCount: pdf.pages, jpeg: await picture.jpeg({ quality: 85, chromaSubsampling: '4:4:4' }).toBuffer() }
  } finally {
    pdf.close()
  }
}

async function* firstOf(bytes: Buffer): AsyncGenerator<Raster> {
  for await (const picture of decodePicture(bytes)) {
    yield picture
    return
  }
}

async function* pagesOf(bytes: Buffer): AsyncGenerator<Raster> {
  const pdf = await openPdf(bytes)
  try {
    for (let page = 1; page <= Math.min(pdf.pages, pagesMax); page++) yield pdf.render(page)
  } finally {
    pdf.close()
  }
}

/** A long strip is cut into parts, which overlap a little: as a whole its print would become too small to read. */
async function partsOf({ data, width, height }: Raster): Promise<Uint8Array[]> {
  const count = height > 2 * width ? Math.min(picturesMax, Math.ceil(height / (1.5 * width))) : 1
  const step = height / count
  const overlap = count > 1 ? Math.round(step * 0.05) : 0
  const parts: Uint8Array[] = []
  for (let at = 0; at < count; at++) {
    const top = Math.max(0, Math.round(at * step) - overlap)
    const bottom = Math.min(height, Math.round((at + 1) * step) + overlap)
    const part = sharp(data, { raw: { width, height, channels: 3 } }).extract({
      left: 0,
      top,
      width,
      height: bottom - top,
    })
    parts.push(
      await part.resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 80 }).toBuffer(),
    )
  }
  return parts
}
