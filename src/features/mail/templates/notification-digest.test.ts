import { expect, test } from 'vitest'
import { notificationDigest } from './notification-digest.ts'

const url = 'https://books.example.com'

test('the digest reads well (en)', () => {
  expect(notificationDigest('en', { name: 'Dana', texts: ['Bob joined.', 'Eve left.'], url })).toMatchObject({
    subject: '2 things you have not read yet',
    text: `Hello Dana,

Bob joined.

Eve left.

Open Kontor:
https://books.example.com/

--${' '}
Kontor
Sent because you asked for digests; your account says how often, or never.
`,
  })
})

test('the digest reads well (he)', () => {
  const { subject, text, html } = notificationDigest('he', { name: 'דנה', texts: ['עדכון'], url })
  expect(subject).toBe('עדכון אחד שלא נקרא')
  expect(text).toContain('שלום דנה,\n\nעדכון\n\nפתיחת Kontor:\n')
  expect(html).toContain('<html lang="he" dir="rtl">')
})

test('a long digest ends', () => {
  const texts = Array.from({ length: 60 }, (_, n) => `Thing ${n + 1}.`)
  const { subject, text } = notificationDigest('en', { name: 'Dana', texts, url })
  expect(subject).toBe('60 things you have not read yet')
  expect(text).toContain('Thing 50.\n\nAnd 10 more.')
})

test('THR-14, THR-18: what people typed is text in every form', () => {
  const evil = '<script>alert(1)</script>\r\nBcc: eve@evil.test\u202e'
  for (const language of ['en', 'he'] as const) {
    const { subject, text, html } = notificationDigest(language, { name: evil, texts: [evil], url })
    expect(subject).not.toMatch(/[\r\n\u202e]/)
    expect(text).not.toMatch(/\r|\nBcc|\u202e/)
    expect(html).not.toMatch(/<script|\r|\nBcc|\u202e/)
  }
})
