import { billFile } from './mails.ts'

const head = (contentType: string) =>
  `From: a@evil.example\r\nTo: b@globex.example\r\nSubject: Invoice\r\nMessage-ID: <evil@evil.example>\r\nMIME-Version: 1.0\r\nContent-Type: ${contentType}\r\n`

const text = 'text/plain; charset=utf-8'

/** A multipart of a level inside the one above it. */
function nested(levels: number): string {
  const opened = Array.from(
    { length: levels },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
  )
  return `From: a@evil.example\r\n${opened.join('')}Content-Type: text/plain\r\n\r\ndeep`
}

function messagesInMessages(levels: number): string {
  const opened = Array.from(
    { length: levels },
    (_, at) => `From: a${at}@evil.example\r\nContent-Type: message/rfc822\r\n\r\n`,
  )
  return `${opened.join('')}From: z@evil.example\r\n\r\ndeep`
}

const base64Message = (message: string) =>
  `From: a@evil.example\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(message).toString('base64')}`

const manyParts = (count: number) =>
  `${head('multipart/mixed; boundary=x')}\r\n${`--x\r\nContent-Type: ${text}\r\n\r\na\r\n`.repeat(count)}--x--\r\n`

const brokenBill = () => {
  const base64 = Buffer.from(billFile().content).toString('base64')
  return `${base64.slice(0, 401)}\r\n!!!! not base64 ${base64.slice(401)}====A`
}

/** Messages that break parsers (FLT-14), and what becomes of each: read, or unread with a sentence that has this in it. */
export const hostileMails: Record<string, { mail: () => Buffer; unread?: RegExp }> = {
  'parts nested a thousand deep': { mail: () => Buffer.from(nested(1_000)), unread: /more than 20 levels/ },
  'parts nested twenty-one deep': { mail: () => Buffer.from(nested(21)), unread: /more than 20 levels/ },
  'parts nested twenty deep': { mail: () => Buffer.from(nested(20)) },
  'a thousand messages inside each other': { mail: () => Buffer.from(messagesInMessages(1_000)), unread: /more than 20 levels/ },
  'messages inside each other in base64': {
    mail: () => Buffer.from(Array.from({ length: 22 }).reduce<string>((inner) => base64Message(inner), 'From: z@evil.example\r\n\r\ndeep')),
    unread: /more than 20 levels/,
  },
  'a multipart without a boundary': { mail: () => Buffer.from(`${head('multipart/mixed')}\r\nTotal $5\r\n--x\r\n\r\nb`) },
  'a boundary that never comes': { mail: () => Buffer.from(`${head('multipart/mixed; boundary="never"')}\r\ntext\r\n`) },
  'an empty boundary': { mail: () => Buffer.from(`${head('multipart/mixed; boundary=""')}\r\n--\r\n\r\na\r\n----\r\n`) },
  'a hundred thousand headers': {
    mail: () => Buffer.from(`${Array.from({ length: 100_000 }, (_, at) => `X-${at}: a\r\n`).join('')}${head(text)}\r\nhello`),
    unread: /headers/,
  },
  'a header line of a mebibyte': { mail: () => Buffer.from(`X-Long: ${'a'.repeat(1024 * 1024)}\r\n${head(text)}\r\nhello`), unread: /headers/ },
  'an unknown charset': { mail: () => Buffer.from(`${head('text/plain; charset=klingon-9')}\r\nhello \xff\xfe`, 'latin1') },
  'a charset of control characters': { mail: () => Buffer.from(`${head('text/plain; charset="\0\x01;"')}\r\nhello`, 'latin1') },
  'broken base64': {
    mail: () => Buffer.from(`${head('application/xml; name=bill.xml')}Content-Transfer-Encoding: base64\r\n\r\n${brokenBill()}`),
  },
  'NUL everywhere': { mail: () => Buffer.from(`${head('text/plain')}X-Nul: a\0b\r\n\r\nTotal\0 $\0 5`.replace('Invoice', 'In\0voice'), 'latin1') },
  'nothing but NUL': { mail: () => Buffer.alloc(100_000) },
  'an empty file': { mail: () => Buffer.alloc(0) },
  'ten thousand parts': { mail: () => Buffer.from(manyParts(10_000)), unread: /more than 200 parts/ },
  'two hundred parts': { mail: () => Buffer.from(manyParts(200)) },
  'two hundred and one parts': { mail: () => Buffer.from(manyParts(201)), unread: /more than 200 parts/ },
  'a list of thirty thousand addresses': { mail: () => Buffer.from(`Cc: ${'a@b.example, '.repeat(30_000)}\r\n${head(text)}\r\nhello`) },
  'a list of a hundred thousand addresses': { mail: () => Buffer.from(`Cc: ${'a@b.example, '.repeat(100_000)}\r\n${head(text)}\r\nhello`), unread: /headers/ },
  'addresses of groups, quotes and comments that never end': {
    mail: () => Buffer.from(`To: ${'x:"(<'.repeat(60_000)}\r\nCc: ${'('.repeat(50_000)}\r\nReply-To: ${'a:'.repeat(20_000)}\r\n${head(text)}\r\nhello`),
  },
  'encoded words without end': { mail: () => Buffer.from(`Subject: ${'=?utf-8?Q?=C3?= '.repeat(20_000)}\r\n\r\nhello`) },
  'UTF-7': { mail: () => Buffer.from(`${head('text/html; charset=utf-7')}\r\n+ADw-script+AD4-alert(1)+ADw-/script+AD4-`) },
  'raw bytes in headers': { mail: () => Buffer.from('From: \xe0\xec\xe5\xef <a@alon.example>\r\nSubject: \xf7\xe1\xec\xe4 \xff\xfe\r\n\r\nhello', 'latin1') },
  'no headers': { mail: () => Buffer.from('just a text\r\nwithout headers') },
  'random bytes': { mail: () => Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255)) },
  'HTML nested a hundred thousand deep': { mail: () => Buffer.from(`${head('text/html')}\r\n${'<div><table><tr><td>'.repeat(100_000)}Total $5`) },
  'HTML of closing tags': { mail: () => Buffer.from(`${head('text/html')}\r\n${'<b>'.repeat(900)}${'</i>'.repeat(400_000)}`) },
  'HTML of a cell with many lines': { mail: () => Buffer.from(`${head('text/html')}\r\n<table><tr><td>${'some text<br>'.repeat(200_000)}`) },
  'HTML of unfinished tags': { mail: () => Buffer.from(`${head('text/html')}\r\n${'<a href="'.repeat(200_000)}`) },
  'one line of ten megabytes': { mail: () => Buffer.from(`${head(text)}\r\n${'total $5 '.repeat(1_200_000)}`) },
  'a hundred thousand quoted lines': { mail: () => Buffer.from(`${head(text)}\r\n${`${'> '.repeat(50)}On Monday wrote:\r\n`.repeat(100_000)}`) },
  'a message of many lines inside a message': { mail: () => Buffer.from(`From: a@evil.example\r\nContent-Type: message/rfc822\r\n\r\n${head(text)}\r\n${`${'a'.repeat(48)}\r\n`.repeat(480_000)}`) },
  'half a million short lines': { mail: () => Buffer.from(`${head(text)}\r\n${'a\n'.repeat(510_000)}`), unread: /more than 500000 lines/ },
  'more than 25 MiB': { mail: () => Buffer.concat([Buffer.from(`${head(text)}\r\n`), Buffer.alloc(25 * 1024 * 1024, 'a\r\n')]), unread: /25 MiB/ },
} // biome-ignore format: a case a line
