import { expect, test } from 'vitest'
import { readDocument } from './read-document.ts'

const hints = { currency: 'SGD', country: 'SG', dateOrder: 'DMY', today: '2026-11-17' } as const

test('a file that should be XML and is not is damaged; a file of another type is of a type that cannot be read', async () => {
  const nonsense = Buffer.from([0xff, 0xfe, 0, 1, 2, 3])
  await expect(readDocument(nonsense, 'application/xml', hints)).rejects.toMatchObject({
    reason: 'DAMAGED',
    message: expect.stringContaining('should be XML'),
  })
  await expect(readDocument(nonsense, 'application/zip', hints)).rejects.toMatchObject({
    reason: 'UNSUPPORTED_TYPE',
    message: expect.stringContaining('application/zip'),
  })
})
