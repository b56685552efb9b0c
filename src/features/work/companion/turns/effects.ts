import type { Operation } from '../../../../core/define/operation.ts'

type Input = Record<string, unknown>

/** A write that does nothing but prepare: it can be looked at and thrown away before anything comes of it. */
type Preparation = {
  /** Why it needs no word of the person. */
  because: string
  /** The calls of it that prepare only; all of them unless given. */
  onlyIf?: (input: Input) => boolean
}

const isMissing = (value: unknown) => value === undefined || value === null
const isMissingOr = (word: string) => (value: unknown) => isMissing(value) || value === word
const isDraft = isMissingOr('DRAFT')

/**
 * The fields of a document that are frozen when it is issued, so that changing them is possible for a draft only. Not here,
 * although they are frozen too: the customer, who decides where the document goes, and the type, which decides what it is.
 */
const draftOnlyFields = [
  'id',
  'organizationId',
  'items',
  'subtotal',
  'taxRate',
  'taxAmount',
  'total',
  'currency',
  'issueDate',
  'status',
]

/**
 * The writes that are carried out at once. Every other write waits: it moves money, sends, deletes, issues, approves, starts
 * or locks something, changes what is already in the books, who has access, or where money and documents go.
 */
export const preparations: Readonly<Record<string, Preparation>> = {
  invoices_create: {
    because: 'A draft has no number, is in no report and is sent to nobody. Every other status issues it.',
    onlyIf: ({ status }) => isDraft(status),
  },
  invoices_update: {
    because: 'Lines and amounts change in a draft only. Terms, notes, bank account and status reach issued documents.',
    onlyIf: (input) => isDraft(input.status) && Object.keys(input).every((field) => draftOnlyFields.includes(field)),
  },
  invoices_duplicate: { because: 'The copy is a draft.' },
  orders_create: {
    because: 'A draft has no number and nothing is expected for it. An open order is binding.',
    onlyIf: ({ status }) => isDraft(status),
  },
  orders_invoice: { because: 'The invoice is a draft.' },
  expenses_create: {
    because: 'Entered by hand it is a DRAFT, which is not booked. From a scan or a mail it would wait for review.',
    onlyIf: ({ source }) => isMissingOr('MANUAL')(source),
  },
  expense_categories_create: { because: 'A category without expenses changes no total.' },
  customers_create: { because: 'A new customer has no documents, and nothing is sent to them.' },
  suppliers_create: {
    because: 'Nothing is owed to a new supplier. Bank details decide where money goes, so with them it waits.',
    onlyIf: ({ bankDetails }) => isMissing(bankDetails),
  },
  logistics_items_create: { because: 'A new item has no stock and is in no document.' },
  automations_create: { because: 'It is a draft, which does not fire until it is enabled.' },
}

/** Whether a call is carried out only after the person has said yes to it. */
export function waitsForWord(operation: Operation, input: Input): boolean {
  if (operation.reads) return false
  const preparation = Object.hasOwn(preparations, operation.name) ? preparations[operation.name] : undefined
  if (!preparation) return true
  return preparation.onlyIf !== undefined && !preparation.onlyIf(input)
}

/**
 * Whether the companion never gets to use an operation: it is about the person and not the organization of the session, about
 * companion sessions themselves, not for this source, needs the bytes of a file, or takes or answers a secret, which would be
 * stored with the step.
 */
export const neverOffered = (operation: Operation): boolean =>
  operation.surface !== 'api' ||
  operation.within === 'caller' ||
  operation.feature === 'companion' ||
  !operation.sources.includes('COMPANION') ||
  operation.upload ||
  operation.secret ||
  takesSecrets.includes(operation.name)

/** Passwords and keys belong in a form, not in a conversation: what a step is called with is stored and may go to a model. */
export const takesSecrets: readonly string[] = [
  'integrations_email_settings_post',
  'integrations_email_settings_put',
  'integrations_tax_authority_post',
  'automations_secrets_set',
]
