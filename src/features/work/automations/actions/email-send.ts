import { Failure, invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { Count, notBlank, OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import { faultPoint } from '../../../../core/observe/fault-point.ts'
import type { Outcome } from '../../../../core/outside/mail.ts'
import { NotYetDue } from '../../../../core/run/rate-limit.ts'
import { toAddress } from '../../../../core/values/address.ts'
import { toLine } from '../../../../core/values/line.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { senderOf } from '../../../platform/mail/sender.ts'
import { message } from '../../../platform/mail/templates/message.ts'
import type { EngineDependencies, EngineTransaction, StepInfo, StepResult } from '../engine/engine-types.ts'
import { requireClaim } from '../engine/run-record.ts'
import { holdsPayroll } from '../protected-steps.ts'
import { type DeliveryOutcome, deliveryRole, finishDelivery, outgoingMessage, startDeliveries } from './delivery-log.ts'
import type { EngineAction } from './engine-action.ts'
import { takeTurn, turnOf } from './turn.ts'

/** As many as an organization can send at once (RATE). */
const recipientsMax = 20

const Input = Type.Object({
  to: Type.Union(
    [
      Type.String({ minLength: 1, maxLength: 10_000 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: recipientsMax }),
    ],
    { description: `One address, several with commas between them, or a list; at most ${recipientsMax}.` },
  ),
  // A line break would start another header (THR-18).
  subject: Type.String({ minLength: 1, maxLength: 300, pattern: '^[^\\p{Cc}\\u2028\\u2029]*$' }),
  body: Type.String({ maxLength: 50_000, pattern: notBlank, description: 'Plain text.' }),
})

const Output = Type.Object({
  sent: Count,
  failed: Count,
  totalRecipients: Count,
  recipients: Type.Array(Type.Object({ address: Type.String(), outcome: OneOf('DELIVERED', 'REFUSED') })),
})

/**
 * Sends mail in the organization's name. The step succeeds when the mail server has accepted the mail for at least one
 * recipient and finally refused it for the others. A retry skips recipients that already have the mail. Only a crash can
 * cause a second copy, with the same Message-ID (INV-14).
 */
export const emailSend: EngineAction = {
  name: 'email.send',
  description: 'Sends a plain e-mail, to each recipient a message of their own, in the name of the organization.',
  feature: 'automations',
  verb: 'email_send',
  scope: 'automations:write',
  role: deliveryRole,
  input: Input,
  output: Output,
  async run(dependencies, { to, subject, body }: Static<typeof Input>, step): Promise<StepResult> {
    const addresses = recipientsOf(to)
    const attempt = await dependencies.tx((transaction) =>
      startAttempt(transaction, step, { addresses, content: [subject, body] }),
    )
    if ('waitS' in attempt) throw new NotYetDue('emailSend', attempt.waitS)
    const finished = await send(dependencies, step, { ...attempt, subject, body })
    faultPoint('after-effect-before-record')
    await dependencies.tx(async ({ db }) => {
      for (const { id, result } of finished) finishDelivery(db, id, result)
    })
    return stepResult(addresses, attempt.refusedBefore, finished)
  },
}

/** The addresses without duplicates. One invalid address stops the step before anything is sent. */
export function recipientsOf(to: Static<typeof Input>['to']): string[] {
  const given = (typeof to === 'string' ? to.split(',') : to).map((each) => each.replace(/^ +| +$/g, ''))
  const addresses = new Map<string, string>()
  for (const text of given) {
    const address = toAddress(text)
    if (!address) throw invalid('to', invalidAddress(toLine(text, 100)), 'NO_ADDRESS')
    addresses.set(address.toLowerCase(), address)
  }
  if (addresses.size > recipientsMax)
    throw invalid('to', `A message may have at most ${recipientsMax} recipients.`, 'LIMIT_EXCEEDED')
  return [...addresses.values()]
}

const invalidAddress = (text: string) =>
  text === '' ? 'The recipient is missing: to is empty.' : `${text} is not an e-mail address.`

type PendingDelivery = { id: string; address: string }
type StartedAttempt = Pick<Mailing, 'pending' | 'sender' | 'isPayroll' | 'webhookId'> & {
  refusedBefore: readonly string[]
}

/**
 * Records a delivery per recipient of this attempt, once it is the turn of the step. Only recipients of the first attempt count
 * towards the rate limits. Those of the organization's whole mail are taken only then: documents must not wait for steps.
 */
async function startAttempt(
  transaction: EngineTransaction,
  step: StepInfo,
  { addresses, content }: { addresses: readonly string[]; content: unknown },
): Promise<StartedAttempt | { waitS: number }> {
  const { db, ask, consumeRateLimit } = transaction
  const { turn, earlier, mark, outgoing, sender } = await pipeline({
    claim: requireClaim(ask, { id: step.runId, token: step.token }), // locks the run before its step, as a cancellation does
    turn: turnOf(db, step),
    earlier: earlierDeliveries(db, step.stepId),
    mark: markOfStep(db, step.stepId),
    outgoing: outgoingMessage(db, step, { kind: 'EMAIL', content }),
    sender: senderOf(db, step.organizationId),
  })
  const has = (address: string, outcome: string) =>
    earlier.some((row) => row.target === address && row.outcome === outcome)
  // A replay starts again at attempt 1. It tries refused recipients again, because the cause may have been fixed.
  const refusedBefore = step.attempt > 1 ? addresses.filter((address) => has(address, 'REFUSED')) : []
  const targets = addresses.filter((address) => !has(address, 'DELIVERED') && !refusedBefore.includes(address))
  const count = targets.filter((address) => !earlier.some(({ target }) => target === address)).length
  const waitS = count > 0 ? await takeTurn(transaction, step, { bucket: 'emailSend', count, turn }) : 0
  if (waitS > 0) return { waitS }
  await consumeRateLimit(db, 'mailRecipients', { count })
  const ids = targets.length > 0 ? startDeliveries(db, step, { kind: 'EMAIL', targets, message: outgoing }) : []
  const pending = targets.map((address, n): PendingDelivery => ({ address, id: ids[n] ?? '' }))
  const { webhookId } = outgoing
  return { pending, refusedBefore, webhookId, isPayroll: holdsPayroll(mark), sender }
}

/** Whose data the step holds. */
const markOfStep = async (db: Database, stepId: string) =>
  (await db.selectFrom('automationSteps').select('feature').where('id', '=', stepId).executeTakeFirst())?.feature ??
  null

const earlierDeliveries = (db: Database, stepId: string) =>
  db
    .selectFrom('automationDeliveries')
    .select(['target', 'outcome'])
    .distinct()
    .where('stepId', '=', stepId)
    .where('kind', '=', 'EMAIL')
    .execute()

type Mailing = {
  /** What the Message-ID is made from. */
  webhookId: string
  pending: readonly PendingDelivery[]
  sender: { senderName: string; replyTo: string | null }
  isPayroll: boolean
  subject: string
  body: string
}
type FinishedDelivery = PendingDelivery & { result: DeliveryOutcome }

async function send(
  { mail }: EngineDependencies,
  step: StepInfo,
  { pending, webhookId, sender, isPayroll, subject, body }: Mailing,
): Promise<FinishedDelivery[]> {
  const startedAt = performance.now()
  const to = pending.map(({ address }) => address)
  const envelope = {
    id: webhookId,
    organizationId: step.organizationId,
    attachments: [],
    holdsPayroll: isPayroll,
    ...sender,
  }
  const outcomes = to.length > 0 ? await mail.send({ ...envelope, to, ...message({ subject, body }) }) : []
  const latencyMs = Math.round(performance.now() - startedAt)
  return pending.map((each, n) => ({ ...each, result: { latencyMs, ...deliveryOutcome(outcomes[n]) } }))
}

/** After a 4xx answer or a lost connection a retry may succeed. A 5xx answer is final (FLT-10). */
function deliveryOutcome(outcome: Outcome | undefined): DeliveryOutcome {
  if (outcome?.ok) return { outcome: 'DELIVERED' }
  const { reason, retry } = outcome ?? { reason: 'The mail provider gave no answer.', retry: true }
  return { outcome: retry ? 'FAILED' : 'REFUSED', reason }
}

function stepResult(
  addresses: readonly string[],
  refusedBefore: readonly string[],
  finished: readonly FinishedDelivery[],
): StepResult {
  const temporary = finished.filter(({ result }) => result.outcome === 'FAILED')
  const refused = finished.filter(({ result }) => result.outcome === 'REFUSED')
  const reason = [...temporary, ...refused][0]?.result.reason ?? 'The mail server refused every recipient.'
  if (temporary.length > 0) throw new Failure('INTERNAL', reason)
  const failed = new Set([...refusedBefore, ...refused.map(({ address }) => address)])
  if (failed.size === addresses.length) throw invalid('to', reason, 'MAIL_REFUSED')
  const recipients = addresses.map((address) => ({ address, outcome: failed.has(address) ? 'REFUSED' : 'DELIVERED' }))
  const sent = addresses.length - failed.size
  return { output: { sent, failed: failed.size, totalRecipients: addresses.length, recipients } }
}
