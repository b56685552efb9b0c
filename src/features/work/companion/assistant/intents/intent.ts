import type { Named, RecordKind, Then, Understood } from '../understood.ts'
import { isAct } from './lexicon.ts'
import type { Said } from './said.ts'

/** What is still to be asked for, such as the amount. */
export type Missing = { $missing: string }

export type Input = Record<string, unknown>

/** One kind of request. */
export type Intent = {
  name: string
  tool: string
  /** The words that make it, see pattern.ts; the best of several counts. */
  words: readonly string[]
  /** The input of the tool. Times, amounts, names and order are added as the tool takes them (fill.ts), unless `isWhole`. */
  input?: Input | ((said: Said) => Input | Missing)
  isWhole?: true
  /** What the answer does with the result, beside what the sentence says. */
  result?: Then | ((said: Said) => Then)
  also?: Input[]
  /** What else must hold, such as the country or a name in the sentence. */
  if?: (said: Said) => boolean
  /** Added to the score of the words, where a slot says more than they do. */
  bonus?: (said: Said) => number
}

/** What was understood, with what the answer does with the result if that is anything. */
export const withResult = (understood: Omit<Understood, 'then'>, then: Then): Understood =>
  Object.keys(then).length > 0 ? { ...understood, then } : { ...understood }

export const missing = (what: string): Missing => ({ $missing: what })

export const isMissing = (input: Input | Missing): input is Missing => '$missing' in input

/** This organization, where a tool takes its id. */
export const organization: Named = { $named: 'organization', words: '' }

/** The input of a tool that needs the record that the sentence names. */
export const onRecord =
  (
    kind: RecordKind,
    more: Input | ((said: Said) => Input) = {},
    { field = 'id', where }: { field?: string; where?: Record<string, string> } = {},
  ) =>
  (said: Said): Input | Missing => {
    const record = said.target(kind, where) ?? theDraft(said, kind)
    return record === undefined
      ? missing(kind)
      : { [field]: record, ...(typeof more === 'function' ? more(said) : more) }
  }

/** "The draft order" is the only one, or it is asked which. */
const theDraft = (said: Said, kind: RecordKind): Named | undefined =>
  said.has('draftState') && (kind === 'order' || kind === 'document') && !said.has('them')
    ? { $named: kind, words: '', where: { status: 'DRAFT', ...(kind === 'order' && orderKind(said)) } }
    : undefined

const orderKind = ({ has }: Said): Record<string, string> =>
  has('purchaseOrder') ? { kind: 'PURCHASE' } : has('salesOrder') ? { kind: 'SALES' } : {}

/** The day of a payment: the one that is said, if it is over, or today. */
export function dayOf({ period, around }: Said): string {
  const day = period?.kind === 'day' ? (period.from ?? period.to) : undefined
  return day && day <= around.today ? day : around.today
}

export const hasNumber = ({ slots }: Said): boolean => slots.numbers.length > 0
export const hasAmount = ({ slots }: Said): boolean => slots.amounts.length > 0

/** The address, without the dash of ל-maya@x.com. */
export const emailOf = ({ slots }: Said): string | undefined => slots.emails[0]?.text

/** How something was paid, in the words of the product. */
export function methodOf({ has }: Said): string | undefined {
  if (has('transferMethod')) return 'BANK_TRANSFER'
  if (has('cheque')) return 'CHECK'
  if (has('card')) return 'CREDIT_CARD'
  if (has('cash')) return 'CASH'
  return has('bit') ? 'PAYMENT_APP' : undefined
}

/** Why something is done: "because the price was wrong", ", הלקוח ביטל". Amounts, times and requests are no reasons. */
export function reasonOf({ text, slots, hits, tokens }: Said): string | undefined {
  const found =
    /\b(?:because|since|reason:?|due to|on account of)\s+(?<words>.{3,200})$|(?:^|\s)(?:(?:כי|סיבה:?)\s|בגלל ש?|מכיוון ש)\s*(?<because>[^\s].{2,200})$|(?:,|;|\s[-–])\s+(?<behind>\p{L}.{2,200})$/iu.exec(
      text,
    )
  const words = (found?.groups?.words ?? found?.groups?.because ?? found?.groups?.behind)?.trim().replace(/[.!]+$/, '')
  if (words === undefined) return undefined
  const start = text.lastIndexOf(words)
  const isBehind = found?.groups?.behind !== undefined
  const isTold = hits.some(({ first, concepts }) => (tokens[first]?.start ?? 0) >= start && concepts.every(isAct))
  const isRead = [...slots.amounts, ...slots.periods, ...slots.emails, ...slots.numbers].some(
    (each) => each.start >= start,
  )
  return isBehind && (isTold || isRead) ? undefined : words
}

export const withReason = (said: Said, input: Input): Input => {
  const reason = reasonOf(said)
  return { ...input, ...(reason !== undefined && { reason }) }
}
