import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { hostileMails } from '../../../test/mails/hostile.ts'
import { receiptMail } from '../../../test/mails/mails.ts'
import { newFolder } from '../../../test/temporary-folder.ts'
import { openReceiptReader } from '../reader.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = newFolder('hostile-mails')
const reader = openReceiptReader()
afterAll(() => reader.close())

function read(mail: Buffer) {
  const own = mkdtempSync(join(folder, 'mail-'))
  writeFileSync(join(own, 'mail.eml'), mail)
  return reader.readMail({
    path: join(own, 'mail.eml'),
    folder: mkdtempSync(join(own, 'files-')),
    organizationId: 'acme',
  })
}

test('there are hostile messages of every kind', () => {
  expect(Object.keys(hostileMails).length).toBeGreaterThan(30)
})

test.for(Object.entries(hostileMails))(
  'FLT-14: %s is read or refused with a reason by the process, and the next message is read',
  async ([, { mail, unread }]) => {
    const outcome = await read(mail())
    if ('unread' in outcome) {
      expect(outcome.message).toMatch(unread ?? /no mail message/)
      expect(['TOO_LARGE', 'DAMAGED']).toContain(outcome.unread)
    } else {
      expect(unread).toBeUndefined()
      expect(outcome.content.contentHash).toMatch(/^[0-9a-f]{64}$/)
      expect(JSON.stringify(outcome.content)).not.toContain('\\u0000')
    }
    const after = await read(receiptMail())
    expect(after).toMatchObject({ content: { documents: [{ name: 'bill.xml' }] } })
  },
)

test('FLT-14: a message that takes too long is given up, and the next one is read by a new process', async () => {
  const hasty = openReceiptReader({ fileMs: 1, startMs: 1 })
  const path = join(mkdtempSync(join(folder, 'mail-')), 'mail.eml')
  writeFileSync(path, receiptMail())
  expect(await hasty.readMail({ path, folder: mkdtempSync(join(folder, 'files-')), organizationId: 'acme' })).toEqual({
    unread: 'TOOK_TOO_LONG',
    message: 'Reading the message took too long, so it was given up.',
  })
  await hasty.close()
  expect(
    await reader.readMail({ path, folder: mkdtempSync(join(folder, 'files-')), organizationId: 'acme' }),
  ).toMatchObject({ content: {} })
})
