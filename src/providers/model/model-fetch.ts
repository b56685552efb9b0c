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
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      if (init?.method !== 'POST' || typeof init.body !== 'string')
        throw new Error('A model is called by POST with a text.')
      const headers = Object.fromEntries(new Headers(init.headers))
      const call = { organizationId, ms, maxBytes, headers, body: init.body, signal: init.signal ?? undefined }
      egress.callModel(String(input), call, (answer) => passOn(answer, resolve)).catch(reject)
    })
}

/** Hands the answer over and waits until its body was read, has failed or is not wanted any more. */
function passOn({ status, headers, pieces }: ModelAnswer, resolve: (response: Response) => void): Promise<void> {
  if (status < 200 || status > 599) throw new TargetFailure('unreadable')
  return new Promise((done) => {
    const body = streamOf(pieces[Symbol.asyncIterator](), done)
    const { 'content-encoding': _, 'content-length': __, ...rest } = headers // of the body before it was decompressed
    const isEmpty = status === 204 || status === 205 || status === 304
    if (isEmpty) done()
    resolve(new Response(isEmpty ? null : body, { status, headers: rest }))
  })
}

const streamOf = (pieces: AsyncIterator<Uint8Array>, done: () => void) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await pieces.next()
        if (!next.done) return controller.enqueue(next.value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      done()
    },
    async cancel() {
      done()
      await pieces.return?.()
    },
  })
