import type { ServerResponse } from 'node:http'
import { type Answer, type Asked, parse, reply, serve, withFaults } from '../service/serve.ts'
import { createAllocations } from './allocation.ts'
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
  const { url, close } = await serve(port, (asked, response) =>
    handle({ switches, allocations, tokens }, asked, response),
  )
  return { url, switches, decided: allocations.decided, close }
}

type State = {
  switches: Switches
  allocations: ReturnType<typeof createAllocations>
  tokens: ReturnType<typeof createTokens>
}

function handle(state: State, asked: Asked, response: ServerResponse) {
  const { method, url, body } = asked
  const own = controls(state, method, url.pathname, body)
  if (own) return reply(response, own)
  const [, environment, path = ''] = /^\/shaam\/(tsandbox|production)\/(.+)$/.exec(url.pathname) ?? []
  if (!environment) return reply(response, gateway(404, 'Not Found'))
  if (path === 'longtimetoken/oauth2/authorize') return redirect(state, url, response)
  return withFaults(state.switches, response, {
    answer: () => answerOf(state, asked, path),
    outage: gateway(503, 'Service Unavailable'),
  })
}

function answerOf({ allocations, tokens }: State, { method, headers, body }: Asked, path: string): Answer {
  const { authorization = '' } = headers
  if (method !== 'POST') return gateway(404, 'Not Found')
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

/** The gateway before the services answers in a shape of its own. */
const gateway = (status: number, message: string): Answer => ({
  status,
  body: { httpCode: String(status), httpMessage: message, moreInformation: 'Simulator of the tax authority' },
})
