import { monthNamed } from './calendar.ts'
import { isMoney } from './dates.ts'
import { isHebrew, isOneOf, type Sentence, setOf, type Token, take } from './words.ts'

export type Found = { text: string; start: number; end: number }

/** "…", “…” and ״…״, without the quotes. A quote inside a word, as in בע״מ, is no end. */
export function readQuoted(sentence: Sentence): Found[] {
  const { tokens, text } = sentence
  const found: Found[] = []
  let open = -1
  for (const [at, token] of tokens.entries()) {
    if (token.text !== '"') continue
    if (open < 0) {
      open = at
      continue
    }
    const [start, end] = [tokens[open]?.end ?? 0, token.start]
    const inside = text.slice(start, end).trim()
    if (inside !== '' && inside.length <= 200) {
      found.push({ text: inside, start, end })
      take(sentence, open, at + 1)
    }
    open = -1
  }
  return found
}

/** Addresses of email: the signs around an @ without spaces. */
export function readEmails(sentence: Sentence): Found[] {
  const { tokens, text } = sentence
  const found: Found[] = []
  let free = 0
  for (const [at, token] of tokens.entries()) {
    if (token.text !== '@' || at < free) continue
    let [first, last] = [at, at]
    while (first > free && tokens[first]?.isGlued && isLocal(tokens[first - 1])) first--
    while (tokens[last + 1]?.isGlued && isDomain(tokens[last + 1])) last++
    while (last > at && tokens[last]?.kind === 'sign') last--
    while (first < at && /^[-־]$/.test(tokens[first]?.text ?? '')) first++ // ל-office@example.com
    const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0]
    const address = text.slice(start, end)
    if (first === at || !address.slice(address.indexOf('@')).includes('.') || address.length > 254) continue
    found.push({ text: address.toLowerCase(), start, end })
    take(sentence, first, last + 1)
    free = last + 1
  }
  return found
}

const isLocal = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'sign' ? /^[._+-]$/.test(token.text) : !isHebrew(token.text))
const isDomain = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'sign' ? /^[.-]$/.test(token.text) : !isHebrew(token.text))

/** Numbers of telephones: nine to fifteen digits that begin with 0 or +, or eight digits after a word for telephone. */
export function readPhones(sentence: Sentence): Found[] {
  const { tokens, taken, text } = sentence
  const found: Found[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const hasPlus = tokens[at]?.text === '+' && tokens[at + 1]?.isGlued === true
    const isCalled = isPhoneCalled(tokens, at)
    const isBracket = isCalled && tokens[at]?.text === '(' && tokens[at + 1]?.isGlued === true
    const first = hasPlus || isBracket ? at + 1 : at
    let [end, digits] = [first, '']
    while (digits.length < 16 && isPhonePart(tokens, end, first)) {
      if (tokens[end]?.kind === 'number') digits += tokens[end]?.text
      end++
    }
    while (end > first && tokens[end - 1]?.kind !== 'number') end--
    const least = isCalled ? 7 : 9
    if (digits.length < least || digits.length > 15 || !(hasPlus || isCalled || digits.startsWith('0'))) continue
    const span = take(sentence, at, end)
    found.push({ text: text.slice(span.start, span.end), ...span })
    at = end - 1
  }
  return found
}
const phoneWords = setOf('phone tel telephone mobile call whatsapp טלפון טל נייד פלאפון וואטסאפ')

/** Phone 6555 1234, phone number to (608) 555-0100: small words may stand between. */
function isPhoneCalled(tokens: readonly Token[], at: number): boolean {
  let place = at - 1
  while (place > at - 5 && betweenPhones.has(tokens[place]?.text ?? '')) place--
  return isOneOf(tokens[place], phoneWords)
}
const betweenPhones = setOf('number to is : no of our us שלנו של העסק החברה ל מספר')

function isPhonePart(tokens: readonly Token[], at: number, first: number): boolean {
  const token = tokens[at]
  if (token?.kind === 'number') return /^\d+$/.test(token.text)
  return at > first && token?.kind === 'sign' && /^[-()]$/.test(token.text) && tokens[at + 1]?.kind === 'number'
}

/** A number of a document, such as #1042, INV-2026-0007, invoice 1042, חשבונית מס׳ 1042. */
export function readDocumentNumbers(sentence: Sentence, thisYear: number): Found[] {
  const { tokens, taken, text } = sentence
  const found: Found[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const place =
      codeAt(tokens, at) ??
      hashAt(tokens, at) ??
      calledAt(tokens, at, thisYear) ??
      paddedAt(tokens, at) ??
      toldAt(tokens, at) ??
      askedAt(tokens, at)
    if (!place || taken[place.first]) continue
    const { start, end } = take(sentence, place.first, place.end)
    for (let mark = at; mark < place.first; mark++) if (tokens[mark]?.kind === 'sign') taken[mark] = true
    found.push({ text: text.slice(start, end), start, end })
    at = place.end - 1
  }
  return found
}

type Place = { first: number; end: number }

/** INV-2026-0007, PO/123, RC1042: capital letters with a number. */
function codeAt(tokens: readonly Token[], at: number): Place | undefined {
  const token = tokens[at]
  if (token?.kind !== 'word' || isHebrew(token.text) || token.text.length > 6) return undefined
  if (isOneOf(tokens[at - 1], namedKinds)) return undefined
  if (token.isGlued && !isAfterLetter(tokens, at)) return undefined
  let [end, digits] = [at + 1, 0]
  while (
    tokens[end]?.isGlued &&
    (tokens[end]?.kind === 'number' || isCodeSign(tokens, end) || isCodeWord(tokens, end))
  ) {
    if (tokens[end]?.kind === 'number') digits += tokens[end]?.text.length ?? 0
    end++
  }
  if (tokens[end]?.isGlued && tokens[end]?.kind === 'word') return undefined
  return digits >= 3 && !isCurrencyCode(token.text) && /^[a-z]+$/.test(token.text) && token.text !== 'fy'
    ? { first: at, end }
    : undefined
}
/** Behind these words a code is a name: customer test123. */
export const namedKinds = setOf(
  'customer client supplier vendor item product employee automation member user category לקוח לקוחה ספק פריט מוצר עובד עובדת אוטומציה אוטומציית משתמש קטגוריה קטגוריית',
)
/** ל-INV-0134: the letter and the dash are not part of the number. */
const isAfterLetter = (tokens: readonly Token[], at: number) =>
  isHebrew(tokens[at - 1]?.text ?? '') ||
  (tokens[at - 1]?.text === '-' && tokens[at - 1]?.isGlued === true && /^ו?[א-ת]$/.test(tokens[at - 2]?.text ?? '')) ||
  /^[("]$/.test(tokens[at - 1]?.text ?? '')
const isCodeSign = (tokens: readonly Token[], at: number) =>
  /^[-/_]$/.test(tokens[at]?.text ?? '') && tokens[at + 1]?.isGlued === true && tokens[at + 1]?.kind !== 'sign'
const isCodeWord = (tokens: readonly Token[], at: number) =>
  tokens[at]?.kind === 'word' && /^[a-z]{1,4}$/.test(tokens[at]?.text ?? '')
const isCurrencyCode = (text: string) => /^(usd|ils|nis|sgd|eur|gbp|s|us)$/.test(text)

const hashAt = (tokens: readonly Token[], at: number): Place | undefined =>
  tokens[at]?.text === '#' && tokens[at + 1]?.kind !== 'sign' && tokens[at + 1]?.isGlued
    ? { first: at + 1, end: codeEnd(tokens, at + 1) }
    : undefined

function codeEnd(tokens: readonly Token[], at: number): number {
  let end = at + 1
  while (tokens[end]?.isGlued && (tokens[end]?.kind !== 'sign' || isCodeSign(tokens, end))) end++
  return end
}

const documents = setOf(
  'invoice invoices inv quote quotes quotation receipt bill order po document estimate proforma payslip credit note number payment חשבונית חשבון קבלה הצעת הצעה הזמנה מסמך זיכוי תלוש תעודת תעודה מספר',
)
const between = setOf("number num no nr numbers מספר מס מס' . : ' # מחיר עסקה קבלה זיכוי משלוח note")

/** Invoice 1042, order no. 17, חשבונית 1042. A year, an amount and a date are none. */
function calledAt(tokens: readonly Token[], at: number, thisYear: number): Place | undefined {
  if (!isOneOf(tokens[at], documents) || isBillPaid(tokens, at)) return undefined
  let first = at + 1
  let isSaid = /^(number|מספר)$/.test(tokens[at]?.text ?? '')
  while (first < at + 5 && between.has(tokens[first]?.text ?? '')) {
    if (/^(number|num|no|nr|מספר|מס|מס'|#)$/.test(tokens[first]?.text ?? '')) isSaid = true
    first++
  }
  const token = tokens[first]
  if (token?.kind !== 'number' || !/^\d{1,20}$/.test(token.text)) return undefined
  if (!isSaid && (isCreditOn(tokens, at) || isNewFor(tokens, at, first))) return undefined
  const next = tokens[first + 1]
  if (isMoney(next) || monthNamed(next) || (next?.isGlued && /^[/.%a-z]/.test(next.text))) return undefined
  const isPlural = /^(invoices|quotes)$/.test(tokens[at]?.text ?? '')
  const isYear = Number(token.text) >= thisYear - 15 && Number(token.text) <= thisYear + 1
  if (!isSaid && (isYear || isPlural || scales.test(next?.text ?? ''))) return undefined
  return { first, end: codeEnd(tokens, first) }
}
/** "Credit 300 on invoice 702": the number of the document comes later. */
const isCreditOn = (tokens: readonly Token[], at: number): boolean =>
  isOneOf(tokens[at], setOf('credit זיכוי')) &&
  tokens.some((token, place) => place > at + 1 && isOneOf(token, documents) && tokens[place + 1]?.kind === 'number')

const making = setOf(
  'do make create draft write prepare raise תוציא תוציאי תפיק תפיקי תכין תכיני תעשה תעשי צור הכן הוצא הפק',
)

/** "Make an invoice 2400 to Globex for design": a new document has no number yet, so it is the amount. */
const isNewFor = (tokens: readonly Token[], at: number, first: number): boolean =>
  tokens.slice(0, at).some(({ text }) => making.has(text)) &&
  (tokens[first + 1]?.text === 'to' || /^ל[א-ת]{2}/.test(tokens[first + 1]?.text ?? '')) &&
  tokens.slice(first + 2).some(({ text }) => /^(for|על|עבור|בגין)$/.test(text))

/** "Paid the electric bill 180": what we paid is an amount. */
const isBillPaid = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === 'bill' && tokens.slice(0, 3).some(({ text }) => text === 'paid')

const scales = /^(k|thousand|million|אלף|אלפים|מיליון)$/

/** 0154: no amount is written with a zero before it. */
function paddedAt(tokens: readonly Token[], at: number): Place | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token?.kind !== 'number' || !/^0\d{2,11}$/.test(token.text) || (next?.isGlued && /^[-/.:%]$/.test(next.text)))
    return undefined
  const before = tokens[at - 1]
  const isFree =
    !token.isGlued ||
    /^[א-ת]$/.test(before?.text ?? '') ||
    (before?.text === '-' && isHebrew(tokens[at - 2]?.text ?? ''))
  return isFree ? { first: at, end: at + 1 } : undefined
}

/** Is 2031 paid, 2031 שולמה: a number that something is asked about. */
function askedAt(tokens: readonly Token[], at: number): Place | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token?.kind !== 'number' || token.isGlued || !/^\d{2,8}$/.test(token.text) || next?.isGlued) return undefined
  const isAsked =
    /^(is|was|has|did)$/.test(tokens[at - 1]?.text ?? '') && /^(paid|been|sent|settled|go|get)$/.test(next?.text ?? '')
  return isAsked || (at === 0 && /^(שולמה|שולם|נשלחה|נשלח|נפרעה)$/.test(next?.text ?? ''))
    ? { first: at, end: at + 1 }
    : undefined
}

const verbs = setOf(
  'send resend cancel void delete open show duplicate credit print תשלח שלח תבטל בטל תמחק מחק תראה הצג תציג תפתח תשכפל תזכה זכה תדפיס',
)

/** Cancel 154, תבטל את 154: a number that ends the sentence behind such a verb. */
function toldAt(tokens: readonly Token[], at: number): Place | undefined {
  if (!isOneOf(tokens[at], verbs)) return undefined
  let first = at + 1
  while (first < at + 4 && /^(me|the|no|nr|number|#|לי|את|מספר|מס')$/.test(tokens[first]?.text ?? '')) first++
  const token = tokens[first]
  if (token?.kind !== 'number' || !/^\d{2,8}$/.test(token.text)) return undefined
  const next = tokens[first + 1]
  const isEnd = next === undefined || /^([.!?,]|please|again|to|by|שוב|בבקשה)$/.test(next.text)
  return isEnd && (!next?.isGlued || /^[?!.]$/.test(next.text)) ? { first, end: first + 1 } : undefined
}
