import type { Hints, ReadItem, Values } from '../../../core/outside/receipt-reader.ts'
import { isCurrency } from '../../../core/values/currency.ts'
import { addDays, toDay } from '../../../core/values/day.ts'

/**
 * The values of a model's answer that can be right. A model may answer anything, also what a text in the picture told it to, so
 * each value has to look like one of its field; what does not is left out.
 */
export function validValues(answer: unknown, { today }: Hints): Partial<Values> {
  if (typeof answer !== 'object' || answer === null) return {}
  const given = answer as Record<string, unknown>
  const date = dayOf(given.date, { from: addDays(today, -15 * 366), to: addDays(today, 1) })
  const values: { [name in keyof Values]: Values[name] | undefined } = {
    vendor: textOf(given.vendor, 200, /\p{L}.*\p{L}/u),
    vendorTaxNumber: textOf(given.vendorTaxNumber, 40, /^[\p{L}\p{N} ./-]*\d[\p{L}\p{N} ./-]*$/u),
    documentNumber: textOf(given.documentNumber, 60, /\d/),
    date,
    dueDate: dayOf(given.dueDate, { from: date ?? addDays(today, -15 * 366), to: addDays(date ?? today, 2 * 366) }),
    currency: currencyOf(given.currency),
    subtotal: amountOf(given.subtotal),
    taxAmount: amountOf(given.taxAmount),
    taxRate: rateOf(given.taxRate),
    total: amountOf(given.total),
    paymentMethod: textOf(given.paymentMethod, 20, methods),
    items: itemsOf(given.items),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

const methods = /^(CASH|CARD|BANK_TRANSFER|CHEQUE|CHECK|DIRECT_DEBIT|PAYPAL|PAYNOW|OTHER)$/
const itemsMax = 200

function textOf(value: unknown, max: number, form: RegExp): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return text.length <= max && form.test(text) ? text : undefined
}

function dayOf(value: unknown, { from, to }: { from: string; to: string }): string | undefined {
  const day = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? toDay(value) : undefined
  return day && day >= from && day <= to ? day : undefined
}

const currencyOf = (value: unknown) =>
  typeof value === 'string' && isCurrency(value.trim().toUpperCase()) ? value.trim().toUpperCase() : undefined

/** Some models answer with numbers, or with separators of thousands as in "1,234.50". */
function amountOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  return /^-?\d{1,12}(\.\d{1,4})?$/.test(plain) ? plain : undefined
}

function rateOf(value: unknown): string | undefined {
  const rate = amountOf(typeof value === 'string' ? value.replace(/\s*%$/, '') : value)
  return rate !== undefined && Number(rate) >= 0 && Number(rate) < 100 ? rate : undefined
}

function itemsOf(value: unknown): ReadItem[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items = value.slice(0, itemsMax).flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return []
    const given = item as Record<string, unknown>
    const description = textOf(given.description, 300, /./u)
    if (description === undefined) return []
    const [quantity, unitPrice, amount] = [given.quantity, given.unitPrice, given.amount].map(
      (one) => amountOf(one) ?? null,
    )
    return [{ description, quantity: quantity ?? null, unitPrice: unitPrice ?? null, amount: amount ?? null }]
  })
  return items.length > 0 ? items : undefined
}
