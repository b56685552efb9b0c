import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  initSync,
  type TypstCompiler,
  TypstCompilerBuilder,
  TypstFontResolverBuilder,
} from '@myriaddreamin/typst-ts-web-compiler'
import { type Engine, type EngineInput, type Job, Refused } from './engine.ts'
import { toPdfA } from './pdf-a.ts'

/** Typst as WebAssembly, for machines without a native build. It cannot write PDF/A: pdf-a.ts adds what is missing. */
export async function wasmEngine({ templates, fonts: first }: EngineInput): Promise<Engine> {
  const wasm = createRequire(import.meta.url).resolve('@myriaddreamin/typst-ts-web-compiler/wasm')
  const { memory } = initSync({ module: readFileSync(wasm) })
  const builder = new TypstCompilerBuilder()
  builder.set_dummy_access_model() // no access to files or packages
  const fonts = [...first]
  for (const font of fonts) await builder.add_raw_font(font)
  const compiler = await builder.build()
  for (const [path, text] of Object.entries(templates)) compiler.add_source(path, text)
  return {
    name: 'wasm',
    pdf: (job) => toPdfA(typeset(compiler, job)),
    async addFonts(further) {
      fonts.push(...further)
      const resolver = new TypstFontResolverBuilder()
      for (const font of fonts) resolver.add_raw_font(font)
      compiler.set_fonts(await resolver.build())
    },
    forget: () => compiler.reset(),
    heldBytes: () => memory.buffer.byteLength,
  }
}

type Outcome = {
  result?: Uint8Array
  diagnostics?: { severity: string; message: string; path: string; range: string }[]
}

const [pdfFormat, withDiagnostics] = [1, 3]

function typeset(compiler: TypstCompiler, { template, inputs, pictures }: Job): Uint8Array {
  for (const { path, bytes } of pictures) compiler.map_shadow(path, bytes)
  const world = compiler.snapshot('/', template, Object.entries(inputs))
  try {
    const { result, diagnostics = [] } = world.get_artifact(pdfFormat, withDiagnostics) as Outcome
    if (result) return result
    throw new Refused(diagnostics.map(({ path, range, message }) => `${path}:${range} ${message}`).join('; '))
  } finally {
    world.free()
    for (const { path } of pictures) compiler.unmap_shadow(path)
  }
}
