import { createHash } from 'node:crypto'
import type { Switches } from './switches.ts'

type Json = Record<string, unknown>
type Problem = { code: number; message: string; param: string }
export type Answer = { status: number; body: Json }

/** What the simulator knows of a document: the number that it allocated, or that it refused one. */
export type Allocated = { number: string | null; times: number; vatNumber: number }

/** The decisions of the simulator. It forgets them when it stops, and would decide the same again. */
export function createAllocations(switches: Switches) {
  const decided = new Map<string, Allocated>()

  /** Decides about a request as the authority does: wrong data is named, and the same document gets the same number. */
  function decide(request: Json, today: string): Answer {
    const problems = problemsOf(request, today)
    if (problems.length > 0) return refused(400, problems, 'request')
    const { invoice_id: id, vat_number: vat, invoice_date: date } = request
    const key = `${vat} ${id}`
    const before = decided.get(key)
    if (before) before.times += 1
    if (before?.number === null)
      return refused(200, [
        { code: 461, message: 'A refused invoice exists, no decision was sent', param: 'invoice_id' },
      ])
    if (before?.number) return approved(repeatedNumber(key, before.number))
    const isRefused = fraction(`refuse ${key}`) < switches.reject
    const number = isRefused ? null : numberOf(key, String(date))
    decided.set(key, { number, times: 1, vatNumber: Number(vat) })
    return number === null
      ? refused(200, [{ code: 460, message: 'Invoice not approved', param: 'vat_number' }])
      : approved(number)
  }

  function repeatedNumber(key: string, number: string): string {
    if (switches.repeated === 'another-number') return numberOf(`${key} again`, number)
    if (switches.repeated === 'same-number') return number
    const others = [...decided].filter(([other, { number: theirs }]) => other !== key && theirs !== null)
    return others.at(-1)?.[1].number ?? number
  }

  return { decided, decide }
}

const approved = (number: string): Answer => ({
  status: 200,
  body: { status: 200, message: 'Invoice approved', confirmation_number: number, approved: true },
})

const refused = (status: number, problems: Problem[], location = 'approval'): Answer => ({
  status,
  body: {
    status,
    message: { errors: problems.map((problem) => ({ ...problem, location })) },
    confirmation_number: '0',
    approved: false,
  },
})

/** The day and 18 digits of a hash: 26 digits, as the authority issues them, of which the last nine are printed. */
const numberOf = (key: string, day: string) => `${day.replaceAll('-', '').slice(0, 8)}${digitsOf(key)}`
const digitsOf = (key: string) => String(BigInt(`0x${hash(key).slice(0, 24)}`) % 10n ** 18n).padStart(18, '1')
const fraction = (key: string) => Number.parseInt(hash(key).slice(0, 12), 16) / 2 ** 48
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** The rules of the authority that a request can break, with its codes. */
function problemsOf(request: Json, today: string): Problem[] {
  const problem = (wrong: boolean, code: number, param: string, message: string) =>
    wrong ? [{ code, message, param }] : []
  const { vat_number: vat, customer_vat_number: customer, invoice_date: date, user_id: user } = request
  const [net, tax, gross] = ['payment_amount', 'vat_amount', 'payment_amount_including_vat'].map(
    (name) => request[name],
  )
  const amounts = ['amount_before_discount', 'discount', 'payment_amount', 'vat_amount', 'payment_amount_including_vat']
  const notNumbers = amounts.filter((name) => typeof request[name] !== 'number')
  const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date)
  return [
    ...problem(typeof request.invoice_id !== 'string' || request.invoice_id === '', 422, 'invoice_id', 'Missing field'),
    ...problem(!invoiceTypes.has(Number(request.invoice_type)), 422, 'invoice_type', 'Unknown invoice type'),
    ...problem(
      typeof request.accounting_software_number !== 'number',
      422,
      'accounting_software_number',
      'Missing field',
    ),
    ...notNumbers.map((param) => ({ code: 422, message: 'A number is needed', param })),
    ...problem(!isNumber(vat), 431, 'vat_number', 'VAT number incorrect'),
    ...problem(!isNumber(customer) || customer === vat, 432, 'customer_vat_number', 'Customer VAT number incorrect'),
    ...problem(!isDay, 422, 'invoice_date', 'A day is needed'),
    ...problem(isDay && days(date, today) > 14, 434, 'invoice_date', 'Invoice date is too old'),
    ...problem(isDay && days(today, date) > 31, 435, 'invoice_date', 'Invoice date is more than a month ahead'),
    ...problem(
      notNumbers.length === 0 && (!(Number(tax) > 0) || !isSum(Number(net), Number(tax), Number(gross))),
      437,
      'vat_amount',
      'VAT amount incorrect',
    ),
    ...problem(user === undefined && !request.user_name, 446, 'user_id', 'user_id or user_name is required'),
  ]
}

const invoiceTypes = new Set([305, 310, 320, 332, 340, 345, 348])
const isSum = (net: number, tax: number, gross: number) => Math.abs(net + tax - gross) < 0.005

/** A JSON number of up to nine digits with a valid check digit; texts are refused, as the authority does. */
function isNumber(value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= 0 || value > 999_999_999) return false
  if (value === notDeducting) return true
  const products = [...String(value).padStart(9, '0')].map((digit, at) => Number(digit) * (1 + (at % 2)))
  return products.reduce((sum, product) => sum + (product > 9 ? product - 9 : product), 0) % 10 === 0
}

/** The number that stands for a customer who deducts no VAT. */
const notDeducting = 999_999_998
