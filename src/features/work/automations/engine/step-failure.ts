import type { DetailCode } from '../../../../core/define/error-codes.ts'
import { Failure } from '../../../../core/define/failure.ts'
import { isLost, isRetryable, toFailure, violates } from '../../../../core/run/errors.ts'
import { missingRight } from '../actions/action.ts'
import { problemSentence, rightsOfRun } from '../rights.ts'
import type { EngineDependencies } from './engine-types.ts'
import type { PreparedStep } from './execute-step.ts'
import type { StopReason } from './finish-run.ts'
import { isBusy } from './retry.ts'
import { isClaimLost, type OwnedRun, type RecordedStep } from './run-record.ts'

/** An unexpected error fails the run. A lost connection, a lock timeout or a lost claim does not: it is thrown again. */
export function failOrRethrow(error: unknown): StopReason {
  if (isLost(error) || isRetryable(error) || isTemporary(error) || isClaimLost(error)) throw error
  return { status: 'FAILED', error: toFailure(error).message }
}

/** An unreachable database, a lock timeout or too many connections of the organization, as a `Failure` of a request. */
const isTemporary = (error: unknown) =>
  error instanceof Failure && (isBusy(error) || error.details.some(({ code }) => code && temporary.has(code)))
const temporary = new Set<DetailCode>(['UNAVAILABLE', 'TOO_MANY_AT_ONCE'])

type FailedStep = { recorded: RecordedStep; failure: Failure; prepared: PreparedStep }

/** The failure of a step that is not retried. It ends the run. */
export async function finalFailure(
  context: EngineDependencies,
  run: OwnedRun,
  { recorded, failure, prepared }: FailedStep,
): Promise<StopReason> {
  const { message, status, details } = failure
  const rightsEnded = status === 401 || violates(failure, 'rights_of_run')
  const missing = rightsEnded || status === 404 ? await missingRightOf(context, run, prepared) : undefined
  const detailMessages = details.filter((detail) => detail.message !== message).map((detail) => detail.message)
  return {
    status: 'FAILED',
    step: recorded,
    noAccess: missing !== undefined || rightsEnded || status === 403,
    error: missing ?? [message, ...detailMessages].join(' '),
  }
}

/** A caller without the right to read a row also gets a 404, so this checks whether the run lacks a right. */
async function missingRightOf(
  context: EngineDependencies,
  { id }: OwnedRun,
  { action }: PreparedStep,
): Promise<string | undefined> {
  const { rights, problem } = await context.tx(({ db }) => rightsOfRun(db, id))
  if (problem) return problemSentence[problem]
  const missing = action && rights && missingRight(action, rights)
  return missing?.message
}
