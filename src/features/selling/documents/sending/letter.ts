import { conflict, invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { Email, OneOf, optional, type Static, storable, Type } from '../../../../core/define/schema.ts'
import { toAddress } from '../../../../core/values/address.ts'
import { today } from '../../../../core/values/day.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import type { DocumentRow } from '../reading/read.ts'
import { notOwedTypes } from './template.ts'

const recipientsMax = 20

/** What may be said about one letter with a document; without it, the usual letter goes to the recipients of the customer. */
export const letterFields = optional({
  kind: OneOf('DOCUMENT', 'REMINDER'),
  recipients: Type.Array(Email, {
    minItems: 1,
    maxItems: recipientsMax,
    description: 'Who gets this letter, instead of the recipients of the customer.',
    examples: [['office@globex.test']],
  }),
  subject: Type.String({ minLength: 1, maxLength: 200, pattern: storable, examples: ['Our work in January'] }),
  message: Type.String({
    minLength: 1,
    maxLength: 5_000,
    pattern: storable,
    description: 'The words above the amounts, instead of the usual ones.',
    examples: ['Hello Dana,\n\nhere is the invoice for January.'],
  }),
})
const LetterInput = Type.Object(letterFields)
export type LetterInput = Static<typeof LetterInput>
export type LetterKind = NonNullable<LetterInput['kind']>

/** The letter of a mailing: its kind and own words, and the day by which a reminder counts the days. */
export type Letter = Pick<LetterInput, 'subject' | 'message'> & { kind: LetterKind; today: string | null }

export const usualLetter: Letter = { kind: 'DOCUMENT', today: null }

/** Reads what the letter needs. Refuses a reminder of a document of which nothing is open. */
export async function letterOf(
  db: Database,
  row: DocumentRow,
  { kind = 'DOCUMENT', subject, message }: LetterInput,
  now: Date,
): Promise<Letter> {
  const words = { ...(subject !== undefined && { subject }), ...(message !== undefined && { message }) }
  if (kind === 'DOCUMENT') return { ...words, kind, today: null }
  refuseReminder(row)
  const { timezone } = await organizationContext(db)
  return { ...words, kind, today: today(now, timezone) }
}

function refuseReminder({ status, documentType, openMinor, invoiceNumber }: DocumentRow) {
  if (status === 'DRAFT')
    throw conflict('The document is a draft, so nothing is owed for it yet. Send it without kind REMINDER.', 'DRAFT')
  if (openMinor <= 0 || notOwedTypes.includes(documentType))
    throw conflict(`Nothing is open of ${invoiceNumber}, so there is nothing to remind of.`, 'NOTHING_OPEN')
}

/** The given addresses, each once; undefined if none are given. */
export function givenRecipients({ recipients }: LetterInput): string[] | undefined {
  const addresses = recipients?.map((text, at) => {
    const address = toAddress(text.trim())
    if (!address) throw invalid(`recipients.${at}`, 'Mail cannot be sent to this address.', 'FORMAT')
    return address
  })
  return addresses && [...new Set(addresses)]
}
