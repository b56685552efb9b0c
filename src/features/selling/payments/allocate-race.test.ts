import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

/** Runs `first`, which waits for a lock on the document, and `second` meanwhile; then releases the lock. */
async function whileLocked<T>(documentId: string, first: () => Promise<T>, second: () => Promise<unknown>): Promise<T> {
  const client = await theApp().system.raw.connect()
  try {
    await client.query('begin')
    await client.query('select from documents where id = $1 for update', [documentId])
    const waiting = first()
    waiting.catch(() => {})
    for (let tries = 0; tries < 100; tries++) {
      const { rows } = await theApp().system.raw.query(
        "select count(*)::int as waiting from pg_locks where not granted and locktype in ('transactionid', 'tuple')",
      )
      if (rows[0].waiting > 0) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await second()
    await client.query('commit')
    return await waiting
  } finally {
    client.release()
  }
}

test('a void that waits does not reopen a document to which the payment is allocated meanwhile', async () => {
  const amy = await member('CONTRIBUTOR')
  const first = await sell(amy, { status: 'SENT' })
  const second = await sell(amy, { status: 'SENT', customerId: first.customerId })
  const money = { ...home(amy), amount: 159, currency: 'SGD', paidAt: '2026-01-31' }
  const { id } = await amy.call('invoices_payments_create', {
    ...money,
    allocations: [{ documentId: first.id, amount: 50 }],
  })
  const voiding = whileLocked(
    first.id,
    () => amy.call('invoices_payments_void', { id }),
    () => amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: second.id, amount: 109 }] }),
  )
  await expect(voiding).rejects.toMatchObject({ status: 409, details: [{ code: 'BUSY' }] })
  expect(await amy.call('invoices_get', { id: second.id })).toMatchObject({ status: 'PAID' })
  await expect(amy.call('invoices_payments_void', { id })).rejects.toMatchObject({ status: 403 })
})

test('clearing a document whose payment is allocated to a second document meanwhile leaves that one paid', async () => {
  const amy = await member('MANAGER')
  const first = await sell(amy, { status: 'SENT' })
  const second = await sell(amy, { status: 'SENT', customerId: first.customerId })
  const money = { ...home(amy), amount: 218, currency: 'SGD', paidAt: '2026-01-31' }
  const { id } = await amy.call('invoices_payments_create', {
    ...money,
    allocations: [{ documentId: first.id, amount: 109 }],
  })
  const clearing = whileLocked(
    first.id,
    () => amy.call('invoices_update', { id: first.id, clearReceiptInfo: true }),
    () => amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: second.id, amount: 109 }] }),
  )
  expect(await clearing).toMatchObject({ status: 'SENT', paidAmount: 0 })
  expect(await amy.call('invoices_get', { id: second.id })).toMatchObject({ status: 'PAID' })
})

test('the credit of a memo pays other documents of the same customer, and of no other', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await sell(amy, { status: 'PAID' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', home(amy))
  const credit = payments.find(({ source }) => source === 'CREDIT_MEMO')
  const other = await sell(amy, { status: 'SENT' })
  const own = await sell(amy, { status: 'SENT', customerId })
  const allocated = (documentId: string) =>
    amy.call('invoices_payments_allocate', { id: String(credit?.id), allocations: [{ documentId, amount: 1 }] })
  await expect(allocated(other.id)).rejects.toMatchObject({ status: 400, details: [{ code: 'OTHER_CUSTOMER' }] })
  expect(await allocated(own.id)).toMatchObject({ allocatedTotal: 1 })
})

test('an allocation that is made later is in the journal on the day it was made, not on the day of the payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: documentId } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  const money = { ...home(amy), amount: 150, currency: 'SGD', paidAt: '2026-03-05' }
  const { id } = await amy.call('invoices_payments_create', money)
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId, amount: 9 }] })
  const { rows } = await theApp().system.raw.query(
    `select distinct j.day > '2026-03-05' as later from journal() j where j.organization_id = $1 and j.event = 'ALLOCATED'`,
    [amy.organizationId],
  )
  expect(rows).toEqual([{ later: true }])
})
