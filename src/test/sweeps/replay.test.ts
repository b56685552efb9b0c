import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { inputFor } from '../rows.ts'
import { member, type Someone } from '../world.ts'

/** IDEM-6: a change sent twice with one Idempotency-Key is made once, and both requests get the same answer. */

let amy: Someone
beforeAll(async () => {
  amy = await member('OWNER')
})

// Deleting an organization also deletes the answers remembered in it, so that a retry finds nothing.
const notRemembered = ['organizations_delete']
const writes = operations.filter(({ reads, name }) => !reads && !notRemembered.includes(name))

describe('the same request with the same Idempotency-Key is answered again, not carried out again', () => {
  test.each(writes)('$name', async (operation) => {
    const input = await inputFor(operation, amy)
    const headers = { 'idempotency-key': `again-${operation.name}` }
    const first = await amy.request(operation, input, headers)
    const second = await amy.request(operation, input, headers)
    expect(first.status).toBe(operation.status)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    expect(second.headers['idempotency-replayed']).toBe('true')
  })
})

test('this sweep covers every write but the named ones', () => {
  expect(writes.length).toBe(operations.filter(({ reads }) => !reads).length - notRemembered.length)
  expect(writes.length).toBeGreaterThanOrEqual(52)
})
