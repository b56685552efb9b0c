import { sql } from 'kysely'
import { today } from '../../core/day.ts'
import { notFound } from '../../core/failure.ts'
import type { Database } from '../../core/operation.ts'
import { Count, Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../core/schema.ts'
import { languageOf } from '../settings/language.ts'
import { Document } from './document.ts'
import type { Linked } from './link.ts'
import { documentById, openOf, toDocument } from './read.ts'

const shown = Type.Pick(Document, [
  'documentType', 'invoiceNumber', 'status', 'inDispute', 'currency', 'issueDate', 'dueDate', 'subtotal', 'taxAmount',
  'taxRate', 'total', 'paidAmount', 'paymentDate', 'notes', 'vatAllocationNumber', 'cancelledAt', 'bankAccount', 'items',
]) // biome-ignore format: a list of words

const Said = Type.Object({
  type: OneOf('COMMENTED', 'DISPUTED', 'DISPUTE_COUNTERED', 'DISPUTE_RESOLVED'),
  by: OneOf('CUSTOMER', 'COMPANY'),
  name: nullable(Text),
  message: nullable(Text),
  createdAt: Instant,
})

/** Everything that the page of a document shows to whoever holds its link, and nothing else (INV-18). */
export const CustomerView = Type.Object({
  language: OneOf('en', 'he'),
  timezone: Text,
  today: Text,
  company: Type.Object({
    name: Text, address: nullable(Text), email: nullable(Text), phone: nullable(Text), registrationNumber: nullable(Text),
    taxNumber: nullable(Text), hasLogo: Type.Boolean(),
  }),
  customerName: nullable(Text),
  document: shown,
  open: Type.Number({ description: 'What is still to be paid.' }),
  attachments: Type.Array(Type.Object({ id: Id, fileName: Text, fileSize: Count })),
  thread: Type.Array(Said),
  /** Whether this visitor has been noted lately, or enough of them. */
  noted: Type.Boolean(),
}) // biome-ignore format: a list of words
export type CustomerView = Static<typeof CustomerView>

/** The document as its customer sees it; a draft, and what another version of the link opened, is not there. */
export async function viewFor(db: Database, linked: Linking, now: Date): Promise<Omit<CustomerView, 'noted'>> {
  const [row, home, language, thread] = await Promise.all([
    documentById(db, linked.id).executeTakeFirst(),
    db
      .selectFrom('organizations')
      .leftJoin('organizationSettings', 'organizationId', 'organizations.id')
      .select(['timezone', 'logoFileId'])
      .executeTakeFirstOrThrow(),
    languageOf(db),
    threadOf(db, linked.id),
  ])
  if (!row || row.status === 'DRAFT' || row.linkVersion !== linked.linkVersion) throw notFound('document')
  const document = toDocument(row)
  const { organization, customer } = document
  return {
    language,
    timezone: home.timezone,
    today: today(now, home.timezone),
    company: {
      name: row.senderName ?? organization?.name ?? '',
      address: organization?.address ?? null,
      email: organization?.email ?? null,
      phone: organization?.phone ?? null,
      registrationNumber: organization?.registrationNumber ?? null,
      taxNumber: organization?.taxNumber ?? null,
      hasLogo: home.logoFileId !== null,
    },
    customerName: customer?.name ?? null,
    document,
    open: asksForMoney(document) ? openOf(row) : 0,
    attachments: row.attached,
    thread,
  }
}

export type Linking = Pick<Linked, 'id' | 'linkVersion'>

/** What was paid owes nothing more; a credit gives, and does not ask. */
const asksForMoney = ({ status, documentType }: Document) => status !== 'PAID' && documentType !== 'CREDIT_MEMO'

/**
 * What customer and company said to each other. Of what the company says, only what has a `message` and is not `internal`
 * is for the customer; approvals and rejections are its own affair. Nobody of the company is named.
 */
async function threadOf(db: Database, documentId: string): Promise<CustomerView['thread']> {
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
    type: type as CustomerView['thread'][number]['type'], // as asked for
    by: byCustomer ? 'CUSTOMER' : 'COMPANY',
    name: byCustomer ? name : null,
    message,
    createdAt,
  }))
}

const threadMax = 100
