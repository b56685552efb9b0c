import type { Said } from './said.ts'

/** One line of a document as a person writes it: 3 shelves at 85. */
export type SaidLine = { quantity: number; description: string; price: number }

const number = String.raw`\d[\d,]*(?:\.\d+)?`
const money = String.raw`(?:[$₪€£]|S\$|US\$)?\s*(?<price>${number})\s*(?<scale>k|אלף)?\s*(?:[$₪€£]|usd|sgd|ils|nis|eur|dollars?|bucks|shekels?|euros?|ש"ח|ש״ח|שח|שקלים|שקל|דולר|אירו)?`
const each = String.raw`(?:\s*(?:each|apiece|a piece|per \p{L}+|an hour|a kilo|\/\s*\p{L}+|כל אחד|כל אחת|ל\p{L}{3,}|האחד|האחת))?`
const units = String.raw`(?:(?:hours?|hrs?|units?|pcs|pieces|days?|kg|kilos?|שעות|שעה|שעת|יחידות|יחידה|ימים|ימי|יח'|קילו|ק"ג|ק״ג)(?:\s+(?:of|של))?\s*)?`

/** Three shelves at 85 each, 2 x shelf @ 140, 5 מטחנות ב-180; what it is for may stand behind the price. */
const counted = new RegExp(
  String.raw`(?:^|\s)(?<quantity>${number})\s*(?:x\s|×|\*)?\s*${units}(?<what>\p{L}.*?)??\s*(?:(?:at|@|each at|for|ב-|ב־|ב(?=\d)|במחיר|לפי)\s*)${money}${each}(?:\s+(?:for|of|עבור|על|בגין)\s+(?<late>\p{L}.*))?\s*$`,
  'iu',
)

/** Delivery for 40, delivery $60, משלוח ב-30. */
const single = new RegExp(
  String.raw`(?:^|\s)(?:for\s+|of\s+|עבור\s+|על\s+)?(?<what>\p{L}[^\d]*?)\s*(?:\s(?:at|@|for)|\sב-|\sב־|\sב(?=\d)|\sבסך|\s)\s*${money}\s*$`,
  'iu',
)

const parts = /[;\n]|,\s+|\s+and\s+|\s+plus\s+|\s+ועוד\s+|\s+וגם\s+|\s+\+\s+|\s+ו-?(?=\d)/iu
const tax =
  /(?:\+|\bplus|\bincluding|\bincl\.?|\bexcluding|\bexcl\.?|\bwith|\bbefore|\bno|\bwithout)\s*(?:vat|gst|(?:sales )?tax)\b|(?:\+|פלוס|ועוד|כולל|לא כולל|לפני|בלי|ללא|בתוספת)\s*(?:מע"מ|מע״מ|מעמ)/giu

/** "3 shelves, 350 each": the price of what stands before it. */
const eachBehind =
  /(?:,\s+|(?<=\p{L})(?<!\s(?:at|for|each|ב|במחיר|לפי))\s+)(?=(?:[$₪€£]|S\$|US\$)?\s*\d[\d,.]*\s*(?:[$₪€£]|ש"ח|ש״ח|שקלים|שקל|dollars|bucks)?\s*(?:each|apiece|a piece|per \p{L}|כל אחד|כל אחת|ליחידה|האחד|האחת))/giu

/**
 * The lines of a document, if the sentence counts things or names several prices. Undefined if it does neither, so that its one
 * amount is the price.
 */
export function linesOf(said: Said, customer: string): SaidLine[] | undefined {
  const pieces = plainText(said, customer)
    .split(parts)
    .map((part) => part.trim())
  const read = pieces.map((piece) => lineOf(piece, pieces.length > 1)).filter((line) => line !== undefined)
  const priced = pieces.filter((piece) => /\d/.test(piece)).length
  if (priced > read.length || read.length === 0) return undefined
  return read.length > 1 || read[0]?.isCounted ? read.map(({ isCounted: _, ...line }) => line) : undefined
}

function lineOf(piece: string, isOneOfSeveral: boolean): (SaidLine & { isCounted: boolean }) | undefined {
  const many = counted.exec(piece)?.groups
  if (many) {
    const description = clean(many.what ?? many.late ?? '')
    return { quantity: value(many.quantity), description, price: priceOf(many), isCounted: true }
  }
  const one = isOneOfSeveral ? single.exec(piece)?.groups : undefined
  return one && { quantity: 1, description: clean(one.what ?? ''), price: priceOf(one), isCounted: false }
}

const value = (text = ''): number => Number(text.replaceAll(',', ''))
const priceOf = ({ price, scale }: Record<string, string | undefined>): number => value(price) * (scale ? 1000 : 1)
const clean = (text: string): string => text.replace(/^(of|for|the|a|an|של|עבור)\s+/iu, '').replace(/[\s:,.-]+$/u, '')

/** The sentence without the customer, the tax and the times, which are no lines. */
function plainText({ text, slots }: Said, customer: string): string {
  const ahead = slots.durations.filter(({ meaning, isTerms }) => meaning === 'in' || meaning === 'within' || isTerms)
  let plain = text
  for (const { start, end } of [...slots.periods, ...ahead, ...slots.emails, ...slots.rates.percents])
    plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end)
  if (customer !== '') plain = plain.replace(customer, ';')
  return plain
    .replaceAll(tax, ' ')
    .replaceAll(eachBehind, ' at ')
    .replaceAll(/\b(due|payable)\b|לתשלום|:/giu, ' ')
    .replaceAll(/(?<=^|[\s,;])(\p{L}+)(?=\s+\p{L})/gu, (word) => numberWords.get(word.toLowerCase()) ?? word)
    .replaceAll(/\s+/g, ' ')
}

/** Small numbers in words, as people count the things of a line: שתי מטחנות, three lamps. */
const numberWords: ReadonlyMap<string, string> = new Map(
  [
    'two שני שתי', 'three שלוש שלושה', 'four ארבע ארבעה', 'five חמש חמישה', 'six שש שישה', 'seven שבע שבעה', 'eight שמונה', 'nine תשע תשעה', 'ten עשר עשרה',
  ].flatMap((words, at) => words.split(' ').map((word) => [word, String(at + 2)] as const)),
) // biome-ignore format: a number in each text
