import { writePng } from '../../core/files/write-png.ts'
import type { DrawnPages, DrawRequest } from '../../core/outside/typesetter.ts'
import { openPrinted } from '../reader/pdf/open.ts'

/** Draws pages of a PDF as pictures. */
export async function drawPages({ pdf: bytes, first, pagesMax, dotsPerInch }: DrawRequest): Promise<DrawnPages> {
  const pdf = await openPrinted(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  try {
    const count = Math.max(0, Math.min(pagesMax, pdf.pages - first + 1))
    const numbers = Array.from({ length: count }, (_, at) => first + at)
    const pages = numbers.map((page) => {
      const pixels = pdf.render(page, dotsPerInch)
      return { page, width: pixels.width, height: pixels.height, png: writePng(pixels) }
    })
    return { pageCount: pdf.pages, pages }
  } finally {
    pdf.close()
  }
}
