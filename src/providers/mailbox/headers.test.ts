import { expect, test } from 'vitest'
import { readHeaders } from './headers.ts'

const read = (text: string, encoding: BufferEncoding = 'utf8') => readHeaders(Buffer.from(text, encoding))

test('what a list shows is read from the headers', () => {
  expect(
    read(
      'Received: by b.test; Tue, 10 Mar 2026 11:00:00 +0200 (IST)\r\nReceived: by a.test; Tue, 10 Mar 2026 08:00:00 +0000\r\n' +
        'Message-Id:\r\n <a.1@shop.test>\r\nFROM: "boss@good.test" <bills@shop.test>\r\n' +
        'Subject: =?utf-8?B?15fXqdeR15XXoNeZ16o=?=\r\n =?utf-8?Q?_7?=\r\nDate: Mon, 9 Mar 2026 08:00:00 +0000\r\n\r\nFrom: other@x.test',
    ),
  ).toEqual({
    messageId: '<a.1@shop.test>',
    from: 'bills@shop.test',
    subject: 'חשבונית 7',
    receivedAt: new Date('2026-03-10T09:00:00Z'),
  })
})

test.each(['', '\r\n', ':\r\n:::\r\n', 'Subject\r\n\r\n', 'Subject:\r\nFrom:\r\nMessage-ID:\r\nDate:\r\n'])(
  '%j has nothing to show',
  (text) => expect(read(text)).toEqual({ messageId: null, from: null, subject: null, receivedAt: null }),
)

test('headers with raw bytes are UTF-8; in another encoding the subject is not known before the message is read', () => {
  expect(read('Subject: קבלה\r\n').subject).toBe('קבלה')
  expect(read('Subject: Reçu\r\n', 'latin1').subject).toBeNull()
  expect(read('From: Café <a@x.test>\r\nSubject: Recu\r\n', 'latin1')).toMatchObject({
    from: 'a@x.test',
    subject: 'Recu',
  })
})

test('a subject is one line, and a sender without an address is the text of the header', () => {
  expect(read('Subject: a\u202eb =?utf-8?Q?c=0D=0Ad?=\r\n').subject).toBe('a b c d')
  expect(read('From: The Shop\r\n').from).toBe('The Shop')
})

test('headers of any length and shape are read in a moment', () => {
  const began = performance.now()
  for (const text of ['('.repeat(65_000), '<'.repeat(65_000), '=?utf-8?B?'.repeat(6_500), 'a@b,'.repeat(16_000)])
    for (const name of ['From', 'Subject', 'Message-ID', 'Date', 'Received']) read(`${name}: ${text}\r\n`)
  read('\r\n '.repeat(20_000))
  read('a:\r\n'.repeat(16_000))
  expect(performance.now() - began).toBeLessThan(2_000)
})
