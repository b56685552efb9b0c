import type { CallToolResult } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import type { Failure } from '../core/define/failure.ts'
import type { Answer } from '../core/run/call.ts'
import { errorBody } from '../core/run/errors.ts'

/**
 * What a tool answers: the one place where an operation's answer becomes MCP content. Kept as JSON text, the way the runner
 * hands it over, so that the common call is never parsed only to be written again.
 */
export type ToolAnswer = {
  /** The answer as clients read it: always a JSON object. */
  structured: string
  isError: boolean
  /** The answer to an earlier call with the same key. */
  replayed: boolean
  /** A file, beside what is said about it. */
  file?: object
}

export function fromAnswer({ status, body, replayed }: Answer): ToolAnswer {
  const structured = body.startsWith('{') ? body : `{"result":${body}}`
  return { structured, isError: status >= 400, replayed: replayed === true }
}

/** A refusal is a result that the agent can read and act on, with a hint whether the same call may work later. */
export function fromFailure(failure: Failure, { requestId, again }: { requestId: string; again: boolean }): ToolAnswer {
  const body = { ...errorBody(failure, requestId), retry: retryOf(failure, again) }
  return { structured: JSON.stringify(body), isError: true, replayed: false }
}

/** `again`: whether doing it twice does no harm, should it not be known how far it got. */
function retryOf({ status, retryAfterS }: Failure, again: boolean) {
  if (retryAfterS !== undefined) return { retryable: true, retryAfterS }
  return { retryable: status === 500 && again }
}

export const toResult = ({ structured, isError, replayed, file }: ToolAnswer): CallToolResult => ({
  content: [{ type: 'text', text: structured }, ...(file ? [file as CallToolResult['content'][number]] : [])],
  structuredContent: JSON.parse(structured) as Record<string, unknown>,
  ...(isError && { isError }),
  ...(replayed && { _meta: { idempotencyReplayed: true } }),
})

/** The same as JSON text, with what the protocol's generation adds to a result. */
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

/** The schema of `structured`: an object stays as it is, a list or null stands under `result`. */
export function structuredSchema({ anyOf, ...output }: JsonSchema): ObjectSchema {
  if (Array.isArray(anyOf)) return { ...output, type: 'object', anyOf: anyOf.map(structuredSchema) }
  const [type, ...others] = [output.type].flat()
  if (type === 'object' && others.length > 0) {
    return { type, anyOf: [{ ...output, type }, ...others.map((other) => underResult({ type: other }))] }
  }
  // A reference is to a shape that contains itself, and such are objects.
  return type === 'object' || '$ref' in output ? { ...output, type: 'object' } : underResult(output)
}

const underResult = (result: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: { result },
  required: ['result'],
})
