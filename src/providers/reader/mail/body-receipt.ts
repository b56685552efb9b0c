import type { BodyBlock } from '../../../core/outside/mail-reader.ts'
import type { Link } from './html-blocks.ts'

const currency = '(?:US|S|A|C|HK|NZ)?\\$|[€£¥₪₹₽₩฿]|\\b(?:USD|SGD|ILS|NIS|EUR|GBP|CAD|AUD|CHF|JPY|CNY|INR|HKD|MYR|THB|KRW|RUB|AED|SEK|NOK|DKK|PLN|RM)\\b|ש["״\'׳]{1,2}ח|שח(?!\\p{L})|שקל(?:ים)?' // biome-ignore format: one line
const number = "\\d{1,3}(?:[,.' \\u00a0\\u202f]\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?"
const amount = new RegExp(`(?:${currency})\\s?-?(?:${number})|(?:${number})\\s?(?:${currency})`, 'iu')
/** Next to the word total an amount needs no currency. */
const plainAmount = /\d[.,]\d{2}(?!\d)/

const total = /\b(grand |order |invoice |net |payment )?totals?\b|\bamount (paid|due|charged|billed|received)\b|\b(total|you|amount) paid\b|\bpaid (on|with|by|via)\b|\bbalance due\b|\b(was|were|been|we) charged\b|\bpayment of\b|סה["״'׳]{1,2}כ|סך ?הכל|סך הכול|לתשלום|שולם|ששולם|חויב/i // biome-ignore format: one line
const documentWords = /\b(e-?receipt|receipt|(tax )?invoice|order (no|number|id|confirm\w*|summary|details)|order ?#|payment (received|confirm\w*|receipt|successful)|purchase|your (order|booking|bill|trip|ride|subscription|payment)|booking (reference|number|confirm\w*)|bill|billed|renewal|transaction (id|number))\b|קבלה|חשבונית|הזמנה מס|מספר הזמנה|אישור (תשלום|הזמנה|עסקה)|פרטי ההזמנה|הזמנתך|חיוב/i // biome-ignore format: one line
const done = /\bthank(s| you) for (your|the) (order|purchase|payment|booking)|\b(payment|order) (was |has been |is )?(received|confirmed|successful|processed|complete)|\byou (have )?paid\b|\bpaid in full\b|תודה על (הזמנתך|רכישתך|התשלום|הקניה|הקנייה)|התשלום (התקבל|בוצע)/i // biome-ignore format: one line
const asked = /\b(quote|quotation|proposal|estimate|offer|could you|can you|please send|up to \d+ ?%|\d+ ?% off|sale ends|from only|starting (at|from))\b|הצעת מחיר|מבצע/i // biome-ignore format: one line

const textOf = (block: BodyBlock) => (block.kind === 'row' ? block.cells.join(' ') : block.text).slice(0, 2_000)

export type BodyFacts = {
  /** The text is a receipt: it says what the document is, and has a total or says that it was paid. */
  isReceipt: boolean
  hasAmount: boolean
  /** A link that says it leads to the invoice. */
  linksToDocument: boolean
  length: number
}

export function factsOfBody(blocks: readonly BodyBlock[], { subject, links, isBulk }: { subject: string | null; links: readonly Link[]; isBulk: boolean }): BodyFacts {
  const texts = blocks.map(textOf)
  const whole = `${subject ?? ''}\n${texts.join('\n').slice(0, 100_000)}`
  const hasAmount = texts.some((text) => amount.test(text))
  const hasTotal = texts.some((text, at) => isTotal(text, texts[at + 1] ?? ''))
  const isNamed = documentWords.test(whole)
  const isOffer = asked.test(whole)
  const isReceipt = isNamed && ((hasTotal && !(isBulk && isOffer && !done.test(whole))) || (hasAmount && done.test(whole)))
  return {
    isReceipt: isReceipt && !(isOffer && !hasTotal),
    hasAmount,
    linksToDocument: links.some(({ text }) => linkWords.test(text.slice(0, 300))) || (links.length > 0 && linkSentence.test(whole)),
    length: whole.length,
  }
} // biome-ignore format: one line each

/** The word total and an amount in one line or row, or in the line after it. */
function isTotal(text: string, next: string): boolean {
  if (!total.test(text)) return false
  if (amount.test(text) || plainAmount.test(text)) return true
  return text.length < 60 && next.length < 60 && (amount.test(next) || plainAmount.test(next))
}

const linkWords = /\b(invoice|receipt|bill|statement|document)\b|חשבונית|קבלה|למסמך|המסמך/i
const linkSentence = /\b(view|see|download|open|access|get|click)\b[^.\n]{0,60}\b(invoice|receipt|bill)\b|\b(invoice|receipt|bill)\b[^.\n]{0,60}\b(here|below|link|portal|online)\b|(לצפייה|להורדת|להורדה|לחץ|לחצו|לפתיחת)[^.\n]{0,60}(חשבונית|קבלה|מסמך)/i // biome-ignore format: one line
