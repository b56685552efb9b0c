import { hasScope } from '../../../core/define/access.ts'
import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Services } from '../../../core/define/services.ts'
import type { Reading } from '../../../core/outside/receipt-reader.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { threeWayMatch } from '../../goods/orders/three-way-match.ts'
import { expenseScanned, expenseSubmitted, toEventPayload } from '../expenses/events.ts'
import { resolveReferences } from '../expenses/expense-context.ts'
import { expenseWithHome, toExpense } from '../expenses/reading/read.ts'
import { changedInput, storeChange } from '../expenses/writing/change.ts'
import { type Entering, everybodyOf, withTerms } from '../expenses/writing/create.ts'
import { duplicateOf } from './duplicates.ts'
import { type ExtractedData, toExtractedData } from './extracted-data.ts'
import { type Found, valuesToFill } from './fill.ts'
import { matchOrder, type OrderMatch } from './order.ts'
import { charge } from './quota.ts'
import { type Asked, emptyResult, failed, type ScanResult } from './scan-result.ts'
import { suggest } from './suggest.ts'
import { matchVendor } from './vendor.ts'

/** A transaction of the person for whom a scan is written. */
export type WriteContext = Pick<Inside, 'db' | 'now' | 'emit' | keyof Services> & {
  who: Promise<Entering & Pick<Member, 'scopes'>>
}

/** Fills the expense in with what was read, counts the scan, and says what was found. */
export async function complete(context: WriteContext, asked: Asked, reading: Reading): Promise<ScanResult> {
  const { db } = context
  const { expenseId } = asked
  const { providerId } = reading
  const data = toExtractedData(reading)
  if (!data.total || data.total <= 0) return failed(asked, noTotal(data), { providerId })
  const { vendor = null, vendorTaxNumber = null, documentNumber = null } = data
  const vendorMatch = await matchVendor(db, { vendor, vendorTaxNumber })
  const supplierId = vendorMatch?.supplierId ?? null
  const duplicateOfId = await duplicateOf(db, { expenseId, documentNumber, vendor, supplierId })
  if (duplicateOfId) {
    const sentence = `Document ${documentNumber} of ${vendorMatch?.name ?? vendor} is recorded already, as the expense ${duplicateOfId}.`
    return failed(asked, sentence, { providerId, duplicateOfId })
  }
  await charge(db, asked.attachmentId, asked.allowance)
  const { order, suggestions } = await pipeline({
    order: matchOrder(db, { data, text: reading.text, supplierId }),
    suggestions: suggest(db, { supplierId, vendor, expenseId }),
  })
  const found = {
    data,
    supplierId: supplierId ?? order?.supplierId ?? null,
    categoryId: suggestions.category?.id ?? null,
    orderId: order?.id ?? null,
  }
  const filled = await fillIn(context, asked, { ...found, reading })
  return {
    ...emptyResult,
    ...(order && filled.orderId === order.id && (await joined(context, order))),
    expenseId,
    providerId,
    scanStatus: 'COMPLETED',
    extractedData: data,
    vendorMatch,
    suggestions,
  }
}

const noTotal = ({ total }: ExtractedData) =>
  total && total < 0
    ? 'The document is a credit note. Record it as a credit of the expense that it corrects.'
    : 'No total was found in the file. Send a sharper copy, or enter the values by hand.'

/** The order that the bill now belongs to, with what was ordered, received and billed. */
async function joined(context: WriteContext, { id, orderNumber, status, reason }: OrderMatch) {
  const { scopes } = await context.who
  const isReadable = hasScope(scopes, 'orders:read')
  const match = isReadable ? await threeWayMatch(context, id) : null
  return { mergedIntoOrder: { id, orderNumber }, orderTransition: { from: status, to: status, reason, match } }
}

/** Writes what no person has entered. The draft of an upload goes to review; an expense that was reviewed stays as it is. */
async function fillIn(context: WriteContext, asked: Asked, { reading, ...found }: Found & { reading: Reading }) {
  const { db, now, who, emit } = context
  const { expenseId, attachmentId, organization } = asked
  const { providerId } = reading
  const row = await one(expenseWithHome(db, expenseId), 'expense')
  const isOpen = row.status === 'DRAFT' || row.status === 'PENDING_REVIEW'
  const values = isOpen ? valuesToFill(row, changedInput(row, {}, { replace: false }), found) : {}
  const isSubmitted = row.source !== 'MANUAL' && row.status === 'DRAFT'
  if (isOpen) {
    const wanted = changedInput(row, values, { replace: false })
    const { terms, ...parties } = await resolveReferences(db, { ...wanted, customerIds: [] })
    const input = withTerms({ ...wanted, ...parties }, terms, organization)
    const scannedFor = [...everybodyOf(await who), ...(await uploaderOf(db, attachmentId))]
    await storeChange(db, row, input, { organization, now, isDraft: row.status === 'DRAFT', scannedFor })
  }
  if (isSubmitted)
    await db.updateTable('documents').set({ status: 'PENDING_REVIEW' }).where('id', '=', expenseId).execute()
  const { userId } = await who
  await appendHistory(db, expenseId, 'SCANNED', { attachmentId, providerId, filled: Object.keys(values), userId })
  const after = await one(expenseWithHome(db, expenseId), 'expense')
  const payload = toEventPayload(toExpense(context, after), after)
  emit(expenseScanned, { ...payload, attachmentId, providerId })
  if (isSubmitted) emit(expenseSubmitted, payload)
  return after
}

/** Who has added the file: what is read in it is theirs as well. */
async function uploaderOf(db: WriteContext['db'], attachmentId: string): Promise<string[]> {
  const attachment = db.selectFrom('documentAttachments').select('createdBy').where('id', '=', attachmentId)
  const { createdBy = null } = (await attachment.executeTakeFirst()) ?? {}
  return createdBy === null ? [] : [createdBy]
}
