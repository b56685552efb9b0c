import { Failure, invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { Count, notBlank, OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import type { Outcome } from '../../../core/outside/mail.ts'
import { toAddress } from '../../../core/values/address.ts'
import { toLine } from '../../../core/values/line.ts'
import { senderOf } from '../../mail/sender.ts'
import { message } from '../../mail/templates/message.ts'
import type { EngineDependencies, Executed, StepInfo } from '../engine/engine-types.ts'
import { beginDeliveries, type DeliveryOutcome, endDelivery } from './delivery-log.ts'
import type { EngineAction } from './engine-actions.ts'

/** As many as an organization may send at once (RATE): more could never go out. */
const recipientsMax = 20

const Input = Type.Object({
  to: Type.Union(
    [
      Type.String({ minLength: 1, maxLength: 10_000 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: recipientsMax }),
    ],
    { description: `One address, several with commas between them, or a list; at most ${recipientsMax}.` },
  ),
  // A line break in a header begins another header (THR-18).
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
 * Sends mail under the organization's name and succeeds when the mail server has accepted it for somebody and has no more
 * to say about the others. Who has it gets it no second time however often the step is tried, except across a crash, and
 * then under the same Message-ID (INV-14).
 */
export const emailSend: EngineAction = {
  name: 'email.send',
  description: 'Sends a plain e-mail, to each recipient a message of their own, in the name of the organization.',
  feature: 'automations',
  verb: 'email_send',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  input: Input,
  output: Output,
  async run(ground, { to, subject, body }: Static<typeof Input>, step): Promise<Executed> {
    const addresses = recipientsOf(to)
    const begun = await ground.tx((inside) => begin(inside, step, addresses))
    const outcomes = await send(ground, step, { ...begun, subject, body })
    faultPoint('after-effect-before-record')
    await ground.tx(async ({ db }) => {
      for (const { id, became } of outcomes) await endDelivery(db, id, became)
    })
    return concluded(addresses, begun.refused, outcomes)
  },
}

/** The addresses, each once. One that is none stops everything before anybody has got something. */
export function recipientsOf(to: Static<typeof Input>['to']): string[] {
  const given = (typeof to === 'string' ? to.split(',') : to).map((each) => each.replace(/^ +| +$/g, ''))
  const addresses = new Map<string, string>()
  for (const text of given) {
    const address = toAddress(text)
    if (!address) throw invalid('to', noAddress(toLine(text, 100)), 'NO_ADDRESS')
    addresses.set(address.toLowerCase(), address)
  }
  if (addresses.size > recipientsMax)
    throw invalid('to', `A message goes to at most ${recipientsMax} recipients.`, 'LIMIT_EXCEEDED')
  return [...addresses.values()]
}

const noAddress = (text: string) =>
  text === '' ? 'Say to whom the mail goes: to is empty.' : `No mail can be sent to ${text}: that is no e-mail address.`

type Inside = Parameters<Parameters<EngineDependencies['tx']>[0]>[0]
type Waiting = { id: string; address: string }

/** Writes down to whom it goes now, and counts those who were not tried before. */
async function begin({ db, consumeRateLimit }: Inside, step: StepInfo, addresses: readonly string[]) {
  const before = await triedBefore(db, step.stepId)
  const has = (address: string, outcome: string) =>
    before.some((row) => row.target === address && row.outcome === outcome)
  // Whoever carries a failed run on again has mended something, so refusals are asked about once more.
  const refused = step.attempt > 1 ? addresses.filter((address) => has(address, 'REFUSED')) : []
  const targets = addresses.filter((address) => !has(address, 'DELIVERED') && !refused.includes(address))
  const count = targets.filter((address) => !before.some(({ target }) => target === address)).length
  await consumeRateLimit(db, 'mailRecipients', { count })
  await consumeRateLimit(db, 'emailSend', { count })
  const ids = targets.length > 0 ? await beginDeliveries(db, step, { kind: 'EMAIL', targets }) : []
  const waiting = targets.map((address, n): Waiting => ({ address, id: ids[n] ?? '' }))
  return { waiting, refused, sender: await senderOf(db, step.organizationId) }
}

const triedBefore = (db: Database, stepId: string) =>
  db
    .selectFrom('automationDeliveries')
    .select(['target', 'outcome'])
    .distinct()
    .where('stepId', '=', stepId)
    .where('kind', '=', 'EMAIL')
    .execute()

type Sending = {
  waiting: readonly Waiting[]
  sender: { senderName: string; replyTo: string | null }
  subject: string
  body: string
}
type Ended = Waiting & { became: DeliveryOutcome }

async function send(
  { mail }: EngineDependencies,
  step: StepInfo,
  { waiting, sender, subject, body }: Sending,
): Promise<Ended[]> {
  const began = performance.now()
  const to = waiting.map(({ address }) => address)
  const letter = { id: step.stepId, organizationId: step.organizationId, attachments: [], ...sender }
  const outcomes = to.length > 0 ? await mail.send({ ...letter, to, ...message({ subject, body }) }) : []
  const latencyMs = Math.round(performance.now() - began)
  return waiting.map((each, n) => ({ ...each, became: { latencyMs, ...became(outcomes[n]) } }))
}

/** A server that says 4xx or breaks off may take it later; a 5xx is its last word (FLT-10). */
function became(outcome: Outcome | undefined): DeliveryOutcome {
  if (outcome?.ok) return { outcome: 'DELIVERED' }
  const { reason, retry } = outcome ?? { reason: 'The mail provider gave no answer.', retry: true }
  return { outcome: retry ? 'FAILED' : 'REFUSED', reason }
}

function concluded(addresses: readonly string[], refusedBefore: readonly string[], ended: readonly Ended[]): Executed {
  const later = ended.filter(({ became }) => became.outcome === 'FAILED')
  const refused = ended.filter(({ became }) => became.outcome === 'REFUSED')
  const reason = [...later, ...refused][0]?.became.reason ?? 'The mail server refused every recipient.'
  if (later.length > 0) throw new Failure('INTERNAL', reason)
  const failed = new Set([...refusedBefore, ...refused.map(({ address }) => address)])
  if (failed.size === addresses.length) throw invalid('to', reason, 'MAIL_REFUSED')
  const recipients = addresses.map((address) => ({ address, outcome: failed.has(address) ? 'REFUSED' : 'DELIVERED' }))
  const sent = addresses.length - failed.size
  return { output: { sent, failed: failed.size, totalRecipients: addresses.length, recipients } }
}
