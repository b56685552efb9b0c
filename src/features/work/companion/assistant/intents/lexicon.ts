import { formsOf, isTypo } from '../../../../../core/search/words.ts'
import { memoizeText } from '../../../../../core/values/memoize.ts'
import { isHebrew, readSentence, type Token } from '../reading/words.ts'
import { acts } from './lexicon-acts.ts'
import { qualities } from './lexicon-qualities.ts'
import { reports } from './lexicon-reports.ts'
import { things } from './lexicon-things.ts'

/** What words and phrases mean. A word can mean several things. */
export type Concept = keyof typeof things | keyof typeof reports | keyof typeof acts | keyof typeof qualities

/** One or more tokens of the sentence, and all that they can mean. */
export type Hit = { concepts: readonly Concept[]; first: number; end: number; isGuessed: boolean }

/** Words that say how something is asked for rather than what: they rank little, and any intent may leave them over. */
const light = new Set<Concept>(
  `list which all please me it them last first howMuch howMany who when hours top account created
   reasonWord bit card cash rent`.split(/\s+/) as Concept[],
)

/** Words that make an intent where it knows them, and that any other may leave over: "do we have any drafts?". */
const quiet = new Set<Concept>(['remains', 'howDid', 'average', 'currencyWord', 'arrives', 'topic'])

const weights = new Map<Concept, number>([
  ...Object.keys(things).map((concept) => [concept as Concept, 2] as const),
  ...Object.keys(qualities).map((concept) => [concept as Concept, 2] as const),
  ...Object.keys(reports).map((concept) => [concept as Concept, 3] as const),
  ...Object.keys(acts).map((concept) => [concept as Concept, 3] as const),
  ...[...light].map((concept) => [concept, 0.5] as const),
  ['find', 1],
  ['open', 1],
  ['dueSoon', 1.5],
])

const commands: ReadonlySet<string> = new Set(Object.keys(acts))

export const weightOf = (concept: Concept): number => weights.get(concept) ?? 0
export const isLight = (concept: Concept): boolean => light.has(concept)
export const isQuiet = (concept: Concept): boolean => quiet.has(concept)
export const isAct = (concept: Concept): boolean => commands.has(concept)
export const isConcept = (word: string): word is Concept => weights.has(word as Concept)

type Phrase = { words: readonly string[]; concepts: Concept[] }

/** All phrases by their first word, the longest first. */
const compile = memoizeText(
  (_: string): { phrases: Map<string, Phrase[]>; stems: Map<string, Concept[]>; words: string[] } => {
    const byText = new Map<string, Phrase>()
    for (const lexicon of [things, reports, acts, qualities]) {
      for (const [concept, list] of Object.entries(lexicon)) {
        for (const text of list.split(',')) addPhrase(byText, text.trim(), concept as Concept)
      }
    }
    const phrases = new Map<string, Phrase[]>()
    const stems = new Map<string, Concept[]>()
    for (const phrase of byText.values()) {
      const [first = ''] = phrase.words
      phrases.set(
        first,
        [...(phrases.get(first) ?? []), phrase].toSorted((a, b) => b.words.length - a.words.length),
      )
      if (phrase.words.length > 1 || first.length < 5) continue
      for (const stem of stemsOf(first)) stems.set(stem, [...new Set([...(stems.get(stem) ?? []), ...phrase.concepts])])
    }
    return { phrases, stems, words: [...phrases.keys()].filter((word) => word.length > 4) }
  },
)

/** A Hebrew word keeps its first letter, which need not be a prefix: שכירות is not מכירות. */
const stemsOf = (word: string): string[] => (isHebrew(word) ? formsOf(word).slice(0, 1) : formsOf(word))

function addPhrase(byText: Map<string, Phrase>, text: string, concept: Concept): void {
  const words = readSentence(text).tokens.map((token) => token.text)
  if (words.length === 0) return
  const key = words.join(' ')
  const phrase = byText.get(key) ?? { words, concepts: [] }
  if (!phrase.concepts.includes(concept)) phrase.concepts.push(concept)
  byText.set(key, phrase)
}

/** Whether the word as it is written, without a letter cut off, means this. */
export const isWordFor = (concept: Concept, word: string): boolean =>
  (compile('lexicon').phrases.get(word) ?? []).some(
    ({ words, concepts }) => words.length === 1 && concepts.includes(concept),
  )

/** What the tokens mean. Tokens that are read as an amount, a time or a name in quotes have no other meaning. */
export function findHits(tokens: readonly Token[], isRead: (token: Token) => boolean): Hit[] {
  const hits: Hit[] = []
  for (let at = 0; at < tokens.length; at++) {
    const hit = longestAt(tokens, at, isRead) ?? guessAt(tokens[at], at, isRead)
    if (!hit) continue
    hits.push(hit)
    at = hit.end - 1
  }
  return hits
}

function longestAt(tokens: readonly Token[], at: number, isRead: (token: Token) => boolean): Hit | undefined {
  const { phrases } = compile('lexicon')
  let best: { phrase: Phrase; end: number } | undefined
  for (const form of tokens[at]?.forms ?? []) {
    if (form.length < 3 && form !== tokens[at]?.text) continue // הולי is no "to me"
    for (const phrase of phrases.get(form) ?? []) {
      if (phrase.words.length <= (best?.phrase.words.length ?? 0)) break
      const end = endOf(phrase, tokens, at, isRead)
      if (end !== undefined) best = { phrase, end }
    }
  }
  return best && { concepts: best.phrase.concepts, first: at, end: best.end, isGuessed: false }
}

const joints = new Set(['in', 'on', 'for', 'of', 'at', 'from'])

/** Words that may stand within a phrase: "below their minimum", "hasn't yet paid", עוד לא שילמו. */
const between = new Set(
  'the their its our my his her your a an that just already still yet ever even also all כבר עוד עדיין גם לנו לי של את'.split(
    ' ',
  ),
)

/** Where a phrase that begins at this token ends. */
function endOf(
  { words }: Phrase,
  tokens: readonly Token[],
  at: number,
  isRead: (token: Token) => boolean,
): number | undefined {
  const isForm = words.some((word) => /\d/.test(word))
  let place = at
  for (const [distance, word] of words.entries()) {
    if (
      distance > 0 &&
      words.length > 1 &&
      between.has(tokens[place]?.text ?? '') &&
      !tokens[place]?.forms.includes(word)
    )
      place++
    const token = tokens[place]
    const isJoint = distance > 0 && joints.has(word) // the times include it: "came in last week"
    if (!token || (isRead(token) && !isForm && !isJoint) || !token.forms.includes(word)) return undefined
    place++
  }
  return place
}

/** Words of their own that differ by a letter from one of the lexicon. */
const otherWords = new Set(
  `supplies supply stuff annual expect except shopping rental patent stocked matter letter morning
   paint point paper plant plate stamp store stone steel shirt sheet table cable chair brand bread board glass grass lease light party piano roast
   screw shoes space spare stage stand stick stove sugar tools towel tower track trade trail train truck trunk video waste watch water wheel`
    .trim()
    .split(/\s+/),
)

/** The word in another inflection, or with a typing error. Names are not guessed at. */
function guessAt(token: Token | undefined, at: number, isRead: (token: Token) => boolean): Hit | undefined {
  if (token?.kind !== 'word' || isRead(token) || token.text.length < 4) return undefined
  const { stems, words, phrases } = compile('lexicon')
  if (/ers?$/.test(token.text)) return undefined // a printer is nothing to print
  const byStem = token.forms
    .filter((form) => form.length > 3)
    .flatMap(stemsOf)
    .map((stem) => stems.get(stem)?.filter((concept) => concept !== 'topic' || !isHebrew(token.text))) // שולחנות is no חניות
    .find((found) => found !== undefined && found.length > 0)
  if (byStem && token.text.length > 4 && !(byStem.every(isAct) && /ing$/.test(token.text)))
    return { concepts: byStem, first: at, end: at + 1, isGuessed: true }
  if (token.isCapital && at > 0) return undefined
  if (token.text.length < (isHebrew(token.text) ? 6 : 5)) return undefined
  if (otherWords.has(token.text)) return undefined
  const typo = words.find((word) => isTypo(word, token.text) && word[0] === token.text[0])
  // No command is guessed at.
  const concepts = phrases
    .get(typo ?? '')
    ?.find((phrase) => phrase.words.length === 1)
    ?.concepts.filter((concept) => !isAct(concept))
  return concepts && concepts.length > 0 ? { concepts, first: at, end: at + 1, isGuessed: true } : undefined
}
