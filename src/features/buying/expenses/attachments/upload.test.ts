import { expect, test } from 'vitest'
import { expenseEvents, spend, useScans } from '../../../../test/expenses.ts'
import { form, type Part } from '../../../../test/multipart-form.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, send, stranger, theApp } from '../../../../test/world.ts'
import { attachmentUrl } from './attachment.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const text = (fileName: string, content = 'Hello') => ({ fileName, base64: Buffer.from(content).toString('base64') })
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
const open = (url: string, someone: Someone = stranger()) =>
  send({ method: 'GET', url: pathOf(url), headers: { ...someone.credentials } })

const sendForm = (someone: Someone, parts: Part[]) => {
  const { body, headers } = form(parts)
  return send({ method: 'POST', url: '/api/expenses/upload', body, headers: { ...someone.credentials, ...headers } })
}

test('an upload without an expense creates a draft of a scan, which a person fills in', async () => {
  const amy = await member('MANAGER')
  const file = { fileName: 'receipt.pdf', fileType: 'application/pdf', base64: png }
  const uploaded = await amy.call('expenses_upload', { organizationId: String(amy.organizationId), file })
  expect(uploaded).toEqual({
    id: expect.any(String),
    expenseId: expect.any(String),
    fileName: 'receipt.pdf',
    fileType: 'image/png', // by its content
    fileSize: Buffer.from(png, 'base64').length,
    storageUrl: expect.stringMatching(/^http.*\/api\/expenses\/attachments\/.*\?token=/),
  })
  const id = uploaded.expenseId
  const draft = await amy.call('expenses_get', { id })
  expect(draft).toMatchObject({ source: 'SCAN', status: 'DRAFT', amount: 0, currency: 'SGD', openBalance: 0 })
  expect(draft.date).toBe(new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Singapore' }))
  expect(draft.attachments).toMatchObject([{ id: uploaded.id, expenseId: id, fileType: 'image/png' }])
  expect(await expenseEvents(id)).toEqual(['expense.created'])
  expect(await amy.call('expenses_update_patch_2', { id, title: 'Lunch' })).toMatchObject({ title: 'Lunch', amount: 0 })
  expect(await amy.call('expenses_update_put', { id, notes: 'x' })).toMatchObject({ title: null, amount: 0 })
  const early = amy.call('expenses_status', { id, status: 'APPROVED' })
  await expect(early).rejects.toMatchObject({ status: 409, details: [{ code: 'NO_AMOUNT' }] })
  expect(await amy.call('expenses_update_patch_2', { id, amount: 50 })).toMatchObject({ amount: 50, openBalance: 50 })
  expect(await amy.call('expenses_status', { id, status: 'APPROVED' })).toMatchObject({ status: 'APPROVED' })
})

test('an upload for an expense, as a form and as JSON, is attached to it in any status', async () => {
  const amy = await member('OWNER')
  const { id } = await spend(amy)
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  const reply = await sendForm(amy, [
    { name: 'organizationId', value: String(amy.organizationId) },
    { name: 'expenseId', value: id },
    { name: 'file', value: 'Hello', fileName: 'קבלה.txt', type: 'image/png' },
  ])
  expect(reply).toMatchObject({ status: 201, body: { expenseId: id, fileName: 'קבלה.txt', fileType: 'text/plain' } })
  const second = await amy.call('expenses_upload', { expenseId: id, file: text('b.txt') })
  const { attachments, status } = await amy.call('expenses_get', { id })
  expect([status, attachments.map(({ fileName }) => fileName)]).toEqual(['APPROVED', ['קבלה.txt', 'b.txt']])
  expect((await amy.call('expenses_list')).expenses[0]?.attachments).toMatchObject([{}, { id: second.id }])
  const whole = await sendForm(amy, [{ name: 'file', value: 'Hello', fileName: 'c.txt' }])
  expect(whole).toMatchObject({ status: 201, body: { fileName: 'c.txt' } })
})

test('an expense of another organization, an unknown one and a sales document are refused', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  const own = await spend(amy)
  const upload = (expenseId: string) => amy.call('expenses_upload', { expenseId, file: text('a.txt') })
  expect(await upload(own.id)).toMatchObject({ expenseId: own.id })
  for (const id of [(await spend(eve)).id, (await sell(amy)).id, 'nope'])
    await expect(upload(id)).rejects.toMatchObject({ status: 400, details: [{ path: 'expenseId' }] })
})

test('a file has at most 20 MiB', async () => {
  const amy = await member('CONTRIBUTOR')
  const sized = (size: number) =>
    sendForm(amy, [{ name: 'file', value: Buffer.alloc(size, 'x'), fileName: 'large.bin' }])
  expect(await sized(20 * 1024 * 1024)).toMatchObject({ status: 201, body: { fileSize: 20 * 1024 * 1024 } })
  const refused = await sized(20 * 1024 * 1024 + 1)
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ code: 'FILE_TOO_LARGE' }] } } })
  expect((await amy.call('expenses_list')).pagination.total).toBe(1)
})

test('THR-26: the link opens the file without credentials until it expires, and no other link does', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  const { id, storageUrl } = await amy.call('expenses_upload', { file: text('a.txt') })
  const other = await amy.call('expenses_upload', { file: text('b.txt') })
  expect(await open(storageUrl)).toMatchObject({ status: 200, body: 'Hello' })
  expect(await open(`/api/expenses/attachments/${id}`, amy)).toMatchObject({ status: 200, body: 'Hello' })
  expect(await open(`/api/expenses/attachments/${id}`)).toMatchObject({ status: 401 })
  expect(await open(`/api/expenses/attachments/${id}`, eve)).toMatchObject({ status: 404 })
  const token = storageUrl.split('token=')[1] ?? ''
  const ago = new Date(Date.now() - 16 * 60_000)
  const expired = attachmentUrl(theApp().services, { id, organizationId: String(amy.organizationId) }, ago)
  const wrong = [
    expired,
    storageUrl.slice(0, -1),
    `${storageUrl}x`,
    `/api/expenses/attachments/${other.id}?token=${token}`,
  ]
  for (const url of wrong) expect((await open(url)).status, url).toBe(401)
})

test('the attachments of sales documents and of expenses are not found at the address of the other', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy)
  const sales = await amy.call('invoices_attachments', { id, file: text('a.txt') })
  const own = await amy.call('expenses_upload', { file: text('b.txt') })
  expect(await open(`/api/expenses/attachments/${own.id}`, amy)).toMatchObject({ status: 200 })
  expect(await open(`/api/expenses/attachments/${sales.id}`, amy)).toMatchObject({ status: 404 })
  expect(await open(sales.storageUrl)).toMatchObject({ status: 200 })
  for (const id of [own.id, sales.id]) expect(await open(`/api/files/${id}`, amy)).toMatchObject({ status: 404 })
  const attach = amy.call('invoices_attachments', { id: own.expenseId, file: text('c.txt') })
  await expect(attach).rejects.toMatchObject({ status: 404 })
})

test('an expense has at most 20 attachments, also with concurrent uploads', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  const adding = Array.from({ length: 22 }, (_, n) =>
    amy.call('expenses_upload', { expenseId: id, file: text(`${n}.txt`) }),
  )
  const refused = (await Promise.allSettled(adding)).filter((each) => each.status === 'rejected')
  expect(refused.map(({ reason }) => reason.status)).toEqual([409, 409])
  expect((await amy.call('expenses_get', { id })).attachments).toHaveLength(20)
})

test('deleting an expense deletes its attachments', async () => {
  const amy = await member('CONTRIBUTOR')
  const { expenseId, storageUrl } = await amy.call('expenses_upload', { file: text('a.txt') })
  expect(await open(storageUrl)).toMatchObject({ status: 200 })
  await amy.call('expenses_delete_delete', { id: expenseId })
  expect(await open(storageUrl)).toMatchObject({ status: 404 })
})

test('the usage shows the scans of the current month and the limit of the plan', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const period = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Singapore' }).slice(0, 7)
  expect(await amy.call('expenses_usage', { organizationId })).toEqual({ used: 0, limit: 100, period })
  await amy.call('expenses_upload', { file: text('a.txt') })
  expect(await amy.call('expenses_usage', { organizationId })).toMatchObject({ used: 0 }) // an upload is no scan
  await useScans(String(organizationId), period, 7)
  await useScans(String(organizationId), '2020-01', 9)
  expect(await amy.call('expenses_usage', { organizationId })).toEqual({ used: 7, limit: 100, period })
  const employee = await member('EMPLOYEE', { of: amy })
  expect(await employee.call('expenses_usage')).toMatchObject({ used: 0, limit: 0 })
})

test('THR-14: a PDF is shown to members in frames of our own pages; its link and all other files are saved', async () => {
  const amy = await member('CONTRIBUTOR')
  const pdf = await amy.call('expenses_upload', { file: text('receipt.pdf', '%PDF-1.7\n%%EOF\n') })
  const page = await amy.call('expenses_upload', { file: text('page.html', '<script>alert(1)</script>') })
  const headersOf = async (url: string, someone?: Someone) => (await open(url, someone)).headers
  expect(await headersOf(`/api/expenses/attachments/${pdf.id}`, amy)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^inline; filename="receipt.pdf"/),
    'content-security-policy': expect.stringContaining("default-src 'none'; object-src 'self'"),
  })
  for (const headers of [await headersOf(pdf.storageUrl), await headersOf(`/api/expenses/attachments/${page.id}`, amy)])
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': "sandbox; default-src 'none'",
    })
})
