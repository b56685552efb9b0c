import { describe, expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { inputFor } from '../rows.ts'
import { sentDuring } from '../sent.ts'
import { member, theApp, withKey } from '../world.ts'

/** Operations with `atOnce` send everything before their first answer, so that a call can be one flush. */

const atOnce: Operation[] = operations.filter((operation) => operation.atOnce)

describe('the second call of a key makes one round trip, and writes the same audit row and events as the first', () => {
  test.each(atOnce)('$name', async (operation) => {
    const amy = await member('OWNER')
    const key = await withKey(amy)
    const outcomes = []
    for (const requestId of [newId(), newId()]) {
      const input = await inputFor(operation, amy)
      const sent = await sentDuring(() => key.request(operation, input, { 'x-request-id': requestId }))
      outcomes.push({ sent, written: await writtenBy(requestId) })
    }
    const [first, second] = outcomes
    expect(outcomes.map(({ sent }) => sent.result.status)).toEqual([operation.status, operation.status])
    expect(first?.sent.statements).toEqual(['begin', ...(second?.sent.statements ?? []), 'commit'])
    expect(second?.sent.flushes).toBe(1)
    expect(second?.written.audit).toHaveLength(1)
    expect(second?.written).toEqual(first?.written)
    expect(second?.written.audit).toMatchObject([{ objectId: 'object' }])
  })
})

/** What a request wrote, without what differs between two requests. */
async function writtenBy(requestId: string) {
  const { audit, events } = await theApp().system.use(async (db) => ({
    audit: await db.selectFrom('auditLog').selectAll().where('requestId', '=', requestId).execute(),
    events: await db
      .selectFrom('events')
      .selectAll()
      .where('cause', '@>', { requestId } as never)
      .orderBy('id')
      .execute(),
  }))
  const objectId = audit[0]?.objectId ?? 'none'
  const alike = JSON.stringify({ audit, events }, (field, value) =>
    field === 'id' || field === 'createdAt' || field === 'requestId' ? undefined : value,
  ).replaceAll(objectId, 'object')
  return JSON.parse(alike) as { audit: object[]; events: object[] }
}

test.each(atOnce)('$name leaves nothing to check in the process that the database does not check', (operation) => {
  const { within, reads, orSelf, signedInWithinH, version, flushesUsage, heavy, secret, pool, link } = operation
  expect({ within, reads, flushesUsage, heavy, secret, pool, outside: operation.run.outside }).toEqual({
    ...{ within: 'organizationId', reads: false, flushesUsage: false, heavy: false, secret: false, pool: 'confined' },
    outside: false,
  })
  expect([orSelf, signedInWithinH, version, link].filter((each) => each !== undefined)).toEqual([])
})

test('this sweep covers every operation that sends everything at once', () => {
  expect(atOnce.map(({ name }) => name)).toEqual(['customers_create'])
})
