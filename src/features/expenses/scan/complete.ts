import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Reading } from '../../../core/outside/receipt-reader.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { expenseScanned, expenseSubmitted, toEventPayload } from '../events.ts'
import { resolveReferences } from '../expense-context.ts'
import { expenseWithHome, toExpense } from '../reading/read.ts'
import { changedInput, storeChange } from '../writing/change.ts'
import { withTerms } from '../writing/create.ts'
import { duplicateOf } from './duplicates.ts'
import { toExtractedData } from './extracted-data.ts'
import { valuesToFill } from './fill.ts'
import { charge } from './quota.ts'
import { type Asked, emptyResult, failed, type ScanResult } from './scan-result.ts'
import { matchVendor, type VendorMatch } from './vendor.ts'

type Context = Omit<Inside, 'who'> & { who: Promise<Member> }

/** Fills the expense in with what was read, counts the scan, and says what was found. */
export async function complete(context: Context, asked: Asked, reading: Reading): Promise<ScanResult> {
  const { db } = context
  const data = toExtractedData(reading)
  const { providerId } = reading
  if (!data.total || data.total <= 0)
    return failed(asked, 'No total was found in the file. Send a sharper copy, or enter the values by hand.', {
      providerId,
    })
  const { vendor = null, vendorTaxNumber = null, documentNumber = null } = data
  const vendorMatch = await matchVendor(db, { vendor, vendorTaxNumber })
  const { expenseId } = asked
  const supplierId = vendorMatch?.supplierId ?? null
  const duplicateOfId = await duplicateOf(db, { expenseId, documentNumber, vendor, supplierId })
  if (duplicateOfId)
    return failed(
      asked,
      `Document ${documentNumber} of ${vendorMatch?.name ?? vendor} is recorded already, as the expense ${duplicateOfId}.`,
      { providerId, duplicateOfId },
    )
  await charge(db, asked.attachmentId, asked.allowance)
  await fillIn(context, asked, { reading, vendorMatch })
  return {
    ...emptyResult,
    expenseId,
    providerId,
    scanStatus: 'COMPLETED',
    extractedData: data,
    vendorMatch,
  }
}

type Found = { reading: Reading; vendorMatch: VendorMatch | null }

/** Writes what no person has entered. The draft of an upload goes to review; an expense that was reviewed stays as it is. */
async function fillIn(context: Context, asked: Asked, { reading, vendorMatch }: Found) {
  const { db, now, who, emit } = context
  const { expenseId, attachmentId, organization } = asked
  const row = await one(expenseWithHome(db, expenseId), 'expense')
  const isOpen = row.status === 'DRAFT' || row.status === 'PENDING_REVIEW'
  const values = isOpen
    ? valuesToFill(row, changedInput(row, {}, { replace: false }), {
        data: toExtractedData(reading),
        supplierId: vendorMatch?.supplierId ?? null,
        categoryId: null,
        orderId: null,
      })
    : {}
  const isSubmitted = row.source === 'SCAN' && row.status === 'DRAFT'
  if (isOpen) {
    const wanted = changedInput(row, values, { replace: false })
    const { terms, ...parties } = await resolveReferences(db, { ...wanted, customerIds: [] })
    const input = withTerms({ ...wanted, ...parties }, terms, organization)
    await storeChange(db, row, input, { organization, now, isDraft: row.status === 'DRAFT' })
  }
  if (isSubmitted)
    await db.updateTable('documents').set({ status: 'PENDING_REVIEW' }).where('id', '=', expenseId).execute()
  const { userId } = await who
  const filled = Object.keys(values)
  await appendHistory(db, expenseId, 'SCANNED', { attachmentId, providerId: reading.providerId, filled, userId })
  const after = await one(expenseWithHome(db, expenseId), 'expense')
  const payload = toEventPayload(toExpense(context, after), after)
  emit(expenseScanned, { ...payload, attachmentId, providerId: reading.providerId })
  if (isSubmitted) emit(expenseSubmitted, payload)
}
