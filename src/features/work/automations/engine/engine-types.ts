import type { Inside } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import type { Providers, Services } from '../../../../core/define/services.ts'
import type { HeaderTemplate } from '../actions/request-headers.ts'
import type { GraphRights } from '../rights.ts'

/** A short transaction, confined to the organization of the run. */
export type EngineTransaction = Pick<Inside, 'db' | 'ask' | 'emit' | 'enqueue' | 'now' | keyof Services>

/** What the engine and its built-in actions use. A job provides it, or a request that waits for the run. */
export type EngineDependencies = Services &
  Providers & {
    tx<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>
    /** Reads in the organization of the run. Statements of one flush see the same state of the data. */
    read<T>(work: (reading: Pick<EngineTransaction, 'db' | 'ask' | 'now'>) => Promise<T>): Promise<T>
    /** The same for a filter, which may take long. */
    readFiltered<T>(work: (reading: Pick<EngineTransaction, 'db' | 'ask' | 'now'>) => Promise<T>): Promise<T>
    /** Aborted when the job or request has to stop. */
    signal: AbortSignal
  }

/** The step that is being executed. Its id stays the same for every attempt, so it is the key of its outside effects. */
export type StepInfo = {
  stepId: string
  runId: string
  automationId: string
  automationName: string
  organizationId: string
  blockId: string
  /** The index in the list of a FOR_EACH edge; -1 without one. */
  element: number
  attempt: number
  /** The claim under which it is executed: once the run is claimed again, has ended or was cancelled, nothing is sent. */
  token: number
  /** The number of events between a person's action and this step. */
  depth: number
  /** The step acts as the owner, with the rights of the graph that the run started with. */
  owner: Owner
}

/** The step of an engine action, with the headers of a webhook. */
export type ActionStep = StepInfo & { headers: HeaderTemplate }

export type Owner = { userId: string; rights: GraphRights }

/**
 * The result of a step that succeeded. `feature` marks the data that the output holds, if it is not that of the action; some
 * of it is hidden from some readers (protected-steps.ts).
 */
export type StepResult = { output: unknown; feature?: string | null; warnings?: readonly Warning[] }
