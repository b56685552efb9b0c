import { readNumber } from './number-words.ts'
import { isOneOf, type Sentence, setOf, take } from './words.ts'

/** What the sentence says about percentages and about VAT, GST or sales tax. */
export type Rates = {
  percents: readonly { value: number; start: number; end: number }[]
  /** `included` in the amounts, to be `added` to them, or `none` at all. */
  tax?: 'included' | 'added' | 'none'
}

export function readRates(sentence: Sentence): Rates {
  const percents: { value: number; start: number; end: number }[] = []
  const { tokens, taken } = sentence
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const isFirst = tokens[at]?.text === '%' && tokens[at + 1]?.isGlued === true
    const number = readNumber(tokens, isFirst ? at + 1 : at)
    if (!number || !(isFirst || isOneOf(tokens[number.end], percentWords))) continue
    const end = isFirst ? number.end : number.end + 1
    percents.push({ value: number.value, ...take(sentence, at, end) })
    at = end - 1
  }
  const tax = readTax(sentence)
  return { percents, ...(tax && { tax }) }
}
const percentWords = setOf('% percent pct אחוז אחוזים')

const taxes = setOf('vat gst tax taxes מע"מ מעמ מס')
const included = setOf('including includes include incl inclusive included with כולל עם')
const added = setOf('plus + before excluding excl exclusive add adding ex פלוס בתוספת לפני ועוד')
const none = setOf('without no zero exempt free ללא בלי פטור בלא')

/** The word within three words before the tax: plus 17 % VAT, incl. VAT; or after it: VAT included. */
function readTax({ tokens }: Sentence): Rates['tax'] {
  for (const [at, token] of tokens.entries()) {
    if (!isOneOf(token, taxes)) continue
    for (let back = at - 1; back >= 0 && back >= at - 4; back--) {
      if (isOneOf(tokens[back], none)) return 'none'
      if (isOneOf(tokens[back], included)) return 'included'
      if (isOneOf(tokens[back], added)) return 'added'
    }
    const next = tokens[at + 1]
    if (isOneOf(next, setOf('included inclusive כלול'))) return 'included'
    if (isOneOf(next, setOf('extra excluded exclusive'))) return 'added'
    if (isOneOf(next, setOf('exempt free'))) return 'none'
  }
  return undefined
}
