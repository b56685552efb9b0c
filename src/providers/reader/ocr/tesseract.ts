import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker } from 'tesseract.js'
import { cut, type Raster, type Region } from './raster.ts'

/** A word as Tesseract reads it, its symbols in the order of reading, with the columns that each covers. */
export type TesseractWord = { confidence: number; symbols: readonly TesseractSymbol[] }
export type TesseractSymbol = { text: string; confidence: number; from: number; to: number }
export type TesseractLine = {
  left: number
  top: number
  right: number
  bottom: number
  words: readonly TesseractWord[]
}

type Language = 'heb' | 'eng'

const workers = new Map<Language, Promise<Worker>>()

/** A worker of a language, started at first use. The data comes from the installed package; nothing is fetched or cached. */
function tesseract(language: Language): Promise<Worker> {
  const started = workers.get(language) ?? start(language)
  workers.set(language, started)
  return started
}

/** Ends the workers and frees their memory, which the next picture may need. */
export async function endTesseract(): Promise<void> {
  const ending = [...workers.values()]
  workers.clear()
  for (const worker of ending) await (await worker).terminate()
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

/** How Tesseract looks for text: one line, or a block of lines. */
const modes = { line: '7', block: '6' }

/** Reads a picture; places are in its pixels. */
export async function tesseractLines(
  language: Language,
  mode: keyof typeof modes,
  picture: Raster,
): Promise<TesseractLine[]> {
  const worker = await tesseract(language)
  const parameters = { tessedit_pageseg_mode: modes[mode], user_defined_dpi: '200' }
  const { data } = await worker.recognize(greyFile(picture), parameters as object, { text: false, blocks: true })
  const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
  return lines.map(({ bbox, words }) => ({
    ...{ left: bbox.x0 - margin, top: bbox.y0 - margin, right: bbox.x1 - margin, bottom: bbox.y1 - margin },
    words: words.map(({ confidence, symbols }) => ({
      confidence: confidence / 100,
      symbols: symbols.map((symbol) => ({
        text: symbol.text,
        confidence: symbol.confidence / 100,
        from: symbol.bbox.x0 - margin,
        to: symbol.bbox.x1 - margin,
      })),
    })),
  }))
}

/** Reads a region as one line of Hebrew; columns are pixels along the region. */
export async function readHebrewLine(picture: Raster, region: Region): Promise<TesseractWord[]> {
  const width = Math.min(3000, Math.max(16, Math.round((region.width / region.height) * lineHeight)))
  const lines = await tesseractLines('heb', 'line', cut(picture, region, lineHeight, width))
  const scale = region.width / width
  return lines.flatMap(({ words }) =>
    words.map(({ confidence, symbols }) => ({
      confidence,
      symbols: symbols.map((symbol) => ({ ...symbol, from: symbol.from * scale, to: symbol.to * scale })),
    })),
  )
}

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
