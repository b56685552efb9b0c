import { Failure, reasonOf } from '../../../../core/define/failure.ts'
import type { JobContext } from '../../../../core/define/job.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import type { Call } from '../../../../core/run/call.ts'
import { sendWithoutWaiting } from '../../../../core/run/connection.ts'
import { violates } from '../../../../core/run/errors.ts'
import { checkInput } from '../../../../core/run/input.ts'
import { runRecorded } from '../../../../core/run/run-recorded.ts'
import { newId, sha256 } from '../../../../core/values/id.ts'
import type { ToolResult } from './assistant.ts'
import { toStored } from './stored-output.ts'
import { beginStep, endStep, feedTurn, type HeldTurn, inTurn, requireUnchangedBooks } from './turn-record.ts'

/** A turn with what it is executed with. */
export type TurnContext = { job: JobContext; turn: HeldTurn; organizationId: string; signal: AbortSignal }

/** The caller of every call of a turn: the person, with the credential that the message came with. */
const callerOf = ({ turn }: TurnContext): Call['caller'] => ({
  source: 'COMPANION',
  credential: turn.credential,
  credentialOf: turn.source,
  userId: turn.userId,
  requestId: `turn:${turn.id}`,
  turnId: turn.id,
})

/** A call stays in the organization of the session, even if the person belongs to others: elsewhere nothing is found. */
const callOf = (context: TurnContext, input: Record<string, unknown>): Call => ({
  caller: callerOf(context),
  input: { ...input, organizationId: context.organizationId },
  trace: {},
})

/**
 * Reads for the product's own use, such as what a preview shows. It is no step, and whoever reads notes the tool before the turn
 * is given the answer.
 */
export async function readWith(context: TurnContext, operation: Operation, input: Record<string, unknown>) {
  const { body } = await context.job.run(operation, callOf(context, input))
  return JSON.parse(body) as unknown
}

/** Throws the problem of an input that the operation would refuse. */
export function requireValid(operation: Operation, { organizationId }: TurnContext, input: Record<string, unknown>) {
  const { problem } = checkInput(operation, { input: structuredClone({ ...input, organizationId }) })
  if (problem) throw problem
}

/** Calls a tool as a step of the turn: recorded before, and after with its result. */
export async function callAsStep(
  context: TurnContext,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const { job, turn } = context
  const stepId = newId()
  await inTurn(job, turn.id, async ({ db, ask }) => {
    await feedTurn(db, turn, { tools: [operation.name] })
    await beginStep(ask, turn, { stepId, tool: operation.name, input })
  })
  return executeStep(context, operation, { stepId, input })
}

/** `unchangedSince`: a snapshot of the database. The call is rolled back if anything was written in the organization since. */
type ExecutedStep = { stepId: string; input: Record<string, unknown>; unchangedSince?: string }

/**
 * Executes a step that is RUNNING. A write commits together with the success of its step, so that it is done once or not at
 * all. Its Idempotency-Key is the step, for operations that use the network.
 */
export async function executeStep(
  context: TurnContext,
  operation: Operation,
  { stepId, input, unchangedSince }: ExecutedStep,
): Promise<ToolResult> {
  const { job, turn } = context
  try {
    const output = await runRecorded(job.run, operation, {
      call: callOf(context, input),
      once: { key: `companion:${stepId}`, fingerprint: sha256(stepId) },
      record({ ask }, output) {
        const ended = { status: 'SUCCEEDED', output: toStored(output), settles: operation.run.outside } as const
        sendWithoutWaiting(endStep(ask, turn, stepId, ended))
        if (unchangedSince) sendWithoutWaiting(requireUnchangedBooks(ask, unchangedSince))
      },
      recordAlone: (output) =>
        inTurn(job, turn.id, ({ ask }) =>
          endStep(ask, turn, stepId, { status: 'SUCCEEDED', output: toStored(output) }),
        ),
    })
    return { ok: true, output }
  } catch (error) {
    if (!(error instanceof Failure) || isTurnOver(error) || haveBooksChanged(error)) throw error
    const failure = isUncertain(operation, error) ? uncertain(error) : error
    await inTurn(job, turn.id, ({ ask }) =>
      endStep(ask, turn, stepId, { status: 'FAILED', error: failure.message, settles: operation.run.outside }),
    )
    return resultOf(failure)
  }
}

/** An operation that uses the network may have had its effect before its caller lost the right to record it, or it failed. */
const isUncertain = ({ reads, run }: Operation, { status }: Failure) =>
  !reads && run.outside && (status === 401 || status === 403 || status >= 500)

const uncertain = ({ code, message, cause }: Failure) =>
  new Failure(code, `${message} It is not certain whether this was done: look before you ask for it again.`, {
    details: [{ path: '', message: 'It is not certain whether this was done.', code: 'EFFECT_UNKNOWN' }],
    cause,
  })

export const resultOf = (failure: Failure): ToolResult => ({
  ok: false,
  code: reasonOf(failure),
  message: failure.message,
  ...(failure.details.length > 0 && { details: failure.details }),
})

/** The database refused a write because the turn was cancelled or taken over. */
export const isTurnOver = (error: unknown): boolean => violates(error, 'turn_has_ended')

/** The call was rolled back, because something was written in the organization since the given snapshot. */
export const haveBooksChanged = (error: unknown): boolean => violates(error, 'books_unchanged')
