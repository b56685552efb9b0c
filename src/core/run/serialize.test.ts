import { describe, expect, test } from 'vitest'
import { apiOperations } from '../../catalog/operations.ts'
import { example } from '../contract/example.ts'
import { nullable, type TObject, type TSchema, Type } from '../define/schema.ts'
import { toJson, toJsonInSlices } from './serialize.ts'

/** An answer of this schema with so many rows in each of its lists. */
function answerOf(schema: TSchema, rows: number): Record<string, unknown> {
  const whole = example(schema, { optional: true }) as Record<string, unknown>
  for (const [name, own] of Object.entries((schema as TObject).properties)) {
    const { type, items } = own as { type?: string; items?: TSchema }
    if (type !== 'array' || !items) continue
    whole[name] = Array.from({ length: rows }, (_, n) => {
      const row = example(items, { optional: n % 2 === 0 })
      return typeof row === 'object' && row ? { ...row, secretColumn: n } : row
    })
  }
  return whole
}

describe('an answer that is written in slices', () => {
  const lists = apiOperations.filter(({ reads, output }) => reads && (output as Partial<TObject>).properties)
  test.each(lists)('of $name has the same text', async ({ output }) => {
    for (const rows of [0, 1, 26, 60]) {
      const answer = answerOf(output, rows)
      expect(await toJsonInSlices(output, answer)).toBe(toJson(output, answer))
    }
  })

  const schema = Type.Object({
    rows: Type.Array(Type.Object({ name: Type.String() })),
    total: Type.Number(),
    next: Type.Optional(nullable(Type.String())),
  })

  test('lets other work run between two slices', async () => {
    const turns: string[] = []
    const other = () => turns.push('other work') < 6 && setImmediate(other)
    setImmediate(other)
    const writing = toJsonInSlices(schema, {
      total: 60,
      rows: Array.from({ length: 60 }, (_, n) => ({
        get name() {
          if (n % 25 === 0) turns.push(`row ${n}`)
          return 'Acme'
        },
      })),
    })
    await writing
    expect(turns.slice(0, 5)).toEqual(['row 0', 'other work', 'row 25', 'other work', 'row 50'])
  })

  test('without a required field fails in the same way', async () => {
    const rows = [{ name: 'Acme' }]
    expect(await toJsonInSlices(schema, { rows, total: 1 })).toBe('{"rows":[{"name":"Acme"}],"total":1}')
    expect(() => toJson(schema, { rows })).toThrow('required')
    await expect(toJsonInSlices(schema, { rows })).rejects.toThrow('required')
  })
})
