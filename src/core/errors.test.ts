import { expect, test } from 'vitest'
import { toFailure } from './errors.ts'

test.each(['22003', '22007', '22008'])('what PostgreSQL cannot keep (%s) is the caller’s to mend', (code) => {
  expect(toFailure(Object.assign(new Error('out of range'), { code }))).toMatchObject({
    status: 400,
    details: [{ code: 'OUT_OF_RANGE' }],
  })
})
