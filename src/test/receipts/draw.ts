import sharp from 'sharp'
import type { Engine } from '../../providers/typeset/engine.ts'
import { nativeEngine } from '../../providers/typeset/engine-native.ts'
import { wasmEngine } from '../../providers/typeset/engine-wasm.ts'
import { readFonts } from '../../providers/typeset/fonts.ts'
import { pagesOf } from '../readers/picture.ts'
import { template } from './data.ts'
import type { Element, Layout, Script } from './types.ts'

/** Grey pixels, one byte each. */
export type Grey = { width: number; height: number; data: Uint8Array }

type Drawing = { layout: Layout; script: Script; title: string; accent: string; body: Element[] }

/** Typesets the elements with the fonts of the project: on the paper of the layout, or a strip as long as they need. */
export async function typesetReceipt({ layout, script, title, accent, body }: Drawing): Promise<Buffer> {
  const { width, height = null, margin } = layout.paper
  const { family, size, mono = false, condensed = 1, ink = '#111111' } = layout.font
  const usual = ['Heebo', 'Noto Sans', 'Noto Sans Hebrew']
  const families = [
    ...new Set([family, ...(script === 'he' && family === 'Noto Sans' ? ['Noto Sans Hebrew'] : []), ...usual]),
  ]
  const data = {
    language: script, title, accent, body,
    page: { width, height, margin },
    font: { families, size, mono, condensed, ink, weight: 400, leading: height ? 0.62 : 0.5 },
  } // biome-ignore format: groups
  engine ??= startEngine()
  const pdf = (await engine).pdf({ template: '/receipt.typ', inputs: { data: JSON.stringify(data) }, pictures: [] })
  return Buffer.from(pdf)
}

let engine: Promise<Engine> | undefined

async function startEngine(): Promise<Engine> {
  const families = ['Heebo', 'Noto Sans', 'Noto Sans Hebrew', 'NanumGothic', 'BIZ UDPGothic'] as const
  const input = { templates: { '/receipt.typ': template() }, fonts: families.flatMap(readFonts) }
  return (await nativeEngine(input)) ?? (await wasmEngine(input))
}

/** The first page as a colour picture. */
export async function colourPicture(pdf: Uint8Array, dpi: number): Promise<Buffer> {
  const page = await firstPage(pdf, dpi)
  return sharp(page.data, { raw: page.raw }).flatten({ background: '#fff' }).png().toBuffer()
}

/** The first page in grey. */
export async function greyPicture(pdf: Uint8Array, dpi: number): Promise<Grey> {
  const { data, raw } = await firstPage(pdf, dpi)
  const grey = await sharp(data, { raw }).flatten({ background: '#fff' }).grayscale().raw().toBuffer()
  return { width: raw.width, height: raw.height, data: grey }
}

async function firstPage(pdf: Uint8Array, dpi: number) {
  const [page] = await pagesOf(pdf, dpi)
  if (!page) throw new Error('The PDF has no page.')
  return { data: Buffer.from(page.data), raw: { width: page.width, height: page.height, channels: 4 as const } }
}
