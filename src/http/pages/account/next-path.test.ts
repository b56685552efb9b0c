import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultPath, safeNextPath } from './next-path.ts'

test.each([
  '/',
  '/account',
  '/account?lang=he',
  '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.test',
  '/a//b',
])('WEB-7: the path %s is accepted', (path) => expect(safeNextPath(path)).toBe(path))

test.each(
  [
    undefined,
    '',
    ['/docs'],
    'account',
    'https://evil.test',
    'javascript:alert(1)',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\/evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/\u0000/evil.test',
    '/ /evil.test',
    '/a\\..\\..\\evil',
  ].map((path) => ({ path })),
)('WEB-7: $path is replaced by the default', ({ path }) => expect(safeNextPath(path)).toBe(defaultPath))

test('WEB-7: an overlong path is replaced by the default', () => {
  expect(safeNextPath(`/${'a'.repeat(5000)}`)).toBe(defaultPath)
})

const isHere = (path: string) => new URL(path, 'http://books.test').origin === 'http://books.test'

test('WEB-7: every result stays on this server', () => {
  const slashes = fc.string({
    unit: fc.constantFrom('/', '\\', '\t', '\n', '\r', '.', '@', ':', '%', '?', '#', 'a', ' '),
  })
  fc.assert(
    fc.property(fc.oneof(slashes, fc.string()), (text) => {
      const away = [text, `/${text}`, `//${text}`].filter((given) => !isHere(safeNextPath(given)))
      expect(away).toEqual([])
    }),
    { numRuns: 500 },
  )
})
