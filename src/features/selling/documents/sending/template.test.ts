import { expect, test } from 'vitest'
import type { Language } from '../../../../core/values/language.ts'
import { type SalesDocument, salesDocument } from './template.ts'
import { typeName } from './type-names.ts'

const url = 'https://books.example.com/d/abc'

const emailAbout = (language: Language, documentType: string, more: Partial<SalesDocument> = {}) =>
  salesDocument(language, {
    ...{
      organizationName: 'Acme',
      documentType,
      title: typeName(language, documentType),
      number: '7',
      currency: 'SGD',
    },
    ...{
      total: 109,
      open: 109,
      credited: 0,
      dueDate: '2026-01-31',
      account: ['DBS', '012'],
      notes: null,
      url,
      ...more,
    },
  })

const plain = (text: string) => text.replace(/[\u00a0\u200e\u200f]/g, ' ')

test('the e-mail of an invoice has its title, amount, due date, bank account and link', () => {
  const { subject, text, html } = emailAbout('en', 'INVOICE', { notes: 'Thank\r\nyou' })
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
])(
  'the e-mail of %s has its own subject in both languages, and asks for payment only if the type is owed',
  (type, en, he, asks) => {
    expect([emailAbout('en', type).subject, emailAbout('he', type).subject]).toEqual([en, he])
    expect(emailAbout('en', type).text.includes('Pay to')).toBe(asks)
    expect(emailAbout('he', type).text.includes('לתשלום עד')).toBe(asks)
    expect(emailAbout('he', type).html).toContain('dir="rtl"')
  },
)

test.each([
  ['INVOICE', 'Tax Invoice', 'Acme has sent you tax invoice 7.'],
  ['RECEIPT', 'Receipt', 'Thank you for your payment. Acme has sent you receipt 7 for it.'],
  [
    'INVOICE_RECEIPT',
    'Tax Invoice / Receipt',
    'Thank you for your payment. Here is tax invoice / receipt 7 from Acme.',
  ],
  ['PAYMENT_REQUEST', 'Transaction Invoice', 'Acme asks you to pay transaction invoice 7.'],
  ['CREDIT_MEMO', 'Credit Tax Invoice', 'Acme has issued credit tax invoice 7 to you.'],
  ['DEBIT_MEMO', 'Debit Note', 'Acme has corrected an earlier document with debit note 7.'],
])('the e-mail of %s begins with a sentence in which the title %s is in lower case', (type, title, sentence) => {
  expect(emailAbout('en', type, { title, open: type.endsWith('RECEIPT') ? 0 : 109 }).text).toContain(`\n${sentence}\n`)
})

test('the number of a document keeps its capitals in the sentence', () => {
  expect(emailAbout('en', 'INVOICE', { title: 'Tax Invoice', number: 'INV-7A' }).text).toContain('tax invoice INV-7A.')
})

test('an organization in the United States writes amounts and dates as they do there', () => {
  const { text } = emailAbout('en', 'INVOICE', { currency: 'USD', total: 1_090, open: 1_090, english: 'en-US' })
  expect(text).toContain('Amount: $1,090.00\nDue on: January 31, 2026\n')
})

test('the e-mail of a partly paid document shows the open balance; that of a paid one asks for no payment', () => {
  expect(plain(emailAbout('en', 'INVOICE', { open: 9 }).text)).toContain('Amount: SGD 109.00\nStill open: SGD 9.00')
  expect(emailAbout('en', 'INVOICE', { open: 0 }).text).not.toMatch(/Due on|Pay to|Still open/)
})

test('THR-14: user input is escaped in the e-mail and cannot add headers', () => {
  const { html, subject } = emailAbout('en', 'INVOICE', {
    organizationName: '<img src=x>\r\nBcc: eve',
    notes: '<script>x</script>',
  })
  expect(subject).toBe('Invoice 7 from <img src=x> Bcc: eve')
  expect(html).not.toMatch(/<img|<script/)
})

test('the e-mail of a credited invoice says that nothing is owed, in both languages', () => {
  const { text } = emailAbout('en', 'INVOICE', { open: 0, credited: 109 })
  expect(text).toContain('Nothing is owed for it: it was credited.')
  expect(text).not.toMatch(/Pay to|Due on|Still open/)
  expect(emailAbout('he', 'INVOICE', { open: 0, credited: 109 }).text).toContain('אין יתרה לתשלום: המסמך זוכה.')
})

test('a request of which nothing is open asks for nothing, and a receipt without a payment thanks for none', () => {
  expect(emailAbout('en', 'PAYMENT_REQUEST', { open: 0 }).text).not.toContain('asks you to pay')
  for (const type of ['RECEIPT', 'INVOICE_RECEIPT']) {
    expect(emailAbout('en', type).text).not.toContain('Thank you')
    expect(emailAbout('en', type, { open: 0 }).text).toContain('Thank you')
  }
})
