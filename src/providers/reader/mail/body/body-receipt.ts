import type { BodyBlock } from '../../../../core/outside/mail-reader.ts'
import type { Link } from './html-blocks.ts'

const currency =
  '(?:US|S|A|C|HK|NZ)?\\$|[€£¥₪₹₽₩฿]|\\b(?:USD|SGD|ILS|NIS|EUR|GBP|CAD|AUD|CHF|JPY|CNY|INR|HKD|MYR|THB|KRW|RUB|AED|SEK|NOK|DKK|PLN|RM)\\b|ש["״\'׳]{1,2}ח|שח(?!\\p{L})|שקל(?:ים)?'
const number = "\\d{1,3}(?:[,.' \\u00a0\\u202f]\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?"
const amount = new RegExp(`(?:${currency})\\s?-?(?:${number})|(?:${number})\\s?(?:${currency})`, 'iu')
/** Next to the word total an amount needs no currency. */
const plainAmount = /\d[.,]\d{2}(?!\d)/

const totalWords =
  /\b(grand |order |invoice |net |payment )?totals?\b|\bamount (paid|due|charged|billed|received)\b|\b(total|you|amount) paid\b|\bpaid (on|with|by|via)\b|\bbalance due\b|\b(was|were|been|we) charged\b|\bpayment of\b|סה["״'׳]{1,2}כ|סך ?הכל|סך הכול|לתשלום|שולם|ששולם|חויב/i
const documentWords =
  /\b(e-?receipt|receipt|(tax )?invoice|order (no|number|id|confirm\w*|summary|details)|order ?#|payment (received|confirm\w*|receipt|successful|to)|your (?:\w{1,20} ){0,3}(order|purchase|booking|bill|trip|ride|subscription|payment)|booking (reference|number|confirm\w*)|billed|transaction (id|number))\b|קבלה|חשבונית|הזמנה מס|מספר הזמנה|אישור (תשלום|הזמנה|עסקה)|פרטי ההזמנה|הזמנתך|ההזמנה שלך/i
const doneWords =
  /\bthank(s| you) for (your|the) (order|purchase|payment|booking)|\b(payment|order) (was |has been |is )?(received|confirmed|successful|processed|complete)|\byou (have )?(paid|sent)\b|\bpaid in full\b|תודה על (הזמנתך|רכישתך|התשלום|הקניה|הקנייה)|התשלום (התקבל|בוצע)/i
const offerWords =
  /\b(up to \d+ ?%|\d+ ?% off|sale ends|from only|starting (at|from)|promo code|shop now|limited time)\b|\bsave \d|מבצע|הנחה של|קוד קופון/i

/** What a text with a total is if it is no receipt. The first that fits its subject, or the line with the total, counts. */
const otherKinds = [
  ['an offer or a quotation', /\b(quote|quotation|proposal|estimate)\b|הצעת מחיר/i],
  ['about a refund', /\brefund(s|ed)?\b|זיכוי|החזר כספי/i],
  ['about a payment that failed', /\b(declined|failed|unsuccessful|could not be processed|was not processed)\b|נדחה|נכשל|לא אושר/i],
  ['about money that was received', /\byou('ve|’ve| have)? (received|got) (a |an |your )?(new )?(payment|money|order|sale|deposit)|\bpayout\b|\bplaced by\b|קיבלת (תשלום|הזמנה|העברה)/i],
  ['a statement of an account', /\b(bank|card|account|monthly) statement\b|\bstatement (is )?(ready|available|balance)\b|דף חשבון|דפי חשבון|פירוט חיובים/i],
] as const // biome-ignore format: a kind a line

const textOf = (block: BodyBlock) => (block.kind === 'row' ? block.cells.join(' ') : block.text).slice(0, 2_000)

export type BodyFacts = {
  /** The text is a receipt: it says what the document is, and has a total or says that it was paid. */
  isReceipt: boolean
  /** What it is instead, if it looks like one: "an offer or a quotation". */
  otherKind: string | null
  hasAmount: boolean
  /** A link that says it leads to the invoice. */
  linksToDocument: boolean
}

type Around = { subject: string | null; links: readonly Link[]; isBulk: boolean }

/** Judges the text of a message by its words, in English and Hebrew. */
export function factsOfBody(blocks: readonly BodyBlock[], { subject, links, isBulk }: Around): BodyFacts {
  const texts = blocks.map(textOf)
  const whole = `${subject ?? ''}\n${texts.join('\n').slice(0, wholeMax)}`
  const totals = texts.filter((text, at) => isTotal(text, texts[at + 1] ?? ''))
  const hasAmount = texts.some((text) => amount.test(text))
  const isDone = hasAmount && doneWords.test(whole)
  const isAdvertisement = isBulk && offerWords.test(whole) && !isDone
  const looksLikeReceipt = documentWords.test(whole) && (totals.length > 0 || isDone) && !isAdvertisement
  const otherKind = looksLikeReceipt ? otherKindOf(subject ?? '', totals, texts) : null
  return {
    isReceipt: looksLikeReceipt && otherKind === null,
    otherKind,
    hasAmount,
    linksToDocument:
      links.length > 0 && (links.some(({ text }) => linkWords.test(text.slice(0, 300))) || linkSentence.test(whole)),
  }
}

const wholeMax = 100_000

/** The subject and what the text says first are about the whole message. */
function otherKindOf(subject: string, totals: readonly string[], texts: readonly string[]): string | null {
  const telling = [subject, ...totals, ...texts.slice(0, 4).filter((text) => text.length < 300)]
  return otherKinds.find(([, words]) => telling.some((text) => words.test(text)))?.[0] ?? null
}

/** The word total and an amount in one line or row, or in the line after it. */
function isTotal(text: string, next: string): boolean {
  if (!totalWords.test(text)) return false
  if (amount.test(text) || plainAmount.test(text)) return true
  return text.length < 60 && next.length < 60 && (amount.test(next) || plainAmount.test(next))
}

const linkWords = /\b(invoice|receipt|bill|statement)\b|חשבונית|קבלה|למסמך|המסמך/i
const linkSentence =
  /\b(view|see|download|open|access|get|click)\b[^.\n]{0,60}\b(invoice|receipt|bill)\b|\b(invoice|receipt|bill)\b[^.\n]{0,60}\b(here|below|link|portal|online)\b|(לצפייה|להורדת|להורדה|לחץ|לחצו|לפתיחת)[^.\n]{0,60}(חשבונית|קבלה|מסמך)/i
