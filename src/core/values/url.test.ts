import { expect, test } from 'vitest'
import { parseUrl } from './url.ts'

test('an address is parsed, also with letters outside ASCII and after many calls, and other text is not', () => {
  for (let n = 0; n < 20_000; n++)
    if (parseUrl('https://bücher.example/in')?.hostname !== 'xn--bcher-kva.example') throw new Error(`call ${n}`)
  expect(parseUrl('../in', 'https://example.test/a/b')?.href).toBe('https://example.test/in')
  expect(parseUrl('no address')).toBeUndefined()
})
