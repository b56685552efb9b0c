import type { Picture } from '../../core/outside/typesetter.ts'

/** What a document is made from: one of our templates, what it asks for by name (`sys.inputs`), and pictures by their path. */
export type Job = { template: string; inputs: Record<string, string>; pictures: readonly Picture[] }

/** Typst, whichever build of it runs here. Both answer with PDF/A-3a. */
export type Engine = {
  name: 'native' | 'wasm'
  /** Throws `Refused` for a Typst compile error. */
  pdf(job: Job): Uint8Array
  /** Adds fonts to those that templates can use. A template names its fonts, so further ones do not change its documents. */
  addFonts(fonts: readonly Uint8Array[]): Promise<void>
  /** Clears the cache: what was not used lately, or all of it. */
  forget(which: 'unused' | 'all'): void
  /** Memory outside the JavaScript heap. */
  heldBytes(): number
}

/** What an engine is created with: templates by their path, and fonts. Nothing else can be read from inside a template. */
export type EngineInput = { templates: Record<string, string>; fonts: readonly Uint8Array[] }

/** A Typst compile error, with the message of Typst. */
export class Refused extends Error {}
