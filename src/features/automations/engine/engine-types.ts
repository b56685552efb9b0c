import type { Feature, Role } from '../../../core/define/access.ts'
import type { Inside } from '../../../core/define/operation.ts'
import type { Providers, Services } from '../../../core/define/services.ts'

/** A short transaction, confined to the organization of the run. */
export type EngineInside = Pick<Inside, 'db' | 'ask' | 'emit' | 'enqueue' | 'now' | keyof Services>

/** What the engine and its own actions work with: that of a job, or of a request that waits for the run. */
export type EngineDependencies = Services &
  Providers & {
    tx<T>(work: (inside: EngineInside) => Promise<T>): Promise<T>
    /** Aborted when whoever drives the run has to stop. */
    signal: AbortSignal
  }

/** The step that is being taken. Its id stays the same however often it is tried: the key of what it does outside. */
export type StepInfo = {
  stepId: string
  runId: string
  automationId: string
  automationName: string
  organizationId: string
  blockId: string
  /** -1 where the block is not run for each element of a list. */
  element: number
  attempt: number
  /** How many events lie between a person and this step. */
  depth: number
  /** Whose rights it has, as they are now. */
  owner: Owner
}

export type Owner = { userId: string; role: Role }

/**
 * What a step came to. `feature` says whose data the output holds, where that is not plain: 'payroll' hides it from those
 * who may not read payroll.
 */
export type Executed = { output: unknown; feature?: Feature }
