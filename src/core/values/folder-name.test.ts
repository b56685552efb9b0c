import { expect, test } from 'vitest'
import { fromFolderName, toFolderName } from './folder-name.ts'

test.each([
  ['INBOX', 'INBOX'],
  ['Receipts & bills', 'Receipts &- bills'],
  ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'], // the example of RFC 3501
  ['קבלות', '&BecF0QXcBdUF6g-'],
  ['a😀b', 'a&2D3eAA-b'],
])('the folder %s is %s for the server', (name, encoded) => {
  expect(toFolderName(name)).toBe(encoded)
  expect(fromFolderName(encoded)).toBe(name)
})

test.each(['A&B', '&abc', '&A-', 'קבלות'])('%s, which is not encoded correctly, stays as it is', (name) => {
  expect(fromFolderName(name)).toBe(name)
})
