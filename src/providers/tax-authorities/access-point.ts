import type {
  AccessPoint,
  ContentAnswer,
  DoneAnswer,
  ReceivedAnswer,
  ReceivedDocument,
  SubmissionAnswer,
  Unauthorized,
} from '../../core/outside/access-point.ts'
import type { Egress, ServiceAnswer, ServiceCall } from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import type {
  AuthorityCaller,
  AuthorityReason,
  AuthorityTrouble,
  Environment,
} from '../../core/outside/tax-authority.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { type Json, seconds, sentenceFor, toJson, unavailable, unreadable } from './answers.ts'

type Dependencies = {
  egress: Pick<Egress, 'callService'>
  /** The base address of the access point; undefined if the installation has none for the environment. */
  addressOf(environment: Environment): Promise<string | undefined>
  isSimulated(environment: Environment): boolean
  /** How long a call and its answer may take. */
  ms?: number
}

const called = 'The access point'
const answerBytesMax = 1024 * 1024
/** A received document: as large as a file that is uploaded. */
const contentBytesMax = 20 * 1024 * 1024

/** An access point with an interface of REST and JSON, and OAuth 2 with the credentials of the client (docs/tax-authorities.md). */
export function accessPoint({ egress, addressOf, isSimulated, ms = 20_000 }: Dependencies): AccessPoint {
  async function call(
    { organizationId, environment, signal }: AuthorityCaller,
    path: string,
    { maxBytes = answerBytesMax, headers, ...request }: Call,
  ): Promise<ServiceAnswer | AuthorityTrouble> {
    const address = await addressOf(environment)
    if (address === undefined) return noAccessPoint(environment)
    try {
      return await egress.callService(`${address}${path}`, {
        organizationId,
        headers: { accept: 'application/json', ...headers },
        ...request,
        ms,
        maxBytes,
        signal,
      })
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error
      return { kind: 'unavailable', message: sentenceFor(called, error) }
    }
  }

  /** A call with a token, and what its answer means. */
  async function ask<T>(
    caller: AuthorityCaller,
    path: string,
    request: Call & { accessToken: Secret },
    read: (answer: ServiceAnswer) => T | AuthorityTrouble,
  ): Promise<T | Unauthorized | AuthorityTrouble> {
    const { accessToken, headers, ...rest } = request
    const answer = await call(caller, path, {
      ...rest,
      headers: { ...headers, authorization: `Bearer ${accessToken.reveal()}` },
    })
    return 'kind' in answer ? answer : (commonTrouble(answer) ?? read(answer))
  }

  return {
    simulatorUrl: async (environment) => (isSimulated(environment) ? addressOf(environment) : undefined),
    async token(caller, { clientId, clientSecret }) {
      const basic = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64')
      const answer = await call(caller, '/oauth2/token', {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      })
      return 'kind' in answer ? answer : toToken(answer)
    },
    send: (caller, { accessToken, request: { invoice_id: documentId, content, ...request } }) =>
      ask(
        caller,
        '/v1/documents',
        {
          ...{ accessToken, method: 'POST' },
          headers: { 'content-type': 'application/json', 'idempotency-key': documentId },
          body: JSON.stringify({
            documentId,
            sender: request.sender,
            receiver: request.receiver,
            documentType: request.document_type,
            process: request.process,
            content: Buffer.from(content).toString('base64'),
          }),
        },
        toSubmission,
      ),
    status: (caller, { accessToken, documentId }) =>
      ask(caller, `/v1/documents/${encodeURIComponent(documentId)}`, { accessToken, method: 'GET' }, toSubmission),
    received: (caller, { accessToken, participant }) =>
      ask(
        caller,
        `/v1/received?participant=${encodeURIComponent(participant)}&limit=50`,
        { accessToken, method: 'GET' },
        toReceived,
      ),
    fetchReceived: (caller, { accessToken, id }) =>
      ask(
        caller,
        `/v1/received/${encodeURIComponent(id)}`,
        {
          ...{ accessToken, method: 'GET', headers: { accept: 'application/xml' }, maxBytes: contentBytesMax },
        },
        toContent,
      ),
    confirmReceived: (caller, { accessToken, id }) =>
      ask(
        caller,
        `/v1/received/${encodeURIComponent(id)}/confirmation`,
        { accessToken, method: 'POST', body: '' },
        toDone,
      ),
  }
}

type Call = Pick<ServiceCall, 'method'> & { headers?: Record<string, string>; body?: string; maxBytes?: number }

const noAccessPoint = (environment: Environment): AuthorityTrouble => ({
  kind: 'unavailable',
  message: `This installation has no access point of InvoiceNow for ${environment}. Its operator sets the address.`,
})

/** What no answer may be, whatever was asked. */
function commonTrouble(answer: ServiceAnswer): Unauthorized | AuthorityTrouble | undefined {
  const { status } = answer
  if (status === 401) return { kind: 'unauthorized', message: 'The access point does not accept the access token.' }
  if (status === 403)
    return { kind: 'refused', message: 'The access point says that the client may not act for this participant.' }
  if (status >= 500 || status === 429 || status === 408) return unavailable(called, answer)
  return undefined
}

function toToken(answer: ServiceAnswer) {
  if (answer.status >= 500 || answer.status === 429) return unavailable(called, answer)
  const json = toJson(answer)
  if (typeof json?.error === 'string' || answer.status === 401 || answer.status === 403)
    return {
      kind: 'refused' as const,
      message: 'The access point does not accept the client id and the secret. Enter them again.',
    }
  const access = json?.access_token
  if (answer.status !== 200 || typeof access !== 'string' || access === '') return unreadable(called, answer)
  return {
    kind: 'granted' as const,
    accessToken: new Secret(access),
    accessTokenSeconds: seconds(json?.expires_in) ?? 300,
  }
}

/**
 * What became of a document. The status of HTTP alone never means approval: the answer must say ACCEPTED, with the
 * acknowledgement of the tax authority.
 */
export function toSubmission(answer: ServiceAnswer): SubmissionAnswer {
  const json = toJson(answer)
  if (!json) return unreadable(called, answer)
  if (answer.status === 400 || answer.status === 422) return rejectedFor(json)
  if (answer.status !== 200 && answer.status !== 202) return unreadable(called, answer)
  switch (json.status) {
    case 'SUBMITTED':
      return { kind: 'pending' }
    case 'ACCEPTED': {
      const number = json.irasAcknowledgementId
      const isId = typeof number === 'string' && /^[0-9A-Za-z][0-9A-Za-z._:-]{0,99}$/.test(number)
      return isId ? { kind: 'approved', number } : unreadable(called, answer)
    }
    case 'REJECTED':
      return rejectedFor(json)
    case 'FAILED':
      return { kind: 'unavailable', message: `The access point could not deliver the document: ${sentence(json)}` }
    default:
      return unreadable(called, answer)
  }
}

const sentence = ({ message }: Json) =>
  typeof message === 'string' && message ? message.slice(0, 500) : 'no reason was given.'

/** The reasons, each with the code of its rule. */
function rejectedFor(json: Json): SubmissionAnswer {
  const errors = Array.isArray(json.errors) ? (json.errors as unknown[]) : []
  const reasons = errors.flatMap((error): AuthorityReason[] => {
    if (typeof error !== 'object' || error === null) return []
    const { code, message, location } = error as Json
    const text = String(message ?? 'The document breaks a rule.').slice(0, 500)
    const param = typeof location === 'string' ? location.slice(0, 100) : null
    return [{ code: null, message: typeof code === 'string' && code ? `${code.slice(0, 60)}: ${text}` : text, param }]
  })
  return {
    kind: 'rejected',
    reasons: reasons.length > 0 ? reasons.slice(0, 100) : [{ code: null, message: sentence(json), param: null }],
  }
}

function toReceived(answer: ServiceAnswer): Exclude<ReceivedAnswer, Unauthorized> {
  const documents = answer.status === 200 ? toJson(answer)?.documents : undefined
  if (!Array.isArray(documents)) return unreadable(called, answer)
  return {
    kind: 'listed',
    documents: documents.flatMap((each): ReceivedDocument[] => {
      const { id, sender, receivedAt } = (typeof each === 'object' && each !== null ? each : {}) as Json
      if (typeof id !== 'string' || id === '' || id.length > 200) return []
      const day = typeof receivedAt === 'string' ? Date.parse(receivedAt) : Number.NaN
      return [
        {
          id,
          sender: typeof sender === 'string' ? sender.slice(0, 200) : null,
          receivedAt: Number.isNaN(day) ? null : new Date(day).toISOString(),
        },
      ]
    }),
  }
}

/** A document is XML; an answer in JSON or a page of HTML is none. */
function toContent(answer: ServiceAnswer): Exclude<ContentAnswer, Unauthorized> {
  const isXml = /xml/i.test(answer.headers['content-type'] ?? '') && answer.body.length > 0
  return answer.status === 200 && isXml ? { kind: 'content', bytes: answer.body } : unreadable(called, answer)
}

/** A document that is confirmed already, or unknown by now, is done with. */
const toDone = (answer: ServiceAnswer): Exclude<DoneAnswer, Unauthorized> =>
  answer.status < 300 || answer.status === 404 || answer.status === 410 ? { kind: 'done' } : unreadable(called, answer)
