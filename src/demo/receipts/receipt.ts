import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Language } from '../../core/values/language.ts'
import { blankPicture, drawRule, drawText, toPng, widthOf } from './picture.ts'
import { type Font, readFont } from './true-type.ts'

/** What a receipt says. Amounts are in major units; the total includes the tax. */
export type Receipt = {
  language: Language
  vendor: string
  address?: string | undefined
  taxNumber?: string | undefined
  number: string
  date: string
  title: string
  currency: string
  total: number
  taxRate?: number | undefined
  taxAmount?: number | undefined
  paidBy?: string | undefined
}

const words = {
  en: {
    number: 'Receipt',
    date: 'Date',
    net: 'Net',
    tax: 'Tax',
    total: 'TOTAL',
    paid: 'Paid by',
    taxNumber: 'Tax no.',
  },
  he: { number: 'קבלה', date: 'תאריך', net: 'לפני מע״מ', tax: 'מע״מ', total: 'סה״כ', paid: 'שולם', taxNumber: 'ח.פ.' },
}

const width = 420
const margin = 24

/** A row of a receipt: a label and a value on both sides, a text in the middle, or a dashed rule. */
type Row =
  | { label: string; value: string; size: number; bold?: boolean }
  | { text: string; size: number; bold?: boolean }
  | 'rule'

/** Draws a receipt as it comes out of a till, as a PNG file. A Hebrew one runs from right to left. */
export function drawReceipt(receipt: Receipt): Uint8Array {
  const rows = rowsOf(receipt)
  const heightOf = (row: Row) => (row === 'rule' ? 18 : Math.round(row.size * 1.55))
  const picture = blankPicture(width, 2 * margin + rows.reduce((sum, row) => sum + heightOf(row), 0))
  let top = margin
  for (const row of rows) {
    const y = top + heightOf(row) * 0.7
    if (row === 'rule') drawRule(picture, top + 9, { margin, dash: 5 })
    else {
      const font = row.bold ? fonts().bold : fonts().regular
      const draw = (text: string, side: 'left' | 'right' | 'middle') => {
        const shown = inVisualOrder(text)
        const free = width - 2 * margin - widthOf(font, shown, row.size)
        const x = margin + (side === 'left' ? 0 : side === 'right' ? free : free / 2)
        drawText(picture, font, shown, { x, y, size: row.size })
      }
      const isHebrew = receipt.language === 'he'
      if ('text' in row) draw(row.text, 'middle')
      else {
        draw(row.label, isHebrew ? 'right' : 'left')
        draw(row.value, isHebrew ? 'left' : 'right')
      }
    }
    top += heightOf(row)
  }
  return toPng(picture)
}

function rowsOf(receipt: Receipt): Row[] {
  const { vendor, address, taxNumber, number, date, title, currency, total, taxRate, taxAmount, paidBy } = receipt
  const say = words[receipt.language]
  const money = (amount: number) => `${amount.toFixed(2)} ${currency}`
  const row = (label: string, value: string): Row => ({ label, value, size: 17 })
  const tax =
    taxAmount === undefined
      ? []
      : [row(say.net, money(total - taxAmount)), row(`${say.tax} ${taxRate}%`, money(taxAmount))]
  return [
    { text: vendor, size: 26, bold: true },
    ...(address ? [{ text: address, size: 14 }] : []),
    ...(taxNumber ? [{ text: `${say.taxNumber} ${taxNumber}`, size: 14 }] : []),
    'rule',
    row(say.number, number),
    row(say.date, date),
    'rule',
    row(title, money(total)),
    'rule',
    ...tax,
    { label: say.total, value: money(total), size: 23, bold: true },
    ...(paidBy ? [row(say.paid, paidBy)] : []),
  ]
}

/** A text in the order in which its characters stand on the paper. In a Hebrew one, numbers and Latin words still run to the right. */
export function inVisualOrder(text: string): string {
  if (!/\p{Script=Hebrew}/u.test(text)) return text
  const runs = text.match(/[A-Za-z0-9%/+&.-]*[A-Za-z0-9%]|[^A-Za-z0-9%]+/g) ?? []
  return runs
    .map((run) => (/^[A-Za-z0-9%/+&.-]+$/.test(run) ? run : [...run].reverse().join('')))
    .reverse()
    .join('')
}

const require = createRequire(import.meta.url)
const fontOf = (path: string): Font => readFont(readFileSync(require.resolve(`@expo-google-fonts/heebo/${path}`)))

let loaded: { regular: Font; bold: Font } | undefined
/** Heebo has Latin and Hebrew letters. Read with the first receipt. */
function fonts() {
  loaded ??= { regular: fontOf('400Regular/Heebo_400Regular.ttf'), bold: fontOf('700Bold/Heebo_700Bold.ttf') }
  return loaded
}
