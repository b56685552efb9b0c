import { expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const typesOf = async (someone: Someone, id: string) =>
  (await someone.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()

test('history entries of the product have no actor', async () => {
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
    'CREATED', 'UPDATED', 'ISSUED', 'PAYMENT_RECORDED', 'PAID', 'RECEIPT_ISSUED', 'PAYMENT_VOIDED', 'MEMO_ISSUED',
  ]) // biome-ignore format: a list of words
  const { events } = await amy.call('invoices_events', { id })
  expect(events.every(({ actorUserId, actor }) => actorUserId === null && actor === null)).toBe(true)
})

test('the entry of a change names the fields that changed', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await amy.call('invoices_update', { id, notes: 'x', dueDate: '2031-01-31', currency: 'SGD' })
  await amy.call('invoices_update', {
    id,
    items: [{ id: '1', description: 'Advice', quantity: 2, unitPrice: 50, amount: 100 }],
  })
  await amy.call('invoices_update', { id, status: 'UNSENT' })
  await amy.call('invoices_update', { id, status: 'SENT', notes: null })
  const { events } = await amy.call('invoices_events', { id })
  const changes = events.filter(({ type }) => type === 'UPDATED').map(({ payload }) => payload)
  expect(changes).toMatchObject([
    { fields: ['notes', 'status'], status: 'SENT' },
    { fields: ['items'] },
    { fields: ['dueDate', 'notes'] },
  ])
})

test('an entry of a person has that person as its actor, and the history is paged', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const payload = { text: 'נראה טוב', nested: { a: [1] } }
  const posted = await amy.call('invoices_events_post', { id, type: 'COMMENTED', payload })
  expect(posted).toEqual({
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
  expect(page).toEqual({ events: [posted], pagination: { page: 1, limit: 1, total: 2, totalPages: 2 } })
  expect((await amy.call('invoices_events', { id })).pagination.limit).toBe(50)
  await expect(amy.call('invoices_events', { id, limit: 101 })).rejects.toMatchObject({ status: 400 })
})

test.each(['DRAFT', 'UNSENT', 'SENT', 'PAID'])(
  'a %s document can be disputed and the dispute resolved',
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
    const emitted = await theApp().system.use((db) =>
      db.selectFrom('events').select('type').where('organizationId', '=', organizationId).orderBy('id').execute(),
    )
    expect(emitted.map(({ type }) => type).slice(-2)).toEqual(['invoice.disputed', 'invoice.dispute_resolved'])
  },
)

test.each([{ type: 'PAID' }, { type: 'COMMENTED', payload: 'text' }, {}])('the entry %j is refused', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_events_post', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
})

test('INV-19: the history is an unbroken append-only chain, also with concurrent writers', async () => {
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
