import type { Task } from './task.ts'

/** Something that a call is checked for before its work counts. */
type Check = {
  name: string
  /** Whether this call is checked for it. */
  applies(task: Task): boolean
  /**
   * `database`: where the check fails, the database has confined the transaction to no organization or person, so that work
   * which started early has seen and written no row. The process makes a check unless it says so.
   */
  by?: 'database'
}

const always = () => true

/**
 * What calls are checked for. Whether the work of a call may leave in the same flush as its authorization follows from the
 * list, so a check that is added makes work wait until somebody shows that the database makes it. Rate limits are not in it:
 * work of a call over its limit is rolled back like that of any other failure, and only the caller's own rows were read.
 */
export const checks: readonly Check[] = [
  { name: 'the credential is valid', applies: always, by: 'database' },
  { name: 'the caller is a member of the organization', applies: always, by: 'database' },
  { name: 'the credential has the scope', applies: always, by: 'database' },
  { name: 'the role suffices', applies: ({ operation }) => !operation.orSelf, by: 'database' },
  {
    name: 'a run acts on the account of one person',
    applies: ({ operation }) => operation.within === 'caller',
    by: 'database',
  },
  { name: 'the row is the own one, or the role suffices', applies: ({ operation }) => operation.orSelf !== undefined },
  {
    name: 'the source may call the operation',
    applies: ({ operation, call }) => !operation.sources.some((source) => source === call.caller.source),
  },
  { name: 'the signed link is for this row', applies: ({ call }) => call.caller.source === 'LINK' },
  { name: 'the operation is open to everybody', applies: ({ call }) => call.caller.source === 'PUBLIC' },
  { name: 'the sign-in is recent', applies: ({ operation }) => operation.signedInWithinH !== undefined },
  { name: 'the input is valid', applies: ({ checked }) => checked.problem !== undefined },
  { name: 'a request with the same key was not executed before', applies: ({ call }) => call.once !== undefined },
  { name: 'the usage so far is written', applies: ({ operation }) => operation.flushesUsage },
  { name: 'row security does not confine the work', applies: ({ operation }) => operation.pool === 'system' },
]

/** Whether the work may start before the authorization is answered: if the database makes every check of the call. */
export const mayStartEarly = (task: Task): boolean =>
  checks.every(({ applies, by }) => by === 'database' || !applies(task))
