import { describe, expect, test } from 'vitest'
import { spend, spendApproved } from '../../../test/expenses.ts'
import { rowOf } from '../../../test/rows.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, type Someone } from '../../../test/world.ts'

/** The last locked day, and the days around it. */
const locked = '2026-01-30'
const before = '2026-01-29'
const after = '2026-01-31'

/** Prepares rows that are dated on a day, and returns the request that books on that day. */
type Booking = (amy: Someone, day: string) => Promise<() => Promise<unknown>>

const home = ({ organizationId = '' }: Someone) => ({ organizationId })

const sold = async (amy: Someone, day: string, more = {}) =>
  (await sell(amy, { status: 'UNSENT', issueDate: day, ...more })).id
const money = (amy: Someone, day: string, more = {}) =>
  amy.call('invoices_payments_create', { ...home(amy), amount: 5, currency: 'SGD', paidAt: day, ...more })
const spentMoney = (amy: Someone, day: string, more = {}) =>
  amy.call('expenses_payments_create', { ...home(amy), amount: 5, currency: 'SGD', paidAt: day, ...more })
const account = (amy: Someone, type: 'ASSET' | 'EXPENSE' = 'ASSET') =>
  amy.call('reports_account_create', { ...home(amy), code: `T${Math.random()}`.slice(0, 12), name: 'Account', type })
const entry = async (amy: Someone, date: string) => ({
  ...{ ...home(amy), date, description: 'Deposit' },
  lines: [
    { accountId: (await account(amy)).id, debit: 5 },
    { accountId: (await account(amy)).id, credit: 5 },
  ],
})
const tracked = async (amy: Someone) =>
  (await amy.call('logistics_items_create', { ...home(amy), name: 'Lamp', tracked: true, purchasePrice: 10 })).id
const purchased = async (amy: Someone) => {
  const lines = [{ itemId: await tracked(amy), description: 'Lamp', quantity: 2, unitPrice: 10 }]
  const supplierId = await rowOf('suppliers', amy)
  return amy.call('orders_create', { ...home(amy), kind: 'PURCHASE', supplierId, lines, status: 'OPEN' })
}

const sales: Record<string, Booking> = {
  'issuing a document': async (amy, day) => {
    const customerId = await rowOf('customers', amy)
    return () => sold(amy, day, { customerId })
  },
  'issuing a draft': async (amy, day) => {
    const { id } = await sell(amy, { issueDate: day })
    return () => amy.call('invoices_update', { id, status: 'UNSENT' })
  },
  'issuing a document by PUT': async (amy, day) => {
    const document = await salesDocument(amy, { issueDate: day })
    const { id } = await sell(amy, document)
    return () => amy.call('invoices_update_put', { ...document, id, status: 'UNSENT' })
  },
  'sending a draft': async (amy, day) => {
    const dana = { ...home(amy), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    const { id } = await sell(amy, { issueDate: day, customerId: (await amy.call('customers_create', dana)).id })
    return () => amy.call('invoices_send', { id })
  },
  'cancelling a payment request': async (amy, day) => {
    const id = await sold(amy, day, { documentType: 'PAYMENT_REQUEST' })
    return () => amy.call('invoices_cancel', { id })
  },
  'recording a payment': async (amy, day) => () => money(amy, day),
  'paying a document': async (amy, day) => {
    const id = await sold(amy, before)
    return () => amy.call('invoices_payments', { id, amount: 5, paidAt: day })
  },
  'marking a document as paid': async (amy, day) => {
    const id = await sold(amy, before)
    const paid = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false }
    return () => amy.call('invoices_mark_paid', { id, ...paid })
  },
  'voiding a payment': async (amy, day) => {
    const { id } = await money(amy, day)
    return () => amy.call('invoices_payments_void', { id })
  },
  'clearing the payment of a document': async (amy, day) => {
    const id = await sold(amy, before)
    await amy.call('invoices_payments', { id, amount: 109, paidAt: day })
    return () => amy.call('invoices_update', { id, clearReceiptInfo: true })
  },
  'taking an allocation back': async (amy, day) => {
    const documentId = await sold(amy, before)
    const { id, allocations } = await money(amy, day, { allocations: [{ documentId, amount: 5 }] })
    return () => amy.call('invoices_payments_unallocate', { id, allocationId: String(allocations[0]?.id) })
  },
  'refunding a payment': async (amy, day) => {
    const { id } = await money(amy, before)
    return () => amy.call('invoices_payments_refund', { id, paidAt: day })
  },
  'voiding a refund': async (amy, day) => {
    const { id } = await money(amy, before)
    const refund = await amy.call('invoices_payments_refund', { id, paidAt: day })
    return () => amy.call('invoices_payments_void', { id: refund.id })
  },
}

const expenses: Record<string, Booking> = {
  'approving an expense': async (amy, date) => {
    const { id } = await spend(amy, { date })
    return () => amy.call('expenses_status', { id, status: 'APPROVED' })
  },
  'taking an approval back': async (amy, date) => {
    const { id } = await spendApproved(amy, { date })
    return () => amy.call('expenses_status', { id, status: 'PENDING_REVIEW' })
  },
  'changing the amount of an approved expense': async (amy, date) => {
    const { id } = await spendApproved(amy, { date })
    return () => amy.call('expenses_update_patch_2', { id, amount: 90 })
  },
  'changing the category of an approved expense': async (amy, date) => {
    const { id } = await spendApproved(amy, { date })
    const categoryId = await rowOf('expenseCategories', amy)
    return () => amy.call('expenses_update_patch_2', { id, categoryId })
  },
  'changing the category of a part of an approved expense': async (amy, date) => {
    const first = { categoryId: await rowOf('expenseCategories', amy), amount: 100 }
    const { id } = await spendApproved(amy, { date, splits: [first] })
    const splits = [{ ...first, categoryId: await rowOf('expenseCategories', amy) }]
    return () => amy.call('expenses_update_patch_2', { id, splits })
  },
  'deleting the category of an approved expense': async (amy, date) => {
    const categoryId = await rowOf('expenseCategories', amy)
    await spendApproved(amy, { date, categoryId })
    return () => amy.call('expenses_delete', { id: categoryId })
  },
  'recording the credit of a supplier': async (amy, day) => {
    const { id } = await spendApproved(amy, { date: before })
    return () => amy.call('expenses_credits', { id, amount: 10, date: day })
  },
  'paying an expense': async (amy, day) => {
    const { id } = await spendApproved(amy, { date: before })
    return () => amy.call('expenses_payments', { id, amount: 5, paidAt: day })
  },
  'recording a payment to a supplier': async (amy, day) => () => spentMoney(amy, day),
  'voiding a payment to a supplier': async (amy, day) => {
    const { id } = await spentMoney(amy, day)
    return () => amy.call('expenses_payments_void', { id })
  },
  'taking an allocation to an expense back': async (amy, day) => {
    const { id: expenseId } = await spendApproved(amy, { date: before })
    const { id, allocations } = await spentMoney(amy, day, { allocations: [{ expenseId, amount: 5 }] })
    return () => amy.call('expenses_payments_unallocate', { id, allocationId: String(allocations[0]?.id) })
  },
  'recording the refund of a supplier': async (amy, day) => {
    const { id } = await spentMoney(amy, before)
    return () => amy.call('expenses_payments_refund', { id, paidAt: day })
  },
}

const stockAndJournal: Record<string, Booking> = {
  'moving stock': async (amy, date) => {
    const itemId = await tracked(amy)
    return () => amy.call('logistics_stock_movements_create', { ...home(amy), itemId, kind: 'IN', quantity: 5, date })
  },
  'receiving goods': async (amy, date) => {
    const { id } = await purchased(amy)
    return () => amy.call('orders_receive', { id, date })
  },
  'delivering goods': async (amy, date) => {
    const lines = [{ itemId: await tracked(amy), description: 'Lamp', quantity: 2, unitPrice: 25 }]
    const customerId = await rowOf('customers', amy)
    const { id } = await amy.call('orders_create', { ...home(amy), kind: 'SALES', customerId, lines, status: 'OPEN' })
    return () => amy.call('orders_deliver', { id, date })
  },
  'a journal entry': async (amy, day) => {
    const input = await entry(amy, day)
    return () => amy.call('reports_journal_entry_create', input)
  },
  'opening balances': async (amy, day) => {
    const input = await entry(amy, day)
    return () => amy.call('reports_journal_entry_create', { ...input, kind: 'OPENING' })
  },
  'reversing a journal entry': async (amy, day) => {
    const { id } = await amy.call('reports_journal_entry_create', await entry(amy, before))
    return () => amy.call('reports_journal_entry_reverse', { id, date: day })
  },
  'mapping a tax category to an account': async (amy, day) => {
    const { id } = await account(amy)
    return () => amy.call('reports_account_update', { id, taxCategories: ['SR'], mappedFrom: day })
  },
  'mapping an expense category to an account': async (amy, day) => {
    const categoryIds = [await rowOf('expenseCategories', amy)]
    const { id } = await account(amy, 'EXPENSE')
    return () => amy.call('reports_account_update', { id, categoryIds, mappedFrom: day })
  },
  'moving a purpose to another account': async (amy, day) => {
    const { id } = await account(amy)
    return () => amy.call('reports_account_update', { id, purpose: 'CASH', mappedFrom: day })
  },
}

const tables = { sales, expenses, stockAndJournal }

describe.each(Object.entries(tables))('%s', (_, bookings) => {
  test.each(Object.entries(bookings))(
    '%s is refused up to the last locked day, and possible after it',
    async (__, book) => {
      const amy = await member('MANAGER')
      const requests = new Map<string, () => Promise<unknown>>()
      for (const day of [before, locked, after]) requests.set(day, await book(amy, day))
      await amy.call('settings_update', { id: home(amy).organizationId, lockedUntil: locked })
      const booked = await journal(amy)
      for (const day of [before, locked]) {
        const refusal = await requests
          .get(day)?.()
          .catch((error: unknown) => error)
        expect(refusal).toMatchObject({ status: 409, details: [{ code: 'PERIOD_LOCKED' }] })
        expect(String(refusal)).toContain(
          `locked until ${locked}, and this would add, change or void an entry of ${day}`,
        )
      }
      await requests.get(after)?.()
      expect(await journal(amy)).toEqual(booked)
    },
  )
})

/** The lines of the locked period. */
const journal = (amy: Someone) => amy.call('reports_journal', { ...home(amy), from: '2026-01-01', to: locked })
