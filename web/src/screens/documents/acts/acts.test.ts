import { expect, test } from 'vitest'
import { actsOf, nextAct } from './acts.ts'

const doc = (more: Partial<Parameters<typeof actsOf>[0]> = {}) => ({
  status: 'SENT' as const, documentType: 'INVOICE', inDispute: false, openBalance: 100, paidAmount: 0, creditedAmount: 0,
  total: 100, cancelledAt: null, convertedToId: null, vatAllocationNumber: null, ...more,
}) // biome-ignore format: a list of words

test('a draft can be changed, issued and deleted, and has no link or payment', () => {
  expect([...actsOf(doc({ status: 'DRAFT' }))]).toEqual(['edit', 'send', 'duplicate', 'remove'])
})

test('an open invoice is paid, credited and disputed, and neither changed nor cancelled', () => {
  const acts = actsOf(doc())
  for (const act of ['pay', 'remind', 'credit', 'debit', 'dispute', 'link'] as const) expect(acts).toContain(act)
  for (const act of ['edit', 'remove', 'cancel', 'convert', 'resolve'] as const) expect(acts).not.toContain(act)
})

test('a payment request is converted or cancelled; once converted, neither', () => {
  const open = actsOf(doc({ documentType: 'PAYMENT_REQUEST' }))
  expect(open).toContain('convert')
  expect(open).toContain('cancel')
  expect(open).not.toContain('credit')
  const converted = actsOf(doc({ documentType: 'PAYMENT_REQUEST', convertedToId: 'x', openBalance: 0 }))
  for (const act of ['convert', 'cancel', 'send', 'pay'] as const) expect(converted).not.toContain(act)
})

test('a fully credited invoice gets no further credit memo', () => {
  expect(actsOf(doc({ creditedAmount: 100, openBalance: 0, status: 'PAID' }))).not.toContain('credit')
})

test('what comes next: sending before it was sent, then the payment, then nothing', () => {
  expect(nextAct(actsOf(doc({ status: 'UNSENT' })), 'UNSENT')).toBe('send')
  expect(nextAct(actsOf(doc()), 'SENT')).toBe('pay')
  expect(nextAct(actsOf(doc({ status: 'PAID', openBalance: 0 })), 'PAID')).toBeUndefined()
})
