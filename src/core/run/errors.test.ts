import { expect, test } from 'vitest'
import { isLost, isStorageFull, toFailure } from './errors.ts'

test.each(['22003', '22007', '22008'])('a value that PostgreSQL cannot store (%s) is a validation error', (code) => {
  expect(toFailure(Object.assign(new Error('out of range'), { code }))).toMatchObject({
    status: 400,
    details: [{ code: 'OUT_OF_RANGE' }],
  })
})

test.each(['EPIPE', 'ECONNRESET', 'EAGAIN', '57P01', '57P02', '57P03', '08006', '53300'])(
  'FLT-04: a connection that is lost (%s) is UNAVAILABLE with Retry-After',
  (code) => {
    const error = Object.assign(new Error('gone'), { code })
    expect(isLost(error)).toBe(true)
    expect(toFailure(error)).toMatchObject({ status: 500, retryAfterS: 2, details: [{ code: 'UNAVAILABLE' }] })
  },
)

test('FLT-04: a statement timeout is reported the same way, but the connection is not lost', () => {
  const error = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  expect(isLost(error)).toBe(false)
  expect(toFailure(error)).toMatchObject({ status: 500, details: [{ code: 'UNAVAILABLE' }] })
})

test('FLT-08: a full disk of the database is STORAGE_FULL with what to do, and jobs wait for it', () => {
  const error = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  expect([isLost(error), isStorageFull(error), isStorageFull(toFailure(error))]).toEqual([true, true, true])
  expect(toFailure(error)).toMatchObject({
    status: 500,
    retryAfterS: 30,
    message: expect.stringContaining('free some space'),
    details: [{ code: 'STORAGE_FULL' }],
  })
})

test.each(['53000', '53200'])('FLT-04: a server short of other resources (%s) is UNAVAILABLE', (code) => {
  const error = Object.assign(new Error('out of memory'), { code })
  expect(toFailure(error)).toMatchObject({ status: 500, details: [{ code: 'UNAVAILABLE' }] })
})
