import type { Engine } from '../../providers/typeset/engine.ts'
import { nativeEngine } from '../../providers/typeset/engine-native.ts'

const isNativeInstalled = (await nativeEngine({ templates: {}, fonts: [] })) !== undefined

/** The typesetting engines of this machine: WebAssembly everywhere, the native one where it is built for the platform. */
export const engines: Engine['name'][] = isNativeInstalled ? ['native', 'wasm'] : ['wasm']
