import type { Language } from '../../core/values/language.ts'
/** What a demo company spends: its suppliers, the employees who pay for it, and recent expenses that differ from the regular ones. */
export type Spending = {
  /** Categories beside those that every organization starts with. */
  categories: readonly { name: string; color: string }[]
  suppliers: readonly Supplier[]
  employees: readonly Employee[]
  specialExpenses: readonly SpecialExpense[]
  /** The language of receipts. */
  language: Language
}

export type Supplier = {
  name: string
  country: string
  registrationNumber?: string
  address?: string
  supplies: Supply
} & Record<string, unknown>

/** What a supplier delivers. Amounts include the tax and are a range, in the currency of the supply. */
export type Supply = {
  title: string
  category: string
  amount: readonly [number, number]
  perMonth: number
  /** Days until it is due, and until it is actually paid. */
  dueDays: number
  paysAfterDays: readonly [number, number]
  method: string
  /** The currency of the company unless given. */
  currency?: string
  /** From abroad, or exempt. */
  taxFree?: true
  /** The part of the tax that may be deducted, if not all: none for meals in Israel, two thirds for cars. */
  deductibleShare?: number
  /** Pays this many bills with one transfer. */
  billsPerTransfer?: number
  /** Hands out receipts that are kept as pictures. */
  receipts?: true
}

/** An employee, who is a counterparty, and what they pay for the company. */
export type Employee = { name: string; country: string; email: string; claims: readonly Claim[]; perMonth: number }

export type Claim = Pick<Supply, 'title' | 'category' | 'amount' | 'taxFree' | 'deductibleShare' | 'currency'> & {
  vendor: string
}

export type SpecialExpense = {
  /** A supplier or an employee. */
  of: string
  daysAgo: number
  status: 'DRAFT' | 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED'
  source?: 'MANUAL' | 'SCAN' | 'EMAIL'
  title?: string
  amount: number
  notes?: string
  reason?: string
  /** Paid in part, in full, or more than is owed. */
  paid?: { share: number; daysAgo: number }
  credited?: { share: number; daysAgo: number; reason: string }
  /** A second category for a share of the amount. */
  split?: { category: string; share: number; title: string }
  /** The customer it can be charged on to. */
  customer?: string
}
