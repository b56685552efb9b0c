import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Block, Worker } from 'tesseract.js'
import { cut, type Raster, type Region } from './raster.ts'

/** A word as Tesseract reads it, its symbols in the order of reading. Columns are pixels along the region. */
export type TesseractWord = { confidence: number; symbols: readonly TesseractSymbol[] }
export type TesseractSymbol = { text: string; from: number; to: number }

/** Hebrew for single lines, or English for whole pages. */
type Language = 'heb' | 'eng'

const workers = new Map<Language, Promise<Worker>>()

/** A worker of a language, started at first use. The data comes from the installed package; nothing is fetched or cached. */
export function tesseract(language: Language): Promise<Worker> {
  const started = workers.get(language) ?? start(language)
  workers.set(language, started)
  return started
}

async function start(language: Language): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js')
  const data = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)
  const options = { langPath: join(dirname(data), '4.0.0_best_int'), cacheMethod: 'none', gzip: true }
  return await new Promise((resolve, reject) => {
    createWorker(language, OEM.LSTM_ONLY, { ...options, errorHandler: reject }).then(resolve, reject)
  })
}

const [lineHeight, margin] = [48, 10]
const singleLine = '7'

/** Reads a region as one line of Hebrew. */
export async function readHebrewLine(picture: Raster, region: Region): Promise<TesseractWord[]> {
  const worker = await tesseract('heb')
  const width = Math.min(3000, Math.max(16, Math.round((region.width / region.height) * lineHeight)))
  const image = greyFile(cut(picture, region, lineHeight, width))
  const { data } = await worker.recognize(image, { tessedit_pageseg_mode: singleLine } as object, {
    text: false,
    blocks: true,
  })
  const scale = region.width / width
  return linesOf(data.blocks).flatMap((line) =>
    line.words.map((word) => ({
      confidence: word.confidence / 100,
      symbols: word.symbols.map(({ text, bbox }) => ({
        text,
        from: (bbox.x0 - margin) * scale,
        to: (bbox.x1 - margin) * scale,
      })),
    })),
  )
}

export const linesOf = (blocks: readonly Block[] | null) =>
  (blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))

/** A picture as a grey PGM file with a white margin, which Tesseract expects around text. */
function greyFile({ data, width, height }: Raster): Buffer {
  const [outerWidth, outerHeight] = [width + 2 * margin, height + 2 * margin]
  const grey = Buffer.alloc(outerWidth * outerHeight, 255)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * 3
      grey[(row + margin) * outerWidth + column + margin] =
        0.3 * (data[from] ?? 0) + 0.59 * (data[from + 1] ?? 0) + 0.11 * (data[from + 2] ?? 0)
    }
  }
  return Buffer.concat([Buffer.from(`P5\n${outerWidth} ${outerHeight}\n255\n`), grey])
}
