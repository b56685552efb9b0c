import { sql } from 'kysely'
import { notFound } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { today } from '../../../../core/values/day.ts'
import { type Language, languages } from '../../../../core/values/language.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { isLogo } from '../../../company/settings/logo.ts'
import { countryView } from '../country-view.ts'
import { Document } from '../document.ts'
import { codeAsSvg } from '../print/payment-code.ts'
import { isPaymentVoided } from '../print/read-received.ts'
import { taxLabel, taxRows } from '../print/taxes.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import type { PublicLink } from './public-link.ts'

const shown = Type.Pick(Document, [
  'documentType',
  'invoiceNumber',
  'status',
  'inDispute',
  'currency',
  'issueDate',
  'dueDate',
  'subtotal',
  'taxAmount',
  'taxRate',
  'total',
  'paidAmount',
  'creditedAmount',
  'openBalance',
  'paymentDate',
  'notes',
  'vatAllocationNumber',
  'cancelledAt',
  'bankAccount',
  'items',
])

/** A text in each language of the page. */
const Bilingual = Type.Object({ en: Text, he: Text })

const ThreadEntry = Type.Object({
  type: OneOf('COMMENTED', 'DISPUTED', 'DISPUTE_COUNTERED', 'DISPUTE_RESOLVED'),
  by: OneOf('CUSTOMER', 'COMPANY'),
  name: nullable(Text),
  message: nullable(Text),
  createdAt: Instant,
})

/** Everything that the public page of a document shows, and nothing else (INV-18). */
export const PublicView = Type.Object({
  language: OneOf(...languages),
  timezone: Text,
  /** The country of the company, which decides on the format of amounts and dates. */
  country: Text,
  today: Text,
  company: Type.Object({
    name: Text,
    address: nullable(Text),
    email: nullable(Text),
    phone: nullable(Text),
    hasLogo: Type.Boolean(),
    numbers: Type.Array(Type.Object({ label: Bilingual, value: Text })),
  }),
  customerName: nullable(Text),
  document: shown,
  called: Bilingual,
  /** The tax by rate and category, if the document shows it. */
  taxes: nullable(Type.Array(Type.Object({ label: Bilingual, amount: Type.Number() }))),
  /** The bank code that domestic transfers need, and the notes of the account for the payer. */
  bankCode: nullable(Text),
  payNotes: nullable(Text),
  /** The payment code for banking apps, as a picture. */
  code: nullable(Type.Object({ name: Text, svg: Text })),
  open: Type.Number({ description: 'What is still to be paid.' }),
  /** Whether the payment that an invoice-receipt states was voided. */
  paymentVoided: Type.Boolean(),
  /** Whether an invoice was issued for this payment request. */
  invoiced: Type.Boolean(),
  attachments: Type.Array(Type.Object({ id: Id, fileName: Text, fileSize: Count })),
  thread: Type.Array(ThreadEntry),
  /** Whether no visit needs to be noted: this visitor was noted lately, or enough visits were noted today. */
  noted: Type.Boolean(),
})
export type PublicView = Static<typeof PublicView>

/** The document as its customer sees it. A draft is not found, and neither is a document whose link was renewed. */
export async function publicView(db: Database, linked: LinkedDocument, now: Date): Promise<Omit<PublicView, 'noted'>> {
  const { row, home, thread } = await pipeline({
    row: documentById(db, linked.id).executeTakeFirst(),
    home: db
      .selectFrom('organizations')
      .leftJoin('issuedCopies', (on) => on.on('issuedCopies.documentId', '=', linked.id))
      .leftJoin('files', 'files.id', 'issuedCopies.logoFileId')
      .select(['timezone', 'fileType', 'fileSize'])
      .executeTakeFirstOrThrow(),
    thread: threadOf(db, linked.id),
  })
  if (!row || row.status === 'DRAFT' || row.linkVersion !== linked.linkVersion) throw notFound('document')
  const paymentVoided = await isPaymentVoided(db, row)
  const document = toDocument(row)
  const { organization, customer } = document
  const seen = countryParts(row)
  const open = isOwed(document) ? document.openBalance : 0
  const day = today(now, home.timezone)
  return {
    language: seen.language,
    timezone: home.timezone,
    country: organization?.country ?? '',
    today: day,
    company: {
      name: row.senderName ?? organization?.name ?? '',
      address: organization?.address ?? null,
      email: organization?.email ?? null,
      phone: organization?.phone ?? null,
      hasLogo: isLogo(home),
      numbers: seen.numbers,
    },
    customerName: customer?.name ?? null,
    document: { ...document, vatAllocationNumber: seen.allocationNumber },
    called: seen.called,
    taxes: seen.taxes,
    bankCode: row.bankAccount?.localBankCode ?? null,
    payNotes: row.bankAccount?.notes ?? null,
    code: open > 0 && !isOver(row, day) ? seen.codeOverOpen() : null,
    open,
    paymentVoided,
    invoiced: row.convertedToId !== null,
    attachments: row.attached,
    thread,
  }
}

/** Whether the document asks for money. The open balance of a credit memo is what is left of the credit, and a receipt states money. */
const isOwed = ({ documentType }: Pick<Document, 'documentType'>) =>
  documentType !== 'CREDIT_MEMO' && documentType !== 'RECEIPT'

/** Whether the last day is over on which a payment code can be paid; a banking app refuses the code after it. */
const isOver = ({ payUntil }: DocumentRow, day: string) => payUntil !== null && payUntil < day

export type LinkedDocument = Pick<PublicLink, 'id' | 'linkVersion'>

/** What the law of the country says about a document: its title, the numbers shown, and whether tax is shown. */
function countryParts(row: DocumentRow) {
  const found = countryView(row)
  if (!found) throw notFound('document')
  const { country, sale, title, language } = found
  const { documents: rules, paymentCode } = country
  const { issuer, document } = sale
  const both = (say: (language: Language) => string) => ({ en: say('en'), he: say('he') })
  return {
    language,
    called: title,
    taxes: rules.showsTax(sale) ? taxesOf(found) : null,
    allocationNumber: rules.officialNumbers(document, 'en')[0]?.value ?? null,
    numbers: rules.issuerNumbers(issuer, 'en').map(({ value }, at) => ({
      label: both((language) => rules.issuerNumbers(issuer, language)[at]?.label ?? ''),
      value,
    })),
    codeOverOpen() {
      const amountMinor = BigInt(row.openMinor)
      const reference = row.invoiceNumber ?? undefined
      const until = row.payUntil ?? undefined
      const code = paymentCode({ issuer, currency: document.currency, amountMinor, reference, until })
      return code ? { name: code.name, svg: codeAsSvg(code.text) } : null
    },
  }
}

/** The rows of the tax as on the print, without the marks that Typst needs. */
function taxesOf({ country: { documents: rules }, sale }: NonNullable<ReturnType<typeof countryView>>) {
  const rows = taxRows({ sale, rules })
  const labelIn = (row: (typeof rows)[number], language: Language) =>
    taxLabel({ rules }, { row, among: rows }, language).replace(/[\u200b\u2066-\u2069]/g, '')
  return rows.map((row) => ({
    label: { en: labelIn(row, 'en'), he: labelIn(row, 'he') },
    amount: toMajor(row.tax, sale.document.currency),
  }))
}

/**
 * The messages between customer and company. The customer sees an entry of the company only if it has a `message` and is
 * not `internal`; approvals and rejections stay internal. No member of the company is named.
 */
async function threadOf(db: Database, documentId: string): Promise<PublicView['thread']> {
  const rows = await db
    .selectFrom('documentEvents')
    .select(['type', 'createdAt'])
    .select(sql<boolean>`actor_user_id is null and payload ->> 'by' = 'CUSTOMER'`.as('byCustomer'))
    .select(sql<string | null>`payload ->> 'name'`.as('name'))
    .select(sql<string | null>`nullif(trim(payload ->> 'message'), '')`.as('message'))
    .where('documentId', '=', documentId)
    .where('type', 'in', ['COMMENTED', 'DISPUTED', 'DISPUTE_COUNTERED', 'DISPUTE_RESOLVED'])
    .where(sql<boolean>`coalesce(payload ->> 'internal', '') <> 'true'`)
    .where(sql<boolean>`(type <> 'COMMENTED' or payload ->> 'message' is not null)`)
    .orderBy('seq', 'desc')
    .limit(threadMax)
    .execute()
  return rows.reverse().map(({ type, createdAt, byCustomer, name, message }) => ({
    type: type as PublicView['thread'][number]['type'], // as asked for
    by: byCustomer ? 'CUSTOMER' : 'COMPANY',
    name: byCustomer ? name : null,
    message,
    createdAt,
  }))
}

const threadMax = 100
