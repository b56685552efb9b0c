import { type DetailCode, ruleCode } from '../define/error-codes.ts'
import { conflict, type Detail, databaseFull, Failure, forbidden, invalid, unavailable } from '../define/failure.ts'

/** An error of PostgreSQL: the fields that are read here. */
type DatabaseError = { code: string; constraint?: string; table?: string; detail?: string; message: string }

/** Codes of PostgreSQL have five characters and a digit; one of the operating system may have five (EPIPE), but no digit. */
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code)

/** Serialization failures, deadlocks and lock timeouts: the same transaction may succeed when it is retried. */
export const isRetryable = (error: unknown) =>
  isDatabaseError(error) && (['40001', '40P01', '55P03'].includes(error.code) || isOutdatedPlan(error))

/** A newer version changed a table while this process runs: statements prepared on the connection no longer fit. */
export const isOutdatedPlan = (error: unknown) =>
  isDatabaseError(error) && error.code === '0A000' && error.message.includes('cached plan')

/** PostgreSQL or the file store has no space left. The same work succeeds as soon as there is some. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Failure
    ? error.details[0]?.code === 'STORAGE_FULL'
    : isDatabaseError(error) && error.code === diskFull

/** Whether it is the disk of the database, and not the file store, that a failure is about. */
export const isOfDatabase = ({ cause }: Failure): boolean => isDatabaseError(cause) || isConnectionTrouble(cause)

const diskFull = '53100'

/**
 * The connection was lost, PostgreSQL is stopping or starting, or its disk is full. Whether the last statement was executed
 * is unknown. A `Failure` is never a lost connection, whatever its message quotes.
 */
export const isLost = (error: unknown) => {
  if (error instanceof Failure) return false
  return isDatabaseError(error) ? lost.includes(error.code) || error.code.startsWith('08') : isConnectionTrouble(error)
}

const lost = ['57P01', '57P02', '57P03', '53300', diskFull]

/** Whether the named constraint of the database was violated, also if the error was wrapped in a `Failure` since. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Failure
    ? violates(error.cause, constraint)
    : isDatabaseError(error) && error.constraint === constraint

/** Turns any error into the failure that a caller is told. An error of the product itself is INTERNAL. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseError(error)) return fromDatabase(error)
  if (isConnectionTrouble(error)) return unavailable(error)
  return new Failure('INTERNAL', 'Something went wrong on our side. It has been recorded; nothing was changed.', {
    cause: error,
  })
}

function fromDatabase(error: DatabaseError): Failure {
  switch (error.code) {
    case '23505': // unique_violation
      return conflict(sentenceFor(error, 'It already exists.'), 'ALREADY_EXISTS')
    case '23503': // foreign_key_violation: an insert that refers to a missing row, or a delete of a row in use
      return error.detail?.includes('still referenced')
        ? conflict(sentenceFor(error, 'It is still used elsewhere and cannot be deleted.'), 'IN_USE')
        : invalid('', 'The request refers to something that does not exist.', 'UNKNOWN_REFERENCE')
    case '23514': // check_violation
      if (error.constraint === 'issue_date_in_order') return tooEarly(error)
      if (error.constraint === 'issue_date_not_in_future') return tooLate(error)
      if (error.constraint && error.constraint in futureDays) return tooFarAhead(error)
      if (error.constraint === 'period_is_open') return locked(error)
      if (error.constraint === 'lock_not_in_future') return lockedAhead(error)
      if (error.constraint && error.constraint in ownerRules)
        return forbidden(`${ownerRules[error.constraint]} That needs the role OWNER.`, 'ROLE')
      if (error.constraint && error.constraint in largeAmounts) return tooLarge(error)
      if (error.constraint === 'email_unconfirmed') return forbidden(unconfirmed, 'EMAIL_UNCONFIRMED')
      if (error.constraint && error.constraint in mailRules) return tooMuchMail(error)
      return conflict(sentenceFor(error, 'The change violates a rule of the books.'), ruleCode(error.constraint), error)
    case '22021': // a NUL character in text
    case '22P05':
      return invalid('', 'Text must not contain the character U+0000.', 'NUL_CHARACTER')
    case '22003': // a number too large for its column
    case '22007': // not a date, or one that PostgreSQL cannot store
    case '22008':
      return invalid('', 'A date or a number is out of range.', 'OUT_OF_RANGE')
    case '55P03':
    case '40P01':
    case '40001':
      return conflict('Another request is changing the same data. Try again.', 'BUSY')
    case diskFull:
      return databaseFull(error)
    case '53000': // insufficient resources
    case '53200': // out of memory
    case '57014': // statement timeout
    case '25P03': // idle in transaction for too long
      return unavailable(error)
    default:
      if (isBrokenText(error))
        return invalid('', 'Text must not contain half a character (a lone surrogate).', 'BROKEN_TEXT')
      return isLost(error)
        ? unavailable(error)
        : new Failure('INTERNAL', 'Something went wrong on our side. It has been recorded; nothing was changed.', {
            cause: error,
          })
  }
}

/** The product itself writes all JSON that PostgreSQL gets, so it can only be invalid because of a lone surrogate in it. */
const isBrokenText = ({ code, message }: DatabaseError) => code === '22P02' && message.includes('type json')

/** What a caller is told when a constraint is violated, by the name of the constraint. */
const sentences: Record<string, string> = {
  allocated_number_is_final: 'The tax authority has allocated a number to this document, which does not change.',
  one_default_bank_account: 'Another request made a different account the default at the same time. Try again.',
  one_recipient_per_email: 'This customer already has a recipient with that e-mail address.',
  one_user_per_email: 'There is an account with that e-mail address already. Sign in instead.',
  one_invitation_per_address: 'Another request invited that address at the same time. Try again.',
  one_account_per_code: 'There is an account with that code already.',
  account_with_purpose_is_active: 'The journal books to this account by itself, so it cannot be deactivated.',
  mapped_account_is_active:
    'Categories, tax categories or bank accounts are mapped to this account. Map them to another one first.',
  purpose_fits_type: 'The purpose does not fit the type of the account.',
  purpose_has_account: 'The journal needs an account for each purpose. Give it to another account instead.',
  mapping_not_in_future: 'A mapping begins today or before.',
  one_opening_balance:
    'An account of the entry has an opening balance on this day already. Reverse that entry (POST /api/journal-entries/{id}/reverse), then enter the right balance.',
  one_reversal_per_entry: 'The entry was reversed before.',
  reversal_stays: 'This entry is itself a reversal. Make a new entry instead.',
  entry_is_balanced: 'The debits and credits of an entry must be the same.',
  entry_uses_active_accounts: 'An entry names an account that is not active.',
  organizations_max:
    'You have created or own as many organizations as one person may. Delete one that you do not need, or ask the people who run this server.',
  organization_has_owner:
    'An organization must have an owner: make another member an owner first, then leave or change your role.',
  role_within_reach: 'You cannot grant or remove a role above your own.',
  document_counterparty: 'This customer has documents and cannot be deleted. Make the customer INACTIVE instead.',
  payment_counterparty: 'This customer has payments and cannot be deleted. Make the customer INACTIVE instead.',
  numbered_document_stays:
    'A numbered document cannot be deleted. Credit it with a memo (POST /api/documents/{id}/memos).',
  issued_document_is_frozen:
    'An issued document cannot be changed. Correct it with a memo (POST /api/documents/{id}/memos).',
  account_on_issued_document: 'This account is on issued documents and cannot be deleted.',
  issued_copy_is_frozen: 'What a document was issued with cannot be changed.',
  first_number_before_first_issue:
    'The next number can be chosen only before the first document of its series is issued; after that numbers follow each other without gaps.',
  printed_numbers_stay_unique:
    'With this prefix and number of digits a number that is printed on an issued document would be given again. Choose another prefix.',
  prefix_is_visible:
    'A prefix consists of letters, the digits 0 to 9 and the characters - / . _ # with single spaces between them.',
  formats_of_series_differ:
    'Another type of document shares the running number, and one prefix is the other one followed by digits, so both would print the same number some day. Choose another prefix, or the same one for both.',
  one_printed_number:
    'This number is printed on another document with the same official title. Choose another prefix in the settings of the organization.',
  amounts_agree: 'The amounts of an issued document must add up.',
  paid_within_total: 'The amount is more than the open balance.',
  cancelled_type: 'Only an issued payment request or receipt can be cancelled. Credit other documents with a memo.',
  cancelled_with_its_payment: 'The credit of a supplier is cancelled by voiding it.',
  converted_to_another_type:
    'By law the payment request already is this document: both have the same official type here, so a second one would repeat it. Record its payment and issue the receipt (POST /api/payments/{id}/receipt), or convert the paid request to an INVOICE_RECEIPT.',
  closed_document_is_unpaid: 'The document has payments. Void them first.',
  closed_once: 'The document was cancelled or converted before.',
  convertible_document: 'Only an issued payment request that is not cancelled, credited or converted can be converted.',
  credited_within_total: 'The credit memos would exceed the document.',
  memo_not_before_document:
    'The document that the memo corrects is dated later. Give the memo its date or a later one.',
  memo_of_tax_document:
    'A payment request or receipt gets no memo. Cancel it instead (POST /api/documents/{id}/cancel).',
  preferences_within_64_kib: 'Preferences have at most 64 KiB. Remove some entries: give them as null.',
  attachments_max: 'A document has at most 20 attachments.',
  planned_payment_counterparty:
    'There are cheques of this customer, so it cannot be deleted. Make the customer INACTIVE instead.',
  planned_payment_bank_account: 'This account has planned payments and cannot be deleted.',
  planned_payment_ends_once: 'The planned payment was recorded or cancelled before.',
  payment_bank_account: 'This account has payments and cannot be deleted.',
  payment_of_customer: 'A payment settles documents of its own customer only.',
  refund_fits_payment: 'The payment cannot be refunded: it is voided or a refund itself, or the rest is withheld tax.',
  refund_stands_alone: 'A refund is neither allocated nor refunded.',
  refunded_payment_stays: 'A part of the payment was refunded. Void its refunds first.',
  allocation_not_voided: 'An allocation that was taken back stays so. Allocate the payment again.',
  one_receipt_per_payment: 'The payment has a receipt already.',
  control_account: 'The journal keeps the account by itself, so no expense category can be booked to it.',
  receipt_states_money:
    'A receipt or invoice-receipt states money that was received, and the credit of a memo is none. Use the credit for an invoice.',
  payment_stated_once: 'The payment is stated by a receipt or invoice-receipt already.',
  withheld_within_payment: 'The withheld tax is a part of the amount of the payment.',
  allocated_within_payment: 'The amount is more than the open remainder of the payment.',
  payment_fits_document: 'A payment goes to documents that can be paid, in its own currency.',
  status_transition: 'The document cannot go to that status.',
  payable_when_paid: 'A document with payments cannot go to that status. Void its payments first.',
  line_paid_within_amount: 'The amount is larger than what is open of the line.',
  line_discount: 'The discount of a line is a percentage from 0 to 100 or an amount, not both.',
  automation_has_trigger: 'An automation needs at least one TRIGGER block.',
  payment_not_voided: 'The payment was voided.',
  credential_valid:
    'The API key or app that the automation was saved with has ended. Its owner can enable it again, signed in with a browser.',
  graph_saved_by_person: 'An automation cannot write the graph of an automation.',
  own_claim: 'Nobody approves a claim of their own. Ask another manager.',
  own_run: 'A step cannot delete the automation that it is part of.',
  one_item_per_sku: 'There is an item with that SKU already.',
  only_goods_are_tracked: 'A service has no stock. Leave tracked out, or make the item GOODS.',
  line_item: 'The item stands on documents and cannot be deleted. Make it inactive instead.',
  order_line_item: 'The item stands on orders and cannot be deleted. Make it inactive instead.',
  movement_item: 'The stock of the item has moved, so it cannot be deleted. Make it inactive instead.',
  moved_item_is_tracked: 'The stock of the item has moved, so it stays tracked. Make it inactive instead.',
  item_is_tracked: 'The stock of this item is not tracked. Set tracked on the item first.',
  one_employee_per_user: 'That member of the organization is another employee already.',
  one_employee_per_number: 'Another employee has that number already.',
  employed_before_leaving: 'The employment would end before it begins.',
  payslip_employee:
    'The employee has payslips and cannot be deleted. Enter the last day of the employment (endDate) instead.',
  employee_counterparty: 'The person is an employee. Delete the employee instead.',
  one_payslip_per_month: 'The employee has a payslip for that month already.',
  order_counterparty: 'There are orders that name this company, so it cannot be deleted. Make it INACTIVE instead.',
  expense_supplier: 'There are expenses of this supplier, so it cannot be deleted. Make the supplier INACTIVE instead.',
  numbered_order_stays: 'An order with a number cannot be deleted. Cancel it instead (POST /api/orders/{id}/cancel).',
  order_is_open: 'The order was opened, so its lines, counterparty, currency and date stay as they are.',
  order_takes_deliveries: 'Goods are received or delivered only for an open order.',
  order_transition: 'The order cannot go to that status.',
  fulfilled_within_order: 'More would be received or delivered than was ordered.',
  invoiced_within_order: 'The order is invoiced already.',
  stock_value_fits: 'The quantity or the value of the stock would be larger than can be stored.',
  expense_order: 'There are expenses of this order, so it cannot be deleted.',
}

/** Numbers follow the issue dates; the detail is the date of the last number. */
const tooEarly = ({ detail }: DatabaseError) =>
  invalid('issueDate', `The last number is dated ${detail}: give that date or a later one.`, 'ISSUE_DATE_ORDER')

/** The detail is the current day in the time zone of the organization. */
const tooLate = ({ detail }: DatabaseError) =>
  invalid(
    'issueDate',
    `The issue date is after today, ${detail}. Issue the document on that day, or give an issue date up to today.`,
    'FUTURE_ISSUE_DATE',
  )

const ofPayment = {
  code: 'FUTURE_PAYMENT_DATE',
  what: 'The payment',
  instead: 'Record it on the day on which the money moves, or give a date up to today.',
} as const

/** What may not be dated after today: the field that is named, the code, and what to do instead. */
const futureDays: Record<string, { path: string; code: DetailCode; what: string; limit?: string; instead: string }> = {
  paid_at_not_in_future: { path: 'paidAt', ...ofPayment },
  payment_date_not_in_future: { path: 'paymentDate', ...ofPayment },
  expense_not_in_future: {
    path: 'date',
    code: 'FUTURE_EXPENSE_DATE',
    what: 'The expense',
    instead: 'Approve it on that day, or correct its date.',
  },
  supplier_credit_not_in_future: {
    path: 'date',
    code: 'FUTURE_EXPENSE_DATE',
    what: 'The credit',
    instead: 'Enter it on that day, or give a date up to today.',
  },
  movement_not_in_future: {
    path: 'date',
    code: 'MOVEMENT_NOT_IN_FUTURE',
    what: 'The movement',
    instead: 'Record it on its day, or give a date up to today.',
  },
  entry_not_in_future: {
    path: 'date',
    code: 'ENTRY_NOT_IN_FUTURE',
    what: 'The entry',
    limit: 'the last possible day', // a reversal may have the day of an entry that earlier versions dated after today
    instead: 'Make it on its day, or give a date up to today.',
  },
}

/** The detail is the day that was given and the last one possible: usually the current day in the time zone of the organization. */
function tooFarAhead({ constraint = '', detail = '' }: DatabaseError) {
  const { path, code, what, limit = 'today', instead } = futureDays[constraint] as (typeof futureDays)[string]
  const [day, last] = detail.split(' ')
  return invalid(path, `${what} is dated ${day}, which is after ${limit} (${last}). ${instead}`, code)
}

/** The detail is the last locked day and the day of the entry. */
function locked({ detail = '' }: DatabaseError) {
  const [until, day] = detail.split(' ')
  return conflict(
    `The books are locked until ${until}, and this would add, change or void an entry of ${day}. Give a later date, or ask an OWNER to unlock the period: PATCH /api/organizations/{id}/settings with an earlier lockedUntil, or null.`,
    'PERIOD_LOCKED',
  )
}

/** The detail is the current day in the time zone of the organization. */
const lockedAhead = ({ detail }: DatabaseError) =>
  invalid('lockedUntil', `lockedUntil is after today, ${detail}. Lock the books until today or an earlier day.`)

/** What weakens a rule that binds managers. */
const ownerRules: Record<string, string> = {
  own_record: 'Claims of this person are known as yours by this address or account.',
  owner_unlocks_period: 'Moving lockedUntil back or removing it opens a locked period again.',
  owner_weakens_approval:
    'Switching requireApproval off, or raising expenseApprovalAbove, lets people approve what they entered themselves.',
  owner_changes_numbering: 'Documents of this type were issued with the numbering that the change replaces.',
  owner_changes_currency:
    'The books have entries, or the rule for approvals has an amount, in the main currency that the change replaces.',
}

/** The field that is named when an amount is too large in the currency of the organization or of its country. */
const largeAmounts: Record<string, string> = {
  amounts_fit_given_rate: 'exchangeRate',
  amounts_fit_home: 'total',
  payment_fits_given_rate: 'exchangeRate',
  payment_fits_home: 'amount',
}

/** The detail is the currency. */
function tooLarge({ constraint = '', detail }: DatabaseError) {
  const path = largeAmounts[constraint] ?? ''
  const message =
    path === 'exchangeRate'
      ? `At this exchange rate the amounts are larger than an amount in ${detail} can be.`
      : `In ${detail}, at its exchange rate, this is larger than an amount can be.`
  return invalid(path, message, 'AMOUNT_TOO_LARGE')
}

const unconfirmed =
  'Confirm your e-mail address before mail is sent in your name: open the link in the e-mail that you got when you signed up. Your account page (/account) can send it again.'

const mailRules: Record<string, string> = {
  mail_per_recipient: 'This recipient has got as many messages as one may get within 24 hours.',
  mail_per_person: 'You have sent as many messages as one person may within 24 hours.',
}

/** The detail is the number of seconds until the next message. */
function tooMuchMail({ constraint = '', detail }: DatabaseError): Failure {
  const retryAfterS = Math.max(1, Number(detail) || 1)
  const message = `${mailRules[constraint]} Try again in ${retryAfterS} seconds.`
  const code = ruleCode(constraint)
  return new Failure('RATE_LIMIT', message, {
    retryAfterS,
    limited: constraint,
    details: [{ path: '', message, ...(code && { code }) }],
  })
}

const sentenceFor = ({ constraint }: DatabaseError, otherwise: string) =>
  (constraint && sentences[constraint]) || otherwise

const troubles = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAGAIN', // a local socket whose server is frozen and whose queue is full
]
const troubleText =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|fell silent|Cannot use a pool after/i

const isConnectionTrouble = (error: unknown) =>
  error instanceof Error &&
  (('code' in error && troubles.includes(String(error.code))) || troubleText.test(error.message))

/** The body of every error response. */
export function errorBody({ code, message, details }: Failure, requestId: string): { error: ErrorShape } {
  return { error: { code, message, ...(details.length > 0 && { details }), requestId } }
}

type ErrorShape = { code: string; message: string; details?: Detail[]; requestId: string }
