import { example } from '../../../../core/contract/example.ts'
import { type Detail, Failure } from '../../../../core/define/failure.ts'
import type { Operation, Outside } from '../../../../core/define/operation.ts'
import type { TSchema } from '../../../../core/define/schema.ts'
import { problemsOf, refusal } from '../../../../core/define/validate.ts'
import type { Caller } from '../../../../core/run/call.ts'
import { checkInput } from '../../../../core/run/input.ts'
import { type Action, missingRight } from '../actions/action.ts'
import type { EngineAction } from '../actions/engine-action.ts'
import { missingBindings } from '../engine/bindings.ts'
import { inOwnOrganization, type PreparedStep, prepareStep, refuseUnusableInput } from '../engine/execute-step.ts'
import type { PlannedStep } from '../engine/plan.ts'
import { toStored } from '../engine/stored-values.ts'
import { tryFilter } from '../filters/filter.ts'
import { isTrigger } from '../graph.ts'
import type { GraphRights, Rights } from '../rights.ts'

/**
 * What becomes of a step: DONE, it was really carried out, because it only reads; WOULD_CALL, it is not called, because it
 * writes, or because its input is assumed; REFUSED, the run would fail here; SKIPPED, no guard lets it through; NOT_TRIED, the
 * trial had no time or calls left.
 */
export const outcomes = ['DONE', 'WOULD_CALL', 'REFUSED', 'SKIPPED', 'NOT_TRIED'] as const
export type Outcome = (typeof outcomes)[number]

export type TriedStep = {
  outcome: Outcome
  input: unknown
  output: unknown
  /** The output is an example of what would come back. */
  assumed: boolean
  /** How many rows a filter found. */
  rows: number | null
  problems: Detail[]
}

/** What a trial has and may use. */
export type Trial = Pick<Outside, 'run' | 'heavyTx' | 'catalog'> & {
  caller: Caller
  reader: GraphRights
  /** With which rights a run would act. */
  rights: Rights
  organizationId: string
  timezone: string
  trigger: unknown
  /** How many calls are left, and until when, on the clock of `performance.now`. */
  left: { calls: number; until: number }
}

/** Tries one step. Nothing is written: operations that read are called with the rights of the caller, others are not. */
export async function tryStep(trial: Trial, step: PlannedStep, isAssumed: boolean): Promise<TriedStep> {
  if (step.skip) return { ...nothing, outcome: 'SKIPPED' }
  if (isTrigger(step.block)) return { ...nothing, outcome: 'DONE', output: trial.trigger }
  const prepared = prepareStep(trial, step)
  const shown = { ...nothing, input: toStored(prepared.input).value, problems: unboundValues(step) }
  try {
    refuseUnusableInput(step)
    return { ...shown, ...(await tryPrepared(trial, step, prepared, isAssumed)) }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    return { ...shown, outcome: 'REFUSED', problems: [...shown.problems, ...problemsIn(error)] }
  }
}

const nothing = { input: null, output: null, assumed: false, rows: null, problems: [] }

/** Bindings without a value: the step gets null for them. */
const unboundValues = ({ block: { kind, config }, scope }: PlannedStep): Detail[] =>
  missingBindings(kind === 'FILTER' ? config.spec : config.input, scope).map((path) => ({
    path: `{{${path}}}`,
    message: `{{${path}}} has no value here.`,
    code: 'BINDING',
  }))

const problemsIn = ({ message, details }: Failure): Detail[] => (details.length > 0 ? details : [{ path: '', message }])

type Tried = Pick<TriedStep, 'outcome'> & Partial<TriedStep>

function tryPrepared(trial: Trial, { block }: PlannedStep, prepared: PreparedStep, isAssumed: boolean) {
  if (block.kind === 'FILTER') return tryFilterBlock(trial, prepared, isAssumed)
  if (block.kind !== 'ACTION')
    return refused({ path: 'kind', message: `A block of kind ${block.kind} cannot be executed.`, code: 'CUSTOM_BLOCK' })
  const { action } = prepared
  if (!action) {
    const message = `There is no action ${block.ref ?? 'without a name'}.`
    return refused({ path: 'ref', message, code: 'UNKNOWN_ACTION' })
  }
  const missing = missingRight(action, trial.rights)
  return missing ? refused({ path: 'ref', ...missing }) : tryAction(trial, action, prepared, isAssumed)
}

const refused = async (problem: Detail): Promise<Tried> => {
  throw new Failure('VALIDATION', problem.message, { details: [problem] })
}

async function tryFilterBlock(trial: Trial, { input, missing }: PreparedStep, isAssumed: boolean): Promise<Tried> {
  if (isAssumed) return { outcome: 'WOULD_CALL', output: [], assumed: true }
  if (!mayCall(trial)) return { outcome: 'NOT_TRIED', output: [], assumed: true }
  const { organizationId, timezone, reader } = trial
  const { output, warnings = [] } = await trial.heavyTx(({ db, now }) =>
    tryFilter({ db, now, organizationId, timezone, rights: reader }, input, missing),
  )
  const problems = warnings.map(({ path, message }) => ({ path, message }))
  return { outcome: 'DONE', output, rows: Array.isArray(output) ? output.length : null, problems }
}

function tryAction(trial: Trial, action: Action, { input }: PreparedStep, isAssumed: boolean): Promise<Tried> {
  return action.kind === 'engine'
    ? wouldDo(action.action, input)
    : tryOperation(trial, action.operation, inOwnOrganization(trial, input), isAssumed)
}

/** What is not called is checked as a call would be: an input that does not fit is refused. */
async function wouldDo(action: EngineAction, input: unknown): Promise<Tried> {
  const problems = problemsOf(action.input, structuredClone(input))
  if (problems.length > 0) throw refusal(problems)
  return { outcome: 'WOULD_CALL', output: assumedOutput(action.output, input), assumed: true }
}

async function tryOperation(
  trial: Trial,
  operation: Operation,
  input: Record<string, unknown>,
  isAssumed: boolean,
): Promise<Tried> {
  if (operation.reads && !isAssumed) return callRead(trial, operation, input)
  const { problem } = checkInput(operation, { input: structuredClone(input) })
  if (problem) throw problem
  return { outcome: 'WOULD_CALL', output: assumedOutput(operation.output, input), assumed: true }
}

async function callRead(trial: Trial, operation: Operation, input: Record<string, unknown>): Promise<Tried> {
  if (!mayCall(trial)) return { outcome: 'NOT_TRIED', output: assumedOutput(operation.output, input), assumed: true }
  const { body } = await trial.run(operation, { caller: trial.caller, input, trace: {} })
  return { outcome: 'DONE', output: JSON.parse(body) }
}

function mayCall({ left }: Trial): boolean {
  if (left.calls === 0 || performance.now() > left.until) return false
  left.calls--
  return true
}

/** An example of the answer, with the fields that the input has too: what is created is called as it was asked for. */
function assumedOutput(schema: TSchema, input: unknown): unknown {
  const output: unknown = example(schema, { optional: true })
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return output
  const given = Object.entries((input ?? {}) as object).filter(([name]) => name in output && name !== 'id')
  return { ...output, ...Object.fromEntries(given) }
}
