import { unzipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, send, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const customerOf = async (someone: Someone) =>
  (await someone.call('customers_create', { name: 'Globex', country: 'SG', email: 'office@globex.test' })).id

const auditOf = ({ organizationId }: Someone, operation: string) =>
  theApp().system.use((db) =>
    db
      .selectFrom('auditLog')
      .select(['operation', 'objectId'])
      .where('organizationId', '=', String(organizationId))
      .where('operation', '=', operation)
      .execute(),
  )

const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }

test('several documents are sent with an outcome each, in their order, as if one by one', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const [first, silent, second] = [await sell(amy, { customerId }), await sell(amy), await sell(amy, { customerId })]
  const stranger = await sell(await member('OWNER'))
  const ids = [second.id, silent.id, stranger.id, first.id, second.id, 'nothing']
  const { results, succeeded, failed } = await amy.call('invoices_bulk_send', { ...home(amy), ids, subject: 'January' })
  expect(results).toMatchObject([
    { id: second.id, ok: true },
    { id: silent.id, ok: false, error: { code: 'VALIDATION', details: [{ code: 'NO_RECIPIENTS' }] } },
    { id: stranger.id, ok: false, error: { code: 'NOT_FOUND' } },
    { id: first.id, ok: true },
    { id: 'nothing', ok: false, error: { code: 'NOT_FOUND' } },
  ])
  expect([succeeded, failed]).toEqual([2, 3])
  expect(await amy.call('invoices_get', { id: second.id })).toMatchObject({ invoiceNumber: '1' })
  expect(await amy.call('invoices_get', { id: first.id })).toMatchObject({ invoiceNumber: '2' })
  expect(new Set((await auditOf(amy, 'invoices_send')).map(({ objectId }) => objectId))).toEqual(
    new Set([first.id, second.id]),
  )
  expect(await auditOf(amy, 'invoices_bulk_send')).toHaveLength(1)
})

test('drafts are deleted, and a document with a number stays', async () => {
  const amy = await member('CONTRIBUTOR')
  const [draft, issued] = [await sell(amy), await sell(amy, { status: 'UNSENT' })]
  const answer = await amy.call('invoices_bulk_delete', { ...home(amy), ids: [issued.id, draft.id] })
  expect(answer).toMatchObject({
    results: [
      { id: issued.id, ok: false, error: { code: 'CONFLICT', details: [{ code: 'NUMBERED' }] } },
      { id: draft.id, ok: true },
    ],
  })
  await expect(amy.call('invoices_get', { id: draft.id })).rejects.toMatchObject({ status: 404 })
})

test('several documents are marked as paid once, however often the request is repeated with its key', async () => {
  const amy = await member('CONTRIBUTOR')
  const documents = [await sell(amy, { status: 'UNSENT' }), await sell(amy, { status: 'UNSENT' })]
  const operation = operationNamed('invoices_bulk_mark_paid')
  const ask = () =>
    send({
      method: 'POST',
      url: operation.path,
      body: { organizationId: amy.organizationId, ids: documents.map(({ id }) => id), ...paid, generateReceipt: true },
      headers: { ...amy.credentials, 'idempotency-key': 'january', 'sec-fetch-site': 'same-origin' },
    })
  const [first, again] = [await ask(), await ask()]
  expect(first.body).toMatchObject({ succeeded: 2, failed: 0 })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await amy.call('invoices_payments_list', {})).payments).toHaveLength(2)
})

test('a person who may not do it to one document may not do it to several', async () => {
  const amy = await member('OWNER')
  const viewer = await member('VIEWER', { of: amy })
  const ids = [(await sell(amy)).id]
  await expect(viewer.call('invoices_bulk_delete', { ...home(amy), ids })).rejects.toMatchObject({ status: 403 })
  await expect(amy.call('invoices_bulk_delete', { ...home(amy), ids: [] })).rejects.toMatchObject({ status: 400 })
  const many = Array.from({ length: 201 }, newId)
  await expect(amy.call('invoices_bulk_delete', { ...home(amy), ids: many })).rejects.toMatchObject({ status: 400 })
})

test('the PDFs of several documents come in one ZIP file, each with its own name', async () => {
  const amy = await member('VIEWER', { of: await member('OWNER') })
  const seller = await member('CONTRIBUTOR', { of: amy })
  const documents = [await sell(seller, { status: 'UNSENT' }), await sell(seller), await sell(seller)]
  const ask = (ids: string[]) =>
    theApp().server.inject({
      method: 'POST',
      url: '/api/documents/bulk-pdf',
      payload: { organizationId: amy.organizationId, ids },
      headers: { ...amy.credentials, 'sec-fetch-site': 'same-origin' },
    })
  const answer = await ask(documents.map(({ id }) => id))
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(/^attachment; filename="documents-\d{4}-\d\d-\d\d\.zip"/),
  })
  const files = unzipSync(answer.rawPayload)
  expect(Object.keys(files)).toEqual(['Invoice 1.pdf', 'Invoice.pdf', 'Invoice (2).pdf'])
  expect(await textOf(Buffer.from(files['Invoice 1.pdf'] ?? []))).toContain('Consulting')
  const refused = await ask([documents[0]?.id ?? '', newId()])
  expect(refused.statusCode).toBe(400)
  expect(refused.json().error.details).toMatchObject([{ path: 'ids.1', code: 'UNKNOWN_REFERENCE' }])
})
