import type { Picture } from '../../core/outside/typesetter.ts'

/** What a document is made from: one of our templates, what it asks for by name (`sys.inputs`), and pictures by their path. */
export type Job = { template: string; inputs: Record<string, string>; pictures: readonly Picture[] }

/** Typst, whichever build of it runs here. Both answer with PDF/A-3a. */
export type Engine = {
  name: 'native' | 'wasm'
  /** Throws `Refused` for what Typst says no to. */
  pdf(job: Job): Uint8Array
  /** Lets go of what was remembered of earlier documents. */
  forget(): void
  /** How much it holds beside what JavaScript counts. */
  heldBytes(): number
}

/** What an engine begins with: templates by their path, and fonts. Nothing else can be read from inside a template. */
export type Making = { templates: Record<string, string>; fonts: readonly Uint8Array[] }

/** What Typst says no to, in its words. */
export class Refused extends Error {}
