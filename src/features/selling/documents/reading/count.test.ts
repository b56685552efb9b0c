import { expect, test } from 'vitest'
import { salesDocument, sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const total = async (someone: Someone, filter = {}) =>
  (await someone.call('invoices_list', { organizationId: String(someone.organizationId), ...filter })).pagination.total

/** The real number of documents, by type and status and in total. */
async function realCounts({ organizationId }: Someone) {
  const { rows } = await theApp().system.raw.query(
    `select document_type as "documentType", status, count(*)::int as total from documents where organization_id = $1
     group by grouping sets ((), (document_type), (status), (document_type, status))`,
    [organizationId],
  )
  return rows as { documentType: string | null; status: string | null; total: number }[]
}

async function expectExact(someone: Someone) {
  for (const { total: expected, documentType, status } of await realCounts(someone)) {
    const filter = { ...(documentType && { documentType }), ...(status && { status }) }
    expect(await total(someone, filter), JSON.stringify(filter)).toBe(expected)
  }
}

const compactCounts = ({ organizationId }: Someone) =>
  theApp().system.raw.query('select sum_up_document_counts($1)', [organizationId])

test('the total of a list stays exact while documents are created, changed, issued, paid, credited and deleted', async () => {
  const amy = await member('OWNER')
  expect(await total(amy)).toBe(0)
  const draft = await sell(amy)
  const other = await sell(amy, { documentType: 'PAYMENT_REQUEST' })
  await expectExact(amy)
  await amy.call('invoices_update', { id: other.id, documentType: 'INVOICE_RECEIPT' })
  await amy.call('invoices_update', { id: draft.id, status: 'SENT' })
  await expectExact(amy)
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  await amy.call('invoices_mark_paid', { id: draft.id, ...paid })
  await expectExact(amy)
  await compactCounts(amy)
  await expectExact(amy)
  await amy.call('invoices_update', { id: draft.id, clearReceiptInfo: true })
  await amy.call('invoices_memos', { id: draft.id, kind: 'CREDIT' })
  await amy.call('invoices_delete', { id: other.id })
  await expectExact(amy)
  expect(await total(amy, { status: 'DRAFT' })).toBe(0)
  expect(await total(amy, { documentType: 'POEM' })).toBe(0)
})

test('a refused document is not counted', async () => {
  const amy = await member('OWNER')
  await sell(amy)
  const wrong = await salesDocument(amy, { status: 'SENT', total: 1 })
  await expect(amy.call('invoices_create', wrong)).rejects.toMatchObject({ status: 400 })
  expect(await total(amy)).toBe(1)
})

test('concurrent writers leave an exact total, also while the counts are compacted', async () => {
  const amy = await member('OWNER')
  const document = await salesDocument(amy)
  const created = await Promise.all(Array.from({ length: 10 }, () => amy.call('invoices_create', document)))
  await Promise.all([
    ...created.slice(0, 3).map(({ id }) => amy.call('invoices_delete', { id })),
    ...created.slice(3, 7).map(({ id }) => amy.call('invoices_update', { id, status: 'UNSENT' })),
    ...Array.from({ length: 5 }, () => amy.call('invoices_create', { ...document, status: 'SENT' })),
    ...Array.from({ length: 6 }, () => compactCounts(amy)),
  ])
  expect(await total(amy)).toBe(12)
  await expectExact(amy)
  await compactCounts(amy)
  await expectExact(amy)
  const { rows } = await theApp().system.raw.query(
    'select count(*)::int as rows from document_counts where organization_id = $1',
    [amy.organizationId],
  )
  expect(rows).toEqual([{ rows: 3 }]) // DRAFT, UNSENT, SENT
})

test('deleting an organization deletes its drafts and their counts', async () => {
  const amy = await member('OWNER')
  await sell(amy)
  await theApp().system.raw.query('delete from organizations where id = $1', [amy.organizationId])
  const { rows } = await theApp().system.raw.query('select from document_counts where organization_id = $1', [
    amy.organizationId,
  ])
  expect(rows).toEqual([])
})

test('the role of requests cannot write the counts', async () => {
  const amy = await member('OWNER')
  await theApp().system.use(async (_, connection) => {
    await connection.query('begin')
    await connection.query('set local role kontor_confined')
    await connection.query(`select set_config('app.organization', $1, true)`, [amy.organizationId])
    const forged = connection.query(
      `insert into document_counts (kind, document_type, status, change) values ('SALES', 'INVOICE', 'DRAFT', 5)`,
    )
    await expect(forged).rejects.toMatchObject({ code: '42501' })
    await connection.query('rollback')
  })
})
