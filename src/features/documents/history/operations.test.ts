import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const typesOf = async (someone: Someone, id: string) =>
  (await someone.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()

test('what the product does to a document is told by nobody in particular', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy)
  await amy.call('invoices_update', { id, notes: 'x' })
  await amy.call('invoices_update', { id, notes: 'x' })
  await amy.call('invoices_update', { id, status: 'SENT' })
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
  await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  await amy.call('invoices_update', { id, clearReceiptInfo: true })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(await typesOf(amy, id)).toEqual([
    'CREATED', 'UPDATED', 'ISSUED', 'PAYMENT_RECORDED', 'PAID', 'RECEIPT_ISSUED', 'PAYMENT_VOIDED', 'PAYMENT_RECORDED',
    'MEMO_ISSUED', 'PAID',
  ]) // biome-ignore format: a list of words
  const { events } = await amy.call('invoices_events', { id })
  expect(events.every(({ actorUserId, actor }) => actorUserId === null && actor === null)).toBe(true)
})

test('what a person says has their name, and comes back in pages', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const payload = { text: 'נראה טוב', nested: { a: [1] } }
  const said = await amy.call('invoices_events_post', { id, type: 'COMMENTED', payload })
  expect(said).toEqual({
    id: expect.any(String),
    documentId: id,
    organizationId: amy.organizationId,
    type: 'COMMENTED',
    actorUserId: amy.userId,
    actor: { id: amy.userId, name: expect.any(String), email: expect.any(String) },
    payload,
    createdAt: expect.any(String),
    sequence: 2,
    previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const page = await amy.call('invoices_events', { id, limit: 1 })
  expect(page).toEqual({ events: [said], pagination: { page: 1, limit: 1, total: 2, totalPages: 2 } })
  expect((await amy.call('invoices_events', { id })).pagination.limit).toBe(50)
  await expect(amy.call('invoices_events', { id, limit: 101 })).rejects.toMatchObject({ status: 400 })
})

test.each(['DRAFT', 'UNSENT', 'SENT', 'PAID'])(
  'a document that is %s may be disputed, and the dispute resolved',
  async (status) => {
    const amy = await member('CONTRIBUTOR')
    const { id, organizationId } = await sell(amy, { status })
    const disputed = async () =>
      (await amy.call('invoices_list', { organizationId, disputed: 'true' })).pagination.total
    await amy.call('invoices_events_post', { id, type: 'DISPUTED', payload: { reason: 'late' } })
    expect((await amy.call('invoices_get', { id })).inDispute).toBe(true)
    expect(await disputed()).toBe(1)
    await amy.call('invoices_events_post', { id, type: 'DISPUTE_COUNTERED' })
    expect((await amy.call('invoices_get', { id })).inDispute).toBe(true)
    await amy.call('invoices_events_post', { id, type: 'DISPUTE_RESOLVED' })
    expect((await amy.call('invoices_get', { id })).inDispute).toBe(false)
    expect(await disputed()).toBe(0)
    const told = await theApp().system.use((db) =>
      db.selectFrom('events').select('type').where('organizationId', '=', organizationId).orderBy('id').execute(),
    )
    expect(told.map(({ type }) => type).slice(-2)).toEqual(['invoice.disputed', 'invoice.dispute_resolved'])
  },
)

test.each([{ type: 'PAID' }, { type: 'COMMENTED', payload: 'text' }, {}])('%j cannot be posted', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_events_post', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
})

test.each([
  ['123-456-789', '123456789'],
  ['מספר 0042', '0042'],
])('of the allocation number %j the digits %s are kept, in any status', async (allocationNumber, digits) => {
  const amy = await member('CONTRIBUTOR')
  for (const status of ['DRAFT', 'PAID']) {
    const { id } = await sell(amy, { status })
    expect(await amy.call('invoices_manual_allocation', { id, allocationNumber })).toEqual({
      success: true,
      allocationNumber: digits,
    })
    expect((await amy.call('invoices_get', { id })).vatAllocationNumber).toBe(digits)
  }
})

test.each(['', 'none'])('an allocation number of %j is refused', async (allocationNumber) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_manual_allocation', { id, allocationNumber })).rejects.toMatchObject({ status: 400 })
})

test('INV-19: the events of a document are a chain that nobody changes, however many write at once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => amy.call('invoices_events_post', { id, type: 'COMMENTED', payload: { n } })),
  )
  const chain = `select seq, prev_hash, hash, hash = document_event_hash(e) as holds from document_events e
    where document_id = $1 order by seq`
  const { rows } = await theApp().system.raw.query(chain, [id])
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1))
  expect(
    rows.every(({ holds, prev_hash }, at) => holds && prev_hash.equals(rows[at - 1]?.hash ?? Buffer.alloc(0))),
  ).toBe(true)
  for (const change of ['update document_events set type = type', 'delete from document_events'])
    await expect(theApp().system.raw.query(change)).rejects.toThrow(/append-only/)
})
