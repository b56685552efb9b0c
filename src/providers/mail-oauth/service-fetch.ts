import type { Egress } from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'

const callMs = 15_000
const answerBytesMax = 256 * 1024

type Init = { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal | undefined }

/** The `fetch` that oauth4webapi calls a provider with: one request through egress, without redirects. */
export function serviceFetch(egress: Pick<Egress, 'callService'>, organizationId: string) {
  return async (url: string, { method, headers, body, signal }: Init): Promise<Response> => {
    if (method !== 'POST' || !(body instanceof URLSearchParams)) throw new Error('A token endpoint is called by POST.')
    const call = {
      organizationId,
      method,
      headers,
      body: body.toString(),
      ms: callMs,
      maxBytes: answerBytesMax,
      signal,
    } as const
    const answer = await egress.callService(url, call)
    if (answer.status < 200 || answer.status > 599) throw new TargetFailure('unreadable')
    const { 'content-encoding': _, 'content-length': __, ...rest } = answer.headers // of the body before it was decompressed
    const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: rest })
  }
}
