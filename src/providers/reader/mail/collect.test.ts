import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { multipart, writeMail } from '../../../test/mails/compose.ts'
import {
  bodyReceiptMail,
  bounceMail,
  forwardMail,
  invitationMail,
  pdfFile,
  receiptMail,
  textReceiptMail,
} from '../../../test/mails/mails.ts'
import { tnefFile } from '../../../test/mails/tnef.ts'
import { collect, createCollected } from './collect.ts'
import { createBudget, UnreadMail } from './limits.ts'
import { parseMessage } from './parse.ts'
import { ranked } from './rank.ts'
import { reasonOf } from './reason.ts'

const pdf = Buffer.from(pdfFile().content)
const raw = (type: string, content: Buffer) => writeMail({}, multipart('mixed', [{ type, content, encoding: '8bit' }]))

const messages = [
  receiptMail(),
  bodyReceiptMail(),
  textReceiptMail({ language: 'he' }),
  bounceMail(),
  invitationMail(),
  forwardMail(forwardMail(receiptMail())),
  raw('application/zip; name=a.zip', Buffer.from(zipSync({ 'a.pdf': pdf }))),
  raw('application/ms-tnef; name=winmail.dat', tnefFile([{ name: 'A.PDF', longName: 'Invoice.pdf', bytes: pdf }])),
]

/** Bytes of a message changed, cut, repeated or left out, by a seed. */
function damaged(message: Buffer, seed: number): Buffer {
  let state = seed * 7919 + 1
  const below = (max: number) => {
    state = (state * 48271) % 2147483647
    return state % max
  }
  let bytes = Buffer.from(message)
  for (let times = below(5); times >= 0 && bytes.length > 1; times--) {
    const at = below(bytes.length)
    const rest = bytes.subarray(at)
    const changes = [
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), rest]),
      () => bytes.subarray(0, at + 1),
      () => Buffer.concat([bytes.subarray(0, at), rest.subarray(0, below(300)), rest]),
      () => Buffer.concat([bytes.subarray(0, at), rest.subarray(below(50))]),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(below(8), 0xff), rest.subarray(8)]),
    ]
    bytes = changes[below(changes.length)]?.() ?? bytes
  }
  return bytes
}

test('FLT-14: a message with random damage is read or refused, and no other error occurs', async () => {
  let read = 0
  for (let seed = 0; seed < 400; seed++) {
    try {
      const all = createCollected()
      await collect(
        await parseMessage(damaged(messages[seed % messages.length] ?? Buffer.alloc(0), seed)),
        all,
        createBudget(),
      )
      ranked(all.documents)
      expect(reasonOf(all)).toMatch(/\.$/)
      read += 1
    } catch (error) {
      if (!(error instanceof UnreadMail)) throw new Error(`Seed ${seed}`, { cause: error })
    }
  }
  expect(read).toBeGreaterThan(300)
})
