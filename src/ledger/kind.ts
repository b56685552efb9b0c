import type { Account } from './journal/journal.ts'

/** Whether something is owed to the organization or by it. */
export type Direction = 'OUTGOING' | 'INCOMING'

/** Columns of `documents` that a kind may freeze; `lines` stands for the lines of the document. */
export const freezableColumns = [
  'document_type', 'counterparty_id', 'counterparty_name', 'currency', 'minor_digits', 'exchange_rate', 'rate_currency',
  'rate_date', 'issue_date', 'due_date', 'subtotal_minor', 'tax_minor', 'total_minor', 'tax_rate', 'source_document_id',
  'payment_id', 'lines',
] as const // biome-ignore format: a list of words
export type FreezableColumn = (typeof freezableColumns)[number]

/**
 * One kind of obligation on the ledger: sales documents, and later expenses, payslips and claims. A kind is declared once,
 * here in TypeScript; its row in `ledger_kinds` is the same declaration for the guards of the database (a test compares
 * both). A new kind takes a table for its own columns, a declaration, its row and its operations.
 */
export type LedgerKind<Status extends string = string, Type extends string = string> = {
  /** The value of the column `kind`. */
  name: string
  direction: Direction
  /** The direction of the payments that settle it. */
  paymentDirection: Direction
  documentTypes: readonly Type[]
  /** Types that ask for money without being an invoice: the journal books neither revenue nor tax for them. */
  unbilledTypes: readonly NoInfer<Type>[]
  /** In the usual order. A kind whose status follows its payments has the status PAID. */
  statuses: readonly Status[]
  /** Statuses of documents that are not final: they have no number and are not in the journal. Leaving them makes final. */
  draftStatuses: readonly NoInfer<Status>[]
  /** Statuses in which payments may be allocated to the document. */
  payableStatuses: readonly NoInfer<Status>[]
  /** The statuses that may follow each status. Only the void of a payment leads back from PAID. */
  transitions: Readonly<Record<Status, readonly NoInfer<Status>[]>>
  /** The status of a final document that is not paid, before and after it was sent; null for kinds without PAID. */
  unpaid: { openStatus: NoInfer<Status>; sentStatus: NoInfer<Status> | null } | null
  /** Whether a document gets a number, without gaps, when it becomes final. */
  numbered: boolean
  freezes: {
    /** Columns that cannot change once the document is final. */
    whenFinal: readonly FreezableColumn[]
    /** Columns that cannot change while the document has a payment. */
    whenPaid: readonly FreezableColumn[]
  }
  /** Whether every allocation names the line it pays. */
  paysLines: boolean
  counterpartyNeeded: boolean
  /** `advances` is where the open remainder of a payment is booked; PREPAYMENTS unless given. */
  accounts: { balance: Account; result: Account; advances?: Account }
  /** The events of which one is emitted when a document becomes final. */
  finalEvents: readonly string[]
}

/** Declares a kind. */
export const ledgerKind = <const Status extends string, const Type extends string>(
  kind: LedgerKind<Status, Type>,
): LedgerKind<Status, Type> => kind

/** The row of the kind in `ledger_kinds`. */
export const toKindRow = (kind: LedgerKind) => ({
  kind: kind.name,
  direction: kind.direction,
  payment_direction: kind.paymentDirection,
  document_types: kind.documentTypes,
  unbilled_types: kind.unbilledTypes,
  statuses: kind.statuses,
  draft_statuses: kind.draftStatuses,
  payable_statuses: kind.payableStatuses,
  transitions: kind.transitions,
  open_status: kind.unpaid?.openStatus ?? null,
  sent_status: kind.unpaid?.sentStatus ?? null,
  numbered: kind.numbered,
  frozen_when_final: kind.freezes.whenFinal,
  frozen_when_paid: kind.freezes.whenPaid,
  pays_lines: kind.paysLines,
  counterparty_needed: kind.counterpartyNeeded,
  balance_account: kind.accounts.balance,
  result_account: kind.accounts.result,
  advances_account: kind.accounts.advances ?? 'PREPAYMENTS',
  final_events: kind.finalEvents,
})

/** Whether a caller may move a document from one status to the other. Keeping the status is always allowed. */
export const canTransition = <Status extends string>(
  { transitions }: LedgerKind<Status>,
  from: Status,
  to: Status,
): boolean => from === to || transitions[from].includes(to)

export const isPayable = ({ payableStatuses }: LedgerKind, status: string): boolean => payableStatuses.includes(status)
