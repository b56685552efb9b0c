import { Failure, forbidden, invalid } from '../../../core/define/failure.ts'
import type { Operation } from '../../../core/define/operation.ts'
import { problemsOf, refusal } from '../../../core/define/validate.ts'
import type { Call } from '../../../core/run/call.ts'
import { isLost } from '../../../core/run/errors.ts'
import { setContext } from '../../../core/run/transaction-context.ts'
import { sha256 } from '../../../core/values/id.ts'
import type { SendStatement } from '../../../db/connection.ts'
import { type Action, actionNamed, featureOf, missingRight } from '../actions/action.ts'
import type { EngineAction } from '../actions/engine-actions.ts'
import { runFilter } from '../filters/filter.ts'
import { withValues } from '../filters/spec.ts'
import { resolve } from './bindings.ts'
import type { EngineDependencies, Executed, StepInfo } from './engine-types.ts'
import type { PlannedStep } from './plan.ts'
import type { Claimed } from './run-record.ts'
import { isTruncated, tooLarge, truncatedIn } from './stored-values.ts'

/** What a step is about to do: whether it can be done shows when it is carried out. */
export type Prepared = { ref: string | null; feature: string | null; input: unknown; action?: Action }

export function prepare({ catalog }: Pick<EngineDependencies, 'catalog'>, { block, scope }: PlannedStep): Prepared {
  const { kind, ref, config } = block
  if (kind === 'FILTER') {
    const input = withValues(config.spec ?? null, (value) => resolve(value, scope))
    return { ref: null, feature: null, input }
  }
  const action = kind === 'ACTION' ? actionNamed(catalog, ref) : undefined
  const input = resolve(config.input ?? {}, scope)
  return { ref, feature: action ? featureOf(action) : null, input, ...(action && { action }) }
}

/** Sends what a step came to, and what comes next, as the last words of a transaction. */
export type Recording = (ask: SendStatement, executed: Executed) => void

type Step = PlannedStep & { prepared: Prepared; facts: StepInfo; record: Recording }

/** Carries a step out and has it recorded that it succeeded. What it throws is why it failed. */
export function execute(ground: EngineDependencies, run: Claimed, step: Step): Promise<void> {
  const { block, prepared, facts } = step
  refuseTruncated(step)
  switch (block.kind) {
    case 'FILTER':
      return filtered(ground, run, step)
    case 'ACTION':
      if (prepared.action?.kind === 'system') return operated(ground, run, step, prepared.action.operation)
      if (prepared.action) return acted(ground, step, prepared.action.action)
      throw invalid('ref', `There is no action ${block.ref ?? 'without a name'}.`, 'UNKNOWN_ACTION')
    default:
      throw invalid('kind', `The block ${facts.blockId} is ${block.kind}, which cannot be carried out.`, 'CUSTOM_BLOCK')
  }
}

/** Nobody acts on a part of something for the whole of it. */
function refuseTruncated({ block, scope, item }: Step) {
  const missing = truncatedIn(block.config, scope)
  if (missing !== undefined || isTruncated(item)) throw tooLarge('config', missing ?? 'the block before')
}

const filtered = (ground: EngineDependencies, { timezone }: Claimed, { prepared, facts, record }: Step) =>
  ground.tx(async ({ db, ask, now }) => {
    const found = await runFilter({ db, now, timezone, owner: facts.owner }, prepared.input)
    record(ask, found)
  })

async function acted(
  ground: EngineDependencies,
  { prepared, facts, record }: Step,
  action: EngineAction,
): Promise<void> {
  const missing = missingRight({ kind: 'engine', action }, { ...facts.owner, scopes: null, source: 'AUTOMATION' })
  if (missing) throw forbidden(`The owner may not do this: ${missing.says}`, missing.code)
  const input = structuredClone(prepared.input)
  const problems = problemsOf(action.input, input)
  if (problems.length > 0) throw refusal(problems)
  const executed = await action.run(ground, input as never, facts) // as its schema says, which was just checked
  await ground.tx(async ({ ask }) => record(ask, executed))
}

/**
 * Runs an operation as every surface does, with the rights of the owner as they are now. A write commits together with
 * the success of its step, or not at all (INV-14).
 */
async function operated(ground: EngineDependencies, run: Claimed, step: Step, operation: Operation): Promise<void> {
  const { prepared, facts, record } = step
  const input = inOrganization(run, prepared.input)
  const call: Call = { caller: callerOf(facts), input, trace: {} }
  const outcome = (body: string): Executed => ({ output: JSON.parse(body), feature: operation.feature })
  if (!operation.reads) {
    const key = keyOf(operation, facts, input)
    call.once = { key, fingerprint: sha256(key) }
    call.recordInSameTransaction = (connection, { body }) => {
      // An operation of the person alone runs in no organization, but the step belongs to one.
      if (operation.within === 'caller')
        setContext(connection, { userId: facts.owner.userId, organizationId: run.organizationId })
      record(connection.ask, outcome(body))
    }
  }
  const { body, replayed } = await ground.run(operation, call).catch((error) => {
    throw isUncertain(operation, error) ? error.cause : error
  })
  if (operation.reads || replayed) await ground.tx(async ({ ask }) => record(ask, outcome(body)))
}

/**
 * The key of a step stays the same however often it is tried. What the network may have seen goes by what was asked as
 * well: a graph that was changed before a replay asks for something else, which nobody has done yet.
 */
function keyOf({ name, run }: Operation, { stepId }: StepInfo, input: Record<string, unknown>): string {
  if (!run.outside) return `step:${stepId}`
  return `step:${stepId}:${sha256(`${name} ${JSON.stringify(input)}`).toString('base64url')}`
}

/** Nobody knows whether the step was recorded: it shows when the run is carried on. */
const isUncertain = ({ run }: Operation, error: unknown): error is Failure =>
  !run.outside && error instanceof Failure && isLost(error.cause)

const callerOf = ({ owner, runId, depth }: StepInfo): Call['caller'] => ({
  source: 'AUTOMATION',
  credential: null,
  userId: owner.userId,
  requestId: `run:${runId}`,
  runId,
  depth,
})

/** An automation acts in its own organization, whatever others its owner belongs to. */
function inOrganization({ organizationId }: Claimed, input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid('config.input', 'The input of an action is an object.')
  const given = 'organizationId' in input ? input.organizationId : null
  if (given !== null && given !== organizationId)
    throw invalid('config.input.organizationId', 'An automation acts in its own organization alone.')
  return { ...input, organizationId }
}
