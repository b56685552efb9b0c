import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { TSchema } from '../../core/define/schema.ts'
import { inProof } from '../prove.ts'
import { at, inputFor, put } from '../rows.ts'
import type { Shape } from '../sample.ts'
import { member, type Someone } from '../world.ts'

/** One row with very large numbers makes no list, report or export fail: either it is refused, or everything can show it. */

const writes = operations.filter(
  ({ reads, method, name }) => !reads && method !== 'DELETE' && name !== 'organizations_delete',
)
const reads = operations.filter((operation) => operation.reads) // biome-ignore format: a line each

const values = inProof([999_999_999_999.99], [1e300, 1e15, 9_999_999_999_999.99, 1e12, 999_999_999_999.99, 1e9, 1e6])

/** The numbers in the input, with fractions or without. */
function numbersIn(schema: TSchema, path: string[] = []): string[][] {
  const { type, properties = {}, items, anyOf = [] } = schema as Shape
  const types = [type].flat()
  if (types.includes('number') || types.includes('integer')) return [path]
  const inside = Object.entries(properties).flatMap(([name, inner]) => numbersIn(inner, [...path, name]))
  return [...inside, ...(items ? numbersIn(items, [...path, '0']) : []), ...anyOf.flatMap((each) => numbersIn(each, path))]
} // biome-ignore format: a line each

let amy: Someone
let [tried, accepted] = [0, 0]
beforeAll(async () => {
  amy = await member('OWNER', { country: 'IL' })
})

/** Sends a large number in one place, in a foreign currency where one can be named, and answers the status. */
async function send(operation: Operation, path: string[], value: number): Promise<number> {
  const input = structuredClone(await inputFor(operation, amy, { optional: true })) // rows.ts shares some of its values
  if (at(input, path.slice(0, -1)) === undefined) return 400
  put(input, path, value)
  if ('currency' in input) Object.assign(input, { currency: 'KWD' })
  const { status, body } = await amy.request(operation, input)
  expect(status, `${operation.name} ${path.join('.')} ${value}: ${JSON.stringify(body)}`).toBeLessThan(500)
  return status
}

describe('a number that is very large is refused or stored', () => {
  const cases = writes.map((operation) => ({ operation, name: operation.name, paths: numbersIn(operation.input) }))
  test.each(cases.filter(({ paths }) => paths.length > 0))('$name', async ({ operation, paths }) => {
    for (const path of paths)
      for (const value of values) {
        tried += 1
        if ((await send(operation, path, value)) >= 300) continue
        accepted += 1
        break
      }
  })

  test('many were tried, and some stored', () => {
    expect(tried).toBeGreaterThan(100)
    expect(accepted).toBeGreaterThan(10)
  })
})

test('a draft whose exchange rate is too large is refused, and one that fits is exported', async () => {
  const draft = { organizationId: amy.organizationId ?? '', amount: 720.47, currency: 'EUR', date: '2026-01-31', status: 'DRAFT' }
  const rated = (exchangeRate: number) => amy.call('expenses_create', { ...draft, exchangeRate })
  await expect(rated(1e12)).rejects.toMatchObject({ status: 400 })
  const { id } = await rated(1e9)
  await expect(amy.call('expenses_update_patch_2', { id, exchangeRate: 1e12 })).rejects.toMatchObject({ status: 400 })
}) // biome-ignore format: a line each

describe('every read answers in an organization with such rows', () => {
  test.each(reads)('$name', async (operation) => {
    const input: Record<string, unknown> = await inputFor(operation, amy)
    if ('limit' in operation.input.properties) input.limit = 100
    const { status, body } = await amy.request(operation, input)
    expect(status, JSON.stringify(body).slice(0, 500)).toBeLessThan(500)
  })
})
