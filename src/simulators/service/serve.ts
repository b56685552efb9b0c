import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Faults, isHit } from './faults.ts'

/** An answer: JSON, or a file of another type. */
export type Answer = { status: number; body: Record<string, unknown> | Buffer; type?: string }

export type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }

/** Serves on this machine only, and connects to nothing. */
export async function serve(
  port: number,
  handle: (asked: Asked, response: ServerResponse) => Promise<void> | void,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response, handle).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, handle: Parameters<typeof serve>[1]) {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const { method = '', headers } = request
  await handle({ method, url, headers, body: await textOf(request) }, response)
}

/** The answer of the service, or what the switches make of it. Unless there is an outage, the work is done in each case. */
export async function withFaults(
  faults: Faults,
  response: ServerResponse,
  { answer, outage }: { answer: () => Answer; outage: Answer },
): Promise<void> {
  if (faults.delayMs > 0) await sleep(faults.delayMs)
  if (isHit(faults.silence)) return // the connection stays open without an answer
  if (isHit(faults.outage)) return reply(response, outage)
  const made = answer()
  if (isHit(faults.lostResponses)) return void response.destroy()
  if (isHit(faults.html))
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Maintenance</title><p>We will be back soon.</p>')
  if (isHit(faults.truncated)) {
    const text = toText(made)
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(text.subarray(0, Math.floor(text.length / 2)))
  }
  return reply(response, made)
}

export function reply(response: ServerResponse, answer: Answer): void {
  const { status, type = 'application/json' } = answer
  response.writeHead(status, { 'content-type': type }).end(toText(answer))
}

const toText = ({ body }: Answer): Buffer => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)))

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > bodyBytesMax) throw new Error('The request is too large.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
const bodyBytesMax = 30 * 1024 * 1024

export function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
