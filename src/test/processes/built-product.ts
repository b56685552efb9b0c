import { ensureBuilt } from '../../../scripts/build.mjs'
import { root } from './bundle.ts'

let building: Promise<string> | undefined

/**
 * The product as scripts/kontor.mjs builds and runs it. Here it is built once: the script looks at every start whether a source
 * has changed.
 */
export function builtProduct(): Promise<string> {
  building ??= ensureBuilt({ say: () => {} }).then(() => `${root}dist/cli.js`)
  return building
}
