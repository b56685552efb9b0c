import { expect, test } from 'vitest'
import { addressOf, viewOf } from '../views/saved-views.ts'
import { cleared, filterInput } from './list-filters.ts'

test('filters of the address are sent under the names that the operation has', () => {
  const address = { q: 'kopi', type: 'RECEIPT', from: '2026-01-01', minAmount: 150, maxAmount: '', open: 'x' }
  expect(filterInput('invoices_list', address)).toEqual({
    documentType: 'RECEIPT',
    issuedFrom: '2026-01-01',
    minAmount: '150',
  })
  expect(filterInput('bank_accounts_list', address)).toEqual({})
  expect(filterInput('invoices_list', { ...address, ...cleared('invoices_list') })).toEqual({})
})

test('what is no day, no amount and no text in the address is left out', () => {
  const typed = { from: 'x', to: '2026-02-31', minAmount: 'lots', maxAmount: 9, customer: ['a'] as never }
  expect(filterInput('invoices_list', typed)).toEqual({ maxAmount: '9' })
})

test('a view is the address without what is open, in any order', () => {
  const view = viewOf({ view: 'open', minAmount: 150, q: 'קפה', open: 'x', saved: 'y', lang: 'he', by: undefined })
  expect(view).toBe(viewOf({ q: 'קפה', minAmount: '150', view: 'open' }))
  expect(addressOf(view)).toEqual({ minAmount: '150', q: 'קפה', view: 'open' })
})
