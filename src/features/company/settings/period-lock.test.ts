import '../../../test/own-world.ts'
import { describe, expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { asSuperuser, queryOn } from '../../../test/database.ts'
import { spend, spendApproved } from '../../../test/expenses.ts'
import { doJob } from '../../../test/job.ts'
import { rowOf } from '../../../test/rows.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp, theDatabase } from '../../../test/world.ts'
import { sumUpLockedPeriod } from './sum-up-locked-period.ts'

const old = '2026-01-10'
const locked = '2026-01-31'
const later = '2026-02-01'

const home = ({ organizationId = '' }: Someone) => ({ organizationId })
const lock = (someone: Someone, lockedUntil: string | null) =>
  someone.call('settings_update', { id: home(someone).organizationId, lockedUntil })
const refused = { status: 409, details: [{ code: 'PERIOD_LOCKED' }] }
const journal = (amy: Someone) => amy.call('reports_journal', { ...home(amy), from: '2025-12-01', to: locked })

describe('the lock', () => {
  test('is set and moved forward by a manager, and moved back or removed by an owner only', async () => {
    const amy = await member('OWNER')
    const mia = await member('MANAGER', { of: amy })
    const carl = await member('CONTRIBUTOR', { of: amy })
    expect((await lock(mia, old)).lockedUntil).toBe(old)
    expect((await lock(mia, locked)).lockedUntil).toBe(locked)
    expect((await lock(mia, locked)).lockedUntil).toBe(locked)
    for (const earlier of [old, null]) {
      const refusal = { status: 403, details: [{ code: 'ROLE' }] }
      await expect(lock(mia, earlier)).rejects.toMatchObject(refusal)
      await expect(lock(mia, earlier)).rejects.toThrow(`locked until ${locked}`)
    }
    await expect(lock(carl, later)).rejects.toMatchObject({ status: 403 })
    expect((await lock(amy, old)).lockedUntil).toBe(old)
    expect((await lock(amy, null)).lockedUntil).toBe(null)
    expect((await amy.call('settings_get', { id: home(amy).organizationId })).lockedUntil).toBe(null)
  })

  test('is refused to a manager by the database too', async () => {
    const amy = await member('OWNER')
    const mia = await member('MANAGER', { of: amy })
    await lock(amy, locked)
    const unlock = ({ userId }: Someone) =>
      theApp().system.use(async (_, connection) => {
        await connection.query('begin')
        await connection.query("select set_config('app.person', $1, true)", [userId])
        const text = 'update organization_settings set locked_until = null where organization_id = $1'
        return connection.query(text, [home(amy).organizationId]).finally(() => connection.query('rollback'))
      })
    await expect(unlock(amy)).resolves.toMatchObject({ affected: 1 })
    await expect(unlock(mia)).rejects.toMatchObject({ constraint: 'owner_unlocks_period' })
  })

  test('is in the audit trail with the old and the new day', async () => {
    const amy = await member('OWNER')
    await lock(amy, locked)
    await lock(amy, null)
    const { entries } = await amy.call('organizations_audit', { operation: 'settings_update' })
    expect(entries.map(({ detail }) => detail)).toEqual([
      { changed: { lockedUntil: { from: locked, to: null } } },
      { changed: { lockedUntil: { from: null, to: locked } } },
    ])
  })

  test('is set up to today in the time zone of the organization', async () => {
    const amy = await member('OWNER')
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await lock(amy, null)
      await amy.call('organizations_update', { id: home(amy).organizationId, timezone })
      const day = today(new Date(), timezone)
      await expect(lock(amy, addDays(day, 1))).rejects.toMatchObject({
        status: 400,
        details: [{ path: 'lockedUntil' }],
      })
      expect((await lock(amy, day)).lockedUntil).toBe(day)
    }
  })

  test.each(['yesterday', '2026-02-30'])('%s is no day', async (day) => {
    const amy = await member('OWNER')
    await lock(amy, locked)
    await expect(lock(amy, day)).rejects.toMatchObject({ status: 400, details: [{ path: 'lockedUntil' }] })
  })

  test('until today refuses what is booked today, also what is dated by the clock', async () => {
    const amy = await member('OWNER')
    const payment = { ...home(amy), amount: 5, currency: 'SGD' }
    const { id } = await amy.call('invoices_payments_create', {
      ...payment,
      paidAt: today(new Date(), 'Asia/Singapore'),
    })
    await lock(amy, today(new Date(), 'Asia/Singapore'))
    await expect(sell(amy, { status: 'UNSENT' })).rejects.toMatchObject(refused)
    await expect(amy.call('invoices_payments_void', { id })).rejects.toMatchObject(refused)
  })

  test('does not stop the deletion of an organization', async () => {
    const amy = await member('OWNER')
    const itemId = (await amy.call('logistics_items_create', { ...home(amy), name: 'Lamp', tracked: true })).id
    await amy.call('logistics_stock_movements_create', { ...home(amy), itemId, kind: 'IN', quantity: 5, date: old })
    await spend(amy, { date: old, splits: [{ categoryId: await rowOf('expenseCategories', amy), amount: 100 }] })
    await rowOf('journalEntries', amy)
    await lock(amy, locked)
    await sumUp(amy)
    await amy.call('organizations_delete', { id: home(amy).organizationId })
  })
})

describe('after the lock', () => {
  test('an older document can be sent, disputed, commented, given an allocation number, paid and receipted', async () => {
    const amy = await member('MANAGER')
    const dana = { ...home(amy), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    const customerId = (await amy.call('customers_create', dana)).id
    const { id } = await sell(amy, { status: 'UNSENT', issueDate: old, customerId })
    await lock(amy, locked)
    const booked = await journal(amy)
    await amy.call('invoices_send', { id })
    await amy.call('invoices_events_post', { id, type: 'DISPUTED' })
    await amy.call('invoices_events_post', { id, type: 'DISPUTE_RESOLVED' })
    await amy.call('invoices_manual_allocation', { id, allocationNumber: '123456789' })
    const { id: paymentId } = await amy.call('invoices_payments', { id, amount: 9, paidAt: later })
    await amy.call('invoices_payments_receipt', { id: paymentId })
    const paid = { paymentDate: later, paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
    expect((await amy.call('invoices_mark_paid', { id, ...paid })).document.status).toBe('PAID')
    await amy.call('invoices_update', { id, clearReceiptInfo: true })
    expect((await amy.call('invoices_get', { id })).status).toBe('SENT')
    expect(await journal(amy)).toEqual(booked)
  })

  test('an older document can be credited, and an older payment be allocated and refunded', async () => {
    const amy = await member('MANAGER')
    const customerId = await rowOf('customers', amy)
    const { id } = await sell(amy, { status: 'UNSENT', issueDate: old, customerId })
    const payment = { ...home(amy), amount: 50, currency: 'SGD', paidAt: old, customerId }
    const { id: paymentId } = await amy.call('invoices_payments_create', payment)
    await lock(amy, locked)
    const booked = await journal(amy)
    const allocations = [{ documentId: id, amount: 20 }]
    const allocated = await amy.call('invoices_payments_allocate', { id: paymentId, allocations })
    await amy.call('invoices_payments_unallocate', {
      id: paymentId,
      allocationId: String(allocated.allocations[0]?.id),
    })
    await amy.call('invoices_payments_refund', { id: paymentId, paidAt: later })
    await amy.call('invoices_memos', { id, kind: 'CREDIT' })
    expect(await journal(amy)).toEqual(booked)
  })

  test.each([{ paidAt: undefined }, { paidAt: old }])(
    'an older payment request can be converted (%j)',
    async ({ paidAt }) => {
      const amy = await member('MANAGER')
      const { id } = await sell(amy, { status: 'UNSENT', issueDate: old, documentType: 'PAYMENT_REQUEST' })
      if (paidAt) await amy.call('invoices_payments', { id, amount: 109, paidAt })
      await lock(amy, locked)
      const booked = await journal(amy)
      const invoice = await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
      expect(invoice.issueDate).toBe(today(new Date(), 'Asia/Singapore'))
      expect(await journal(amy)).toEqual(booked)
    },
  )

  test('the credit that falls back when a later payment is voided is booked on the day of the void', async () => {
    const amy = await member('MANAGER')
    const { id } = await sell(amy, { status: 'UNSENT', issueDate: old })
    const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: later })
    await amy.call('invoices_memos', { id, kind: 'CREDIT' })
    await lock(amy, locked)
    const booked = await journal(amy)
    await amy.call('invoices_payments_void', { id: payment.id })
    expect((await amy.call('invoices_get', { id })).openBalance).toBe(0)
    expect(await journal(amy)).toEqual(booked)
  })

  test('an older draft is kept and changed; it is issued with a later date, or that of today if none was given', async () => {
    const amy = await member('MANAGER')
    const given = await sell(amy, { issueDate: old })
    const automatic = await sell(amy)
    await theApp().system.raw.query('update documents set issue_date = $1 where id = $2', [old, automatic.id])
    await lock(amy, locked)
    expect(await amy.call('invoices_update', { id: given.id, notes: 'Later' })).toMatchObject({ issueDate: old })
    expect(await amy.call('invoices_update', { id: automatic.id, notes: 'Later' })).toMatchObject({ issueDate: old })
    expect(await sell(amy, { issueDate: old })).toMatchObject({ status: 'DRAFT', invoiceDate: old })
    await expect(amy.call('invoices_update', { id: given.id, status: 'UNSENT' })).rejects.toMatchObject(refused)
    const issued = await amy.call('invoices_update', { id: given.id, status: 'UNSENT', issueDate: later })
    expect(issued.issueDate).toBe(later)
    const sent = await amy.call('invoices_update', { id: automatic.id, status: 'UNSENT' })
    expect(sent.issueDate).toBe(today(new Date(), 'Asia/Singapore'))
  })

  test('an older expense that is not approved can be changed, and approved with a later date', async () => {
    const amy = await member('MANAGER')
    const { id } = await spend(amy, { date: old })
    const approved = await spendApproved(amy, { date: old })
    await lock(amy, locked)
    await amy.call('expenses_update_patch_2', { id: approved.id, title: 'Lunch', notes: 'With Dana' })
    await amy.call('expenses_update_patch_2', { id, amount: 90 })
    await expect(amy.call('expenses_status', { id, status: 'APPROVED' })).rejects.toMatchObject(refused)
    await amy.call('expenses_update_patch_2', { id, date: later })
    expect((await amy.call('expenses_status', { id, status: 'APPROVED' })).status).toBe('APPROVED')
  })

  test('an owner who has unlocked the books can book in the period again', async () => {
    const amy = await member('OWNER')
    const document = await salesDocument(amy, { status: 'UNSENT', issueDate: old })
    await lock(amy, locked)
    await expect(amy.call('invoices_create', document)).rejects.toMatchObject(refused)
    await lock(amy, null)
    expect(await amy.call('invoices_create', document)).toMatchObject({ invoiceDate: old })
  })
})

test('the time zone of an organization changes unless a void or cancellation of the locked period would move to another day', async () => {
  const amy = await member('OWNER')
  const zone = (timezone: string) => amy.call('organizations_update', { id: home(amy).organizationId, timezone })
  const payment = { ...home(amy), amount: 5, currency: 'SGD', paidAt: old }
  const { id } = await amy.call('invoices_payments_create', payment)
  await amy.call('invoices_payments_void', { id })
  await disguise(id, '2026-01-31T20:00:00Z') // 1 February in Singapore, 31 January in London
  await lock(amy, old)
  await zone('Europe/London')
  await zone('Asia/Singapore')
  await lock(amy, locked)
  await expect(zone('Europe/London')).rejects.toMatchObject(refused)
  await zone('Asia/Tokyo')
})

/** Dates a void differently, which no request can. */
const disguise = (id: string, voidedAt: string) =>
  queryOn(
    asSuperuser(theDatabase()),
    `set session_replication_role = 'replica'; update payments set voided_at = '${voidedAt}' where id = '${id}'`,
  )

/** Runs the job that stores the balances of the lock. */
async function sumUp({ organizationId }: Someone) {
  const { rows } = await theApp().system.raw.query('select id from period_locks where organization_id = $1', [
    organizationId,
  ])
  for (const { id } of rows)
    await doJob(sumUpLockedPeriod, { lockId: id }, { flags: { [`organization:${organizationId}`]: true } })
}
