import type { Detail, Failure } from '../core/define/failure.ts'
import type { Operation } from '../core/define/operation.ts'
import type { Call, Caller } from '../core/run/call.ts'
import { toFailure } from '../core/run/errors.ts'
import { isIdempotencyKey } from '../core/run/idempotency.ts'
import { filledPath, inputFingerprint, partOf } from '../core/run/request.ts'
import type { Runner } from '../core/run/run.ts'
import type { Usage } from '../core/run/usage.ts'
import { fileContent } from './file-content.ts'
import { fromAnswer, fromFailure, type ToolAnswer } from './result.ts'

/** What tool calls are carried out with. */
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

/** Carries out a tool call as the HTTP request it might have been. Somebody unknown is thrown, not told: HTTP answers that. */
export async function callTool(desk: CallDependencies, caller: Caller, order: ToolRequest): Promise<ToolAnswer> {
  const began = performance.now()
  const { operation } = order
  const call = callOf(caller, order)
  try {
    const answer = await desk.runner.run(operation, call)
    const told = { ...fromAnswer(answer), ...(answer.file && { file: await fileContent(answer.file) }) }
    note(desk, call, order, { began, status: answer.status, error: told.isError ? codeIn(told.structured) : null })
    return told
  } catch (error) {
    const failure = toFailure(error)
    note(desk, call, order, { began, status: failure.status, error: failure.details[0]?.code ?? failure.code })
    if (failure.status === 401) throw failure
    if (failure.status === 500) complain(desk, caller, failure)
    return fromFailure(failure, { requestId: caller.requestId, again: operation.reads || call.once !== undefined })
  }
}

function callOf(caller: Caller, { operation, input, meta, progress }: ToolRequest): Call {
  const problems: Detail[] = []
  const key = operation.reads ? undefined : meta?.idempotencyKey
  const given = withoutEmpty(operation, input)
  const wellFormed = typeof key === 'string' && isIdempotencyKey(key)
  if (key !== undefined && !wellFormed) problems.push(malformedKey)
  return {
    caller,
    input: given,
    problems,
    trace: {},
    ...(wellFormed && { once: { key, fingerprint: inputFingerprint(operation, given) } }),
    ...(progress && { progress }),
  }
}

const malformedKey: Detail = {
  path: '_meta.idempotencyKey',
  message: 'An idempotencyKey has 1 to 255 visible ASCII characters.',
}

/** What an address would carry counts as absent when it is empty, as over HTTP. */
function withoutEmpty(operation: Operation, input: Record<string, unknown>) {
  const empty = Object.keys(input).filter((field) => input[field] === '' && partOf(operation, field) === 'query')
  if (empty.length === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !empty.includes(field)))
}

type Outcome = { began: number; status: number; error: string | null }

/** One line for each call and the usage of the key, in the words that the same HTTP call would leave (THR-32). */
function note(
  { log, usage }: CallDependencies,
  { caller, trace }: Call,
  { operation, input }: ToolRequest,
  outcome: Outcome,
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

const complain = ({ log }: CallDependencies, { requestId }: Caller, failure: Failure) =>
  log.error({ err: failure.cause ?? failure, requestId }, failure.message)

/** The code of a refusal that is told again. */
function codeIn(structured: string): string {
  const { error } = JSON.parse(structured) as { error: { code: string; details?: Detail[] } }
  return error.details?.[0]?.code ?? error.code
}
