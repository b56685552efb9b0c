import { sql } from 'kysely'
import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden } from '../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import type { Warning } from '../../core/define/schema.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { faultPoint } from '../../core/observe/fault-point.ts'
import { today } from '../../core/values/day.ts'
import { pipeline } from '../../db/pipeline.ts'
import { countryWarnings } from './country-view.ts'
import { missingRate, movedDate } from './create.ts'
import { type Document, type DocumentChanges, factsOf, invoiceIssued, invoicePaid, type NewLine } from './document.ts'
import { refuseFrozenChanges } from './frozen-fields.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { clearPayments, type Paying, payingFor, recordPayment } from './record-payment.ts'
import { checkMove } from './transitions.ts'
import {
  appendHistory,
  checkReferences,
  type DocumentInput,
  dayOf,
  insertLines,
  type OrganizationContext,
  organizationContext,
  toColumns,
  unsaid,
} from './write.ts'

type Context = Pick<Inside, 'db' | 'emit' | 'now' | 'audit'> & { who: Promise<Member> }
type Means = Context & { home: OrganizationContext; member: Member; source: Paying['source'] }

/** PATCH and PUT: a draft may change in everything; of what was issued, little, and its status forward. */
export async function changeDocument(
  context: Context,
  changes: DocumentChanges,
  { replace = false, source = 'DOCUMENT' }: { replace?: boolean; source?: Paying['source'] } = {},
): Promise<Document> {
  const { db, who } = context
  const { home, member, found } = await pipeline({
    home: organizationContext(db),
    member: who,
    references: checkReferences(db, changes),
    locked: holdDocument(db, changes),
    found: one(documentById(db, changes.id), 'document'),
  })
  const means = { ...context, home, member, source }
  const current = changes.clearReceiptInfo ? await cleared(means, found) : found
  const wanted = changes.clearReceiptInfo ? withoutPayment(changes) : changes
  const warnings =
    current.status === 'DRAFT'
      ? await changeDraft(means, current, wanted, replace)
      : await changeIssued(means, current, wanted, replace)
  const row = await one(documentById(db, changes.id), 'document')
  const document = toDocument(row)
  announce(context, { before: found, document })
  return withWarnings(document, [...warnings, ...countryWarnings(row)])
}

/** The counter before the document, when it may be about to get its number (lock order). One statement after the other. */
function holdDocument(db: Database, { id, status, documentType }: DocumentChanges) {
  return pipeline({
    counters:
      status !== undefined &&
      status !== 'DRAFT' &&
      sql`select hold_counters(array_agg(coalesce(${documentType ?? null}::text, document_type))) from documents
        where id = ${id} and status = 'DRAFT'`.execute(db),
    document: db.selectFrom('documents').select('id').where('id', '=', id).forNoKeyUpdate().execute(),
  })
}

/** Takes the payment back, for a manager; of what is not paid there is nothing to take back. */
async function cleared({ db, emit, member }: Means, current: DocumentRow): Promise<DocumentRow> {
  if (!atLeast(member.role, 'MANAGER'))
    throw forbidden(`To clear a payment needs the role MANAGER in the organization; yours is ${member.role}.`, 'ROLE')
  if (current.status !== 'PAID') return current
  await clearPayments({ db, emit, member }, current)
  return one(documentById(db, current.id), 'document')
}

/** Beside clearing, what was read of the payment and sent back says nothing. */
function withoutPayment({ paymentDate: _, paymentMethod: __, status, ...changes }: DocumentChanges): DocumentChanges {
  return status === undefined || status === 'PAID' ? changes : { ...changes, status }
}

async function changeDraft(
  { db, emit, now, home, member, source }: Means,
  current: DocumentRow,
  changes: DocumentChanges,
  replace: boolean,
): Promise<Warning[]> {
  const { id, clearReceiptInfo: _, ...given } = changes
  const before = asWanted(current)
  const wanted: DocumentInput = { ...before, ...(replace && unsaid), ...given }
  const draft = wanted.status === 'DRAFT'
  const sameDay =
    draft && !current.issueDateGiven && dayOf('issueDate', given.issueDate ?? '', home) === current.issueDate
  if (sameDay) wanted.issueDate = undefined // read and sent back, not chosen
  const { columns, amounts, warnings } = toColumns(wanted, { home, now })
  if (draft && !columns.issueDateGiven && !replace) columns.issueDate = current.issueDate
  const relined = JSON.stringify(lineFacts(before.items)) !== JSON.stringify(lineFacts(wanted.items))
  const rewritten = relined || columns.currency !== current.currency
  const pays = wanted.status === 'PAID' && columns.totalMinor > 0
  const paidAt = columns.paymentDate ?? today(now, home.timezone)
  const set = { ...columns, ...(rewritten && { revision: sql<number>`revision + 1` }) }
  const paying = payingFor(id, {
    customerId: columns.counterpartyId,
    currency: columns.currency,
    amountMinor: columns.totalMinor,
    paidAt,
    method: columns.paymentMethod,
    source,
  })
  const { after } = await pipeline({
    oldLines: rewritten && db.deleteFrom('documentLines').where('documentId', '=', id).execute(),
    newLines: rewritten && wanted.items.length > 0 && insertLines(db, id, wanted.items, amounts),
    changed: db
      .updateTable('documents')
      .set({ ...set, status: pays ? 'UNSENT' : wanted.status })
      .where('id', '=', id)
      .execute(),
    issued: !draft && appendHistory(db, id, 'ISSUED', { userId: member.userId }),
    payment: pays && recordPayment({ db, emit, member }, paying).recorded,
    paid: wanted.status === 'PAID' && appendHistory(db, id, 'PAID', { userId: member.userId }),
    after: one(documentById(db, id), 'document'),
  })
  if (draft && after.updatedAt !== current.updatedAt) await appendHistory(db, id, 'UPDATED', { userId: member.userId })
  if (!draft) faultPoint('after-number')
  const issued = toDocument(after)
  return [...warnings, ...movedDate(issued, columns.issueDate), ...missingRate(issued)]
}

async function changeIssued(
  { db, emit, now, home, member, source }: Means,
  current: DocumentRow,
  changes: DocumentChanges,
  replace: boolean,
): Promise<Warning[]> {
  const { id } = changes
  const document = toDocument(current)
  refuseFrozenChanges(document, changes, home)
  const status = changes.status ?? current.status
  checkMove(current.status, status)
  const paid = current.status === 'PAID'
  const { bankAccountId, dueDate, payUntil, countrySpecificData, notes, paymentMethod, paymentDate } = {
    ...document,
    ...(replace && { ...unsaid, ...(paid && paymentOf(document)) }),
    ...changes,
  }
  const day = (field: string, text: string | null) => dayOf(field, text, home)
  const payment = { paymentMethod, paymentDate: day('paymentDate', paymentDate) }
  if (paid && JSON.stringify(payment) !== JSON.stringify(paymentOf(document)))
    throw conflict(
      'How a paid document was paid changes with its payment: clear it (clearReceiptInfo) and record it anew.',
      'PAID',
    )
  const pays = status === 'PAID' && !paid && current.totalMinor > current.paidMinor
  const set = {
    bankAccountId,
    dueDate: day('dueDate', dueDate),
    payUntil: day('payUntil', payUntil),
    countrySpecificData: countrySpecificData === null ? null : JSON.stringify(countrySpecificData),
    notes,
    ...payment,
    status: pays ? current.status : status,
  }
  const open = current.totalMinor - current.paidMinor
  const paying = payingFor(id, {
    customerId: current.customerId,
    currency: current.currency,
    amountMinor: open,
    paidAt: payment.paymentDate ?? today(now, home.timezone),
    method: paymentMethod,
    source,
  })
  const { after } = await pipeline({
    changed: db.updateTable('documents').set(set).where('id', '=', id).execute(),
    payment: pays && recordPayment({ db, emit, member }, paying).recorded,
    paid: status === 'PAID' && !paid && appendHistory(db, id, 'PAID', { userId: member.userId }),
    after: one(documentById(db, id), 'document'),
  })
  if (!pays && after.updatedAt !== current.updatedAt)
    await appendHistory(db, id, 'UPDATED', { status, userId: member.userId })
  return []
}

/** What happened, for whoever waits for it. */
function announce({ emit }: Context, { before, document }: { before: DocumentRow; document: Document }) {
  if (before.status === 'DRAFT' && document.status !== 'DRAFT') emit(invoiceIssued, factsOf(document))
  if (before.status !== 'PAID' && document.status === 'PAID') emit(invoicePaid, factsOf(document))
}

function asWanted(row: DocumentRow): DocumentInput {
  return { ...toDocument(row), issueDate: row.issueDateGiven ? row.issueDate : undefined }
}

const paymentOf = ({ paymentMethod, paymentDate }: Document) => ({ paymentMethod, paymentDate })

const lineFacts = (items: readonly NewLine[]) =>
  items.map(({ id, description, quantity, unitPrice, amount, itemId = null, taxRate = null, taxCategory = null }) => [
    id, description, quantity, unitPrice, amount, itemId, taxRate, taxCategory,
  ]) // biome-ignore format: a list of words
