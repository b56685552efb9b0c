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

type TesseractLanguage = 'heb' | 'eng'

const workers = new Map<TesseractLanguage, Promise<Worker>>()

/** A worker of a language, started at first use. The data comes from the installed package; nothing is fetched or cached. */
function tesseract(language: TesseractLanguage): Promise<Worker> {
  const running = workers.get(language)
  if (running) return running
  const started = start(language)
  workers.set(language, started)
  started.catch(() => workers.delete(language)) // the next picture tries again
  return started
}

/** Ends the workers and frees their memory, which the next picture may need. */
export async function endTesseract(): Promise<void> {
  const ending = [...workers.values()]
  workers.clear()
  for (const worker of ending) await (await worker).terminate()
}

async function start(language: TesseractLanguage): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js')
  const data = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`)
  const options = { langPath: join(dirname(data), '4.0.0_best_int'), cacheMethod: 'none', gzip: true }
  return await new Promise((resolve, reject) => {
    createWorker(language, OEM.LSTM_ONLY, { ...options, errorHandler: reject }).then(resolve, reject)
  })
}

const [lineHeight, lowerLineHeight, margin] = [48, 36, 10]

/** How Tesseract looks for text: one line, or a block of lines. */
const modes = { line: '7', block: '6' }

/** Reads a picture; places are in its pixels. */
export async function tesseractLines(
  language: TesseractLanguage,
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
      symbols: wholeShin(
        symbols.map((symbol) => ({
          text: symbol.text,
          confidence: symbol.confidence / 100,
          from: symbol.bbox.x0 - margin,
          to: symbol.bbox.x1 - margin,
        })),
      ),
    })),
  }))
}

/** Tesseract often reads a wide shin as two letters, a shin or an ayin and a vav. Unlike two printed letters, they overlap. */
function wholeShin(symbols: readonly TesseractSymbol[]): TesseractSymbol[] {
  const whole: TesseractSymbol[] = []
  for (const symbol of symbols) {
    const before = whole.at(-1)
    if (before && /^[שע]$/.test(before.text) && /^[ושע]$/.test(symbol.text) && overlap(before, symbol) > 0.4) {
      const [from, to] = [Math.min(before.from, symbol.from), Math.max(before.to, symbol.to)]
      whole.splice(-1, 1, { ...before, text: 'ש', from, to })
    } else whole.push(symbol)
  }
  return whole
}

/** The share of the narrower of two symbols that the other covers. */
const overlap = (a: TesseractSymbol, b: TesseractSymbol) =>
  (Math.min(a.to, b.to) - Math.max(a.from, b.from)) / Math.max(1, Math.min(a.to - a.from, b.to - b.from))

/** Reads a region as one line of Hebrew; columns are pixels along the region. A doubtful line is read again at another size. */
export async function readHebrewLine(picture: Raster, region: Region): Promise<TesseractWord[]> {
  const first = await readAt(picture, region, lineHeight)
  const letters = (words: readonly TesseractWord[]) =>
    words.filter(({ symbols }) => symbols.some(({ text }) => text > '\u0590'))
  if (letters(first).length === 0 || letters(first).every(({ confidence }) => confidence >= 0.75)) return first
  const second = await readAt(picture, region, lowerLineHeight)
  const mean = (words: readonly TesseractWord[]) =>
    words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length)
  return mean(second) > mean(first) ? second : first
}

async function readAt(picture: Raster, region: Region, height: number): Promise<TesseractWord[]> {
  const width = Math.min(3000, Math.max(16, Math.round((region.width / region.height) * height)))
  const lines = await tesseractLines('heb', 'line', cut(picture, region, height, width))
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
