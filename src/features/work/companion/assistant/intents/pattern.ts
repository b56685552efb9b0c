import { memoizeText } from '../../../../../core/values/memoize.ts'
import { type Concept, type Hit, isAct, isConcept, isLight, isQuiet, weightOf } from './lexicon.ts'

/**
 * Which words make an intent. `overdue` must be there, `a|b` is one of them, `+a` may be there, `-a` must not. A name with @ is
 * one of the groups below.
 */
type Pattern = { all: readonly (readonly Concept[])[]; also: ReadonlySet<Concept>; none: ReadonlySet<Concept> }

const groups: Record<string, string> = {
  '@sales': 'document|invoice|receipt|invoiceReceipt|request|creditMemo',
  '@income': 'revenue|income',
  '@method': 'cash|transferMethod|cheque|card|bit',
  '@steer': 'top|compare|byMonth|byCustomer|bySupplier|byCategory|byAccount|madeUp',
}

const parse = memoizeText((text: string): Pattern => {
  const all: Concept[][] = []
  const also = new Set<Concept>()
  const none = new Set<Concept>()
  for (const word of text.split(/\s+/)) {
    const sign = /^[+-]/.test(word) ? word[0] : ''
    const concepts = word
      .slice(sign?.length)
      .split('|')
      .flatMap((part) => (groups[part] ?? part).split('|'))
    const unknown = concepts.find((concept) => !isConcept(concept))
    if (unknown !== undefined) throw new Error(`No words are known for ${unknown}`)
    const known = concepts as Concept[]
    if (sign === '-') for (const concept of known) none.add(concept)
    else for (const concept of known) also.add(concept)
    if (sign === '') all.push(known)
  }
  return { all, also, none }
})

/** What the words of a sentence mean, and whether it is a question. */
type Found = { hits: readonly Hit[]; concepts: ReadonlySet<Concept>; isAsking: boolean }

/** What an unexplained command costs: more than any words can make up for. */
const actPenalty = 4

/**
 * How well a pattern fits: the weight of all words that it explains, less half the weight of those that it leaves over. Undefined
 * if a word is missing or excluded.
 */
export function scoreOf(text: string, { hits, concepts: present, isAsking }: Found): number | undefined {
  const pattern = parse(text)
  if (!pattern.all.every((group) => group.some((concept) => present.has(concept)))) return undefined
  if (hits.some((hit) => isExcluded(hit, pattern))) return undefined
  if (!isFilled(pattern.all, hits)) return undefined
  let score = pattern.all.length / 10 // of two that explain the same words the more specific one
  for (const { concepts, isGuessed, first, end } of hits) {
    const more = Math.min(end - first - 1, 2) / 2 // "profit and loss" says more than "tax"
    const explained = concepts.filter((concept) => pattern.also.has(concept))
    if (explained.length > 0)
      score += Math.max(...explained.map(weightOf)) * (isGuessed ? 0.8 : 1) + (explained.every(isLight) ? 0 : more)
    else if (isGuessed)
      continue // a word that only looks like one of the lexicon says nothing against an intent
    else if (!isAsking && (concepts.every(isAct) || (first === 0 && isToldOrDone(concepts)))) score -= actPenalty
    else if (!concepts.some((concept) => isLight(concept) || isQuiet(concept)))
      score -= Math.min(...concepts.map(weightOf)) / 2
  }
  return score
}

/** מחק is "delete" and "deleted": at the beginning it tells to do it. */
const isToldOrDone = (concepts: readonly Concept[]): boolean =>
  concepts.some(isAct) && concepts.every((concept) => isAct(concept) || done.has(concept))
const done = new Set<Concept>(['deleted', 'changed', 'created', 'closedState'])

/** A word that means what must not be there; one that can also be what the pattern knows is taken for that. */
const isExcluded = ({ concepts }: Hit, { none, also }: Pattern): boolean =>
  concepts.some((concept) => none.has(concept)) && !concepts.some((concept) => also.has(concept) && !isLight(concept))

/** Each required word is a token of its own, so that "invoice" alone is not both the document and the command; "draft payslips" is two. */
function isFilled(all: Pattern['all'], hits: readonly Hit[], used: readonly Hit[] = []): boolean {
  const group = all[used.length]
  if (!group) return true
  for (const hit of hits) {
    if (!hit.concepts.some((concept) => group.includes(concept))) continue
    const times = used.length === 0 ? 0 : used.filter((other) => other === hit).length
    if (times < hit.end - hit.first && (used.length + 1 === all.length || isFilled(all, hits, [...used, hit])))
      return true
  }
  return false
}

/** Whether the pattern needs a command, so that its tool is only called when somebody says so. */
export const isCommand = (text: string): boolean => parse(text).all.some((group) => group.every(isAct))
