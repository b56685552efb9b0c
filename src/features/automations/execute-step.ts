import type { Call } from '../../core/call.ts'
import { confineText } from '../../core/door.ts'
import { conflict, forbidden, invalid } from '../../core/failure.ts'
import { sha256 } from '../../core/id.ts'
import type { Operation } from '../../core/operation.ts'
import { problemsOf, refusal } from '../../core/validate.ts'
import { type Action, actionNamed, featureOf, missingRight } from './action.ts'
import { bindingsIn, blockIn, resolve } from './bindings.ts'
import type { EngineAction } from './engine-actions.ts'
import type { Executed, Ground, StepFacts } from './executor.ts'
import { runFilter } from './filter.ts'
import { withValues } from './filter-spec.ts'
import { isTruncated, kept } from './kept.ts'
import type { PlannedStep } from './plan.ts'
import { type Ask, type Claimed, isGone, isLostRun, succeed } from './run-record.ts'

/** What a step is about to do: whether it can be done shows when it is carried out. */
export type Prepared = { ref: string | null; feature: string | null; input: unknown; action?: Action }

export function prepare({ catalog }: Pick<Ground, 'catalog'>, { block, scope }: PlannedStep): Prepared {
  const { kind, ref, config } = block
  if (kind === 'FILTER') {
    const input = withValues(config.spec ?? null, (value) => resolve(value, scope))
    return { ref: null, feature: null, input }
  }
  const action = kind === 'ACTION' ? actionNamed(catalog, ref) : undefined
  const input = resolve(config.input ?? {}, scope)
  return { ref, feature: action ? featureOf(action) : null, input, ...(action && { action }) }
}

type Step = PlannedStep & { prepared: Prepared; facts: StepFacts }

/** What a step came to; `recorded` when its success was written in the transaction of its effect. */
export type Taken = Executed & { recorded: boolean }

/** Carries a step out. What it throws is why it failed. */
export async function execute(ground: Ground, run: Claimed, step: Step): Promise<Taken> {
  const { block, prepared, facts } = step
  refuseTruncated(step)
  switch (block.kind) {
    case 'FILTER':
      return { ...(await filtered(ground, run, step)), recorded: false }
    case 'ACTION':
      if (prepared.action?.kind === 'system') return operated(ground, run, step, prepared.action.operation)
      if (prepared.action) return { ...(await acted(ground, step, prepared.action.action)), recorded: false }
      throw invalid('ref', `There is no action ${block.ref ?? 'without a name'}.`, 'UNKNOWN_ACTION')
    default:
      throw invalid('kind', `The block ${facts.blockId} is ${block.kind}, which cannot be carried out.`, 'CUSTOM_BLOCK')
  }
}

/** Nobody acts on a part of something for the whole of it. */
function refuseTruncated({ block, scope, item }: Step) {
  const bound = bindingsIn(block.config).flatMap((path) => {
    const [root, ...rest] = path.split('.')
    return root === 'blocks' ? (blockIn(rest, (id) => scope.blocks.has(id))?.id ?? []) : []
  })
  const missing = bound.find((id) => isTruncated(scope.blocks.get(id)))
  if (missing !== undefined || isTruncated(item))
    throw invalid(
      'config',
      `What ${missing ?? 'the block before'} came to was too large to be kept and used.`,
      'LIMIT_EXCEEDED',
    )
}

const filtered = (ground: Ground, { timezone }: Claimed, { prepared, facts }: Step): Promise<Executed> =>
  ground.tx(({ db, now }) => runFilter({ db, now, timezone, owner: facts.owner }, prepared.input))

async function acted(ground: Ground, { prepared, facts }: Step, action: EngineAction): Promise<Executed> {
  const missing = missingRight({ kind: 'engine', action }, { ...facts.owner, scopes: null, source: 'AUTOMATION' })
  if (missing) throw forbidden(`The owner may not do this: ${missing.says}`, missing.code)
  const input = structuredClone(prepared.input)
  const problems = problemsOf(action.input, input)
  if (problems.length > 0) throw refusal(problems)
  return action.run(ground, input as never, facts) // as its schema says, which was just checked
}

/**
 * Runs an operation as every surface does, with the rights of the owner as they are now. A write commits together with
 * the success of its step, or not at all (INV-14).
 */
async function operated(ground: Ground, run: Claimed, { prepared, facts }: Step, operation: Operation): Promise<Taken> {
  const input = inOrganization(run, prepared.input)
  const call: Call = { caller: callerOf(facts), input, trace: {} }
  const outcome = (body: string) => ({ output: kept(JSON.parse(body)), feature: operation.feature })
  if (operation.reads) {
    const { body } = await ground.run(operation, call)
    return { ...outcome(body), recorded: false }
  }
  const key = `step:${facts.stepId}`
  call.once = { key, fingerprint: sha256(key) }
  call.beside = async (connection, { body }) => {
    // What somebody does in their own name is inside no organization, and the step is.
    if (operation.within === 'caller') await connection.query(confineText, [facts.owner.userId, run.organizationId])
    const ask: Ask = (text, values) => connection.query(text, values)
    await succeed(ask, run, { stepId: facts.stepId, ...outcome(body) }).catch(async (error) => {
      throw isLostRun(error) && (await isGone(ask, run)) ? ownEnd() : error
    })
  }
  const { body, replayed } = await ground.run(operation, call)
  return { ...outcome(body), recorded: !replayed }
}

/** The action has taken the run away with it, which is why it does not happen. */
const ownEnd = () => conflict('A step does not delete the automation that it is part of.', 'OWN_RUN')

const callerOf = ({ owner, runId, depth }: StepFacts): Call['caller'] => ({
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
