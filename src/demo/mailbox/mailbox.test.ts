import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { receiptsMailbox } from './mailbox.ts'

const days = (count: number) => count * 24 * 3600 * 1000
const read = (now: Date) =>
  Promise.all(receiptsMailbox.messages(now).map(async ({ source }) => PostalMime.parse(source())))

test('the mailbox has a month of messages on every day, with ten receipts among them', async () => {
  for (const now of ['2026-01-01T12:00:00Z', '2026-03-31T23:59:00Z', '2028-02-29T00:30:00Z'].map(
    (text) => new Date(text),
  )) {
    const messages = receiptsMailbox.messages(now)
    expect(messages.length).toBeGreaterThanOrEqual(30)
    expect(messages.length).toBeLessThanOrEqual(31)
    for (const { receivedAt } of messages) {
      expect(receivedAt.getTime()).toBeLessThanOrEqual(now.getTime())
      expect(receivedAt.getTime()).toBeGreaterThan(now.getTime() - days(31))
    }
    const mails = await read(now)
    const attached = mails.flatMap(({ subject = '', attachments }) =>
      subject.startsWith('Fwd') ? [] : attachments.map(({ filename }) => filename?.replace(/.*\./, '')),
    )
    const receipts = attached.filter((type) => type === 'pdf' || type === 'xml' || type === 'png').length - logos(mails)
    const inBody = mails.filter(({ subject }) => subject?.startsWith('Your receipt')).length
    expect(receipts + inBody).toBeGreaterThanOrEqual(10)
    expect(mails.some(({ headers }) => headers.some(({ key }) => key === 'list-unsubscribe'))).toBe(true)
    expect(mails.some(({ subject }) => subject === 'Your invoice is ready')).toBe(true)
    expect(mails.some(({ attachments }) => attachments.some(({ mimeType }) => mimeType === 'text/calendar'))).toBe(true)
  }
})

const logos = (mails: Awaited<ReturnType<typeof read>>) =>
  mails.flatMap(({ attachments }) => attachments).filter(({ filename }) => filename === 'logo.png').length

test('a message is the same bytes whenever the mailbox is opened, and keeps its number', () => {
  const first = receiptsMailbox.messages(new Date('2026-05-20T12:00:00Z'))
  const later = new Map(receiptsMailbox.messages(new Date('2026-05-25T12:00:00Z')).map((each) => [each.uid, each]))
  const kept = first.filter(({ uid }) => later.has(uid))
  expect(kept.length).toBeGreaterThan(20)
  for (const { uid, source, receivedAt } of kept) {
    expect(later.get(uid)?.source().equals(source())).toBe(true)
    expect(later.get(uid)?.receivedAt).toEqual(receivedAt)
  }
  expect(new Set(first.map(({ source }) => /Message-ID: (.*)/.exec(source().toString())?.[1])).size).toBe(first.length)
})

test('a forwarded copy has the same file as the message that it forwards', async () => {
  const mails = await read(new Date('2026-05-20T12:00:00Z'))
  const copy = mails.find(({ subject }) => subject?.startsWith('Fwd: '))
  const original = mails.find(({ subject }) => copy?.subject === `Fwd: ${subject}`)
  expect(copy?.attachments[0]?.content).toEqual(original?.attachments[0]?.content)
  expect(copy?.messageId).not.toBe(original?.messageId)
})
