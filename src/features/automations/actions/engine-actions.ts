import type { Feature, Role, Scope } from '../../../core/define/access.ts'
import type { TObject, TSchema } from '../../../core/define/schema.ts'
import type { EngineDependencies, Executed, StepInfo } from '../engine/engine-types.ts'
import { emailSend } from './email-send.ts'
import { webhookPost } from './webhook-post.ts'

/**
 * An action that is no tool: built into the engine. It talks to the outside between transactions of its own (`tx`), at
 * least once across a crash, under the id of the step. A `Failure` with status 500 or 429 is tried again, after
 * `retryAfterS` if it says so; any other one is final.
 */
export type EngineAction = {
  name: `${string}.${string}`
  description: string
  feature: Feature
  verb: string
  /** What whoever has it done must be allowed. */
  scope: Scope
  role: Role
  input: TObject
  output: TSchema
  /** The input has been checked against `input`. */
  run(ground: EngineDependencies, input: never, step: StepInfo): Promise<Executed>
}

export const engineActions: readonly EngineAction[] = [webhookPost, emailSend]
