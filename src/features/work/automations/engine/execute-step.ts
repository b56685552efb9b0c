import { Failure, forbidden, invalid } from '../../../../core/define/failure.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import { problemsOf, refusal } from '../../../../core/define/validate.ts'
import type { Call } from '../../../../core/run/call.ts'
import { isLost } from '../../../../core/run/errors.ts'
import { runRecorded } from '../../../../core/run/run-recorded.ts'
import { setContext } from '../../../../core/run/transaction-context.ts'
import { sha256 } from '../../../../core/values/id.ts'
import type { SendStatement } from '../../../../db/wire/connection.ts'
import { type Action, findAction, markOfAction, missingRight } from '../actions/action.ts'
import type { EngineAction } from '../actions/engine-action.ts'
import { headerTemplate } from '../actions/request-headers.ts'
import { runFilter } from '../filters/filter.ts'
import { type MissingValue, mapValues, missingValues } from '../filters/spec.ts'
import { markOf } from '../protected-steps.ts'
import { missingBindings, resolve } from './bindings.ts'
import type { EngineDependencies, StepInfo, StepResult } from './engine-types.ts'
import type { PlannedStep } from './plan.ts'
import type { ClaimedRun } from './run-record.ts'
import { isTruncated, outputTooLarge, redactedBinding, secretNotStored, truncatedBlock } from './stored-values.ts'

/** A step with its action looked up and its bindings resolved. Whether it can be executed is checked later. */
export type PreparedStep = {
  ref: string | null
  feature: string | null
  input: unknown
  action?: Action
  /** The predicates of a filter that match no row. */
  missing?: readonly MissingValue[]
}

export function prepareStep(
  { catalog }: Pick<EngineDependencies, 'catalog'>,
  { block, scope }: PlannedStep,
): PreparedStep {
  const { kind, ref, config } = block
  if (kind === 'FILTER') {
    const input = mapValues(config.spec ?? null, (value) => resolve(value, scope))
    return {
      ref: null,
      feature: null,
      input,
      missing: missingValues(config.spec, (value) => missingBindings(value, scope)),
    }
  }
  const action = kind === 'ACTION' ? findAction(catalog, ref) : undefined
  const input = resolve(config.input ?? {}, scope)
  const feature = action ? markOfAction(action) : null
  return action ? { ref, feature, input, action } : { ref, feature, input }
}

/** Whether a step works only in the database, so that its effects commit with its success or not at all. */
export const isInside = ({ block }: PlannedStep, { action }: PreparedStep): boolean =>
  block.kind === 'FILTER' || (action?.kind === 'system' && !action.operation.run.outside)

/** What is known of a step before it is executed. */
type ResolvedStep = Pick<PlannedStep, 'block' | 'scope' | 'item'>

type ExecutableStep = PlannedStep & {
  prepared: PreparedStep
  info: StepInfo
  /** Whether the step is recorded as RUNNING. */
  isRecorded: boolean
  /** Sends the statements that record the result and start the next step, as the last ones of a transaction. */
  record(ask: SendStatement, result: StepResult): void
  /** Records the result of a step without effects, now or together with a later step. */
  recordRead(result: StepResult): Promise<void>
}

/** Executes a step and records its success. Throws the reason if it fails. */
export function executeStep(dependencies: EngineDependencies, run: ClaimedRun, step: ExecutableStep): Promise<void> {
  const { block, prepared, info } = step
  refuseUnusableInput(step)
  switch (block.kind) {
    case 'FILTER':
      return executeFilter(dependencies, run, step)
    case 'ACTION':
      if (prepared.action?.kind === 'system')
        return executeOperation(dependencies, run, step, prepared.action.operation)
      if (prepared.action) return executeEngineAction(dependencies, step, prepared.action.action)
      throw invalid('ref', `There is no action ${block.ref ?? 'without a name'}.`, 'UNKNOWN_ACTION')
    default:
      throw invalid('kind', `The block ${info.blockId} is ${block.kind}, which cannot be executed.`, 'CUSTOM_BLOCK')
  }
}

/** Refuses an input that was too large or too secret to be stored. */
export function refuseUnusableInput(step: ResolvedStep) {
  refuseTruncatedInput(step)
  refuseRedactedInput(step)
}

/** A step must not use part of a value as if it were the whole value. */
function refuseTruncatedInput({ block, scope, item }: ResolvedStep) {
  const blockId = truncatedBlock(block.config, scope)
  if (blockId !== undefined || isTruncated(item)) throw outputTooLarge('config', blockId ?? 'the block before')
}

/** A secret that was replaced by a marker would be sent, stored or compared as the marker. */
function refuseRedactedInput({ block, scope }: ResolvedStep) {
  const given = block.kind === 'FILTER' ? { spec: block.config.spec } : { input: block.config.input }
  const found = redactedBinding(given, scope, 'config')
  if (found) throw secretNotStored(block.id, found)
}

async function executeFilter(
  dependencies: EngineDependencies,
  { timezone }: ClaimedRun,
  { prepared, info, recordRead }: ExecutableStep,
): Promise<void> {
  const { runId, owner, organizationId } = info
  const result = await dependencies.readFiltered(({ db, now }) =>
    runFilter({ db, now, timezone, organizationId, runId, rights: owner.rights }, prepared.input, prepared.missing),
  )
  await recordRead(result)
}

async function executeEngineAction(
  dependencies: EngineDependencies,
  { block, scope, prepared, info, record }: ExecutableStep,
  action: EngineAction,
): Promise<void> {
  const missing = missingRight({ kind: 'engine', action }, { source: 'AUTOMATION', ...info.owner.rights })
  if (missing) throw forbidden(missing.message, missing.code)
  const input = structuredClone(prepared.input)
  const problems = problemsOf(action.input, input)
  if (problems.length > 0) throw refusal(problems)
  const step = { ...info, headers: headerTemplate(block, scope) }
  const { alsoRecord, ...result } = await action.run(dependencies, input as never, step) // checked against its schema above
  const recorded = dependencies.tx(async ({ db, ask }) => {
    record(ask, result)
    alsoRecord?.(db) // last, because the run is locked first everywhere
  })
  await recorded.catch(async (error) => {
    const isRolledBack = !isLost(error instanceof Failure ? error.cause : error)
    if (alsoRecord && isRolledBack) await dependencies.tx(async ({ db }) => alsoRecord(db))
    throw error
  })
}

/**
 * Calls an operation the way every surface does, as the owner, with the current rights of the run (authorize_run()). A write
 * commits together with the success of its step, or not at all (INV-14).
 */
async function executeOperation(
  dependencies: EngineDependencies,
  run: ClaimedRun,
  step: ExecutableStep,
  operation: Operation,
): Promise<void> {
  const { prepared, info, isRecorded, record, recordRead } = step
  const input = inOwnOrganization(run, prepared.input)
  const resultOf = (output: unknown): StepResult => ({ output, feature: markOf(operation) })
  const running = runRecorded(dependencies.run, operation, {
    call: { caller: callerOf(info), input, trace: {} },
    // A step that is recorded only with its result needs no key: its row is unique, and commits with the effect.
    once: isRecorded ? keyOf(operation, info, input) : undefined,
    record(connection, output) {
      // An operation on the caller's own account runs in no organization, but the step belongs to one.
      if (operation.within === 'caller')
        setContext(connection, { userId: info.owner.userId, organizationId: run.organizationId })
      record(connection.ask, resultOf(output))
    },
    recordAlone: (output) =>
      operation.reads
        ? recordRead(resultOf(output))
        : dependencies.tx(async ({ ask }) => record(ask, resultOf(output))),
  })
  await running.catch((error) => {
    throw isOutcomeUnknown(operation, error) ? error.cause : error
  })
}

/**
 * The key stays the same for every attempt of a step. For an operation that uses the network it also depends on the
 * input: after a change of the graph, a replay asks for something that has not been done yet.
 */
function keyOf({ name, run }: Operation, { stepId }: StepInfo, input: Record<string, unknown>): Call['once'] {
  const ofInput = run.outside ? `:${sha256(`${name} ${JSON.stringify(input)}`).toString('base64url')}` : ''
  const key = `step:${stepId}${ofInput}`
  return { key, fingerprint: sha256(key) }
}

/** The connection was lost during the commit. Whether the step was recorded is known when the run is claimed again. */
const isOutcomeUnknown = ({ run }: Operation, error: unknown): error is Failure =>
  !run.outside && error instanceof Failure && isLost(error.cause)

const callerOf = ({ owner, runId, automationId, depth }: StepInfo): Call['caller'] => ({
  source: 'AUTOMATION',
  credential: null,
  userId: owner.userId,
  requestId: `run:${runId}`,
  runId,
  automationId,
  depth,
})

/** An automation acts in its own organization only, even if its owner belongs to others. */
export function inOwnOrganization(
  { organizationId }: Pick<ClaimedRun, 'organizationId'>,
  input: unknown,
): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid('config.input', 'The input of an action must be an object.')
  const given = 'organizationId' in input ? input.organizationId : null
  if (given !== null && given !== organizationId)
    throw invalid('config.input.organizationId', 'An automation can only act in its own organization.')
  return { ...input, organizationId }
}
