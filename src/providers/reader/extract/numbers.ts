import type { ReadRow } from './figures.ts'
import type { Label } from './labels.ts'
import { segmentBelow } from './rows.ts'

/** A number of the document or of the seller, with how it is known. */
export type FoundNumber = {
  value: string
  row: number
  start: number
  end: number
  score: number
  isValid: boolean
  isRivalled: boolean
}

// biome-ignore format: a table
const documentWorth: Record<string, number> = {
  INVOICENO: 5, INVOICENUMBER: 5, TAXINVOICENO: 5, TAXINVOICENUMBER: 5, INVNO: 5, INVOICEID: 5, INVNUM: 5, TAXINVNO: 5,
  RECEIPTNO: 4.5, RECEIPTNUMBER: 4.5, RCPTNO: 4.5, RECEIPTID: 4.5, BILLNO: 4.5, BILLNUMBER: 4.5, CASHBILLNO: 4.5, CASHMEMONO: 4.5,
  DOCNO: 4, DOCUMENTNO: 4, DOCUMENTNUMBER: 4, CSNO: 4, SLIPNO: 3.5, CHECKNO: 3.5, CHKNO: 3.5, TICKETNO: 3.5,
  TRANSNO: 3, TRANSACTIONNO: 3, TRNNO: 3, TRXNO: 3, TXNNO: 3, TRANSACTIONID: 3, REFNO: 2.5, REFERENCENO: 2.5, ORDERNO: 2,
  INVOICE: 3, INV: 3.5, RECEIPT: 3, BILL: 2.5, RCPT: 3, NO: 1,
  מספרחשבונית: 5, מסחשבונית: 5, חשבוניתמספר: 5, חשבוניתמסמספר: 5, מספרמסמך: 4.5, מסמסמך: 4.5, חשבוןמס: 4.5, מספרקבלה: 4.5, קבלהמספר: 4.5, מסקבלה: 4.5,
  חשבוניתמס: 3.5, חשבוניתמסקבלה: 3.5, חשבונית: 3.5, קבלה: 3, חשבוניתעסקה: 3.5, חשבוןעסקה: 3.5, אסמכתא: 2.5, מסמך: 2.5, מספר: 1,
}

/** The number of the invoice or receipt: the first word with digits after such a label, or below it. */
export function findDocumentNumber(rows: readonly ReadRow[]): FoundNumber | undefined {
  const found: FoundNumber[] = []
  for (const row of rows) {
    for (const label of row.labels) {
      if (label.kind !== 'documentNumber') continue
      const worth = (documentWorth[label.text] ?? 2) - label.edits * 0.5
      const isMarked = /^(?:[ .:]*(?:no|n0|number|num|nr|מס'|מספר)\b)?[ .:]*[#:]/i.test(row.text.slice(label.end))
      const value = wordAfter(row, label, rows) ?? wordBelow(row, label, rows)
      if (value)
        found.push({
          ...value,
          score: worth + (isMarked ? 1 : 0) + value.score - row.index / (rows.length + 1),
          isRivalled: false,
        })
    }
  }
  return chosen(found)
}

function chosen(found: readonly FoundNumber[]): FoundNumber | undefined {
  const sorted = [...found].sort((a, b) => b.score - a.score)
  const best = sorted[0]
  const rival = sorted.find(({ value }) => value !== best?.value)
  return best && { ...best, isRivalled: rival !== undefined && best.score - rival.score < 1 }
}

type Value = Omit<FoundNumber, 'isRivalled'>

/** A word with digits; a blank beside a stroke was read into it. */
const numberWord = /[A-Za-z0-9][A-Za-z0-9_-]*(?: ?\/ ?[A-Za-z0-9_-]+)*[/-]?/g

/** The first word with digits after the label, before any other label; not a date, a time, an amount or a telephone number. */
function wordAfter(row: ReadRow, label: Label, rows: readonly ReadRow[]): Value | undefined {
  const next = row.labels.find(
    ({ start, kind }) => start >= label.end && kind !== 'documentNumber' && kind !== 'quantity',
  )
  const end = Math.min(next?.start ?? row.text.length, label.end + 40)
  const isGlued = label.text !== 'NO' && /^-?[0-9]/.test(row.text.slice(label.end, label.end + 2))
  return wordIn(row, isGlued ? label.start : label.end, end, rows)
}

function wordBelow(row: ReadRow, label: Label, rows: readonly ReadRow[]): Value | undefined {
  const place = row.segments.find(({ start, end }) => start <= label.start && label.end <= end)
  const below = place && segmentBelow(rows, row, place.box)
  const value = below && wordIn(below.row, below.segment.start, below.segment.end, rows)
  const isAlone = value && below && value.end - value.start >= (below.segment.end - below.segment.start) * 0.6
  return value && isAlone ? { ...value, score: value.score - 1 } : undefined
}

function wordIn(row: ReadRow, from: number, to: number, rows: readonly ReadRow[]): Value | undefined {
  const text = row.text.slice(from, to)
  for (const match of text.matchAll(numberWord)) {
    const word = match[0].replace(/[-/_]+$/, '')
    const start = from + match.index
    const end = start + word.length
    const before = text.slice(0, match.index)
    if (before.replace(/\b(?:no|n0|number|num|nr|id|is)\b|מס'|מספר|קבלה/gi, '').replace(/[^A-Za-zא-ת]/g, '').length > 3)
      return undefined
    const isDate = row.dates.some((date) => date.start < end && start < date.end)
    const isAmount = row.amounts.some(
      (amount) => amount.start < end && start < amount.end && (amount.decimals > 0 || amount.currency !== null),
    )
    const isTime = /^[0-9]{1,2}$/.test(word) && /^:[0-9]{2}/.test(text.slice(match.index + word.length))
    if (isDate || isAmount || isTime || !/[0-9]/.test(word)) continue
    const rest = /[-/]$/.test(match[0]) ? restBelow(row, end, rows) : ''
    const value = (rest === '' ? word : match[0] + rest).replaceAll(' ', '')
    const score = (value.length < 3 ? -1.5 : 0) - (/[a-z]/.test(value) ? 1 : 0)
    return { value, row: row.index, start, end, isValid: true, score }
  }
  return undefined
}

/** The rest of a number that ends with a stroke at the end of its column: the first word below. */
function restBelow(row: ReadRow, end: number, rows: readonly ReadRow[]): string {
  const segment = row.segments.find((one) => one.start < end && end <= one.end)
  if (!segment || segment.end - end > 1) return ''
  const below = segmentBelow(rows, row, segment.box)
  return /^[A-Za-z0-9]+$/.exec(below?.segment.text ?? '')?.[0] ?? ''
}

/** Formats of the numbers of sellers. Each is checked as far as its country allows. */
const formats: readonly { pattern: RegExp; isValid: (text: string) => boolean; countries: string[]; worth: number }[] =
  [
    {
      pattern: /(?<![0-9-])[0-9]{9}(?![0-9A-Za-z-])/g,
      isValid: hasIsraeliCheckDigit,
      countries: ['IL'],
      worth: 2,
    },
    { pattern: /(?<![0-9-])[0-9]{8,9}[A-Z](?![0-9A-Za-z])/g, isValid: () => true, countries: ['SG'], worth: 2 },
    {
      pattern: /(?<![0-9A-Za-z])(?:T|S|R)[0-9]{2}[A-Z]{2}[0-9]{4}[A-Z](?![0-9A-Za-z])/g,
      isValid: () => true,
      countries: ['SG'],
      worth: 2,
    },
    {
      pattern: /(?<![0-9A-Za-z])M[A-Z0-9]?-?[0-9]{7,8}-?[A-Z0-9](?![0-9A-Za-z])/g,
      isValid: () => true,
      countries: ['SG'],
      worth: 2.5,
    },
    {
      pattern: /(?<![0-9-])[0-9]{2}-[0-9]{7}(?![0-9A-Za-z-])/g,
      isValid: () => true,
      countries: ['US'],
      worth: 2,
    },
    { pattern: /(?<![0-9A-Za-z])[0-9]{12}(?![0-9A-Za-z-])/g, isValid: () => true, countries: ['MY'], worth: 1.5 },
    { pattern: /(?<![0-9A-Za-z])[0-9]{5,7}-[A-Z](?![0-9A-Za-z])/g, isValid: () => true, countries: ['MY'], worth: 1 },
  ]

/** Nine digits times 1, 2, 1, 2 …, with the digits of each product added, sum up to a multiple of ten. */
export function hasIsraeliCheckDigit(number: string): boolean {
  const products = [...number].map((digit, at) => Number(digit) * (1 + (at % 2)))
  return products.reduce((sum, product) => sum + (product > 9 ? product - 9 : product), 0) % 10 === 0
}

/** The tax or company number of the seller: a number in a known format, better with its label, and not the buyer's. */
export function findTaxNumber(rows: readonly ReadRow[], country: string): FoundNumber | undefined {
  const found: FoundNumber[] = []
  const buyer = rows.find((row) => row.labels.some(({ kind, text }) => kind === 'buyer' && text.length > 2))
  for (const row of rows) {
    const text = row.text.replace(/(?<=[0-9])[Oo](?=[0-9])/g, '0')
    for (const { pattern, isValid, countries, worth } of formats) {
      for (const match of text.matchAll(pattern)) {
        const start = match.index
        const end = start + match[0].length
        const label = row.labels.filter((one) => one.end <= start).at(-1)
        const hasLabel = label?.kind === 'taxNumber'
        const isGlued = /[A-Za-z]$/.test(text.slice(0, start))
        const isOther = isGlued || (label !== undefined && !hasLabel && label.kind !== 'tax')
        const valid = isValid(match[0])
        if (!hasLabel && !(valid && countries.includes(country) && worth >= 2 && !isOther)) continue
        const isBuyers = buyer !== undefined && row.index >= buyer.index && row.index < buyer.index + 6
        const score =
          worth +
          (hasLabel ? 4 : 0) +
          (valid ? 1 : -2) +
          (countries.includes(country) ? 1 : 0) -
          (isBuyers ? 4 : 0) -
          (3 * row.index) / (rows.length + 1)
        found.push({
          value: match[0],
          row: row.index,
          start,
          end,
          score,
          isValid: valid && hasLabel,
          isRivalled: false,
        })
      }
    }
  }
  return chosen(found)
}
