import { parentPort, workerData } from 'node:worker_threads'
import { type FontFamily, toPrintableJson, usualFamilies } from '../../core/characters/characters.ts'
import { nativeEngine } from './engine-native.ts'
import { wasmEngine } from './engine-wasm.ts'
import { withFacturX } from './facturx.ts'
import { readFonts } from './fonts.ts'
import { lowerPriorityOfThread } from './lower-priority.ts'
import mailBody from './mail-body.typ'
import payslip from './payslip.typ'
import salesDocument from './sales-document.typ'
import type { Options, Report, ThreadRequest } from './typeset.ts'

// A thread that typesets one document after the other. The main thread may end it at any moment.

lowerPriorityOfThread() // before the engine starts threads of its own

const templates = { '/sales-document.typ': salesDocument, '/mail-body.typ': mailBody, '/payslip.typ': payslip }
const fonts = usualFamilies.flatMap(readFonts)

const { engine: named }: Pick<Options, 'engine'> = workerData
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

/** Of a document with more data than this the cache takes hundreds of megabytes, and nothing else uses it. */
const cachedDataMax = 100_000

// The main thread sends a document when the last one is done.
parentPort?.on(
  'message',
  async ({ id, request: { template, data, pictures = [], isLong = false, einvoice } }: ThreadRequest) => {
    const report = (result: Report['result']) => {
      const transfer = 'pdf' in result ? [result.pdf.buffer as ArrayBuffer] : []
      parentPort?.postMessage(
        { id, result, engine: engine.name, heldBytes: engine.heldBytes() } satisfies Report,
        transfer,
      )
    }
    const { text, families } = toPrintableJson(data)
    try {
      await load(families)
      const fonts = JSON.stringify(families)
      const pages = (pages: 'one' | 'many') =>
        engine.pdf({ template: `/${template}.typ`, inputs: { data: text, fonts, pages }, pictures })
      const first = isLong ? undefined : pages('one')
      const pdf = first && pagesOf(first) === 1 ? first : pages('many')
      report({ pdf: new Uint8Array(einvoice === undefined ? pdf : withFacturX(pdf, einvoice)) }) // a copy, so that its buffer can be transferred
    } catch (error) {
      report({ refusal: error instanceof Error ? error.message : String(error) })
    }
    set += 1
    if (text.length > cachedDataMax) engine.forget('all')
    else if (set % documentsPerCache === 0) engine.forget('unused')
  },
)

/** Reads the number of pages from the page tree, which Typst writes uncompressed. */
const pagesOf = (pdf: Uint8Array) =>
  Number(
    /\/Type \/Pages\s+\/Count (\d+)/.exec(
      Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1'),
    )?.[1],
  )
