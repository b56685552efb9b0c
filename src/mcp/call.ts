import { type Detail, type Failure, reasonOf } from '../core/define/failure.ts'
import type { Operation } from '../core/define/operation.ts'
import type { Runner } from '../core/define/services.ts'
import type { Call, Caller } from '../core/run/call.ts'
import { toFailure } from '../core/run/errors.ts'
import { malformedIfMatch, readIfMatch } from '../core/run/headers.ts'
import { isIdempotencyKey } from '../core/run/idempotency.ts'
import { filledPath, fromText, inputFingerprint, partOf } from '../core/run/request.ts'
import type { Usage } from '../core/run/usage.ts'
import { newId } from '../core/values/id.ts'
import { fileContent } from './file-content.ts'
import { fromAnswer, fromFailure, type ToolAnswer } from './result.ts'

/** What a tool call needs to run. */
export type CallDependencies = {
  runner: Runner
  usage: Usage
  log: { info(line: object, message: string): void; error(line: object, message: string): void }
}

export type ToolRequest = {
  operation: Operation
  input: Record<string, unknown>
  meta: Record<string, unknown> | undefined
  progress?: (step: string) => void
}

/** Runs a tool call like the same request over HTTP. A refusal becomes a result, except 401, which is thrown and answered by HTTP. */
export async function callTool(
  dependencies: CallDependencies,
  caller: Caller,
  request: ToolRequest,
): Promise<ToolAnswer> {
  const began = performance.now()
  const { operation } = request
  const call = toCall(caller, request)
  try {
    const answer = await dependencies.runner.run(operation, call)
    const toolAnswer = { ...fromAnswer(answer), ...(answer.file && { file: await fileContent(answer.file) }) }
    recordCall(dependencies, call, request, {
      began,
      status: answer.status,
      error: toolAnswer.isError ? codeIn(toolAnswer.structured) : null,
    })
    return toolAnswer
  } catch (error) {
    const failure = toFailure(error)
    recordCall(dependencies, call, request, {
      began,
      status: failure.status,
      error: reasonOf(failure),
    })
    if (failure.status === 401) throw failure
    if (failure.status === 500) logFailure(dependencies, caller, failure)
    return fromFailure(failure, { requestId: caller.requestId, repeatable: operation.reads || call.once !== undefined })
  }
}

function toCall(caller: Caller, { operation, input, meta, progress }: ToolRequest): Call {
  const problems: Detail[] = []
  const key = operation.reads ? undefined : meta?.idempotencyKey
  const given = asSentOverHttp(operation, input)
  const wellFormed = typeof key === 'string' && isIdempotencyKey(key)
  if (key !== undefined && !wellFormed) problems.push(malformedKey)
  const ifMatch = readIfMatch(operation, meta?.ifMatch)
  if (ifMatch === 'MALFORMED') problems.push({ path: '_meta.ifMatch', message: malformedIfMatch(operation) })
  const expectedVersion = ifMatch === 'MALFORMED' ? undefined : ifMatch.version
  return {
    caller,
    input: given,
    problems,
    trace: {},
    expectedVersion,
    ...(wellFormed && { once: { key, fingerprint: inputFingerprint(operation, given, expectedVersion) } }),
    ...(progress && { progress }),
  }
}

const malformedKey: Detail = {
  path: '_meta.idempotencyKey',
  message: 'An idempotencyKey must have 1 to 255 visible ASCII characters.',
}

/**
 * Path and query carry text over HTTP, so a number given as text, or text as a number, is the same there. An empty value of a
 * query field counts as absent, as does null, which a query cannot hold.
 */
function asSentOverHttp(operation: Operation, input: Record<string, unknown>): Record<string, unknown> {
  const { properties } = operation.input
  const entries = Object.entries(input).flatMap(([field, value]) => {
    const part = Object.hasOwn(properties, field) ? partOf(operation, field) : 'body'
    if (part === 'body') return [[field, value]]
    if (part === 'query' && (value === '' || value === null || (Array.isArray(value) && value.length === 0))) return []
    const { type } = properties[field] as { type?: string | string[] }
    return [[field, isText(value) ? fromText(part === 'path' ? undefined : type, asText(value)) : value]]
  })
  return Object.fromEntries(entries)
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const isText = (value: unknown) => isScalar(value) || (Array.isArray(value) && value.every(isScalar))
const asText = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value))

type CallOutcome = { began: number; status: number; error: string | null }

/** Logs one line per call and records the usage of the API key, with the same fields as over HTTP (THR-32). */
function recordCall(
  { log, usage }: CallDependencies,
  { caller, trace }: Call,
  { operation, input }: ToolRequest,
  outcome: CallOutcome,
) {
  const { userId, keyId, organizationId, appId } = trace
  const { status, error } = outcome
  const ms = Math.round(performance.now() - outcome.began)
  const { method, name, feature, verb } = operation
  log.info(
    { requestId: caller.requestId, tool: name, status, ms, ...trace, allowance: undefined, ...(error && { error }) },
    'tool call',
  )
  if (appId) usage.called(appId)
  if (!keyId || !userId) return
  usage.note({
    id: newId(),
    apiKeyId: keyId,
    userId,
    method,
    path: filledPath(operation, input).slice(0, 500),
    feature,
    verb,
    statusCode: status,
    errorCode: error,
    durationMs: ms,
    organizationId: organizationId ?? null,
    createdAt: new Date(),
  })
}

const logFailure = ({ log }: CallDependencies, { requestId }: Caller, failure: Failure) =>
  log.error({ err: failure.cause ?? failure, requestId }, failure.message)

/** The error code in a replayed refusal. */
function codeIn(structured: string): string {
  const { error } = JSON.parse(structured) as { error: { code: string; details?: Detail[] } }
  return reasonOf(error)
}
