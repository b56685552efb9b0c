import type { Engine } from '../../providers/typeset/engine.ts'
import { nativeEngine } from '../../providers/typeset/engine-native.ts'
import { pairs } from '../prove.ts'

const isNativeInstalled = (await nativeEngine({ templates: {}, fonts: [] })) !== undefined

/** The typesetting engines of this machine: WebAssembly everywhere, the native one where it is built for the platform. */
export const engines: Engine['name'][] = isNativeInstalled ? ['native', 'wasm'] : ['wasm']

/**
 * Each engine with the cases that it draws: in `npm test` the cases take turns with the engines, `npm run prove` draws all with
 * all of them. Golden pictures are made with the first.
 */
export function casesOfEngines<C>(cases: readonly C[], isUpdating: boolean): { engine: Engine['name']; drawn: C[] }[] {
  const all = pairs(cases, isUpdating ? engines.slice(0, 1) : engines)
  return engines
    .map((engine) => ({ engine, drawn: all.filter(([, each]) => each === engine).map(([each]) => each) }))
    .filter(({ drawn }) => drawn.length > 0)
}
