import type { Warning } from '../../../../core/define/schema.ts'
import { today } from '../../../../core/values/day.ts'
import type { Document } from '../document.ts'
import { type DocumentRow, toDocument } from '../reading/read.ts'
import { issueDateWarnings } from './dates.ts'
import { demandWarnings } from './demands.ts'
import { type IssuingContext, ownRateWarnings, turnoverWarnings } from './issuing-context.ts'

type Written = {
  organization: IssuingContext
  now: Date
  /** The issue date that was asked for; today if none was. */
  requested?: string | undefined
}

/** Warnings about the dates, the exchange rate, the turnover, the rates and the e-invoice of a document that was just created or changed as a draft. */
export const writtenWarnings = (row: DocumentRow, written: Written): Warning[] => [
  ...issueWarnings(row, written),
  ...turnoverWarnings(row, written.organization),
  ...ownRateWarnings(row, written.organization),
]

/** The same of a memo, or of the invoice for a payment request: its turnover and rates are those of the other document. */
export const derivedWarnings = (row: DocumentRow, written: Written): Warning[] =>
  issueWarnings(row, written, { isDerived: true })

function issueWarnings(
  row: DocumentRow,
  { organization, now, requested }: Written,
  { isDerived = false } = {},
): Warning[] {
  const { connections, futureNumbers, timezone } = organization
  const currentDay = today(now, timezone)
  const dates = {
    today: currentDay,
    requested: requested ?? currentDay,
    lastNumberDate: futureNumbers?.[row.documentType] ?? null,
  }
  return [
    ...issueDateWarnings(row, dates),
    ...missingRateWarnings(toDocument(row)),
    ...demandWarnings(row, { connections, isDerived }),
  ]
}

/** The exchange rate is fixed with the number. Without a published rate the document has none. */
export function missingRateWarnings({ exchangeRate, status, currency, issueDate }: Document): Warning[] {
  if (status === 'DRAFT' || exchangeRate !== null) return []
  const message = `No exchange rate of ${currency} is known for ${issueDate}, so the document has none.`
  return [{ code: 'EXCHANGE_RATE_MISSING', path: 'currency', message }]
}
