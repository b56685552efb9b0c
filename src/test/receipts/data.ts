import { readFileSync } from 'node:fs'
import type { Layout } from './types.ts'

/** Beside this file, and beside the bundled benchmark. */
const fileOf = (name: string) => new URL(`./templates/${name}`, import.meta.url)
const read = <T>(name: string): T => JSON.parse(readFileSync(fileOf(name), 'utf8'))

type Titles = Record<Layout['title'], string[]>
export type Words = Record<string, string[]> & { title: Titles }
type Vocabulary = {
  en: Words
  he: Words
  tax: Record<string, string[]>
  included: Record<string, string[]>
  taxNumber: Record<string, string[]>
  names: { legal: Record<string, string[]>; first: Record<string, string[]> }
  cities: Record<string, string[][]>
}
type Business = { en: string[]; he: string[]; items: [en: string, he: string, least: number, most: number][] }

export const vocabulary = read<Vocabulary>('words.json')
export const businesses = read<Record<string, Business>>('businesses.json')
export const layouts = read<Layout[]>('layouts.json')
export const template = () => readFileSync(fileOf('receipt.typ'), 'utf8')
