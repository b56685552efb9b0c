import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../core/define/failure.ts'
import { errorBody } from '../core/run/errors.ts'
import { newId } from '../core/values/id.ts'
import { lingerMs } from './close-connection.ts'

/**
 * Options of Node's server that cut a request, headers and body, after `receiveMs`. The limit for headers is given too: Node
 * swaps the two if it is larger, which is its default. Node looks for late requests only every 30 s by default.
 */
export const receiveOptions = ({ receiveMs, checkMs }: { receiveMs: number; checkMs: number }) => ({
  headersTimeout: receiveMs,
  requestTimeout: receiveMs,
  connectionsCheckingInterval: checkMs,
})

const lastResponse = Symbol('last response')
type Connection = Socket & { [lastResponse]?: ServerResponse }

/** Keeps the response to the last request of each connection, so that an error of the connection does not write into it. */
export function rememberResponses(server: Server) {
  server.prependListener('request', ({ socket }: { socket: Connection }, response: ServerResponse) => {
    socket[lastResponse] = response
  })
}

/**
 * Answers bytes that the HTTP parser rejects, and requests that arrive too slowly. There may be no request object yet, so
 * the answer is written to the socket. The caller may still be sending, so the connection stays open for a moment: if it
 * closed at once, the caller would see a reset connection instead of the answer.
 */
export const socketErrorAnswer = (receiveMs: number) => (error: Error & { code?: string }, socket: Connection) => {
  if (!socket.writable || error.code === 'ECONNRESET' || !isAnswerExpected(socket)) {
    socket.destroy()
    return
  }
  const message = messageOf(error.code, receiveMs)
  const body = JSON.stringify(errorBody(new Failure('VALIDATION', message), newId()))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * Whether the caller would take an answer as the one to the request that failed: not if its answer has begun, and not if it
 * was sent behind a request that is still being executed.
 */
function isAnswerExpected({ [lastResponse]: last }: Connection): boolean {
  if (!last) return true
  return last.req.complete ? last.writableFinished : !last.headersSent
}

function messageOf(code: string | undefined, receiveMs: number): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are larger than 16 KiB.'
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request is not valid HTTP.'
  const seconds = receiveMs / 1_000
  return `The request took longer than ${seconds} second${seconds === 1 ? '' : 's'} to arrive.`
}
