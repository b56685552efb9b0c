import { expect, test } from 'vitest'
import { tooManyAtOnce } from '../../../../core/define/failure.ts'
import type { ReadOutcome } from '../../../../core/outside/receipt-reader.ts'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { newId } from '../../../../core/values/id.ts'
import { type Bill, billOf } from '../../../../test/einvoices/bill.ts'
import { expenseEvents } from '../../../../test/expenses.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, ofOrganization, removeJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { doScans } from '../../../../test/scans.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { requeueLostScans } from './scan-file.ts'

const upload = (amy: Someone, bill: Bill) => amy.call('expenses_upload', { file: billOf(bill) })

/** Uploads bills with these numbers, and starts a batch of them. */
async function started(amy: Someone, ...numbers: string[]) {
  const attachmentIds: string[] = []
  for (const number of numbers) attachmentIds.push((await upload(amy, { number })).id)
  return amy.call('expenses_scan_batch', { organizationId: String(amy.organizationId), attachmentIds })
}
const read = (amy: Someone, { id }: { id: string }) => amy.call('expenses_scan_batch_get', { id })
const usageOf = async (amy: Someone) => (await amy.call('expenses_usage')).used
const system = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

/** The payloads of the events of a type. */
const emitted = async (amy: Someone, type: string) =>
  (
    await system('select payload from events where organization_id = $1 and type = $2', [amy.organizationId, type])
  ).rows.map(({ payload }) => payload)

/** Providers whose reader answers this instead of reading. */
const reading = (answer: () => Promise<ReadOutcome>) => ({
  ...theApp().providers,
  receiptReader: { ...theApp().providers.receiptReader, read: answer },
})

test('a batch reads its files in the background as a scan does, and ends with an event and a notification', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1', 'A-2', 'A-1')
  expect(batch).toMatchObject({
    organizationId: amy.organizationId,
    status: 'RUNNING',
    total: 3,
    done: 0,
    failed: 0,
    waiting: 3,
    completedAt: null,
    createdBy: amy.userId,
    files: [{ status: 'WAITING', scanError: null, duplicateOfId: null }, { status: 'WAITING' }, { status: 'WAITING' }],
  })
  expect(await doScans(amy)).toBe(3)
  const ended = await read(amy, batch)
  expect(ended).toMatchObject({
    status: 'DONE',
    total: 3,
    done: 2,
    failed: 1,
    waiting: 0,
    completedAt: expect.any(String),
  })
  const failed = ended.files.filter(({ status }) => status === 'FAILED')
  expect(failed).toMatchObject([{ scanError: expect.stringContaining('A-1'), duplicateOfId: expect.any(String) }])
  expect(ended.files.some(({ expenseId }) => expenseId === failed[0]?.duplicateOfId)).toBe(true)
  for (const { status, expenseId } of ended.files.filter(({ status }) => status === 'COMPLETED')) {
    expect(status).toBe('COMPLETED')
    expect(await amy.call('expenses_get', { id: expenseId })).toMatchObject({ status: 'PENDING_REVIEW', amount: 218 })
    expect(await expenseEvents(expenseId)).toEqual(['expense.created', 'expense.scanned', 'expense.submitted'])
  }
  expect(await usageOf(amy)).toBe(2)
  expect(await emitted(amy, 'scan_batch.completed')).toEqual([
    { id: batch.id, organizationId: amy.organizationId, total: 3, completed: 2, failed: 1 },
  ])
  const { notifications } = await amy.call('users_notifications', {})
  expect(notifications).toMatchObject([
    { kind: 'SCANS_COMPLETED', text: 'All 3 files of your batch of Acme were scanned; 1 failed.' },
  ])
  const { files: _, ...progress } = ended
  expect(await amy.call('expenses_scan_batches', {})).toMatchObject({ batches: [progress], pagination: { total: 1 } })
})

test('attachments that are unknown, of others, of sales documents or given twice are refused by name', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  const { id: own } = await upload(amy, {})
  const { id: foreign } = await upload(eve, {})
  const file = { fileName: 'a.txt', base64: 'SGVsbG8=' }
  const { id: sales } = await amy.call('invoices_attachments', { id: (await sell(amy)).id, file })
  expect(await amy.call('expenses_scan_batch', { attachmentIds: [own] })).toMatchObject({ total: 1 })
  for (const other of [foreign, sales, newId(), 'x'])
    await expect(amy.call('expenses_scan_batch', { attachmentIds: [own, other] })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'attachmentIds.1', message: expect.stringContaining(other), code: 'UNKNOWN_REFERENCE' }],
    })
  for (const attachmentIds of [[own, own.toUpperCase()], [own, own], [], Array.from({ length: 101 }, () => newId())])
    await expect(amy.call('expenses_scan_batch', { attachmentIds })).rejects.toMatchObject({ status: 400 })
  expect(await amy.call('expenses_scan_batches', {})).toMatchObject({ pagination: { total: 1 } })
})

test('INV-17: files past the quota fail and name it, and the others are read', async () => {
  const amy = await member('MANAGER')
  const period = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Singapore' }).slice(0, 7)
  await system('insert into scan_usage (organization_id, period, used) values ($1, $2, 98)', [
    amy.organizationId,
    period,
  ])
  const batch = await started(amy, 'A-1', 'A-2', 'A-3', 'A-4')
  await doScans(amy)
  const ended = await read(amy, batch)
  expect(ended).toMatchObject({ status: 'DONE', done: 2, failed: 2 })
  const errors = ended.files.flatMap(({ scanError }) => scanError ?? [])
  expect(errors).toEqual(Array(2).fill(expect.stringContaining(`All 100 scans of ${period} are used.`)))
  expect(await usageOf(amy)).toBe(100)
})

test('a batch is read with the rights that the person has then', async () => {
  const amy = await member('OWNER')
  const [bob, carl] = [await member('CONTRIBUTOR', { of: amy }), await member('CONTRIBUTOR', { of: amy })]
  const batches = [await started(bob, 'B-1'), await started(carl, 'C-1'), await started(amy, 'A-1')]
  await system("update memberships set role = 'VIEWER' where user_id = $1", [bob.userId])
  await system('delete from memberships where user_id = $1', [carl.userId])
  await doScans(amy)
  const ended = await Promise.all(batches.map((batch) => read(amy, batch)))
  const reason = 'The person who started the batch may no longer change expenses of this organization.'
  expect(ended.map(({ files }) => files[0])).toMatchObject([
    { status: 'FAILED', scanError: reason },
    { status: 'FAILED', scanError: reason },
    { status: 'COMPLETED' },
  ])
  expect(await usageOf(amy)).toBe(1)
})

test('a busy reader is asked again later, however often, and the file is then read', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1')
  const busy = reading(async () => ({ unread: 'BUSY', message: 'Too many files.' }))
  const refusing = reading(() => Promise.reject(tooManyAtOnce('scans of this organization', 5)))
  for (let times = 0; times < 8; times++) {
    expect(await doScans(amy, { providers: times % 2 === 0 ? busy : refusing })).toBe(1)
    expect(await read(amy, batch)).toMatchObject({ status: 'RUNNING', waiting: 1 })
  }
  expect(await doScans(amy)).toBe(1)
  expect(await read(amy, batch)).toMatchObject({ status: 'DONE', done: 1 })
})

test('an error of the server is tried again, and after the last attempt the file has failed', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1')
  const broken = reading(() => Promise.reject(new Error('The disk is on fire.')))
  for (let attempt = 1; attempt <= 4; attempt++) {
    expect(await doScans(amy, { providers: broken })).toBe(1)
    expect(await read(amy, batch)).toMatchObject({ status: 'RUNNING', waiting: 1 })
  }
  expect(await doScans(amy, { providers: broken })).toBe(1)
  expect(await read(amy, batch)).toMatchObject({
    status: 'DONE',
    failed: 1,
    files: [{ scanError: expect.stringMatching(/error of the server/) }],
  })
  expect(await doScans(amy)).toBe(0)
})

test('a job that is repeated after a crash fills in, charges and counts nothing twice', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1')
  const killed = reading(() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })))
  await doScans(amy, { providers: killed }) // the worker lost its connection while the file was read
  expect(await read(amy, batch)).toMatchObject({ waiting: 1 })
  await system(
    "select graphile_worker.add_job('scan-batch-file', json_build_object('fileId', id), flags => array[$2]) from scan_batch_files where batch_id = $1",
    [batch.id, `organization:${amy.organizationId}`],
  )
  expect(await doScans(amy)).toBe(2) // both at the same time
  const ended = await read(amy, batch)
  expect(ended).toMatchObject({ status: 'DONE', done: 1, failed: 0, files: [{ status: 'COMPLETED' }] })
  expect(await usageOf(amy)).toBe(1)
  expect(await emitted(amy, 'scan_batch.completed')).toHaveLength(1)
  expect(await expenseEvents(String(ended.files[0]?.expenseId))).toEqual([
    'expense.created',
    'expense.scanned',
    'expense.submitted',
  ])
})

test('a file whose attachment was deleted fails, and the batch ends', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1', 'A-2')
  await amy.call('expenses_delete_delete', { id: String(batch.files[0]?.expenseId) })
  await doScans(amy)
  expect(await read(amy, batch)).toMatchObject({
    status: 'DONE',
    done: 1,
    failed: 1,
    files: [{ status: 'FAILED', scanError: 'There is no such attachment.' }, { status: 'COMPLETED' }],
  })
})

test('a waiting file without a job gets one again', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1')
  await removeJobs(...ofOrganization(amy.organizationId))
  expect(await doScans(amy)).toBe(0)
  await doJob(requeueLostScans)
  await doJob(requeueLostScans)
  expect(await doScans(amy)).toBe(1)
  expect(await read(amy, batch)).toMatchObject({ status: 'DONE', done: 1 })
})

test('a file in which 20 workers have died fails, so that no more die in it', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1')
  const reader = { reads: 0 }
  const providers = reading(async () => {
    reader.reads++
    throw new Error('The worker is killed.')
  })
  await doScans(amy, { attempts: 20, providers })
  expect(await read(amy, batch)).toMatchObject({ status: 'RUNNING' })
  await doScans(amy, { attempts: 21, providers })
  expect(reader.reads).toBe(1)
  expect(await read(amy, batch)).toMatchObject({
    status: 'DONE',
    failed: 1,
    files: [{ status: 'FAILED', scanError: expect.stringMatching(/error of the server/) }],
  })
})

test('scans are queued after all other jobs, so that a batch delays no mail', async () => {
  const amy = await member('MANAGER')
  await started(amy, 'A-1')
  expect((await findJobs(...ofOrganization(amy.organizationId))).map(({ priority }) => priority)).toEqual([10])
})

test('the database counts each file once and lets no request change a count', async () => {
  const amy = await member('MANAGER')
  const batch = await started(amy, 'A-1', 'A-2')
  await doScans(amy)
  expect(await read(amy, batch)).toMatchObject({ status: 'DONE', done: 2 })
  const asRequest = (text: string) =>
    withTransaction(theApp().confined, { organizationId: String(amy.organizationId) }, ({ connection }) =>
      connection.query(text),
    )
  expect((await asRequest('select id from scan_batches')).rows).toMatchObject([{ id: batch.id }])
  await expect(asRequest('update scan_batches set done = 1')).rejects.toThrow(/permission denied/)
  await expect(asRequest("update scan_batch_files set status = 'WAITING'")).rejects.toThrow(/has been read/)
})
