import { exact, percentOf, round } from '../../core/values/money.ts'
import { hundredths, major } from '../sale.ts'

/** An expense of the demo, with what happened to it. */
export type Expense = {
  /** Identifies it in a company: vendor, day and amount. */
  key: string
  title: string
  vendor: string
  supplier?: string
  claimant?: string
  category: string
  amount: number
  currency: string
  date: string
  dueDate?: string
  taxRate?: number
  taxAmount?: number
  deductibleTaxAmount?: number
  documentNumber: string
  vendorTaxNumber?: string
  vendorAddress?: string
  paymentMethod: string
  source: 'MANUAL' | 'SCAN' | 'EMAIL'
  status: 'DRAFT' | 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED'
  notes?: string
  reason?: string
  splits?: { category: string; amount: number; description: string }[]
  customer?: string
  hasReceipt: boolean
  payment?: { amount: number; paidAt: string; isAdvance: boolean }
  credit?: { amount: number; date: string; reason: string }
}

/** One payment of several expenses. */
export type Transfer = {
  payee: string
  currency: string
  amount: number
  paidAt: string
  method: string
  keys: string[]
}

export const keyOf = ({ vendor, date, amount }: { vendor: string | null; date: string; amount: number }) =>
  `${vendor} ${date} ${amount}`

/** The tax that an amount includes, and the part of it that is deducted, if not all. */
export function taxIn(amount: number, rate: number, deductibleShare?: number) {
  if (rate === 0) return {}
  const tax = round(
    exact(String(hundredths(amount)))
      .times(exact(rate))
      .div(exact(rate).plus(100)),
    'half-up',
  )
  const deductible = deductibleShare !== undefined && {
    deductibleTaxAmount: major(percentOf(tax, deductibleShare * 100, 'half-up')),
  }
  return { taxRate: rate, taxAmount: major(tax), ...deductible }
}

export const shareOf = (amount: number, share: number): number =>
  major(percentOf(hundredths(amount), share * 100, 'half-up'))
