import type { Language } from '../../../../../core/values/language.ts'
import type { CountryCode } from '../../../../../countries/country.ts'
import { type Amount, type Quantity, readAmounts } from './amounts.ts'
import { longest } from './clean.ts'
import { type Order, readCounts } from './counts.ts'
import { type Duration, readDurations } from './durations.ts'
import { isKnownWord } from './known-words.ts'
import { type NameKind, namesIn } from './names.ts'
import { type Period, readPeriods, type Unclear } from './periods.ts'
import { type Rates, readRates } from './rates.ts'
import { type Found, readDocumentNumbers, readEmails, readPhones, readQuoted } from './references.ts'
import {
  isHebrew,
  isOneOf,
  languageOf,
  readSentence,
  type Sentence,
  setOf,
  type Token,
  type Word,
  wordOf,
} from './words.ts'

/** What a sentence says apart from what is wanted: the words, amounts, times and names in it. All places are in its text. */
export type Slots = {
  language: Language
  words: readonly Word[]
  amounts: readonly Amount[]
  quantities: readonly Quantity[]
  periods: readonly Period[]
  /** Times that could not be read, such as a feast: the person is told. */
  unclear: readonly Unclear[]
  durations: readonly Duration[]
  counts: { first?: number }
  order?: Order
  emails: readonly Found[]
  phones: readonly Found[]
  /** Numbers of documents, without #. */
  numbers: readonly Found[]
  quoted: readonly Found[]
  rates: Rates
  /** The best candidates for a name, the best one first. */
  names(after: NameKind): string[]
  isQuestion: boolean
  isNegated: boolean
}

// The order matters: what is read first is taken and has no second meaning. A year is no amount, a date is no fraction.
export function readSlots(text: string, around: { today: string; country: CountryCode; currency: string }): Slots {
  const sentence = readSentence(text)
  const emails = readEmails(sentence)
  const quoted = readQuoted(sentence)
  const phones = readPhones(sentence)
  const numbers = readDocumentNumbers(sentence, Number(around.today.slice(0, 4)))
  const rates = readRates(sentence)
  const { periods, unclear } = readPeriods(sentence, around)
  const durations = readDurations(sentence)
  const { counts, order } = readCounts(sentence)
  const { amounts, quantities } = readAmounts(sentence, around.country)
  return {
    language: languageIn(sentence, text.slice(0, longest)),
    words: sentence.tokens.filter(({ kind }) => kind === 'word').map(wordOf),
    amounts,
    quantities,
    periods,
    unclear,
    durations,
    counts,
    ...(order && { order }),
    emails,
    phones,
    numbers,
    quoted,
    rates,
    names: (after) => namesIn(sentence, quoted, after),
    isQuestion: isQuestion(sentence),
    isNegated: sentence.tokens.some((token, at) => negations.has(token.text) && isNegation(sentence.tokens[at + 1])),
  }
}

/** The language of the words that ask: a name in the other letters changes nothing. */
function languageIn({ tokens }: Sentence, text: string): Language {
  const asking = tokens.filter((token) => token.kind === 'word' && isKnownWord(token))
  const hebrew = asking.filter((token) => isHebrew(token.text)).length
  if (hebrew === asking.length - hebrew) return languageOf(text)
  return hebrew > asking.length - hebrew ? 'he' : 'en'
}

const questions = setOf(`who whom whose what what's which when where why how is are was were do does did has have
  מי מה מהו מהי מהם מתי כמה איך איזה איזו אילו האם למה מדוע איפה`)

function isQuestion({ tokens }: Sentence): boolean {
  if (tokens.some(({ text }) => text === '?')) return true
  const first = tokens.find(({ text }) => !/^(and|so|ok|hi|hey|hello|please|,|ו|אז)$/.test(text))
  return first !== undefined && (questions.has(first.text) || questions.has(first.text.replace(/^ו/, '')))
}

const negations =
  setOf(`not don't dont doesn't didn't isn't aren't haven't hasn't won't can't never nobody none no without
  לא אל אין בלי אף`)

/** "No. 17" and "without VAT" negate nothing. */
const isNegation = (next: Token | undefined) =>
  next?.kind === 'word' ? !isOneOf(next, taxes) : !/^[.#\d]/.test(next?.text ?? '')
const taxes = setOf('vat gst tax מע"מ מעמ מס')
