import { memoize } from '../values/memoize.ts'
import { synonyms } from './synonyms.ts'
import { formsOf, isFiller, isTypo, wordsOf } from './words.ts'

/** Something that can be found, with the texts that it is found by and how much a word in each of them counts. */
export type Entry = { texts: readonly (readonly [text: string, weight: number])[] }

/** What a query asks for: each term is a word with its forms, or what an expression stands for, with its weight. */
type Term = { forms: readonly string[]; weight: number; stated: number }

/** The words of an entry, each form with its weight. `lead` are the words of its first text, its name. */
type Indexed = { weights: ReadonlyMap<string, number>; lead: readonly string[] }

/** How much each word says: the more, the fewer entries have it. */
type Rarity = ReadonlyMap<string, number>

/** The entries that fit a query, the best first, equal ones in the order of the list. The same query always gets the same answer. */
export function searchEntries<E extends Entry>(entries: readonly E[], query: string): E[] {
  const { indexed, rarity } = indexOf(entries)
  const terms = termsOf(query, rarity)
  return indexed
    .map((each, n) => ({ entry: entries[n] as E, score: scoreOf(each, terms, rarity) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

function indexOf(entries: readonly Entry[]): { indexed: Indexed[]; rarity: Rarity } {
  const indexed = entries.map(indexEntry)
  const counts = new Map<string, number>()
  for (const { weights } of indexed) for (const form of weights.keys()) counts.set(form, (counts.get(form) ?? 0) + 1)
  return { indexed, rarity: new Map([...counts].map(([form, count]) => [form, Math.log(1 + entries.length / count)])) }
}

/** Built once for an entry. */
const indexEntry = memoize(({ texts }: Entry): Indexed => {
  const weights = new Map<string, number>()
  for (const [text, weight] of texts)
    for (const form of wordsOf(text).flatMap(formsOf)) weights.set(form, Math.max(weight, weights.get(form) ?? 0))
  return { weights, lead: [...new Set(wordsOf(texts[0]?.[0] ?? '').flatMap(formsOf))] }
})

/** The words of a query and what they stand for. An expression of several words takes the place of its words. */
function termsOf(query: string, rarity: Rarity): Term[] {
  const words = wordsOf(query).map((word) => ({ word, forms: formsOf(word) }))
  const terms: Term[] = []
  for (let at = 0; at < words.length; ) {
    const said = longestExpression(words.slice(at))
    const length = said?.length ?? 1
    const own = words.slice(at, at + length).filter(({ word }) => !isFiller(word))
    if (said || own.length > 0) terms.push(...termsFor(own, said?.meant ?? [], at, rarity))
    at += length
  }
  return terms
}

type Word = { word: string; forms: readonly string[] }

function termsFor(own: readonly Word[], meant: readonly string[], stated: number, rarity: Rarity): Term[] {
  const isExpression = meant.length > 0 && own.length > 1
  const literal = own.map(({ forms }) => ({
    forms: meant.length > 0 ? forms : corrected(forms, rarity),
    weight: isExpression ? 0.5 : 1,
    stated,
  }))
  return [...literal, ...meant.map((form) => ({ forms: [form], weight: isExpression ? 1.2 : 0.9, stated }))]
}

/** A word that no entry has may be mistyped: then the words that differ from it by one letter count. */
const corrected = (forms: readonly string[], rarity: Rarity): readonly string[] =>
  forms.some((form) => rarity.has(form))
    ? forms
    : [...rarity.keys()].filter((known) => forms.some((form) => isTypo(form, known)))

/** The synonyms by the forms of their words. */
const expressions = synonyms.map(([said, meant]) => ({
  words: wordsOf(said).map((word) => formsOf(word)),
  meant: wordsOf(meant).flatMap(formsOf),
}))

/** What the longest expression at the beginning stands for; several of the same length add up. */
function longestExpression(words: readonly Word[]): { length: number; meant: string[] } | undefined {
  const fitting = expressions.filter((each) => begins(words, each.words))
  const length = Math.max(0, ...fitting.map((each) => each.words.length))
  if (length === 0) return undefined
  const meant = fitting.filter((each) => each.words.length === length).flatMap((each) => each.meant)
  return { length, meant: [...new Set(meant)] }
}

const begins = (words: readonly Word[], expression: readonly (readonly string[])[]) =>
  expression.length <= words.length &&
  expression.every((forms, n) => {
    const there = words[n]?.forms ?? []
    return (
      there.some((form) => forms.includes(form)) ||
      (expression.length === 1 && there.some((form) => isTypo(form, forms[0] ?? '')))
    )
  })

/**
 * The sum over what was said: the best of a word and its synonyms, by the weight of the text that has it and its rarity. Part of a
 * query that an entry says nothing about counts against it, and so do words of its name that nobody asked for.
 */
function scoreOf({ weights, lead }: Indexed, terms: readonly Term[], rarity: Rarity): number {
  const found = new Map<number, number>()
  const asked = new Set<string>()
  for (const { forms, weight, stated } of terms)
    for (const form of forms) {
      const there = weights.get(form)
      if (there === undefined) continue
      asked.add(form)
      found.set(stated, (found.get(stated) ?? 0) + weight * there * (rarity.get(form) ?? 0))
    }
  if (found.size === 0) return 0
  const sum = [...found.values()].reduce((total, each) => total + each, 0)
  const coverage = found.size / new Set(terms.map(({ stated }) => stated)).size
  const named = lead.filter((form) => asked.has(form)).length / Math.max(1, lead.length)
  return sum * (0.4 + 0.6 * coverage) * (0.6 + 0.4 * named)
}
