import { expect, test } from 'vitest'
import type { Language } from '../../../core/values/format.ts'
import { type SalesDocument, salesDocument } from './template.ts'
import { typeName } from './type-names.ts'

const url = 'https://books.example.com/d/abc'

const about = (language: Language, documentType: string, more: Partial<SalesDocument> = {}) =>
  salesDocument(language, {
    ...{
      organizationName: 'Acme',
      documentType,
      title: typeName(language, documentType),
      number: '7',
      currency: 'SGD',
    },
    ...{ total: 109, open: 109, dueDate: '2026-01-31', account: ['DBS', '012'], notes: null, url, ...more },
  })

const plain = (text: string) => text.replace(/[\u00a0\u200e\u200f]/g, ' ')

test('an invoice says what it is, how much, until when and where to, and links to its page', () => {
  const { subject, text, html } = about('en', 'INVOICE', { notes: 'Thank\r\nyou' })
  expect(subject).toBe('Invoice 7 from Acme')
  expect(plain(text)).toBe(`Hello,

Acme has sent you invoice 7.

Amount: SGD 109.00
Due on: 31 January 2026
Pay to: DBS, 012

Thank you

View the document:
${url}

--${' '}
Acme
Sent by Acme. If you have a question, reply to this message or write on the page of the document. Anyone with the link can open it.
`)
  expect(html).toContain(`href="${url}"`)
  expect(html).toContain('<html lang="en" dir="ltr">')
})

test.each([
  ['INVOICE', 'Invoice 7 from Acme', 'חשבונית 7 מאת Acme', true],
  ['PAYMENT_REQUEST', 'Payment request 7 from Acme', 'דרישת תשלום 7 מאת Acme', true],
  ['DEBIT_MEMO', 'Debit memo 7 from Acme', 'חשבונית חיוב 7 מאת Acme', true],
  ['RECEIPT', 'Receipt 7 from Acme', 'קבלה 7 מאת Acme', false],
  ['INVOICE_RECEIPT', 'Invoice and receipt 7 from Acme', 'חשבונית קבלה 7 מאת Acme', false],
  ['CREDIT_MEMO', 'Credit memo 7 from Acme', 'חשבונית זיכוי 7 מאת Acme', false],
])('%s has a letter of its own in both languages, and asks for money only if it is owed', (type, en, he, asks) => {
  expect([about('en', type).subject, about('he', type).subject]).toEqual([en, he])
  expect(about('en', type).text.includes('Pay to')).toBe(asks)
  expect(about('he', type).text.includes('לתשלום עד')).toBe(asks)
  expect(about('he', type).html).toContain('dir="rtl"')
})

test('a document that is partly paid says what is still open; a paid one asks for nothing', () => {
  expect(plain(about('en', 'INVOICE', { open: 9 }).text)).toContain('Amount: SGD 109.00\nStill open: SGD 9.00')
  expect(about('en', 'INVOICE', { open: 0 }).text).not.toMatch(/Due on|Pay to|Still open/)
})

test('THR-14: what people typed is text in a letter, however it looks', () => {
  const { html, subject } = about('en', 'INVOICE', {
    organizationName: '<img src=x>\r\nBcc: eve',
    notes: '<script>x</script>',
  })
  expect(subject).toBe('Invoice 7 from <img src=x> Bcc: eve')
  expect(html).not.toMatch(/<img|<script/)
})
