import { sameName } from '../../../../core/names/names.ts'
import type { ShownRecord } from './understood.ts'

/** Reads the answer to "which one?": a number, an ordinal or the name. Undefined if the text is about something else. */
export function readChoice(text: string, choices: readonly ShownRecord[]): ShownRecord | undefined {
  const words = text
    .toLowerCase()
    .replace(/[.,!?#'"״׳:;()]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !fillers.has(word))
  const named = choices.find(({ name }) => sameName(name, text))
  if (named) return named
  const [word, ...others] = words
  if (word === undefined || others.length > 0) return choices.find(({ name }) => sameName(name, words.join(' ')))
  if (lastWords.has(word)) return choices.at(-1)
  const digits = /^(\d{1,2})(st|nd|rd|th)?$/.exec(word)
  const at = digits ? Number(digits[1]) - 1 : ordinals.findIndex((each) => each.includes(word))
  return choices[at] ?? choices.find(({ name }) => sameName(name, word))
}

const fillers = new Set([
  'the', 'one', 'number', 'no', 'please', 'i', 'mean', 'meant', 'take', 'it', 'is', 'that', 'option', 'yes',
  'את', 'זה', 'מספר', 'בבקשה', 'התכוונתי', 'ל', 'אפשרות', 'כן', 'של',
]) // biome-ignore format: a list of words

const lastWords = new Set(['last', 'אחרון', 'האחרון', 'אחרונה', 'האחרונה'])

const ordinals: readonly (readonly string[])[] = [
  ['first', 'ראשון', 'הראשון', 'ראשונה', 'הראשונה', 'אחד', 'אחת'],
  ['second', 'two', 'שני', 'השני', 'שנייה', 'השנייה', 'שניה', 'השניה', 'שתיים'],
  ['third', 'three', 'שלישי', 'השלישי', 'שלישית', 'השלישית', 'שלוש'],
  ['fourth', 'four', 'רביעי', 'הרביעי', 'רביעית', 'הרביעית', 'ארבע'],
  ['fifth', 'five', 'חמישי', 'החמישי', 'חמישית', 'החמישית', 'חמש'],
  ['sixth', 'six', 'שישי', 'השישי', 'שישית', 'השישית', 'שש'],
  ['seventh', 'seven', 'שביעי', 'השביעי', 'שביעית', 'השביעית', 'שבע'],
  ['eighth', 'eight', 'שמיני', 'השמיני', 'שמינית', 'השמינית', 'שמונה'],
  ['ninth', 'nine', 'תשיעי', 'התשיעי', 'תשיעית', 'התשיעית', 'תשע'],
]
