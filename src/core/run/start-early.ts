import { sendWithoutWaiting } from './connection.ts'
import type { Task } from './task.ts'

/**
 * Executes the operation when its result is asked for, or at once where that is safe: its first statements then leave in
 * the same flush as the authorization.
 */
export function startExecution<T>(task: Task, execute: () => Promise<T>) {
  const started = mayStartEarly(task) ? sendWithoutWaiting(execute()) : undefined
  return {
    result: () => started ?? execute(),
    /** After a failure: resolves when an execution that started early no longer uses the connection, however it ends. */
    ended: async () => {
      await started?.catch(() => {})
    },
  }
}

/**
 * Whether the work may start before the authorization is answered. For an unknown caller, or a credential without the
 * scope or role, the transaction is confined to no organization, and row security then shows and accepts no row. Checks
 * that are made outside the database are different: work that depends on one of them waits for it.
 */
export const mayStartEarly = ({ operation, call, checked }: Task) =>
  !checked.problem &&
  !call.once && // a request with the same key may have been executed before
  !operation.signedInWithinH &&
  !operation.orSelf &&
  !operation.flushesUsage &&
  call.caller.source !== 'LINK' &&
  call.caller.source !== 'PUBLIC' &&
  operation.sources.includes(call.caller.source)
