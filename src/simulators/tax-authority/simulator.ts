import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, createAllocations } from './allocation.ts'
import { goodBehaviour, readSwitches, type Switches } from './switches.ts'
import { createTokens } from './tokens.ts'

export type Simulator = {
  /** The base address, for tokens and services. */
  url: string
  switches: Switches
  /** What was decided, by VAT number and invoice_id. */
  decided: ReturnType<typeof createAllocations>['decided']
  close(): Promise<void>
}

/**
 * A simulator of the Israel Tax Authority: tokens and allocation numbers over HTTP, as the authority offers them, on this
 * machine only. `/switches` shows and changes what it does wrong on purpose, `/invoices` shows what it decided.
 */
export async function startTaxAuthoritySimulator(
  given: Partial<Switches> = {},
  { port = 0 }: { port?: number } = {},
): Promise<Simulator> {
  const switches: Switches = { ...goodBehaviour, ...given }
  const allocations = createAllocations(switches)
  const tokens = createTokens(switches)
  const server = createServer((request, response) => {
    handle({ switches, allocations, tokens }, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switches,
    decided: allocations.decided,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type State = {
  switches: Switches
  allocations: ReturnType<typeof createAllocations>
  tokens: ReturnType<typeof createTokens>
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const body = await textOf(request)
  const own = controls(state, request.method ?? '', url.pathname, body)
  if (own) return reply(response, own)
  const [, environment, path] = /^\/shaam\/(tsandbox|production)\/(.+)$/.exec(url.pathname) ?? []
  if (!environment) return reply(response, gateway(404, 'Not Found'))
  if (path === 'longtimetoken/oauth2/authorize') return redirect(state, url, response)
  const { switches } = state
  if (switches.delayMs > 0) await sleep(switches.delayMs)
  if (isHit(switches.silence)) return undefined // the connection stays open without an answer
  if (isHit(switches.outage)) return reply(response, gateway(503, 'Service Unavailable'))
  return faulty(switches, response, answerOf(state, request, path ?? '', body))
}

function answerOf({ allocations, tokens }: State, request: IncomingMessage, path: string, body: string): Answer {
  const { authorization = '' } = request.headers
  if (request.method !== 'POST') return gateway(404, 'Not Found')
  if (path === 'longtimetoken/oauth2/token') return tokens.token(authorization, new URLSearchParams(body))
  if (path !== 'Invoices/v2/Approval') return gateway(404, 'Not Found')
  if (!tokens.isAccessToken(authorization)) return gateway(401, 'Unauthorized')
  const given = parse(body)
  if (!given) return gateway(422, 'Unprocessable Entity')
  return allocations.decide(given, new Date().toISOString().slice(0, 10))
}

/** The page of the authority signs the person in without a question and sends the browser back with a code. */
function redirect({ tokens }: State, url: URL, response: ServerResponse) {
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  if (!URL.canParse(redirectUri)) return reply(response, gateway(400, 'Bad Request'))
  const back = new URL(redirectUri)
  back.searchParams.set('code', tokens.authorize(url.searchParams.get('client_id') ?? '', redirectUri))
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  response.writeHead(302, { location: back.href }).end()
}

/** The answer, or what the switches make of it. The work is done in each case. */
function faulty(switches: Switches, response: ServerResponse, answer: Answer) {
  if (isHit(switches.lostResponses)) return void response.destroy()
  if (isHit(switches.html))
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Maintenance</title><p>We will be back soon.</p>')
  if (isHit(switches.truncated)) {
    const text = JSON.stringify(answer.body)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2))
  }
  return reply(response, answer)
}

/** The addresses of the simulator itself. */
function controls(state: State, method: string, path: string, body: string): Answer | undefined {
  if (path === '/invoices') return { status: 200, body: { invoices: Object.fromEntries(state.allocations.decided) } }
  if (path !== '/switches') return undefined
  if (method === 'PUT') {
    const read = readSwitches(parse(body) ?? { body })
    if (typeof read === 'string') return { status: 400, body: { error: read } }
    Object.assign(state.switches, read)
  }
  return { status: 200, body: { ...state.switches } }
}

const isHit = (share: number) => share > 0 && Math.random() < share

/** The gateway before the services answers in a shape of its own. */
const gateway = (status: number, message: string): Answer => ({
  status,
  body: { httpCode: String(status), httpMessage: message, moreInformation: 'Simulator of the tax authority' },
})

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

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
const bodyBytesMax = 1024 * 1024

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
