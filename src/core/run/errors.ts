import { ruleCode } from '../define/error-codes.ts'
import { conflict, type Detail, Failure, invalid, unavailable } from '../define/failure.ts'

/** An error of PostgreSQL, as far as we read it. */
type DatabaseError = { code: string; constraint?: string; table?: string; detail?: string; message: string }

/** Its codes have five places and a digit; the operating system's may have five (EPIPE), but no digit. */
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code)

/** Serialization failures, deadlocks and lock timeouts: the same request may well succeed a moment later. */
export const isRetryable = (error: unknown) =>
  isDatabaseError(error) && (['40001', '40P01', '55P03'].includes(error.code) || isOutdatedPlan(error))

/** A newer version has changed a table while this one serves: what the connection had prepared is no longer true. */
export const isOutdatedPlan = (error: unknown) =>
  isDatabaseError(error) && error.code === '0A000' && error.message.includes('cached plan')

/**
 * The connection was lost, or PostgreSQL is stopping or starting: whoever asked is not to blame, and nobody knows how far
 * the last statement got. A `Failure` never says so, whatever its sentence quotes.
 */
export const isLost = (error: unknown) => {
  if (error instanceof Failure) return false
  return isDatabaseError(error) ? lost.includes(error.code) || error.code.startsWith('08') : isConnectionTrouble(error)
}

const lost = ['57P01', '57P02', '57P03', '53300']

/** Whether a rule of the database refused it, by the name of the rule; however it was wrapped since. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Failure
    ? violates(error.cause, constraint)
    : isDatabaseError(error) && error.constraint === constraint

/** The one place where what went wrong becomes what a caller is told. What is nobody's fault but ours stays INTERNAL. */
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
      return conflict(sentenceFor(error, 'There is one like that already.'), 'ALREADY_EXISTS')
    case '23503': // foreign_key_violation: an insert that names something missing, or a delete of something in use
      return error.detail?.includes('still referenced')
        ? conflict(sentenceFor(error, 'It is still used elsewhere and cannot be deleted.'), 'IN_USE')
        : invalid('', 'Something this refers to does not exist.', 'UNKNOWN_REFERENCE')
    case '23514': // check_violation
      if (error.constraint === 'issue_date_in_order') return tooEarly(error)
      return conflict(sentenceFor(error, 'That would break a rule of the books.'), ruleCode(error.constraint), error)
    case '22021': // a NUL character in text
    case '22P05':
      return invalid('', 'Text must not contain the character U+0000.', 'NUL_CHARACTER')
    case '22003': // a number too large for its column
    case '22007': // no date, or one that PostgreSQL cannot keep
    case '22008':
      return invalid('', 'A date or a number is outside what can be kept.', 'OUT_OF_RANGE')
    case '55P03':
    case '40P01':
    case '40001':
      return conflict('Others are changing the same thing just now. Try again.', 'BUSY')
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

/** All JSON that PostgreSQL gets is ours, so that a lone surrogate, which somebody sent, is all that can be wrong with it. */
const isBrokenText = ({ code, message }: DatabaseError) => code === '22P02' && message.includes('type json')

/** A rule in the database that people meet has its sentence here; its name is the constraint's. */
const sentences: Record<string, string> = {
  one_default_bank_account: 'Another account was made the default at the same moment. Try again.',
  one_recipient_per_email: 'This customer already has a recipient with that e-mail address.',
  one_user_per_email: 'There is an account with that e-mail address already. Sign in instead.',
  one_invitation_per_address: 'That address was invited at the same moment. Try again.',
  organization_has_owner:
    'An organization always has an owner: make somebody else an owner first, then leave or step down.',
  role_within_reach: 'Nobody gives or takes a role above their own.',
  document_counterparty: 'This customer has documents, which name them for good. Make the customer INACTIVE instead.',
  payment_counterparty: 'This customer has payments, which name them for good. Make the customer INACTIVE instead.',
  numbered_document_stays:
    'A document with a number stays in the books: it is credited with a memo (POST /api/documents/{id}/memos), never deleted.',
  issued_document_is_frozen:
    'What was issued does not change. Correct it with a memo (POST /api/documents/{id}/memos).',
  account_on_issued_document: 'This account stands on issued documents and cannot be deleted.',
  amounts_agree: 'The amounts of a document that is issued must agree.',
  paid_within_total: 'That is more than is still open.',
  attachments_max: 'A document has at most 20 attachments.',
  allocated_within_payment: 'That is more than is left of the payment.',
  payment_fits_document: 'A payment goes to documents that can be paid, in its own currency.',
  status_transition: 'The document cannot go to that status.',
  payable_when_paid: 'A document with payments cannot go to that status. Void its payments first.',
  line_paid_within_amount: 'The amount is larger than what is open of the line.',
  automation_has_trigger: 'An automation needs at least one TRIGGER block.',
  payment_not_voided: 'The payment was voided.',
  own_run: 'A step does not delete the automation that it is part of.',
}

/** Numbers follow the calendar; the detail is the day of the last one. */
const tooEarly = ({ detail }: DatabaseError) =>
  invalid('issueDate', `The last number is dated ${detail}: give that day or a later one.`, 'ISSUE_DATE_ORDER')

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
  'EAGAIN', // a local socket whose server is frozen, when too many wait at it already
]
const troubleText =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|fell silent|Cannot use a pool after/i

const isConnectionTrouble = (error: unknown) =>
  error instanceof Error &&
  (('code' in error && troubles.includes(String(error.code))) || troubleText.test(error.message))

/** The one shape of every refusal. */
export function errorBody({ code, message, details }: Failure, requestId: string): { error: ErrorShape } {
  return { error: { code, message, ...(details.length > 0 && { details }), requestId } }
}

type ErrorShape = { code: string; message: string; details?: Detail[]; requestId: string }
