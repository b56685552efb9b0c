import type { Box } from '../reading.ts'
import type { ReadRow } from './figures.ts'
import { around, boxOf, median, type Segment, sureness } from './rows.ts'

export type VendorEvidence = 'suffix' | 'word' | 'large' | 'first' | 'other'

export type VendorCandidate = {
  name: string
  box: Box
  score: number
  evidence: VendorEvidence
  sureness: number
  row: number
}

/** Forms of companies at the end of a name, also misread: SDN BHD, Pte Ltd, LLC, בע"מ. */
const suffix = new RegExp(
  String.raw`(?:^|[\s.,)])(?:` +
    String.raw`[s5]d[nm]\.?,?\s*[b8]h?d\b|sdnbhd\b|[s5]\/[b89](?![a-z0-9])|berhad\b|\(?m\)?\s*bhd\b|bhd\b|pte\.?,?\s*l[t1i]d\b|pvt\.?\s*ltd\b|pty\.?\s*ltd\b|p\/l(?![a-z])|` +
    String.raw`limited\b|ltd\b|inc\b|incorporated\b|l\.?l\.?c\b|l\.?l\.?p\b|corp\b|corporation\b|plc\b|gmbh\b|co\.?\s*$|company\s*$` +
    `)|בע["']{0,2}מ`,
  'i',
)

/** Words that names of businesses have, and other lines at the top rarely. */
const business =
  /\b(?:enterprises?|trading|restaurant|restoran|resturant|cafe|café|coffee|bakery|bakeries|confectionery|mart|market|minimarket|minimart|supermarket|hypermarket|superstore|store|stores|shop|stationery|stationers|hardware|pharmacy|farmasi|klinik|clinic|hotel|bar|grill|kitchen|kopitiam|pasaraya|kedai|syarikat|perniagaan|perusahaan|services?|supply|supplies|motors?|auto|workshop|books?|bookstore|electrical|electronics|fashion|salon|station|petrol|parking|house|bistro|diner|deli|foods?|grocers?|grocery|industries|holdings|group|bros|brothers|studio|florist|optical|printing|press|taxi|travel|laundry|gallery|boutique|boulangerie|pizza|noodles?|tailoring|furniture|garage|fuel|gas|gym|spa|dental|veterinary|telecom|energy|solutions|consulting|logistics|media|partners|associates|design|handicraft|cash & carry|maker)\b|(?:סופר|מסעדה|מסעדת|קפה|מאפיה|מאפיית|מכולת|בית מרקחת|סופרמרקט|מינימרקט|חנות|מרכול|פיצה|פיצריה|דפוס|מוסך|תחנת|מלון|פארם|ציוד משרדי|חומרי בניין|כלי עבודה|שיווק|סחר|שירותי|מספרה|חניון|מוניות|בניין|הנדסה|ושות|אחים|ובניו|תקשורת)/iu

const address =
  /\b(?:jalan|jln|j1n|lorong|lor|lot|l0t|blk|block|floor|flr|level|unit|street|st\.|str|road|rd|avenue|ave|blvd|boulevard|drive|lane|suite|ste|highway|hwy|taman|tmn|bandar|kampung|kg\.|batu|seksyen|section|persiaran|lebuh|lebuhraya|kawasan|selangor|johor|kuala lumpur|pahang|penang|perak|kedah|melaka|sabah|sarawak|wilayah|malaysia|singapore|israel|p\.?o\.? box|plaza,|wisma|menara|complex,|kompleks)\b|(?:^|\s)no\.?\s?[0-9]|#\s?[0-9]{1,2}-[0-9]|\b[0-9]{5,7}\b|(?:רחוב|רח'|שדרות|שד'|דרך|ת\.?ד\.?|מיקוד|אזור התעשי)/iu

const contact =
  /\b(?:tel|te1|phone|ph|fax|hp|h\/p|mobile|hotline|whatsapp|e-?mail|www|http|customer care|call)\b|[@]|\.com\b|\.co\.|(?:טל'|טלפון|פקס|נייד|דוא"ל)/iu

/** Words of titles and greetings. A line of which half the letters or more are such words is no name. */
const titleWords = new Set(
  (
    'taxinvoice cashbill cashsales cashreceipt salesreceipt taxreceipt tax invoice inv invoices simplified cash bill receipt receipts rcpt adjustment note memo original copy customer merchant duplicate ' +
    'sales sale official delivery order credit debit guest check statement quotation quote reprint reprinted welcome to thank you please come again ' +
    'counter pax table dine in take away takeaway self service no number page of date time void training mode total staff cashier server terminal till pos ' +
    'owned by operated managed folio payment information official proforma pro forma selamat datang for your visit שלום ' +
    'חשבונית מס קבלה חשבון העתק מקור תעודת משלוח הצעת מחיר ברוכים הבאים תודה עסקה תקופתי אורח פירוט זיכוי נאמן למקור'
  ).split(' '),
)

function isTitle(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replace(/0/g, 'o')
      .replace(/1/g, 'i')
      .match(/[a-z]+|[א-ת"']+/g) ?? []
  const lengthOf = (list: readonly string[]) => list.join('').length
  return words.length > 0 && lengthOf(words.filter((word) => titleWords.has(word))) >= 0.5 * lengthOf(words)
}

const registration =
  /\b(?:gst|g5t|vat|uen|ein|sst|roc|brn|tin|reg(?:istration)?\.?\s*no|co(?:mpany)?\.?\s*(?:reg|no|n0|ro)|tax\s*(?:id|reg|no)|license|licence|reg\b)|(?:ח\.?פ\.?|ע\.?מ\.?|עוסק)[\s:]*(?:מורשה|פטור|מס|[0-9])/iu

/** Registration numbers after a name without brackets, as in Co. No. 12345. */
const trailer =
  /[\s,-]+(?:(?:co|company|reg|roc|gst|uen|brn|no)\b[\s.:#]*)*[A-Z]{0,3}[0-9O]{5,}[-\s]?[A-Z0-9]?\s*$|[\s([]*(?:co|company)\.?\s*(?:reg|no)\b.*$|[\s([]*(?:ח\.?פ\.?|ע\.?מ\.?|עוסק)[\s:].*$/iu

/** A registration number, alone or in brackets: (519537-X), 201403121W. */
const isNumber = (text: string): boolean => lettersIn(text) <= 5 && digitsIn(text) >= 5 && !/[/:.]/.test(text)

const digitsIn = (text: string): number => text.replace(/[^0-9]/g, '').length
const lettersIn = (text: string): number => text.replace(/[^A-Za-zא-ת]/g, '').length

/** The name of the seller: among the first lines, one with a form of company, with a word of business, in large print, or the first. */
export function findVendor(rows: readonly ReadRow[]): {
  best: VendorCandidate | undefined
  second: VendorCandidate | undefined
} {
  const head = headOf(rows)
  const usual = median(rows.map(({ height }) => height))
  const lines = linesOf(head)
  const candidates = lines.flatMap((line, at) => candidateAt(lines, at, line, usual)).sort((a, b) => b.score - a.score)
  const best = candidates[0]
  return { best, second: candidates.find((other) => other.row !== best?.row) }
}

const numbered = new Set(['documentNumber', 'taxNumber', 'dueDate', 'date'])

type Block = Segment & { row: ReadRow }

/** The lines before the first table or sum of money; of a page with columns, all columns. */
function headOf(rows: readonly ReadRow[]): ReadRow[] {
  const first = rows[0]
  if (!first) return []
  const isBody = (row: ReadRow) =>
    row.index > 2 && (row.amounts.some(({ decimals, isPercent }) => decimals === 2 && !isPercent) || isTableHead(row))
  const end = rows.findIndex(isBody)
  const most = Math.max(10, Math.min(end < 0 ? rows.length : end, 25))
  return rows.slice(0, most).filter(({ page }) => page === first.page)
}

const isTableHead = ({ labels }: ReadRow): boolean =>
  labels.filter(({ kind }) => kind === 'quantity' || kind === 'amount' || kind === 'total').length >= 2

const linesOf = (rows: readonly ReadRow[]): Block[] =>
  rows.flatMap((row) => row.segments.map((segment) => ({ ...segment, row })))

function candidateAt(lines: readonly Block[], at: number, line: Block, usual: number): VendorCandidate[] {
  const joined = joinedAt(lines, at, usual)
  const name = nameOf(joined.map(({ text }) => text).join(' '))
  if (lettersIn(name) < 2) return []
  const before = lines.slice(0, at).filter(({ row }) => row !== line.row)
  const next = lines[at + joined.length]
  const scored = scoreOf(name, line, at, usual, before)
  const isNumbered =
    (next !== undefined && isNumber(next.text)) || name.length < joined.map(({ text }) => text).join(' ').length - 5
  const isBuyer = lines.slice(0, at + 1).some((other) => isBuyerLabel(other) && isBelow(other, line))
  const box = around(joined.map((one) => boxOf(one.row, one.start, one.end)))
  const sure = Math.min(...joined.map((one) => sureness(one.row, one.start, one.end)))
  const score = scored.score + (isNumbered && !scored.isBelowAddress ? 2 : 0) - (isBuyer ? 4 : 0)
  return [{ name, box, score, evidence: scored.evidence, sureness: sure, row: line.row.index }]
}

/** Whether most of the line is a label of an amount, such as "Amount paid". */
const isLabel = ({ row, text, start, end }: Block): boolean => {
  const own = row.labels.filter((label) => start <= label.start && label.end <= end && amountLabels.has(label.kind))
  return own.reduce((sum, label) => sum + label.text.length, 0) >= 0.7 * lettersIn(text)
}

const amountLabels = new Set([
  'total',
  'due',
  'paid',
  'amount',
  'subtotal',
  'tax',
  'cash',
  'change',
  'card',
  'discount',
  'rounding',
])

/** The buyer's name stands in the same column as its label, in the same or one of the next lines. */
const isBuyerLabel = ({ row, start, end }: Block): boolean =>
  row.labels.some(
    (label) => label.kind === 'buyer' && label.text.length > 2 && start <= label.start && label.end <= end,
  )

const isBelow = (label: Block, line: Block): boolean =>
  label.row === line.row
    ? label === line
    : line.row.index - label.row.index <= 3 &&
      label.box.x < line.box.x + line.box.width &&
      line.box.x < label.box.x + label.box.width

/**
 * A name that goes on in the next lines. They have the same print and are no address, each line was full, so that its next word
 * had to go to the next line, and the last one ends with the form of company.
 */
function joinedAt(lines: readonly Block[], at: number, usual: number): Block[] {
  const line = lines[at]
  if (!line) return []
  if (suffix.test(repaired(line.text)) || isOther(line.text)) return [line]
  const joined = [line]
  for (const next of lines.slice(at + 1, at + 4)) {
    const last = joined.at(-1) ?? line
    if (next.row === last.row || isOther(next.text) || !isSamePrint(last, next)) break
    const isWrapped = isFull(last, next, widthOf(lines)) || isRestOfName(next.text)
    if (!isWrapped) break
    joined.push(next)
    if (suffix.test(repaired(next.text))) return joined
  }
  const isLarge = joined.length === 2 && joined.every(({ height }) => height > usual * 1.35)
  return isLarge ? joined : [line]
}

const isSamePrint = (one: Block, other: Block): boolean => {
  const ratio = one.height / Math.max(1, other.height)
  const gap = other.box.y - (one.box.y + one.box.height)
  return ratio > 0.75 && ratio < 1.33 && gap < one.box.height
}

/** The width of the print on the page. */
const widthOf = (lines: readonly Block[]): number =>
  Math.max(...lines.map(({ row }) => row.box.x + row.box.width)) - Math.min(...lines.map(({ row }) => row.box.x))

/** Whether the first word of the next line would not have fitted into the line. */
function isFull(line: Block, next: Block, width: number): boolean {
  const word = next.text.split(' ')[0] ?? ''
  const needed = (next.box.width * (word.length + 1)) / Math.max(1, next.text.length)
  return line.box.width + needed > width * 0.97
}

/** A line with nothing but the form of company, perhaps after a part in brackets. */
const isRestOfName = (text: string): boolean =>
  lettersIn(
    repaired(text)
      .replace(suffix, ' ')
      .replace(/\([^)]*\)/g, ' '),
  ) < 3

/** The forms of companies with two words, where one of the words is misread: SLI BHD, SDN BHU, PTE L1D. */
const repaired = (text: string): string =>
  text
    .replace(/\bs[a-z0-9]{1,2}\.? +bhd\b(\.?)\s*$/i, 'SDN BHD$1')
    .replace(/\b[s5]d[nm]\.? +(?:b[a-z0-9]d|bh[a-z0-9]|[a-z0-9]hd|bhd)\b(\.?)\s*$/i, 'SDN BHD$1')
    .replace(/\bpte\.? +(?:l[a-z0-9]d|lt[a-z0-9])\b/i, (found) => (/ltd/i.test(found) ? found : 'PTE LTD'))

const isOther = (text: string): boolean =>
  address.test(text) ||
  contact.test(text) ||
  isTitle(text) ||
  (registration.test(text) && !suffix.test(text)) ||
  lettersIn(text) < 2

function scoreOf(
  name: string,
  line: Block,
  at: number,
  usual: number,
  before: readonly Block[],
): { score: number; evidence: VendorEvidence; isBelowAddress: boolean } {
  const hasSuffix = suffix.test(name)
  const hasWord = business.test(name)
  const size = line.height / Math.max(1, usual)
  const letters = lettersIn(name)
  let score = Math.max(0, 3 - 0.5 * at)
  // The name of the seller stands above its address; a company below one is the owner or the buyer.
  const isBelowAddress = before.some(({ text }) => address.test(text) || contact.test(text))
  if (hasSuffix) score += isBelowAddress ? 1.5 : 5
  if (hasWord) score += 1.5
  score += Math.max(-1, Math.min(2, (size - 1) * 2.5))
  if (isTitle(name)) score -= 7
  if (contact.test(name)) score -= 5
  if (registration.test(line.text) && (!hasSuffix || letters < 5)) score -= 6
  if (address.test(name)) score -= hasSuffix ? 1 : 4
  if (line.row.dates.length > 0) score -= 4
  if (/:/.test(line.text)) score -= 2
  if (
    line.row.labels.some(({ kind, start, end }) => numbered.has(kind) && line.start <= start && end <= line.end) &&
    !hasSuffix &&
    !hasWord
  )
    score -= 4
  if (letters < 4) score -= 2
  if (isLabel(line)) score -= 5
  if (letters / Math.max(1, name.replace(/\s/g, '').length) < 0.6) score -= 2
  score -= (1 - sureness(line.row, line.start, line.end)) * 6
  if (
    line.row.labels.some(({ kind, edits }) => (kind === 'date' || kind === 'cash') && edits === 0) &&
    !hasSuffix &&
    !hasWord
  )
    score -= 2
  const evidence = hasSuffix ? 'suffix' : hasWord ? 'word' : size > 1.3 ? 'large' : at === 0 ? 'first' : 'other'
  return { score, evidence, isBelowAddress }
}

/** The name without registration numbers and marks around it; a zero between letters is the letter O. */
export function nameOf(text: string): string {
  const open = text.lastIndexOf('(')
  const bare = open > 0 && digitsIn(text.slice(open)) >= 4 ? text.slice(0, open) : text
  return bare
    .replace(trailer, '')
    .trimEnd()
    .replace(/^.*$/, repaired)
    .replace(/ [5S]\/[B89]$/, ' S/B')
    .replace(/(?<=[A-Za-z])0(?=[A-Za-z])/g, (_, at: number, whole: string) =>
      /[a-z]/.test(whole[at - 1] ?? '') ? 'o' : 'O',
    )
    .replace(/^[^A-Za-z0-9א-ת(]+|[^A-Za-z0-9א-ת).'"]+$/g, '')
    .trim()
}
