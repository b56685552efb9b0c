import { expect, test } from 'vitest'
import { type Bill, billOf } from '../../../test/einvoices/bill.ts'
import { expenseEvents, spend, useScans } from '../../../test/expenses.ts'
import { member, type Someone } from '../../../test/world.ts'

const upload = (amy: Someone, file: { fileName: string; base64: string }, expenseId?: string) =>
  amy.call('expenses_upload', { organizationId: String(amy.organizationId), file, ...(expenseId && { expenseId }) })

/** Uploads a bill and scans it. */
async function scanned(amy: Someone, bill: Bill = {}, expenseId?: string) {
  const { id } = await upload(amy, billOf(bill), expenseId)
  return { attachmentId: id, ...(await amy.call('expenses_scan', { attachmentId: id })) }
}
const usageOf = async (amy: Someone) =>
  (await amy.call('expenses_usage', { organizationId: String(amy.organizationId) })).used

test('a scan fills in the draft of an upload, which then waits for review', async () => {
  const amy = await member('MANAGER')
  const result = await scanned(amy, { vendor: 'Acme Pte Ltd', vendorTaxNumber: 'M90345678A', items: [{ name: 'Lamp', quantity: 4, price: 50 }] })
  expect(result).toMatchObject({
    scanStatus: 'COMPLETED', scanError: null, duplicateOfId: null, mergedIntoOrder: null, orderTransition: null, vendorMatch: null,
    providerId: 'kontor-einvoice',
    extractedData: {
      vendor: 'Acme Pte Ltd', vendorTaxNumber: 'M90345678A', documentNumber: 'A-1', date: '2026-01-20', dueDate: null, currency: 'SGD',
      subtotal: 200, taxAmount: 18, taxRate: 9, total: 218, paymentMethod: null,
      items: [{ description: 'Lamp', quantity: 4, unitPrice: 50, amount: 200 }],
      confidence: { total: 1, vendor: 1 }, boxes: {}, readers: { total: 'kontor-einvoice' },
      checks: expect.arrayContaining([{ rule: 'SUBTOTAL_PLUS_TAX', holds: true }]),
    },
  })
  expect(result.processingTimeMs).toBeGreaterThan(0)
  expect(await amy.call('expenses_get', { id: result.expenseId })).toMatchObject({
    status: 'PENDING_REVIEW', source: 'SCAN', amount: 218, currency: 'SGD', date: '2026-01-20', vendor: 'Acme Pte Ltd', documentNumber: 'A-1',
    taxAmount: 18, taxRate: 9, vendorTaxNumber: 'M90345678A',
  })
  expect(await expenseEvents(result.expenseId)).toEqual(['expense.created', 'expense.scanned', 'expense.submitted'])
  expect(await usageOf(amy)).toBe(1)
}) // biome-ignore format: a field a word

test('what a person entered stays, whatever the document says', async () => {
  const amy = await member('MANAGER')
  const { id: attachmentId, expenseId } = await upload(amy, billOf())
  await amy.call('expenses_update_patch_2', { id: expenseId, date: '2026-01-05', vendor: 'Globex', notes: 'mine' })
  await amy.call('expenses_scan', { attachmentId })
  const filled = await amy.call('expenses_get', { id: expenseId })
  expect(filled).toMatchObject({
    date: '2026-01-05',
    vendor: 'Globex',
    notes: 'mine',
    amount: 218,
    documentNumber: 'A-1',
  })

  const { id } = await spend(amy, { amount: 100, title: 'Lunch' })
  expect(await scanned(amy, { number: 'A-2' }, id)).toMatchObject({ scanStatus: 'COMPLETED', expenseId: id })
  const entered = await amy.call('expenses_get', { id })
  expect(entered).toMatchObject({
    status: 'DRAFT',
    amount: 100,
    taxAmount: null,
    title: 'Lunch',
    date: '2026-01-31',
    vendor: 'Acme',
    documentNumber: 'A-2',
  })
})

test('an expense that was reviewed is read again without being changed', async () => {
  const amy = await member('MANAGER')
  const { id } = await spend(amy, { amount: 218 })
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  expect(await scanned(amy, {}, id)).toMatchObject({
    scanStatus: 'COMPLETED',
    extractedData: { documentNumber: 'A-1' },
  })
  expect(await amy.call('expenses_get', { id })).toMatchObject({
    status: 'APPROVED',
    documentNumber: null,
    vendor: null,
  })
})

test('INV-16: the same number of the same vendor is a duplicate; other bytes, another vendor and the same attachment are not', async () => {
  const amy = await member('MANAGER')
  const first = await scanned(amy)
  const second = await scanned(amy, { date: '2026-01-21' })
  expect(second).toMatchObject({
    scanStatus: 'FAILED',
    duplicateOfId: first.expenseId,
    extractedData: {},
    scanError: expect.stringContaining('A-1'),
  })
  expect(await amy.call('expenses_get', { id: second.expenseId })).toMatchObject({ status: 'DRAFT', amount: 0 })
  expect(await scanned(amy, { vendor: 'Globex' })).toMatchObject({ scanStatus: 'COMPLETED' })
  const again = await amy.call('expenses_scan', { attachmentId: first.attachmentId })
  expect(again).toMatchObject({ scanStatus: 'COMPLETED', duplicateOfId: null, expenseId: first.expenseId })
  expect(await usageOf(amy)).toBe(2) // a second scan of one attachment is not counted

  await amy.call('expenses_status', { id: first.expenseId, status: 'REJECTED' })
  expect(await scanned(amy, { date: '2026-01-22' })).toMatchObject({ scanStatus: 'COMPLETED' })
})

test('INV-16: of two scans of one document at the same time, one is a duplicate', async () => {
  const amy = await member('MANAGER')
  const all = await Promise.all([scanned(amy), scanned(amy), scanned(amy)])
  expect(all.map(({ scanStatus }) => scanStatus).sort()).toEqual(['COMPLETED', 'FAILED', 'FAILED'])
  const first = all.find(({ scanStatus }) => scanStatus === 'COMPLETED')
  expect(new Set(all.flatMap(({ duplicateOfId }) => duplicateOfId ?? []))).toEqual(new Set([first?.expenseId]))
  expect(await usageOf(amy)).toBe(1)
})

test('the same file on two expenses is a warning', async () => {
  const amy = await member('MANAGER')
  const file = billOf({ number: '' })
  const { expenseId } = await upload(amy, file)
  const { id } = await upload(amy, file)
  const result = await amy.call('expenses_scan', { attachmentId: id })
  expect(result).toMatchObject({
    scanStatus: 'COMPLETED',
    warnings: [{ code: 'SAME_FILE', message: expect.stringContaining(expenseId) }],
  })
})

test('a file that cannot be read is FAILED with a reason, loses nothing and is not counted', async () => {
  const amy = await member('MANAGER')
  const text = { fileName: 'a.txt', base64: Buffer.from('Hello').toString('base64') }
  const broken = { fileName: 'a.png', base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA' }
  for (const file of [text, broken]) {
    const { id, expenseId } = await upload(amy, file)
    const result = await amy.call('expenses_scan', { attachmentId: id })
    expect(result).toMatchObject({
      scanStatus: 'FAILED',
      extractedData: {},
      expenseId,
      scanError: expect.stringMatching(/\.$/),
    })
    expect(await amy.call('expenses_get', { id: expenseId })).toMatchObject({
      status: 'DRAFT',
      amount: 0,
      attachments: [{ id }],
    })
  }
  expect(await usageOf(amy)).toBe(0)
})

test('INV-17: parallel scans never use more than the month allows, and the refused ones can be scanned later', async () => {
  const amy = await member('MANAGER')
  const period = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Singapore' }).slice(0, 7)
  await useScans(String(amy.organizationId), period, 98)
  const uploaded = []
  for (const number of ['A-1', 'A-2', 'A-3', 'A-4']) uploaded.push((await upload(amy, billOf({ number }))).id)
  const outcomes = await Promise.allSettled(uploaded.map((attachmentId) => amy.call('expenses_scan', { attachmentId })))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([{ status: 409, details: [{ code: 'SCAN_QUOTA' }] }, { status: 409 }])
  expect(await usageOf(amy)).toBe(100)
})

test('attachments of sales documents, unknown ones and those of others are not found', async () => {
  const [amy, bob] = [await member('MANAGER'), await member('MANAGER')]
  const { id } = await upload(amy, billOf())
  expect(await amy.call('expenses_scan', { attachmentId: id })).toMatchObject({ scanStatus: 'COMPLETED' })
  for (const attachmentId of [id, '00000000-0000-4000-8000-000000000000', 'x'])
    await expect(bob.call('expenses_scan', { attachmentId })).rejects.toMatchObject({ status: 404 })
})
