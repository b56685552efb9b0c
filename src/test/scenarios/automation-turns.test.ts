import '../own-world.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConsumeRateLimit } from '../../core/run/rate-limit.ts'
import { resilientPool } from '../../db/pool.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { smtpMail } from '../../providers/mail/smtp.ts'
import { verify } from '../../verify/verify.ts'
import { startWorker } from '../../worker/worker.ts'
import { action, automate, graphOf, runSoFar, trigger } from '../automations/automations.ts'
import { mailbox } from '../fakes/smtp.ts'
import { receiver } from '../fakes/webhook-receiver.ts'
import { inProof, proves } from '../prove.ts'
import { within } from '../secrets.ts'
import { member, type Someone, theApp, theDatabase } from '../world.ts'

/** Limits of Kontor itself delay the work of automations and lose none of it. */
const eventCount = inProof(12, 2_000)
const elementCount = inProof(8, 1_000)
const patienceMs = inProof(60_000, 900_000)

/** Messages per second: the limit is 100 per hour, times the scale. */
const mailsPerS = inProof(20, 50)
const scale = mailsPerS * 36
const consumeRateLimit = createConsumeRateLimit(scale)

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** A worker with a real mail server. */
async function startWorkerWithMail() {
  const box = await mailbox()
  const mail = smtpMail({ url: `smtp://127.0.0.1:${box.port}`, from: 'kontor@example.com' })
  const raw = resilientPool({ ...theDatabase(), max: 12 })
  const { providers, services } = theApp()
  const errors: unknown[] = []
  const worker = await startWorker(raw, {
    ...theApp(),
    providers: { ...providers, mail },
    services: { ...services, consumeRateLimit },
    jobs: [runAutomation],
    subscriberJobs: () => [],
    logError: (error) => errors.push(error),
  })
  onTestFinished(async () => {
    await worker.stop()
    await raw.end()
    mail.close()
    await box.close()
  })
  return { received: box.received, errors }
}

/** Takes everything that the limits allow at once, and `seconds` more. */
const exhaust = ({ organizationId }: Someone, bucket: 'emailSend' | 'webhookPost', seconds: number) =>
  within(organizationId, (db) => {
    const { burst, perS } = bucket === 'emailSend' ? { burst: 20, perS: 1 / 36 } : { burst: 60, perS: 2 }
    return consumeRateLimit(db, bucket, { count: Math.round(scale * (burst + perS * seconds)), inAdvance: true })
  })

/** That many events in one transaction, each of another customer. */
const happen = ({ organizationId }: Someone, count: number, first = 1) =>
  within(organizationId, (_, connection) =>
    connection.query(
      `insert into events (id, type, payload, cause)
       select new_id(), 'customer.created', jsonb_build_object('id', gen_random_uuid(), 'name', 'C' || n, 'organizationId', $2::text),
         '{"source": "SYSTEM", "requestId": "test", "depth": 0}'
       from generate_series($3::int, $3::int + $1 - 1) n`,
      [count, organizationId, first],
    ),
  )

/** As many events one transaction after the other, each within the time limit of a statement also on a busy machine. */
async function happenInParts(someone: Someone, count: number) {
  for (let done = 0; done < count; done += partMax) await happen(someone, Math.min(count - done, partMax), done + 1)
}
const partMax = 100

const states = ({ organizationId }: Someone) =>
  ask<{ status: string; runs: number }>(
    'select status, count(*)::int as runs from automation_runs where organization_id = $1 group by 1',
    [organizationId],
  )

const finished = (someone: Someone, runs: number) =>
  vi.waitFor(async () => expect(await states(someone)).toEqual([{ status: 'SUCCEEDED', runs }]), {
    timeout: patienceMs,
    interval: 200,
  })

const attempts = ({ organizationId }: Someone) =>
  ask(
    'select ref, max(attempt) as most, count(*)::int as steps from automation_steps where organization_id = $1 and ref in ($2, $3) group by 1 order by 1',
    [organizationId, 'email.send', 'webhook.post'],
  )

const stepIds = async ({ organizationId }: Someone, ref: string) =>
  (
    await ask<{ id: string }>('select id from automation_steps where organization_id = $1 and ref = $2', [
      organizationId,
      ref,
    ])
  )
    .map(({ id }) => id)
    .sort()

const messageIds = (received: readonly { raw: Buffer }[]) =>
  received.map(({ raw }) => /^message-id: (.*)$/im.exec(raw.toString())?.[1] ?? '')

const message = (to: string) => ({ to, subject: 'Hello', body: 'Good day.' })

/**
 * How long runs of an organization take from their event to their end, in milliseconds, the middle one. One follows the
 * other: at least so many, and as many as there is time for until `isOver`.
 */
async function medianMs(someone: Someone, runsMin: number, isOver = () => true): Promise<{ ms: number; runs: number }> {
  const { organizationId } = someone
  let runs = 0
  for (; runs < runsMin || !isOver(); runs++) {
    await happen(someone, 1)
    await vi.waitFor(async () => expect((await states(someone)).map(({ status }) => status)).toEqual(['SUCCEEDED']), {
      timeout: patienceMs,
      interval: 20,
    })
  }
  const [row] = await ask<{ ms: number }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from finished_at - started_at) * 1000) as ms
     from (select * from automation_runs where organization_id = $1 order by place desc limit $2) r`,
    [organizationId, runs],
  )
  return { ms: row?.ms ?? 0, runs }
}

test(
  `RATE INV-14: of ${eventCount} events at once every webhook and every message is delivered, once, and others do not wait for them`,
  async () => {
    const [amy, bob] = [await member('OWNER'), await member('OWNER')]
    const { heard, url } = await receiver()
    const other = await receiver()
    const post = (to: string) =>
      graphOf([trigger('customer.created'), action('out', 'webhook.post', { url: to })], 'start>out')
    await automate(amy, post(url))
    await automate(
      amy,
      graphOf(
        [trigger('customer.created'), action('out', 'email.send', message('{{trigger.name}}@x.test'))],
        'start>out',
      ),
    )
    await automate(bob, post(other.url))
    const { received, errors } = await startWorkerWithMail()
    const samples = inProof(3, 30)
    const alone = await medianMs(bob, samples)
    await exhaust(amy, 'emailSend', 0)
    await exhaust(amy, 'webhookPost', 3)
    const began = performance.now()
    let isDelivered = false
    const happening = happenInParts(amy, eventCount).then(() => performance.now() - began)
    const delivering = happening
      .then(() => finished(amy, 2 * eventCount))
      .finally(() => {
        isDelivered = true
      })
    const beside = await medianMs(bob, samples, () => isDelivered)
    await delivering
    const [happenedMs, deliveredMs] = [await happening, performance.now() - began]
    if (proves)
      process.stderr.write(
        `${eventCount} events in ${(happenedMs / 1_000).toFixed(1)} s, delivered in ${(deliveredMs / 1_000).toFixed(1)} s; a run of another organization takes ${alone.ms.toFixed(1)} ms alone (${alone.runs} runs), ${beside.ms.toFixed(1)} ms meanwhile (${beside.runs} runs)\n`,
      )
    expect(await attempts(amy)).toEqual(
      ['email.send', 'webhook.post'].map((ref) => ({ ref, most: 1, steps: eventCount })),
    )
    expect(heard.map(({ headers }) => String(headers['webhook-id'])).sort()).toEqual(await stepIds(amy, 'webhook.post'))
    expect(new Set(messageIds(received)).size).toBe(eventCount)
    expect(received).toHaveLength(eventCount)
    expect(new Set(received.flatMap(({ to }) => to)).size).toBe(eventCount)
    expect(errors).toEqual([])
    expect((await verify(theApp())).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
    // On a busy machine a short measurement says nothing.
    if (proves) expect(beside.ms).toBeLessThanOrEqual(2 * Math.max(alone.ms, 50))
  },
  patienceMs * 2,
)

test(
  `RATE FLT-20: mail to each of ${elementCount} customers in one run is sent, also if that takes longer than a run may`,
  async () => {
    const amy = await member('OWNER')
    const each = action('each', 'email.send', message('{{item.email}}'))
    const id = await automate(
      amy,
      graphOf([trigger('invoice.paid'), action('list', 'customers_list'), each], 'start>list', 'list*each'),
      { armed: false },
    )
    const elements = Array.from({ length: elementCount }, (_, n) => ({ id: `c${n}`, email: `c${n}@x.test` }))
    const runId = await runSoFar(amy, id, [
      { block: 'start', output: {} },
      { block: 'list', output: elements },
    ])
    await exhaust(amy, 'emailSend', 1)
    const { received } = await startWorkerWithMail()
    await ask("update automation_runs set deadline = now() + interval '1 minute' where id = $1", [runId])
    await within(amy.organizationId, (_, connection) =>
      connection.query("select enqueue('run-automation', jsonb_build_object('runId', $1::text))", [runId]),
    )
    await finished(amy, 1)
    expect(new Set(received.flatMap(({ to }) => to)).size).toBe(elementCount)
    expect(received).toHaveLength(elementCount)
    expect(await attempts(amy)).toEqual([{ ref: 'email.send', most: 1, steps: elementCount }])
  },
  patienceMs * 2,
)
