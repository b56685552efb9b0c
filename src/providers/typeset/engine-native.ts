import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { type Engine, type EngineInput, type Job, Refused } from './engine.ts'

/** Typst as a native module, several times faster; undefined if there is none for this machine. */
export async function nativeEngine({ templates, fonts: first }: EngineInput): Promise<Engine | undefined> {
  const native = await import('@myriaddreamin/typst-ts-node-compiler').catch(() => undefined)
  if (!native) return undefined
  // The folder need not exist: all files of a template are mapped into it in memory.
  const workspace = '/kontor-typeset'
  const fonts = first.map((font) => Buffer.from(font))
  const create = () => {
    const created = native.NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: fonts }] })
    for (const [path, text] of Object.entries(templates)) created.addSource(`${workspace}${path}`, text)
    return created
  }
  let compiler = create()
  return {
    name: 'native',
    pdf: (job) => typeset(compiler, workspace, job),
    async addFonts(further) {
      fonts.push(...further.map((font) => Buffer.from(font)))
      compiler = create() // the fonts of a compiler are fixed
    },
    forget: (which) => compiler.evictCache(which === 'all' ? 0 : 10),
    heldBytes: () => 0,
  }
}

function typeset(compiler: NodeCompiler, workspace: string, { template, inputs, pictures }: Job): Uint8Array {
  for (const { path, bytes } of pictures) compiler.mapShadow(`${workspace}${path}`, Buffer.from(bytes))
  try {
    return compiler.pdf({ mainFilePath: `${workspace}${template}`, inputs }, { pdfStandard: 'a-3a' })
  } catch (error) {
    throw new Refused(reasonOf(error))
  } finally {
    for (const { path } of pictures) compiler.unmapShadow(`${workspace}${path}`)
  }
}

/** The module reports the reason in the code or in the message of the error. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? [error.message, 'code' in error ? error.code : ''].filter(Boolean).join(' ') : String(error)
