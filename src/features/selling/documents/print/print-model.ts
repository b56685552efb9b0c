import type { Language } from '../../../../core/values/language.ts'
import type { Copy, DocumentRules, Sale } from '../../../../countries/country.ts'
import type { PrintData } from './print-data.ts'
import type { Word } from './words.ts'

/** A printed word; `too` is the same in the second language of a bilingual print. */
export type Label = { text: string; too: string | null }
export type LabeledValue = { label: Label; value: string }
export type Table = { title: Label; columns: Label[]; rows: string[][] }

/** The printed texts of a document. The template decides on layout and order. */
export type PrintModel = {
  title: string
  date: { year: number; month: number; day: number; hour: number; minute: number; second: number }
  language: Language
  paper: 'a4' | 'us-letter'
  /** The watermark: draft or cancelled. */
  mark: string | null
  heading: Label
  /** Beside the heading: original or copy. */
  tags: string[]
  /** The header of further pages. */
  running: string
  footer: string
  /** The path of the logo image. */
  logo: string | null
  issuer: { name: string; lines: string[] }
  customer: { label: Label; name: string; lines: string[] }
  /** The address that goods are sent to, if it is another one. */
  'ship-to': { label: Label; lines: string[] } | null
  facts: LabeledValue[]
  columns: Label[]
  /** `running` is the running total, printed at page breaks. */
  lines: { description: string[]; numbers: string[]; amount: string; running: string }[]
  sums: (LabeledValue & { weight: 'plain' | 'total' })[]
  'beneath-sums': string[]
  tables: Table[]
  payment: {
    title: Label
    facts: LabeledValue[]
    texts: string[]
    code: { svg: string; caption: string } | null
  } | null
  notes: { title: Label; texts: string[] } | null
  foot: string[]
  words: { brought: Label; carried: Label; page: string }
}

/** One language, or two for a bilingual print. */
export type Languages = readonly [Language] | readonly [Language, Language]

export type PrintOptions = { languages: Languages; copy: Copy; logo: string | null }

/** The data and helpers that the sections of a print are built from. */
export type PrintContext = {
  data: PrintData
  sale: Sale
  rules: DocumentRules
  languages: Languages
  /** An amount in the currency of the document, with the symbol if the country prints it on every amount. */
  amount(minor: bigint): string
  /** The label for a word of `words.ts`. */
  word(word: Word): Label
  /** The label for a text that the country provides in each language. */
  labelOf(textIn: (language: Language) => string): Label
  /** The title and number of another document. */
  titleWithNumber(document: Pick<PrintData['source'], 'number' | 'documentType' | 'title'>): string | undefined
}
