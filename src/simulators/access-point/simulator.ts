import { createHash } from 'node:crypto'
import { readSwitches } from '../service/faults.ts'
import { type Answer, type Asked, parse, reply, serve, withFaults } from '../service/serve.ts'
import { createDocuments, notFound } from './documents.ts'
import { goodBehaviour, type Switches } from './switches.ts'

/** What a newcomer enters to use the simulator. */
export const accessPointClient = { clientId: 'kontor', clientSecret: 'simulator' }

export type AccessPointSimulator = {
  url: string
  switches: Switches
  /** What was sent, by the id of the document. */
  sent: ReturnType<typeof createDocuments>['sent']
  close(): Promise<void>
}

/**
 * A simulator of an access point of InvoiceNow, on this machine only: tokens, sending, status and received documents. A document
 * for a participant that asks here too is received by it. `/switches` shows and changes what it does wrong on purpose,
 * `/sent` shows what was sent, and `POST /received?participant=…` with a UBL file delivers one.
 */
export async function startAccessPointSimulator(
  given: Partial<Switches> = {},
  { port = 0 }: { port?: number } = {},
): Promise<AccessPointSimulator> {
  const switches: Switches = { ...goodBehaviour, ...given }
  const documents = createDocuments(switches)
  const state = { switches, documents }
  const { url, close } = await serve(port, (asked, response) => {
    const own = controls(state, asked)
    if (own) return reply(response, own)
    return withFaults(switches, response, { answer: () => answerOf(state, asked), outage })
  })
  return { url, switches, sent: documents.sent, close }
}

type State = { switches: Switches; documents: ReturnType<typeof createDocuments> }

const outage: Answer = { status: 503, body: { message: 'Service unavailable' } }

/** The addresses of the simulator itself. */
function controls({ switches, documents }: State, { method, url, body }: Asked): Answer | undefined {
  if (url.pathname === '/sent') return { status: 200, body: { sent: Object.fromEntries(documents.sent) } }
  if (url.pathname === '/received' && method === 'POST') {
    const { searchParams } = url
    const id = searchParams.get('id') ?? createHash('sha256').update(body).digest('hex').slice(0, 32)
    documents.put(searchParams.get('participant') ?? '', {
      id,
      sender: searchParams.get('sender') ?? '',
      xml: Buffer.from(body),
    })
    return { status: 201, body: { id } }
  }
  if (url.pathname !== '/switches') return undefined
  if (method === 'PUT') {
    const read = readSwitches(parse(body) ?? { body }, goodBehaviour)
    if (typeof read === 'string') return { status: 400, body: { error: read } }
    Object.assign(switches, read)
  }
  return { status: 200, body: { ...switches } }
}

function answerOf({ switches, documents }: State, { method, url, headers, body }: Asked): Answer {
  const { authorization = '' } = headers
  const asked = `${method} ${url.pathname}`
  if (asked === 'POST /oauth2/token') return token(switches, authorization, new URLSearchParams(body))
  if (!isAccessToken(authorization)) return { status: 401, body: { message: 'The access token is not valid.' } }
  if (asked === 'POST /v1/documents') return documents.send(parse(body) ?? {})
  const [, sentId] = /^GET \/v1\/documents\/([^/]+)$/.exec(asked) ?? []
  if (sentId) return documents.status(decodeURIComponent(sentId))
  const { searchParams } = url
  if (asked === 'GET /v1/received')
    return documents.list(searchParams.get('participant') ?? '', Number(searchParams.get('limit') ?? 50))
  const [, verb, receivedId = '', isConfirmed] =
    /^(GET|POST) \/v1\/received\/([^/]+)(\/confirmation)?$/.exec(asked) ?? []
  if (verb === 'GET' && !isConfirmed) return documents.content(decodeURIComponent(receivedId))
  if (verb === 'POST' && isConfirmed) return documents.confirm(decodeURIComponent(receivedId))
  return notFound
}

function token({ withdrawn, accessTokenSeconds }: Switches, authorization: string, form: URLSearchParams): Answer {
  const { clientId, clientSecret } = accessPointClient
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  if (authorization !== basic || withdrawn) return { status: 401, body: { error: 'invalid_client' } }
  if (form.get('grant_type') !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } }
  const until = Math.floor(Date.now() / 1000) + accessTokenSeconds
  return {
    status: 200,
    body: { access_token: `${until}.${sealOf(String(until))}`, token_type: 'Bearer', expires_in: accessTokenSeconds },
  }
}

// Several processes may run a simulator each: all accept the tokens of the others. They protect nothing.
const sealOf = (text: string) => createHash('sha256').update(`access point ${text}`).digest('hex').slice(0, 32)

function isAccessToken(authorization: string): boolean {
  const [until = '', seal = ''] = authorization.replace(/^Bearer /, '').split('.')
  return seal === sealOf(until) && Number(until) > Date.now() / 1000
}
