import { ModelFailure, type ModelFailureReason } from '../../core/outside/conversation.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'

export type CallFailure = { failure: ModelFailure; retryAfterMs: number | undefined }

/** What went wrong, in words for a person. What the provider wrote is kept as the cause: it is for the operator alone. */
export async function failureOf(error: unknown): Promise<CallFailure> {
  if (error instanceof ModelFailure) return { failure: error, retryAfterMs: undefined }
  const { APICallError } = await import('ai')
  const call = causes(error).find((each) => APICallError.isInstance(each))
  const retryAfterMs = call && retryAfter(call.responseHeaders ?? {})
  const reason = networkReason(error) ?? statusReason(call?.statusCode) ?? wordedReason(error)
  const said = retryAfterMs !== undefined && (reason === 'limited' || reason === 'overloaded')
  const wait = said ? { retryAfterS: Math.ceil(retryAfterMs / 1_000) } : {}
  return { failure: new ModelFailure(reason, { ...wait, cause: error }), retryAfterMs }
}

/** Of all that failed, whether it did before it could have cost anything. */
export const isFree = ({ reason }: ModelFailure): boolean =>
  ['limited', 'key', 'overloaded', 'refused', 'unreachable'].includes(reason)

function networkReason(error: unknown): ModelFailureReason | undefined {
  const target = causes(error).find((each) => each instanceof TargetFailure)
  if (target instanceof TargetFailure) {
    if (target.reason === 'silent') return 'late'
    if (target.reason === 'broken' || target.reason === 'unreadable') return target.reason
    return target.reason === 'busy' ? 'overloaded' : 'unreachable'
  }
  return causes(error).some((each) => /^(Timeout|Abort)Error$/.test(each.name)) ? 'late' : undefined
}

function statusReason(status: number | undefined): ModelFailureReason | undefined {
  if (status === undefined || status < 300) return undefined
  if (status === 401 || status === 403) return 'key'
  if (status === 429) return 'limited'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'failed'
}

/** An error within an answer that began well: the provider's own words, or something that is no answer at all. */
function wordedReason(error: unknown): ModelFailureReason {
  const words = `${nameOf(error)} ${error instanceof Error ? '' : JSON.stringify(error)}`
  if (/overloaded/i.test(words)) return 'overloaded'
  if (/rate.?limit|quota|resource_exhausted/i.test(words)) return 'limited'
  if (/InvalidResponseData|NoOutputGenerated/.test(words)) return 'broken'
  return error instanceof Error ? 'unreadable' : 'broken'
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && found.length < 10; each = each.cause) found.push(each)
  return found
}

/** Seconds or a date, as RFC 9110 defines it; some providers also give milliseconds. */
function retryAfter(headers: Record<string, string>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
