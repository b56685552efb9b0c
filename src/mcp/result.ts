import type { CallToolResult } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import type { Failure } from '../core/define/failure.ts'
import type { Answer } from '../core/run/call.ts'
import { errorBody } from '../core/run/errors.ts'

/**
 * The answer of a tool, made from the answer of the operation. It stays JSON text, as the runner returns it, so that the
 * fast path does not parse and serialize it again.
 */
export type ToolAnswer = {
  /** The structured content: always a JSON object. */
  structured: string
  isError: boolean
  /** Whether this is the answer of an earlier call with the same idempotency key. */
  replayed: boolean
  /** The file as MCP content, in addition to its description in `structured`. */
  file?: object
}

export function fromAnswer({ status, body, replayed }: Answer): ToolAnswer {
  const structured = body.startsWith('{') ? body : `{"result":${body}}`
  return { structured, isError: status >= 400, replayed: replayed === true }
}

/** A refusal as a result that the agent can act on, with a hint whether the same call may succeed later. */
export function fromFailure(
  failure: Failure,
  { requestId, repeatable }: { requestId: string; repeatable: boolean },
): ToolAnswer {
  const body = { ...errorBody(failure, requestId), retry: retryOf(failure, repeatable) }
  return { structured: JSON.stringify(body), isError: true, replayed: false }
}

/** `repeatable`: whether a second attempt is harmless if the first one did take effect. */
function retryOf({ status, retryAfterS }: Failure, repeatable: boolean) {
  if (retryAfterS !== undefined) return { retryable: true, retryAfterS }
  return { retryable: status === 500 && repeatable }
}

export const toResult = ({ structured, isError, replayed, file }: ToolAnswer): CallToolResult => ({
  content: [{ type: 'text', text: structured }, ...(file ? [file as CallToolResult['content'][number]] : [])],
  structuredContent: JSON.parse(structured) as Record<string, unknown>,
  ...(isError && { isError }),
  ...(replayed && { _meta: { idempotencyReplayed: true } }),
})

/** The same result as JSON text, with the fields that the protocol generation adds. */
export function toResultText(
  { structured, isError, replayed, file }: ToolAnswer,
  { meta, ...more }: { meta?: object; resultType?: string },
): string {
  const _meta = { ...(replayed && { idempotencyReplayed: true }), ...meta }
  const rest = { ...(isError && { isError }), ...more, ...(Object.keys(_meta).length > 0 && { _meta }) }
  const tail = JSON.stringify(rest).slice(1, -1)
  const beside = file ? `,${JSON.stringify(file)}` : ''
  const content = `"content":[{"type":"text","text":${JSON.stringify(structured)}}${beside}]`
  return `{${content},"structuredContent":${structured}${tail && `,${tail}`}}`
}

type ObjectSchema = JsonSchema & { type: 'object' }

/** The schema of `structured`: an object is unchanged, a list or null is in the field `result`. */
export function structuredSchema({ anyOf, ...output }: JsonSchema): ObjectSchema {
  if (Array.isArray(anyOf)) return { ...output, type: 'object', anyOf: anyOf.map(structuredSchema) }
  const [type, ...others] = [output.type].flat()
  if (type === 'object' && others.length > 0) {
    return { type, anyOf: [{ ...output, type }, ...others.map((other) => underResult({ type: other }))] }
  }
  // Only recursive shapes are references, and these are objects.
  return type === 'object' || '$ref' in output ? { ...output, type: 'object' } : underResult(output)
}

const underResult = (result: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: { result },
  required: ['result'],
})
