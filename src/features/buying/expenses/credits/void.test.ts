import { describe, expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

type Credit = { amount?: number; date?: string; reason?: string }

/** Credits an expense and returns the ids of the last credit and of its payment. */
async function credited(amy: Someone, id: string, credit: Credit = {}) {
  const { credits } = await amy.call('expenses_credits', { id, date: '2026-02-02', ...credit })
  const { id: creditId = '', paymentId = '' } = credits.at(-1) ?? {}
  return { creditId, paymentId }
}

/** The entries of the journal about a document, as [day, event, account, debit less credit]. */
async function entriesOf(amy: Someone, documentId: string) {
  const { entries } = await amy.call('reports_journal', {
    ...{ organizationId: String(amy.organizationId), from: '2026-01-01', to: '2099-12-31', limit: 1_000 },
  })
  return entries
    .filter((entry) => entry.documentId === documentId)
    .map(({ date, event, accountName, debit, credit }) => [date, event, accountName, debit - credit])
}

const vendorTotals = async (amy: Someone) => {
  const query = { organizationId: String(amy.organizationId), year: 2026 }
  return (await amy.call('dashboard_get', query)).expensesByVendor
}

const historyOf = async (id: string) => {
  const query = 'select type, payload from document_events where document_id = $1 order by seq'
  return (await theApp().system.raw.query(query, [id])).rows as { type: string; payload: Record<string, unknown> }[]
}

describe('voiding the credit of a supplier', () => {
  test('the expense is open again, and the journal takes the credit back today', async () => {
    const amy = await member('OWNER')
    await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90000000X' })
    const { id } = await spendApproved(amy, { amount: 109, taxAmount: 9, vendor: 'Globex' })
    const { creditId, paymentId } = await credited(amy, id, { amount: 54.5 })
    expect(await vendorTotals(amy)).toEqual([{ name: 'Globex', total: 54.5, count: 1 }])
    const booked = await entriesOf(amy, creditId)
    expect(booked.map(([date, event]) => [date, event])).toEqual(booked.map(() => ['2026-02-02', 'CREDITED']))
    const after = await amy.call('expenses_credits_void', { id, creditId, reason: 'Of another company' })
    expect(after).toMatchObject({ creditedAmount: 0, openBalance: 109, status: 'APPROVED' })
    expect(after.credits).toMatchObject([
      { id: creditId, amount: 54.5, openRemainder: 0, voidedAt: expect.any(String), voidReason: 'Of another company' },
    ])
    expect(await vendorTotals(amy)).toEqual([{ name: 'Globex', total: 109, count: 1 }])
    const day = today(new Date(), 'Asia/Singapore')
    const reversed = booked.map(([, , account, minor]) => [day, 'CANCELLED', account, -Number(minor)])
    const all = await entriesOf(amy, creditId)
    expect(all).toHaveLength(2 * booked.length)
    expect(all).toEqual(expect.arrayContaining([...booked, ...reversed]))
    const { payments } = await amy.call('expenses_payments_list', {})
    expect(payments.find((payment) => payment.id === paymentId)).toMatchObject({ voidedAt: expect.any(String) })
    expect((await historyOf(id)).at(-1)).toMatchObject({
      type: 'CREDIT_VOIDED',
      payload: { memoId: creditId, total: 54.5, reason: 'Of another company', userId: amy.userId },
    })
    expect((await historyOf(creditId)).map(({ type }) => type)).toEqual(['CREATED', 'CANCELLED'])
    await expectSoundBooks()
  })

  test('a second void changes nothing', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    const { creditId } = await credited(amy, id)
    const first = await amy.call('expenses_credits_void', { id, creditId, reason: 'wrong' })
    const before = await historyOf(id)
    expect(await amy.call('expenses_credits_void', { id, creditId, reason: 'again' })).toEqual(first)
    expect(await historyOf(id)).toEqual(before)
  })

  test('the whole expense can be credited again, and its approval taken back', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    const { creditId } = await credited(amy, id)
    const refused = { status: 409, message: expect.stringContaining('/void'), details: [{ code: 'HAS_PAYMENTS' }] }
    await expect(amy.call('expenses_status', { id, status: 'PENDING_REVIEW' })).rejects.toMatchObject(refused)
    await amy.call('expenses_credits_void', { id, creditId })
    const again = await credited(amy, id)
    await amy.call('expenses_credits_void', { id, creditId: again.creditId })
    const back = await amy.call('expenses_status', { id, status: 'PENDING_REVIEW' })
    expect(back).toMatchObject({ status: 'PENDING_REVIEW', creditedAmount: 0, openBalance: 100 })
    await expectSoundBooks()
  })

  test('what it paid of another expense is open again', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy, { vendor: 'Globex' })
    await amy.call('expenses_payments', { id, amount: 80, paidAt: '2026-02-01' })
    const { creditId, paymentId } = await credited(amy, id, { amount: 50 })
    const other = await spend(amy, { vendor: 'Globex' })
    await amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId: other.id }] })
    expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 30, openBalance: 70 })
    const after = await amy.call('expenses_credits_void', { id, creditId })
    expect(after).toMatchObject({ paidAmount: 80, creditedAmount: 0, openBalance: 20 })
    expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 0, openBalance: 100 })
    expect((await historyOf(other.id)).at(-1)).toMatchObject({ type: 'PAYMENT_VOIDED' })
    await expectSoundBooks()
  })

  test('the open rest of another credit takes its place', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    await amy.call('expenses_payments', { id, amount: 50, paidAt: '2026-02-01' })
    const { creditId } = await credited(amy, id, { amount: 50 })
    await credited(amy, id, { amount: 40 })
    const after = await amy.call('expenses_credits_void', { id, creditId })
    expect(after).toMatchObject({ paidAmount: 50, creditedAmount: 40, openBalance: 10 })
    expect(after.credits.map(({ openRemainder }) => openRemainder)).toEqual([0, 0])
    await expectSoundBooks()
  })

  test('a credit of which a part was refunded is voided after its refund', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    await amy.call('expenses_payments', { id, amount: 100, paidAt: '2026-02-01' })
    const { creditId, paymentId } = await credited(amy, id, { amount: 50 })
    const { id: refundId } = await amy.call('expenses_payments_refund', {
      ...{ id: paymentId, amount: 20, paidAt: '2026-02-03' },
    })
    const voided = () => amy.call('expenses_credits_void', { id, creditId })
    await expect(voided()).rejects.toMatchObject({ status: 409, details: [{ code: 'REFUNDED' }] })
    await amy.call('expenses_payments_void', { id: refundId })
    expect(await voided()).toMatchObject({ paidAmount: 100, creditedAmount: 0 })
    await expectSoundBooks()
  })

  test('a credit in another currency leaves nothing in the journal', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy, { currency: 'USD', amount: 33.33, exchangeRate: 1.2345 })
    const { creditId } = await credited(amy, id, { amount: 11.11 })
    await amy.call('expenses_credits_void', { id, creditId })
    const sums = new Map<unknown, number>()
    for (const [, , account, minor] of await entriesOf(amy, creditId))
      sums.set(account, (sums.get(account) ?? 0) + Number(minor))
    expect([...sums.values()].filter((sum) => Math.abs(sum) > 0.001)).toEqual([])
    await expectSoundBooks()
  })

  test('a credit of another expense, or an unknown one, is not found', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    const other = await spendApproved(amy)
    const { creditId } = await credited(amy, id)
    for (const wrong of [
      { id: other.id, creditId },
      { id, creditId: other.id },
      { id, creditId: newId() },
      { id, creditId: 'none' },
    ])
      await expect(amy.call('expenses_credits_void', wrong)).rejects.toMatchObject({ status: 404 })
    expect(await amy.call('expenses_credits_void', { id, creditId })).toMatchObject({ openBalance: 100 })
  })

  test('8 clients that void the same credit at once void it once', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    const { creditId } = await credited(amy, id)
    const calls = Array.from({ length: 8 }, () => amy.call('expenses_credits_void', { id, creditId }))
    expect((await Promise.all(calls)).map(({ openBalance }) => openBalance)).toEqual(calls.map(() => 100))
    expect((await historyOf(id)).filter(({ type }) => type === 'CREDIT_VOIDED')).toHaveLength(1)
    await expectSoundBooks()
  })

  test('the database cancels a credit with its payment only', async () => {
    const amy = await member('OWNER')
    const { id } = await spendApproved(amy)
    const { creditId, paymentId } = await credited(amy, id)
    const { system } = theApp()
    const cancel = () => system.raw.query('update documents set cancelled_at = now() where id = $1', [creditId])
    await expect(cancel()).rejects.toMatchObject({ constraint: 'cancelled_with_its_payment' })
    await system.raw.query('update payments set voided_at = now() where id = $1', [paymentId])
    const { rows } = await system.raw.query('select cancelled_at from documents where id = $1', [creditId])
    expect(rows[0]?.cancelled_at).not.toBe(null)
    await expectSoundBooks()
  })
})
