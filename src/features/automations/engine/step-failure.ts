import type { DetailCode } from '../../../core/define/error-codes.ts'
import { Failure } from '../../../core/define/failure.ts'
import { isLost, isRetryable, toFailure } from '../../../core/run/errors.ts'
import { missingRight } from '../actions/action.ts'
import { ownerRights } from '../store.ts'
import type { EngineDependencies } from './engine-types.ts'
import type { PreparedStep } from './execute-step.ts'
import type { StopReason } from './finish-run.ts'
import { isBusy } from './retry.ts'
import { isClaimLost, type OwnedRun, type RecordedStep } from './run-record.ts'

export const ownerGone = 'The owner of the automation no longer belongs to the organization.'

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
  const missing = status === 404 ? await missingOwnerRight(context, run, prepared) : undefined
  const detailMessages = details.filter((detail) => detail.message !== message).map((detail) => detail.message)
  return {
    status: 'FAILED',
    step: recorded,
    noAccess: missing !== undefined || status === 401 || status === 403,
    error: missing ?? [message, ...detailMessages].join(' '),
  }
}

/** A caller without the right to read a row also gets a 404, so this checks whether the owner lacks a right. */
async function missingOwnerRight(
  context: EngineDependencies,
  { owner }: OwnedRun,
  { action }: PreparedStep,
): Promise<string | undefined> {
  const rights = await context.tx(({ db }) => ownerRights(db, owner.userId))
  if (!rights) return ownerGone
  const missing = action && missingRight(action, rights)
  return missing && `The owner may not do this: ${missing.message}`
}
