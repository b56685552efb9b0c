import { atLeast, type Role } from '../../../../core/define/access.ts'
import { Failure, forbidden, invalid, tooManyAtOnce } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { defaulted, type Static, Type } from '../../../../core/define/schema.ts'
import { faultPoint } from '../../../../core/observe/fault-point.ts'
import type { TargetFailure } from '../../../../core/outside/target-failure.ts'
import { NotYetDue } from '../../../../core/run/rate-limit.ts'
import type { Secret } from '../../../../core/secrets/secret.ts'
import { sign } from '../../../../core/secrets/webhook-signature.ts'
import { parseUrl } from '../../../../core/values/url.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { ActionStep, EngineDependencies, EngineTransaction, StepResult } from '../engine/engine-types.ts'
import { requireClaim } from '../engine/run-record.ts'
import { type DeliveryOutcome, deliveryRole, finishDelivery, outgoingMessage, startDeliveries } from './delivery-log.ts'
import type { ActionResult, EngineAction } from './engine-action.ts'
import { headersNotWrittenOut, RequestHeaders, requestHeaders, secretNames } from './request-headers.ts'
import { openSecrets, secretRole } from './secret.ts'
import { type SafeResponse, withoutSecrets } from './secret-answer.ts'
import { keepTurn, takeTurn, turnOf } from './turn.ts'
import { readAnswer } from './webhook-answer.ts'
import { sealedWebhookSecrets, signingSecrets } from './webhook-secret.ts'

const bodyBytesMax = 256 * 1024

const Input = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, examples: ['https://hooks.example.com/kontor'] }),
  headers: RequestHeaders,
  body: defaulted(Type.Unknown({ description: 'Sent as JSON; an object whose values may be bindings.' }), {}),
})

const Output = Type.Object({
  status: Type.Integer(),
  latencyMs: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers of the answer, with names in lower case, at most 50 and 8 KiB; without set-cookie.',
  }),
  body: Type.Unknown({
    description:
      'The answer: its value if it is JSON of at most 4 KiB (by its Content-Type, or an object or list by its text), otherwise the first 4 KiB of its text.',
  }),
})

/**
 * Posts to an outside address once per attempt, and at least once after a crash. All attempts carry the id of the step
 * (INV-14), or another one for a changed body after a replay. A 2xx answer is a success, temporary failures are retried, and any other answer is final.
 */
export const webhookPost: EngineAction = {
  name: 'webhook.post',
  description: 'Posts JSON to a web address, signed in the form of standardwebhooks.com. Redirects are not followed.',
  feature: 'automations',
  verb: 'webhook_post',
  scope: 'automations:write',
  role: deliveryRole,
  input: Input,
  output: Output,
  async run(dependencies, { url, body = {}, headers = {} }: Static<typeof Input>, step): Promise<ActionResult> {
    if (Object.keys(headers).length !== step.headers.length) throw headersNotWrittenOut() // the whole input is bound
    const text = JSON.stringify(body)
    if (Buffer.byteLength(text) > bodyBytesMax)
      throw invalid('body', `The body of a webhook may have at most ${bodyBytesMax} bytes.`, 'LIMIT_EXCEEDED')
    const names = secretNames(step.headers)
    const role = names.length > 0 ? secretRole : deliveryRole
    if (!atLeast(step.owner.rights.role, role)) throw needsSecretRole(step.owner.rights.role)
    requestHeaders(step.headers, undefined)
    const started = await dependencies.tx((transaction) => startAttempt(transaction, step, { url, body, names, role }))
    if ('waitS' in started) throw new NotYetDue('webhookPost', started.waitS)
    const startedAt = performance.now()
    const response = await post(dependencies, step, { url, text, ...started }).catch(toTargetFailure)
    faultPoint('after-effect-before-record')
    const latencyMs = Math.round(performance.now() - startedAt)
    const finish = (db: Database) => finishDelivery(db, started.id, { latencyMs, ...deliveryOutcome(response) })
    if (isDelivered(response)) return { ...stepResult(response), alsoRecord: finish }
    await dependencies.tx(async ({ db }) => {
      if (isBusy(response)) await keepTurn(db, step, 1) // nothing was sent
      finish(db)
    })
    throw failureOf(response)
  },
}

type NewAttempt = { url: string; body: unknown; names: readonly string[]; role: Role }
type StartedAttempt = Omit<Webhook, 'url' | 'text'> & { id: string }

/** Records the delivery, once it is the turn of the step. */
async function startAttempt(
  transaction: EngineTransaction,
  step: ActionStep,
  { url, body, names, role }: NewAttempt,
): Promise<StartedAttempt | { waitS: number }> {
  const { db, ask, now } = transaction
  const { turn } = await pipeline({
    claim: requireClaim(ask, { id: step.runId, token: step.token }), // locks the run before its step, as a cancellation does
    turn: turnOf(db, step),
  })
  const waitS = await takeTurn(transaction, step, { bucket: 'webhookPost', count: 1, turn })
  if (waitS > 0) return { waitS }
  const { sealed, message } = await pipeline({
    sealed: sealedWebhookSecrets(db),
    message: outgoingMessage(db, step, { kind: 'WEBHOOK', content: body }),
  })
  const scope = { ...transaction, organizationId: step.organizationId }
  const secrets = await signingSecrets(scope, sealed)
  const sentSecrets = await openSecrets(scope, names)
  const [id = ''] = startDeliveries(db, step, { kind: 'WEBHOOK', targets: [loggedTarget(url)], message, role })
  return { id, webhookId: message.webhookId, secrets, sentSecrets, now }
}

type Webhook = {
  webhookId: string
  url: string
  text: string
  secrets: readonly Secret[]
  now: Date
  sentSecrets: ReadonlyMap<string, Secret>
}

/** The signal of the run does not abort it: a step that has started is completed, within the time limits of egress. */
async function post(
  { egress }: EngineDependencies,
  { organizationId, headers: own }: ActionStep,
  { webhookId, url, text, secrets, sentSecrets, now }: Webhook,
): Promise<SafeResponse> {
  const signed = sign({
    id: webhookId,
    timestamp: Math.floor(now.getTime() / 1000),
    body: text,
    secrets: secrets.map((secret) => secret.reveal()),
  })
  const headers = {
    ...requestHeaders(own, sentSecrets),
    'content-type': 'application/json',
    'idempotency-key': webhookId,
    ...signed,
  }
  return withoutSecrets(await egress.post(url, { organizationId, headers, body: text }), sentSecrets)
}

const needsSecretRole = (role: string) =>
  forbidden(`webhook.post with secrets needs the role ${secretRole}, and the role here is ${role}.`, 'ROLE')

type FailedCall = Pick<TargetFailure, 'target' | 'reason' | 'isTransient' | 'message'>

/** Whether Kontor itself allows no further call to the target at the moment. */
const isBusy = (response: SafeResponse | FailedCall) => 'target' in response && response.reason === 'busy'
/** As long as a call to a target that does not answer takes. */
const busyS = 15

/** The failure of a target that could not be called. Any other error is a bug and is thrown again. */
function toTargetFailure(error: unknown): FailedCall {
  if (error instanceof Failure && 'isTransient' in error) return error as TargetFailure // only this class has it
  throw error
}

/** Timeouts, rate limits and server errors may be temporary. Other answers would be repeated. */
const isTemporary = (status: number) => [408, 425, 429].includes(status) || status >= 500

function deliveryOutcome(response: SafeResponse | FailedCall): DeliveryOutcome {
  const reason = reasonOf(response)
  if ('target' in response) return { outcome: response.isTransient ? 'FAILED' : 'REFUSED', reason }
  const { status, latencyMs, text } = response
  const answer = { status, latencyMs, answer: text }
  if (isSuccess(status)) return { outcome: 'DELIVERED', ...answer }
  return { outcome: isTemporary(status) ? 'FAILED' : 'REFUSED', reason, ...answer }
}

function stepResult(response: SafeResponse): StepResult {
  const { status, latencyMs, headers } = response
  const { body, warnings } = readAnswer(response)
  return { output: { status, latencyMs, headers, body }, warnings }
}

function failureOf(response: SafeResponse | FailedCall): Failure {
  const reason = reasonOf(response)
  if (isBusy(response)) return tooManyAtOnce('calls to this target', busyS)
  if ('target' in response) return response.isTransient ? retryable(reason) : invalid('url', reason, response.target)
  const { status, retryAfterS } = response
  return isTemporary(status) ? retryable(reason, retryAfterS) : invalid('url', reason, 'TARGET_REFUSED')
}

const isDelivered = (response: SafeResponse | FailedCall): response is SafeResponse =>
  !('target' in response) && isSuccess(response.status)

const isSuccess = (status: number) => status >= 200 && status < 300

/** The reason contains no address, and only the status of the answer. */
function reasonOf(response: SafeResponse | FailedCall): string {
  if ('target' in response) return `${response.target}: ${response.message}`
  const { status } = response
  if (status >= 300 && status < 400) return `The target answered ${status}: redirects are not followed.`
  return `The target answered ${status}.`
}

const retryable = (reason: string, retryAfterS?: number) =>
  new Failure('INTERNAL', reason, { ...(retryAfterS !== undefined && { retryAfterS }) })

/** The address without query and user information, which may contain secrets. */
function loggedTarget(text: string): string {
  const url = parseUrl(text)
  if (!url) return 'not a web address'
  const { protocol, host, pathname } = url
  return `${protocol}//${host}${pathname}`.slice(0, targetMax)
}
const targetMax = 2_048
