import { expect, test } from 'vitest'
import { attachmentsProblem, packAttachments, unpackAttachments } from './attachment.ts'

const file = (fileName: string, content: Buffer) => ({ fileName, contentType: 'text/plain', content })

test('packed attachments are unpacked unchanged, also empty ones and an empty list', () => {
  for (const files of [
    [],
    [file('a', Buffer.from('one')), file('b', Buffer.alloc(0)), file('ג', Buffer.from('שתיים'))],
  ]) {
    const { attachments, contents } = packAttachments(files)
    expect(unpackAttachments({ attachments: JSON.parse(attachments), contents })).toEqual(files)
  }
})

test('a message carries at most 10 MiB of attachments', () => {
  const half = file('half', Buffer.alloc(5 * 1024 * 1024))
  expect(attachmentsProblem([half, half])).toBeUndefined()
  expect(attachmentsProblem([half, half, file('x', Buffer.alloc(1))])).toBe(
    'Attachments may have at most 10 MiB in total.',
  )
})
