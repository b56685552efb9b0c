import type { Feature, Role, Scope } from '../../../../core/define/access.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { TObject, TSchema } from '../../../../core/define/schema.ts'
import type { ActionStep, EngineDependencies, StepResult } from '../engine/engine-types.ts'

/**
 * An action that is built into the engine and is not a tool. It reaches the outside between its own transactions (`tx`),
 * at least once after a crash, with the id of the step as its key. A `Failure` with status 500 is retried, after
 * `retryAfterS` if given. With RATE_LIMIT the step waits without using an attempt. Any other one is final.
 */
export type EngineAction = {
  name: `${string}.${string}`
  description: string
  feature: Feature
  verb: string
  /** The scope and role that the owner needs. */
  scope: Scope
  role: Role
  input: TObject
  output: TSchema
  /** The input has been checked against `input`. */
  run(dependencies: EngineDependencies, input: never, step: ActionStep): Promise<ActionResult>
}

/**
 * The result of an action, and what else it records about what happened outside. That is sent in the transaction that records
 * the success, or in one of its own if that one was refused, as after the loss of the claim on the run.
 */
export type ActionResult = StepResult & { alsoRecord?: (db: Database) => void }
