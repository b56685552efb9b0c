import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUnstuffer } from './unstuff.ts'

/** As a server sends it. */
const stuffed = (content: string) => `${content.replace(/(^|\r\n)\./g, '$1..')}\r\n.\r\n`

function read(text: string, sizes: readonly number[]) {
  const unstuff = createUnstuffer()
  const parts: Buffer[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    const read = unstuff(Buffer.from(text.slice(at, at + size)))
    at += size
    parts.push(...read.parts)
    if (read.rest) return { content: Buffer.concat(parts).toString(), rest: read.rest.toString() + text.slice(at) }
  }
  return { content: Buffer.concat(parts).toString(), rest: undefined }
}

test('content of any lines arrives as it is, in pieces of any size, and what follows it is kept', () => {
  const letters = fc.constantFrom('.', '\r', '\n', '\r\n', '\r\n.', 'a', '.\r\n')
  fc.assert(
    fc.property(fc.array(letters), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (text, sizes) => {
      const content = text.join('').replace(/\r(?!\n)$/, '')
      expect(read(`${stuffed(content)}+OK next`, sizes)).toEqual({ content: `${content}\r\n`, rest: '+OK next' })
    }),
    { numRuns: 2_000 },
  )
})

test.each(['a\n.\nb', 'a\n.\r\nb', 'a\r.\rb', 'a\r\n.\nb'])('%j is no end', (content) => {
  expect(read(content, [100]).rest).toBeUndefined()
  expect(read(`${content}\r\n.\r\n`, [100]).rest).toBe('')
})
