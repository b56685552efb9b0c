import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { findJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, send } from '../../../../test/world.ts'

const text = (fileName: string, content = 'Hello') => ({ fileName, base64: Buffer.from(content).toString('base64') })
const bytesOf = async (url: string) => (await send({ method: 'GET', url: url.replace(/^https?:\/\/[^/]+/, '') })).body

const customerOf = async (someone: Someone) =>
  (await someone.call('customers_create', { name: 'Globex', country: 'SG', email: 'office@globex.test' })).id

test('an attached file is shown with the document, in the list and as a single document', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, attachments } = await sell(amy)
  expect(attachments).toEqual([])
  const added = await amy.call('invoices_attachments', { id, file: text('hours.txt') })
  expect(added).toEqual({
    id: expect.any(String),
    documentId: id,
    fileName: 'hours.txt',
    fileType: 'text/plain',
    fileSize: 5,
    storageUrl: expect.stringContaining('token='),
  })
  expect(await bytesOf(added.storageUrl)).toBe('Hello')
  const [inList] = (await amy.call('invoices_list', { organizationId: String(amy.organizationId) })).invoices
  for (const shown of [await amy.call('invoices_get', { id }), inList])
    expect(shown?.attachments).toMatchObject([{ id: added.id, documentId: id, fileName: 'hours.txt' }])
})

test('an attachment is enclosed in the e-mail and linked on the public page', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { customerId: await customerOf(amy) })
  const added = await amy.call('invoices_attachments', { id, file: text('hours.txt') })
  expect(await amy.call('invoices_send', { id })).toMatchObject({ sent: 1 })
  const [email] = (await amy.call('organizations_outbox')).messages
  expect(email?.attachments).toMatchObject([{ fileName: 'Invoice 1.pdf' }, { fileName: 'hours.txt', size: 5 }])
  const { pathname } = new URL((await amy.call('invoices_link', { id })).url)
  expect(email?.text).toContain(pathname)
  expect((await send({ method: 'GET', url: pathname })).body).toContain(`${pathname}/files/${added.id}`)
  expect((await send({ method: 'GET', url: `${pathname}/files/${added.id}` })).body).toBe('Hello')
})

test('attachments that are too large for an e-mail are left out of it', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { customerId: await customerOf(amy) })
  for (const fileName of ['a.txt', 'b.txt'])
    await amy.call('invoices_attachments', { id, file: text(fileName, fileName.repeat(1_600_000)) })
  expect(await amy.call('invoices_send', { id })).toMatchObject({ sent: 1, failed: 0 })
  expect((await amy.call('organizations_outbox')).messages[0]?.attachments).toMatchObject([
    { fileName: 'Invoice 1.pdf' },
  ])
})

test('a document has at most 20 attachments, also with concurrent uploads', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const adding = Array.from({ length: 22 }, (_, n) => amy.call('invoices_attachments', { id, file: text(`${n}.txt`) }))
  const refused = (await Promise.allSettled(adding)).filter((each) => each.status === 'rejected')
  expect(refused.map(({ reason }) => reason.status)).toEqual([409, 409])
  expect((await amy.call('invoices_get', { id })).attachments).toHaveLength(20)
})

test('deleting a draft deletes its attachments', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const { storageUrl } = await amy.call('invoices_attachments', { id, file: text('hours.txt') })
  await amy.call('invoices_delete', { id })
  expect(await bytesOf(storageUrl)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  expect(await findJobs("job = 'remove-file'")).toHaveLength(1)
})
