import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { BodyBlock } from '../../../core/outside/mail-reader.ts'
import { countries } from '../../../countries/countries.ts'
import { readMail } from '../../../providers/reader/mail/read-mail.ts'
import { readDocument } from '../../../providers/reader/read-document.ts'
import { openTypesetter } from '../../../providers/typeset/typeset.ts'
import { composeMail } from '../../../test/mails/compose.ts'
import { bodyReceiptMail, textReceiptMail } from '../../../test/mails/mails.ts'
import { newFolder } from '../../../test/temporary-folder.ts'
import { renderBody } from './body-document.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of the typesetter compiles Typst

const typesetter = openTypesetter()
afterAll(() => typesetter.close())
const folder = newFolder('bodies')
const organizationId = 'acme'

async function contentOf(mail: Buffer) {
  const path = join(mkdtempSync(join(folder, 'mail-')), 'mail.eml')
  writeFileSync(path, mail)
  const outcome = await readMail({ path, folder })
  if ('unread' in outcome || !outcome.content.body) throw new Error('The message is no receipt.')
  return { ...outcome.content, blocks: outcome.content.body.blocks }
}

async function scanned(mail: Buffer, country: 'IL' | 'US') {
  const pdf = await renderBody(typesetter, { ...(await contentOf(mail)), organizationId })
  const { currency, writing } = countries[country]
  const hints = { country, dateOrder: writing.dateOrder, currency, today: '2026-02-01' }
  const reading = await readDocument(pdf, 'application/pdf', hints)
  const values = Object.fromEntries(Object.entries(reading.fields).map(([name, field]) => [name, field?.value]))
  return { reading, values }
}

test.for([
  ['an HTML receipt', 'US', bodyReceiptMail(), { vendor: 'Acme Cloud', date: '2026-01-20', total: '54.00', currency: 'USD', documentNumber: 'R-1001' }],
  ['an HTML receipt in Hebrew', 'IL', bodyReceiptMail({ language: 'he' }), { vendor: 'קפה אלון בע"מ', date: '2026-01-20', total: '54.00', currency: 'ILS' }],
  ['a text receipt', 'US', textReceiptMail({ from: 'Northern Bakery <a@bakery.example>' }), { vendor: 'Northern Bakery', date: '2026-01-20', total: '54.00', documentNumber: '778' }],
  ['a text receipt in Hebrew', 'IL', textReceiptMail({ language: 'he', from: 'מאפיית הצפון <a@bakery.example>' }), { vendor: 'מאפיית הצפון', date: '2026-01-20', total: '54.00' }],
  ['a receipt whose date is that of the message', 'US', composeMail({ from: 'Acme Cloud <a@acme.example>', subject: 'Payment received', date: new Date('2026-01-19T10:00:00Z'), html: '<p>Thank you for your payment.</p><table><tr><td>Team plan</td><td>$12.00</td></tr><tr><td>Total</td><td>$12.00</td></tr></table>' }), { vendor: 'Acme Cloud', date: '2026-01-19', total: '12.00' }],
  ['a forwarded receipt', 'US', composeMail({ from: 'Dana Levi <dana@globex.example>', subject: 'Fwd: Your receipt', text: '---------- Forwarded message ---------\nFrom: Shop <a@shop.example>\nDate: Tue, Jan 20, 2026\nSubject: Your receipt\n\nCorner Shop Ltd\nReceipt 5\nDate: 20 January 2026\nTotal: $12.50' }), { vendor: 'Corner Shop Ltd', date: '2026-01-20', total: '12.50' }],
] as const)('%s in the text of a message is printed so that its fields are read, with their places', async ([, country, mail, expected]) => {
  const { reading, values } = await scanned(mail, country)
  expect(values).toMatchObject(expected)
  expect(reading.providerId).toBe('kontor-pdf')
  expect(reading.fields.total?.box).toMatchObject({ page: 1 })
}) // biome-ignore format: a case a line

test('a long message with words that do not fit and text in many scripts is printed', async () => {
  const scripts = [
    'Καλημέρα',
    'Привет',
    'שלום',
    'مرحبا',
    'नमस्ते',
    'สวัสดี',
    'வணக்கம்',
    '你好',
    'こんにちは',
    '안녕하세요',
    '😀',
  ]
  const blocks: BodyBlock[] = [
    ...scripts.map((text): BodyBlock => ({ kind: 'text', text })),
    { kind: 'text', text: 'x'.repeat(5_000) },
    { kind: 'row', cells: Array.from({ length: 12 }, (_, at) => `cell ${at}`) },
    { kind: 'row', cells: ['#let x = 1', '$a$ *b* @c <d>'] },
    { kind: 'row', cells: ['Bill to\nGlobex', 'Number\n5', 'Day\n6'] },
    ...Array.from({ length: 300 }, (_, at): BodyBlock => ({ kind: 'row', cells: [`Line ${at}`, '1.00'] })),
  ]
  const pdf = await renderBody(typesetter, { subject: null, from: null, sentAt: null, blocks, organizationId })
  const { text, pages } = await readDocument(pdf, 'application/pdf', {
    country: 'US',
    dateOrder: 'MDY',
    currency: 'USD',
    today: '2026-02-01',
  })
  expect(pages).toBeGreaterThan(3)
  for (const word of ['Καλημέρα', 'Привет', 'שלום', '你好', '안녕하세요', '#let x = 1', 'Line 299'])
    expect(text).toContain(word)
})
