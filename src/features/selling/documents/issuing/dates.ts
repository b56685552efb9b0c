import { invalid } from '../../../../core/define/failure.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { daysBetween } from '../../../../core/values/day.ts'
import { findCountry } from '../../../../countries/countries.ts'
import type { DocumentType } from '../../../../countries/country.ts'
import type { DocumentRow } from '../reading/read.ts'

/** Refuses to issue a document that is dated after today: its number would force all later ones to that date. */
export function refuseFutureDate(issueDate: string, today: string): void {
  if (issueDate <= today) return
  throw invalid(
    'issueDate',
    `The issue date ${issueDate} is after today, ${today}. Issue the document on that day, or give an issue date up to today.`,
    'FUTURE_ISSUE_DATE',
  )
}

/** Refuses a memo that is dated before the document that it corrects; the database has the same rule. */
export function refuseBeforeDocument(issueDate: string, source: Pick<DocumentRow, 'issueDate'>): void {
  if (issueDate >= source.issueDate) return
  throw invalid(
    'issueDate',
    `The document that the memo corrects is dated ${source.issueDate}. Give the memo that date or a later one.`,
    'MEMO_NOT_BEFORE_DOCUMENT',
  )
}

type DatedRow = Pick<DocumentRow, 'status' | 'documentType' | 'issueDate' | 'organization'>
type Written = {
  today: string
  /** The issue date that was asked for. */
  requested: string
  /** The latest date of a number of this type before the document was issued, if it is after today. */
  lastNumberDate: string | null
}

/** Warnings about the issue date of a document that was just written. */
export const issueDateWarnings = (row: DatedRow, written: Written): Warning[] =>
  row.status === 'DRAFT' ? plannedDate(row, written) : issuedDate(row, written)

function plannedDate({ issueDate }: DatedRow, { today }: Written): Warning[] {
  if (issueDate <= today) return []
  return [warning('ISSUE_DATE_PLANNED', 'issueDate', `The document can be issued from ${issueDate} on.`)]
}

/** Numbers follow the calendar: a document without a given date is not dated before the last number of its type. */
function issuedDate({ issueDate, documentType, organization }: DatedRow, written: Written): Warning[] {
  const { requested, today, lastNumberDate } = written
  if (issueDate !== requested)
    return [
      warning(
        'ISSUE_DATE_MOVED',
        'issueDate',
        `The last number is dated ${issueDate}, so this document has the same date.`,
      ),
    ]
  if (lastNumberDate !== null && issueDate < lastNumberDate)
    return [
      warning(
        'ISSUE_DATE_ORDER',
        'issueDate',
        `An earlier number is dated ${lastNumberDate}, in the future; this document has the date ${issueDate}.`,
      ),
    ]
  const limit = findCountry(organization?.country ?? null)?.documents.backdatedDays(documentType as DocumentType, today)
  const age = daysBetween(issueDate, today)
  if (limit === undefined || age <= limit) return []
  return [
    warning(
      'ISSUE_DATE_PAST',
      'issueDate',
      `The issue date is ${age} days before today; more than ${limit} days are unusual.`,
    ),
  ]
}

export function dueDateWarnings({ issueDate, dueDate }: Pick<DocumentRow, 'issueDate' | 'dueDate'>): Warning[] {
  if (dueDate === null || dueDate >= issueDate) return []
  return [warning('DUE_DATE_BEFORE_ISSUE', 'dueDate', `The due date ${dueDate} is before the issue date ${issueDate}.`)]
}

const warning = (code: string, path: string, message: string): Warning => ({ code, path, message })
