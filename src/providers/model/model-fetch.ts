import type { Egress, ModelAnswer } from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'

export type CallLimits = {
  organizationId: string
  /** How long one call may take, until the end of its answer. */
  ms: number
  /** How large an answer may be; 1 MiB if not given. */
  maxBytes?: number
}

/**
 * The `fetch` that the AI SDK calls a model with: one POST through egress. The answer is passed on while it arrives, so that
 * tokens can be streamed; the connection is closed when it is read or given up.
 */
export function modelFetch(
  egress: Pick<Egress, 'callModel'>,
  { organizationId, ms, maxBytes = 1024 * 1024 }: CallLimits,
): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST' || typeof init.body !== 'string')
      throw new Error('A model is called by POST with a text.')
    const headers = Object.fromEntries(new Headers(init.headers))
    const call = { organizationId, ms, maxBytes, headers, body: init.body, signal: init.signal ?? undefined }
    return new Promise<Response>((resolve, reject) => {
      let fail: (error: unknown) => void = reject
      const read = (answer: ModelAnswer) =>
        new Promise<void>((done, broken) => {
          const start = (controller: ReadableStreamDefaultController) => {
            fail = (error) => controller.error(error)
          }
          resolve(responseOf(answer, bodyOf(answer, { start, done, broken }), done))
        })
      egress.callModel(String(input), call, read).catch((error) => fail(error))
    })
  }
}

function responseOf({ status, headers }: ModelAnswer, body: ReadableStream, done: () => void): Response {
  if (status < 200 || status > 599) throw new TargetFailure('unreadable')
  const { 'content-encoding': _, 'content-length': __, ...rest } = headers // of the body before it was decompressed
  const isEmpty = status === 204 || status === 205 || status === 304
  if (isEmpty) done()
  return new Response(isEmpty ? null : body, { status, headers: rest })
}

type Ends = {
  start(controller: ReadableStreamDefaultController): void
  /** The body was read, or is not wanted any more. */
  done(): void
  /** It broke off. The call fails with the reason, which may be the time limit, and then the body fails with it too. */
  broken(error: unknown): void
}

function bodyOf({ pieces }: ModelAnswer, { start, done, broken }: Ends): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    start,
    async pull(controller) {
      const next = await iterator.next().catch((error) => {
        broken(error)
        return new Promise<never>(() => {}) // the failure of the call ends the body; going on would take it for complete
      })
      if (!next.done) return controller.enqueue(next.value)
      controller.close()
      done()
    },
    async cancel() {
      done()
      await iterator.return?.()
    },
  })
}
