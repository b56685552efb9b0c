import { formsOf } from '../../../../../core/search/words.ts'
import type { Language } from '../../../../../core/values/language.ts'
import { clean } from './clean.ts'

/** A word of the sentence. `start` and `end` are places in the text of the person. */
export type Word = {
  /** Lower case, without vowel points, with plain quotes. */
  text: string
  /** The word itself, without possessive 's, and for Hebrew also without the letters before it: ולחודש is לחודש and חודש. */
  forms: readonly string[]
  /** What remains of the forms without the endings of the plural and of verbs. */
  stems: readonly string[]
  start: number
  end: number
}

/** A word, a number of digits, or any other sign. */
export type Token = {
  kind: 'word' | 'number' | 'sign'
  text: string
  forms: readonly string[]
  start: number
  end: number
  /** No space before it. */
  isGlued: boolean
  isCapital: boolean
}

/** A sentence while it is read: who reads a token takes it, so that no other meaning is read into it. */
export type Sentence = { text: string; tokens: readonly Token[]; taken: boolean[] }

// The parts of each alternative never overlap, so that the time grows with the length of the text only.
const parts =
  /(?<number>\d+(?:[.,]\d+)*)|(?<word>[א-ת]+(?:'(?=[א-ת])[א-ת]+|(?:"|'')[א-ת](?![א-ת]))*|(?:(?![א-ת])\p{L})(?:(?![א-ת])[\p{L}\p{M}]|'(?=[a-z]))*)|\S/giu

export function readSentence(text: string): Sentence {
  const { text: plain, at } = clean(text)
  const tokens: Token[] = []
  let last = -1
  for (const found of plain.matchAll(parts)) {
    const kind = found.groups?.number ? 'number' : found.groups?.word ? 'word' : 'sign'
    const lower = found[0].toLowerCase().replaceAll("''", '"')
    tokens.push({
      kind,
      text: lower,
      forms: kind === 'word' ? withoutPrefixes(lower) : [lower],
      start: at[found.index] ?? 0,
      end: at[found.index + found[0].length] ?? text.length,
      isGlued: found.index === last,
      isCapital: kind === 'word' && /^\p{Lu}/u.test(found[0]),
    })
    last = found.index + found[0].length
  }
  return { text, tokens, taken: tokens.map(() => false) }
}

export const wordOf = ({ text, forms, start, end }: Token): Word => ({
  text,
  forms,
  stems: [...new Set(forms.flatMap((form) => formsOf(form.replaceAll(/['"]/g, ''))))],
  start,
  end,
})

const prefixes = 'והבלמשכ'

/** The word and what is left of it without the letters that Hebrew writes together with the word. */
function withoutPrefixes(word: string): string[] {
  if (!isHebrew(word)) return /'s$/.test(word) ? [word, word.slice(0, -2)] : [word]
  const forms = [word]
  for (let cut = 1; cut <= 4 && word.length - cut >= 2 && prefixes.includes(word[cut - 1] ?? ''); cut++)
    forms.push(word.slice(cut))
  return forms
}

export const isHebrew = (word: string): boolean => /^[א-ת]/.test(word)

/** Hebrew when at least half of the letters are. */
export function languageOf(text: string): Language {
  const hebrew = text.match(/[א-ת]/g)?.length ?? 0
  const other = text.match(/(?![א-ת])\p{L}/gu)?.length ?? 0
  return hebrew > 0 && hebrew >= other ? 'he' : 'en'
}

/** A list of words, as it is written in the files of this folder. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Whether the token is one of the words, with or without letters before it. */
export const isOneOf = (token: Token | undefined, words: ReadonlySet<string>): boolean =>
  token?.forms.some((form) => words.has(form)) ?? false

/** The value for the token in a table of words. */
export function lookUp<T>(token: Token | undefined, table: ReadonlyMap<string, T>): T | undefined {
  for (const form of token?.forms ?? []) {
    const value = table.get(form)
    if (value !== undefined) return value
  }
  return undefined
}

/** Whether the words of a phrase stand from this token on, exactly. */
export const isPhrase = (tokens: readonly Token[], at: number, phrase: string): boolean =>
  phrase.startsWith(tokens[at]?.text ?? ' ') &&
  phrase.split(' ').every((word, distance) => tokens[at + distance]?.text === word)

export function take(sentence: Sentence, from: number, to: number): { start: number; end: number } {
  for (let at = from; at < to; at++) sentence.taken[at] = true
  return spanOf(sentence, from, to)
}

export const spanOf = ({ tokens }: Sentence, from: number, to: number): { start: number; end: number } => ({
  start: tokens[from]?.start ?? 0,
  end: tokens[to - 1]?.end ?? 0,
})

/** A letter such as ב or ל that is written before a number, ב-500 or ב500: the place of the number after it. */
export function afterPrefix(tokens: readonly Token[], at: number): number {
  const token = tokens[at]
  if (token?.kind !== 'word' || token.text.length > 2 || !isHebrew(token.text)) return at
  if (![...token.text].every((letter) => prefixes.includes(letter))) return at
  const dash = tokens[at + 1]?.text === '-' ? 1 : 0
  return tokens[at + 1 + dash]?.isGlued ? at + 1 + dash : at
}
