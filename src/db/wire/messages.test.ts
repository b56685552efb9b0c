import { prepareValue } from 'pg/lib/utils'
import { serialize } from 'pg-protocol'
import { expect, test } from 'vitest'
import { MessageWriter } from './messages.ts'

const values = [
  null,
  undefined,
  '',
  'plain',
  'ü',
  'x'.repeat(64),
  `${'x'.repeat(63)}ü`,
  '日本語'.repeat(100),
  '😀',
  'half \ud83d of a pair',
  7,
  1.5,
  true,
  Buffer.from([0, 1, 2, 255]),
  Buffer.alloc(0),
  new Uint8Array([9, 8]),
  new Date(0),
  ['a', null, 'b "c"'],
  { a: { b: [1] } },
  10n,
]

const bindOf = (statement: string, given: unknown[]) =>
  serialize.bind({ statement, values: given, valueMapper: prepareValue })

test('every message is as pg-protocol writes it', () => {
  const writer = new MessageWriter()
  writer.begin()
  writer.parse('s1', 'select $1, $2 -- ü')
  writer.bind('s1', values)
  writer.describe()
  writer.execute()
  writer.bind('', [])
  writer.execute()
  expect(writer.end()).toEqual(
    Buffer.concat([
      serialize.parse({ name: 's1', text: 'select $1, $2 -- ü' }),
      bindOf('s1', values),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      bindOf('', []),
      serialize.execute({}),
      serialize.sync(),
    ]),
  )
})

test.each([1, 60_000, 64 * 1024, 200_000, 3_000_000])(
  'a flush with a text of %i characters is whole, wherever the memory ends, and leaves earlier ones as they were',
  (length) => {
    const writer = new MessageWriter()
    const flushes = Array.from({ length: 50 }, (_, n) => {
      const given = [Buffer.from([n]), 'y'.repeat(length), `${n}`]
      writer.begin()
      writer.bind(`s${n}`, given)
      return { given, bytes: writer.end() }
    })
    for (const [n, { given, bytes }] of flushes.slice(-5).entries())
      expect(bytes.equals(Buffer.concat([bindOf(`s${45 + n}`, given), serialize.sync()]))).toBe(true)
  },
)

test('a value that cannot be written leaves nothing behind in the next flush', () => {
  const writer = new MessageWriter()
  const circular: Record<string, unknown> = {}
  circular.self = circular
  writer.begin()
  expect(() => writer.bind('s', ['x', circular])).toThrow('circular')
  writer.begin()
  writer.bind('s', ['x'])
  expect(writer.end()).toEqual(Buffer.concat([bindOf('s', ['x']), serialize.sync()]))
})
