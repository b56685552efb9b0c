import { isCurrency } from '../../../core/values/currency.ts'
import { minorDigits, toMinor } from '../../../core/values/money.ts'
import type { ExpenseRow } from '../expenses/reading/read.ts'
import type { ExpenseInput } from '../expenses/writing/amounts.ts'
import type { ExtractedData } from './extracted-data.ts'

/** What a document says, and the supplier, category and order that it belongs to. */
export type Found = {
  data: ExtractedData
  supplierId: string | null
  categoryId: string | null
  orderId: string | null
}

/** What a document says of an expense. */
type FoundValues = Partial<Omit<ExpenseInput, 'taxAmount'>> & { taxAmount?: number | null }

/** The fields that have a value before anybody gave one: those of the draft of an upload. */
const alwaysSet = ['amount', 'currency', 'date'] as const

/**
 * The values of a document that an expense takes over: those that no person has entered. Of an expense that was entered by
 * hand, amount, currency and date are a person's, and so is every other field that is not empty.
 */
export function valuesToFill(row: ExpenseRow, current: ExpenseInput, { data, ...found }: Found): FoundValues {
  const entered = enteredFields(row)
  const isFree = (field: keyof ExpenseInput) =>
    !entered.includes(field) && (alwaysSet.includes(field as 'amount') || isEmpty(current[field]))
  const values: FoundValues = { ...described(data), ...found, ...amounts(data, { row, current, isFree }) }
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isEmpty(value) && isFree(field as keyof ExpenseInput)),
  )
}

/** The fields that a person has written. For an expense of an earlier version it is not known which, if one changed it. */
const enteredFields = ({ enteredFields, source, changedBy }: ExpenseRow): readonly string[] =>
  enteredFields ?? (source === 'MANUAL' || changedBy !== null ? alwaysSet : [])

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

function described({ vendor, vendorTaxNumber, documentNumber, date, dueDate, paymentMethod }: ExtractedData) {
  return {
    vendor: short(vendor),
    vendorTaxNumber: short(vendorTaxNumber),
    documentNumber: short(documentNumber),
    date: date ?? null,
    dueDate: dueDate ?? null,
    paymentMethod: paymentMethod?.slice(0, 200) ?? null,
  } as FoundValues
}

const short = (text: string | null | undefined) => text?.slice(0, 1_000) ?? null

type Amounts = { row: ExpenseRow; current: ExpenseInput; isFree(field: keyof ExpenseInput): boolean }

/** Amount, currency and tax belong together: with an amount of a person, a tax is taken over only if the document has that amount. */
function amounts(data: ExtractedData, { current, isFree }: Amounts): FoundValues {
  const currency = data.currency && isCurrency(data.currency) ? data.currency : current.currency
  const total = rounded(data.total ?? null, currency)
  if (total === null) return {}
  const isSame = isFree('amount') || (current.amount === total && current.currency === currency)
  const tax = rounded(data.taxAmount ?? null, currency)
  const hasTax = isSame && tax !== null && tax < total
  return {
    amount: total,
    ...(isFree('amount') && { currency }),
    ...(hasTax && { taxAmount: tax }),
    ...(isSame && data.taxRate != null && data.taxRate >= 0 && data.taxRate < 100 && { taxRate: data.taxRate }),
  }
}

/** An amount with the decimal places of its currency; null if it is none or too large. */
function rounded(amount: number | null, currency: string): number | null {
  if (amount === null || !(amount >= 0)) return null
  const value = Number(amount.toFixed(minorDigits(currency)))
  return toMinor(value, currency).kind === 'exact' ? value : null
}
