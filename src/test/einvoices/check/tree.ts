import { Decimal } from 'decimal.js'
import { memoize } from '../../../core/values/memoize.ts'
import type { Element } from '../../../providers/reader/einvoice/element.ts'

/** A checked document: its root and short ways to what is in it. Paths name elements without their prefix. */
export type Doc = {
  root: Element
  isCreditNote: boolean
  lines: Element[]
  all(...path: string[]): Element[]
  text(...path: string[]): string
  amount(...path: string[]): Decimal
}

export function toDoc(root: Element): Doc {
  return {
    root,
    isCreditNote: root.name === 'CreditNote',
    lines: all(root, root.name === 'CreditNote' ? 'CreditNoteLine' : 'InvoiceLine'),
    all: (...path) => all(root, ...path),
    text: (...path) => text(root, ...path),
    amount: (...path) => amount(root, ...path),
  }
}

export function all(from: Element, ...path: string[]): Element[] {
  return path.reduce<Element[]>(
    (found, step) => found.flatMap(({ children }) => children.filter(({ name }) => name === step)),
    [from],
  )
}

/** The text of the first element at this path; empty if there is none. */
export const text = (from: Element, ...path: string[]): string => all(from, ...path)[0]?.text.trim() ?? ''

export const has = (from: Element, ...path: string[]): boolean => all(from, ...path).length > 0

/** The amount at this path; zero if there is none. */
export function amount(from: Element, ...path: string[]): Decimal {
  const value = text(from, ...path)
  return /^-?\d+(\.\d+)?$/.test(value) ? new Decimal(value) : new Decimal(0)
}

export const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, each) => total.plus(each), new Decimal(0))

export const cents = (value: Decimal): Decimal => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

/** Every element below this one, in the order of the document: found once, because many rules ask for it. */
export const below = memoize((from: Element): Element[] => {
  const found: Element[] = []
  const visit = ({ children }: Element): void => {
    for (const child of children) {
      found.push(child)
      visit(child)
    }
  }
  visit(from)
  return found
})

export const isCharge = (each: Element) => text(each, 'ChargeIndicator') === 'true'

/** A rule: whether a document obeys it. */
export type Rules = Record<string, (doc: Doc) => boolean>
