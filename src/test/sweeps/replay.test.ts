import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { inputFor } from '../rows.ts'
import { member, type Someone } from '../world.ts'

/** IDEM-6: whatever is sent twice with one Idempotency-Key happens once, and both callers get the same answer. */

let amy: Someone
beforeAll(async () => {
  amy = await member('OWNER')
})

// With the organization goes what is remembered in it, and a retry finds nothing.
const forgotten = ['organizations_delete']

describe('the same request with the same Idempotency-Key is answered again, not carried out again', () => {
  test.each(operations.filter(({ reads, name }) => !reads && !forgotten.includes(name)))('$name', async (operation) => {
    const input = await inputFor(operation, amy)
    const headers = { 'idempotency-key': `again-${operation.name}` }
    const first = await amy.request(operation, input, headers)
    const second = await amy.request(operation, input, headers)
    expect(first.status).toBe(operation.status)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    expect(second.headers['idempotency-replayed']).toBe('true')
  })
})
