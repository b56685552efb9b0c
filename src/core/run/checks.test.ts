import { describe, expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import type { Operation } from '../define/operation.ts'
import { checks, mayStartEarly } from './checks.ts'
import type { Task } from './task.ts'

const ordinary = operations.find(({ name }) => name === 'customers_get') as Operation
const task = ({
  operation = {},
  call = {},
  checked = {},
}: {
  operation?: object
  call?: object
  checked?: object
} = {}) =>
  ({
    operation: { ...ordinary, ...operation },
    call: { caller: { source: 'SESSION' }, input: {}, trace: {}, ...call },
    checked: { problem: undefined, input: {}, ...checked },
  }) as unknown as Task

/** For each check of the process, a call that is checked for it and for nothing else of the process. */
const checkedByProcess: Record<string, Task> = {
  'the row is the own one, or the role suffices': task({ operation: { orSelf: 'employees' } }),
  'the source may call the operation': task({ operation: { sources: ['API_KEY'] } }),
  'the signed link is for this row': task({ operation: { sources: ['LINK'] }, call: { caller: { source: 'LINK' } } }),
  'the operation is open to everybody': task({
    operation: { sources: ['PUBLIC'] },
    call: { caller: { source: 'PUBLIC' } },
  }),
  'the sign-in is recent': task({ operation: { signedInWithinH: 1 } }),
  'the input is valid': task({ checked: { problem: new Error('wrong') } }),
  'a request with the same key was not executed before': task({ call: { once: { key: 'a', fingerprint: 'b' } } }),
  'the usage so far is written': task({ operation: { flushesUsage: true } }),
  'row security does not confine the work': task({ operation: { pool: 'system' } }),
}

test('the work of an ordinary call starts before its authorization is answered', () => {
  expect(mayStartEarly(task())).toBe(true)
})

test('every check that the database does not make has a case here', () => {
  expect(Object.keys(checkedByProcess)).toEqual(checks.filter(({ by }) => by !== 'database').map(({ name }) => name))
})

describe.each(Object.entries(checkedByProcess))('%s', (name, checked) => {
  test('is checked by the process, so the work waits', () => {
    expect(
      checks.filter(({ by, applies }) => by !== 'database' && applies(checked)).map((check) => check.name),
    ).toEqual([name])
    expect(mayStartEarly(checked)).toBe(false)
  })
})
