import { Failure, invalid } from '../../../core/define/failure.ts'
import { defaulted, type Static, Type } from '../../../core/define/schema.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import type { WebhookResponse as Answer } from '../../../core/outside/egress.ts'
import type { TargetFailure } from '../../../core/outside/target-failure.ts'
import type { Secret } from '../../../core/secrets/secret.ts'
import { sign } from '../../../core/secrets/webhook-signature.ts'
import type { EngineDependencies, Executed, StepInfo } from '../engine/engine-types.ts'
import { beginDeliveries, type DeliveryOutcome, endDelivery } from './delivery-log.ts'
import type { EngineAction } from './engine-actions.ts'
import { signingSecrets } from './webhook-secret.ts'

const bodyBytesMax = 256 * 1024

const Input = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, examples: ['https://hooks.example.com/kontor'] }),
  body: defaulted(Type.Unknown({ description: 'Sent as JSON; an object whose values may be bindings.' }), {}),
})

const Output = Type.Object({
  status: Type.Integer(),
  latencyMs: Type.Integer(),
  body: Type.String({ description: 'The beginning of the answer, at most 4 KiB.' }),
})

/**
 * Posts to an address outside, once for each attempt and at least once across a crash: all attempts carry the id of the
 * step (INV-14). A 2xx is a success; what may do better later is tried again, any other answer is final.
 */
export const webhookPost: EngineAction = {
  name: 'webhook.post',
  description: 'Posts JSON to a web address, signed in the form of standardwebhooks.com. Redirects are not followed.',
  feature: 'automations',
  verb: 'webhook_post',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  input: Input,
  output: Output,
  async run(ground, { url, body = {} }: Static<typeof Input>, step): Promise<Executed> {
    const text = JSON.stringify(body)
    if (Buffer.byteLength(text) > bodyBytesMax)
      throw invalid('body', `The body of a webhook has at most ${bodyBytesMax} bytes.`, 'LIMIT_EXCEEDED')
    const begun = await ground.tx(async (inside) => {
      await inside.consumeRateLimit(inside.db, 'webhookPost')
      const secrets = await signingSecrets({ ...inside, organizationId: step.organizationId })
      const [id = ''] = await beginDeliveries(inside.db, step, { kind: 'WEBHOOK', targets: [withoutQuery(url)] })
      return { id, secrets, now: inside.now }
    })
    const began = performance.now()
    const answer = await post(ground, step, { url, text, ...begun }).catch(toTrouble)
    faultPoint('after-effect-before-record')
    const tookMs = Math.round(performance.now() - began)
    await ground.tx(({ db }) => endDelivery(db, begun.id, { latencyMs: tookMs, ...became(answer) }))
    return concluded(answer)
  },
}

type Posting = { url: string; text: string; secrets: readonly Secret[]; now: Date }

/** No signal stops it: a step that is under way is finished, within the bounds of the way out. */
function post(
  { egress }: EngineDependencies,
  { stepId, organizationId }: StepInfo,
  { url, text, secrets, now }: Posting,
) {
  const signed = sign({
    id: stepId,
    timestamp: Math.floor(now.getTime() / 1000),
    body: text,
    secrets: secrets.map((secret) => secret.reveal()),
  })
  const headers = { 'content-type': 'application/json', 'idempotency-key': stepId, ...signed }
  return egress.post(url, { organizationId, headers, body: text })
}

type Trouble = Pick<TargetFailure, 'target' | 'isTransient' | 'message'>

/** A target that could not be called; anything else is a mistake of ours. */
function toTrouble(error: unknown): Trouble {
  if (error instanceof Failure && 'isTransient' in error) return error as TargetFailure // no other failure says so
  throw error
}

/** Timeouts, too many requests and the server's own trouble may pass; other answers would be the same again. */
const mayPass = (status: number) => [408, 425, 429].includes(status) || status >= 500

function became(answer: Answer | Trouble): DeliveryOutcome {
  if ('target' in answer) return { outcome: answer.isTransient ? 'FAILED' : 'REFUSED', reason: said(answer) }
  const { status, latencyMs, text } = answer
  const heard = { status, latencyMs, answer: text }
  if (isSuccess(status)) return { outcome: 'DELIVERED', ...heard }
  return { outcome: mayPass(status) ? 'FAILED' : 'REFUSED', reason: said(answer), ...heard }
}

function concluded(answer: Answer | Trouble): Executed {
  if ('target' in answer) throw answer.isTransient ? passing(said(answer)) : invalid('url', said(answer), answer.target)
  const { status, latencyMs, text, retryAfterS } = answer
  if (isSuccess(status)) return { output: { status, latencyMs, body: text } }
  throw mayPass(status) ? passing(said(answer), retryAfterS) : invalid('url', said(answer), 'TARGET_REFUSED')
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** Nothing here names an address, and of the answer there is the number alone. */
function said(answer: Answer | Trouble): string {
  if ('target' in answer) return `${answer.target}: ${answer.message}`
  const { status } = answer
  if (status >= 300 && status < 400) return `The target answered ${status}: it redirects, which is not followed.`
  return `The target answered ${status}.`
}

const passing = (sentence: string, retryAfterS?: number) =>
  new Failure('INTERNAL', sentence, { ...(retryAfterS !== undefined && { retryAfterS }) })

/** What people put into the query or before the host may open doors. */
function withoutQuery(text: string): string {
  if (!URL.canParse(text)) return 'no web address'
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`.slice(0, targetMax)
}
const targetMax = 2_048
