import { parentPort, workerData } from 'node:worker_threads'
import { type FontFamily, toPrintableJson, usualFamilies } from '../../core/characters/characters.ts'
import type { TypesetRequest } from '../../core/outside/typesetter.ts'
import { heapBytes } from '../reader/pdf/pdfium.ts'
import { drawPages } from './draw.ts'
import { nativeEngine } from './engine-native.ts'
import { wasmEngine } from './engine-wasm.ts'
import { withFacturX } from './facturx.ts'
import { readFonts } from './fonts.ts'
import { lowerPriorityOfThread } from './lower-priority.ts'
import mailBody from './mail-body.typ'
import payslip from './payslip.typ'
import salesDocument from './sales-document.typ'
import type { Report, Result, ThreadData, ThreadRequest, Work } from './typeset.ts'

// A thread that typesets one document after the other. The main thread may end it at any moment.

const { engine: named, isForLarge }: ThreadData = workerData
lowerPriorityOfThread({ isForLarge }) // before the engine starts threads of its own

const templates = { '/sales-document.typ': salesDocument, '/mail-body.typ': mailBody, '/payslip.typ': payslip }
const fonts = usualFamilies.flatMap(readFonts)

const native = named === 'wasm' ? undefined : await nativeEngine({ templates, fonts })
if (named === 'native' && !native) throw new Error('The native engine is not installed.')
const engine = native ?? (await wasmEngine({ templates, fonts }))

const loaded = new Set<FontFamily>(usualFamilies)

/** Loads the fonts that a document needs beside the usual ones, and keeps them. */
async function load(families: readonly FontFamily[]) {
  const further = families.filter((family) => !loaded.has(family))
  if (further.length === 0) return
  await engine.addFonts(further.flatMap(readFonts))
  for (const family of further) loaded.add(family)
}

const documentsPerCache = 20
let set = 0
let lastLength = 0

/** Of a document with more data than this the cache takes hundreds of megabytes, and nothing else uses it. */
const cachedDataMax = 100_000

async function typeset({ template, data, pictures = [], isLong = false, einvoice }: TypesetRequest) {
  const { text, families } = toPrintableJson(data)
  lastLength = text.length
  await load(families)
  const fonts = JSON.stringify(families)
  const pages = (pages: 'one' | 'many') =>
    engine.pdf({ template: `/${template}.typ`, inputs: { data: text, fonts, pages }, pictures })
  const first = isLong ? undefined : pages('one')
  const pdf = first && pagesOf(first) === 1 ? first : pages('many')
  return new Uint8Array(einvoice === undefined ? pdf : withFacturX(pdf, einvoice)) // a copy, so that its buffer can be transferred
}

/** Clears the cache now and then, once the document is on its way. */
function tidyCache() {
  set += 1
  if (lastLength > cachedDataMax) engine.forget('all')
  else if (set % documentsPerCache === 0) engine.forget('unused')
}

async function resultOf(work: Work): Promise<Result> {
  try {
    return 'request' in work ? { pdf: await typeset(work.request) } : { drawn: await drawPages(work.draw) }
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
}

const buffersOf = (result: Result): ArrayBuffer[] => {
  const bytes = 'pdf' in result ? [result.pdf] : 'drawn' in result ? result.drawn.pages.map(({ png }) => png) : []
  return bytes.map(({ buffer }) => buffer as ArrayBuffer)
}

// The main thread sends a document when the last one is done.
parentPort?.on('message', async ({ id, ...work }: ThreadRequest) => {
  const result = await resultOf(work)
  const heldBytes = engine.heldBytes() + heapBytes()
  parentPort?.postMessage({ id, result, engine: engine.name, heldBytes } satisfies Report, buffersOf(result))
  if ('request' in work) tidyCache()
})

/** Reads the number of pages from the page tree, which Typst writes uncompressed. */
const pagesOf = (pdf: Uint8Array) =>
  Number(
    /\/Type \/Pages\s+\/Count (\d+)/.exec(
      Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1'),
    )?.[1],
  )
