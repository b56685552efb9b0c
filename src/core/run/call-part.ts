import type { Operation, Outside } from '../define/operation.ts'
import { sha256 } from '../values/id.ts'
import type { Call } from './call.ts'
import type { Task } from './task.ts'

/** Runs operations as parts of a call, for the same caller. `intent` is the id of the whole request. */
export const callPart =
  ({ call, providers }: Task, intent: string): Outside['call'] =>
  (operation, input, part) => {
    const once = onceOf(call, operation, `${intent}:${part}`)
    // Its audit row and events name the whole and the part: a request has one audit row.
    const caller = { ...call.caller, requestId: `${call.caller.requestId}/${part}` }
    return providers.run(operation, { caller, input, once, trace: {} })
  }

/** A retry of the whole with its Idempotency-Key repeats no part of it. */
const onceOf = ({ once }: Call, { name, reads }: Operation, key: string): Call['once'] =>
  once && !reads ? { key, fingerprint: sha256(`${name}:${key}`) } : undefined
