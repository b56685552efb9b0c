import '../../../test/own-world.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import type { Mail, Message, Outcome } from '../../../core/outside/mail.ts'
import { enqueueJob } from '../../../core/run/record.ts'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { newId } from '../../../core/values/id.ts'
import { resilientPool } from '../../../db/pool.ts'
import { mailFor } from '../../../providers/mail/mail.ts'
import { smtpMail } from '../../../providers/mail/smtp.ts'
import { queryAsSuperuser } from '../../../test/database.ts'
import { behaving, scripted } from '../../../test/fakes/smtp.ts'
import { changeJobs, findJobs, lockJobs, removeJobs } from '../../../test/queue.ts'
import { member, type Someone, theApp, theDatabase } from '../../../test/world.ts'
import { createExecutor } from '../../../worker/execute.ts'
import type { FetchedJob } from '../../../worker/fetch-jobs.ts'
import { startWorker } from '../../../worker/worker.ts'
import { queueMail } from './queue.ts'
import { sendMail } from './send-mail.ts'

/** An operation that queues mail to the given recipients, and may fail afterwards. */
const write = operation({
  name: 'organizations_write_mail',
  http: 'POST /api/write-mail',
  does: 'Writes to people, for this test.',
  scope: 'organizations:write',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    to: Type.Array(Type.String()),
    ids: Type.Array(Id),
    fails: Type.Boolean(),
    attached: Type.String(),
  }),
  output: Type.Object({ ids: Type.Array(Type.String()) }),
  async run(context, { to, ids, fails, attached }) {
    const attachments = [{ fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from(attached) }]
    const queued: string[] = []
    for (const [n, address] of to.entries()) {
      const id = ids[n] ?? newId()
      queued.push(await queueMail(context, { id, to: address, template: 'test', ...content, attachments }))
    }
    if (fails) throw new Error('something else went wrong')
    return { ids: queued }
  },
})
const content = { subject: 'Hello', text: 'Hi Dana', html: '<p>Hi Dana</p>' }

let amy: Someone
beforeEach(async () => {
  amy = await member('OWNER')
})

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
  await removeJobs()
})

async function queue(to: string[], more: { ids?: string[]; fails?: boolean; attached?: string } = {}) {
  const { body } = await theApp().runner.run(write, {
    caller: { source: 'COMPANION', credential: null, userId: amy.userId, requestId: 'test' },
    input: { organizationId: amy.organizationId, to, ids: [], fails: false, attached: 'attached', ...more },
    trace: {},
  })
  return (JSON.parse(body) as { ids: string[] }).ids
}

async function queueOne() {
  const [deliveryId = ''] = await queue(['dana@example.com'])
  return deliveryId
}

const ground = (mail = theApp().providers.mail) => ({
  ...theApp(),
  providers: { ...theApp().providers, mail },
  jobs: [],
  subscriberJobs: () => [],
  logError: () => {},
})

type Taken = { payload: unknown; ticket: FetchedJob }

/** Locks the order that is due first, as a worker does; a moment later for what waits for its time. */
async function takeUp(): Promise<Taken> {
  const waiting = (await findJobs('locked_by is null')).sort((one, other) => one.inS - other.inS)
  const [taken] = await lockJobs('id = $1', [waiting[0]?.id])
  if (!taken) throw new Error('No order waits.')
  const { id, payload, attempts, flags } = taken
  return { payload, ticket: { id, attempts, locked_by: 'test', flags } }
}

/** What a worker does with an order that it has taken up. The queue forgets what ended without a word. */
async function workOn({ payload, ticket }: Taken, mail: Mail, executor = createExecutor(ground(mail), 8)) {
  await executor.execute(sendMail, payload, ticket)
  await removeJobs("id = $1 and locked_by = 'test'", [ticket.id])
}

/** One attempt at the order that is due first; how the delivery stands after it. */
async function attempt(mail: Mail) {
  await workOn(await takeUp(), mail)
  return (await delivery())?.status
}

const ask = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

const deliveries = () =>
  theApp().system.use((db) =>
    db
      .selectFrom('mailDeliveries')
      .selectAll()
      .where('organizationId', '=', amy.organizationId ?? '')
      .orderBy('id')
      .execute(),
  )
const delivery = async () => (await deliveries())[0]

const jobs = async () =>
  (await findJobs()).map(({ job: task, payload, inS }) => ({ task, payload: payload as object, inS }))

/** Mail whose outcomes are given beforehand, and what it was asked to send. */
function planned(...outcomes: (Partial<Extract<Outcome, { ok: false }>> | 'sent')[]) {
  const sent: Message[] = []
  const mail: Mail = {
    async send(message) {
      sent.push(message)
      const outcome = outcomes.shift() ?? 'sent'
      const address = message.to[0] ?? ''
      return [
        outcome === 'sent'
          ? { address, ok: true, messageId: `<${message.id}@kontor.example>` }
          : { address, ok: false, reason: 'busy', retry: true, ...outcome },
      ]
    },
    close() {},
  }
  return { mail, sent }
}

test('mail is queued in the transaction of the operation', async () => {
  const ids = await queue(['dana@example.com', 'bob@example.com'])
  expect((await deliveries()).map(({ id, to, status, attempts }) => ({ id, to, status, attempts }))).toEqual([
    { id: ids[0], to: 'dana@example.com', status: 'QUEUED', attempts: 0 },
    { id: ids[1], to: 'bob@example.com', status: 'QUEUED', attempts: 0 },
  ])
  expect(await jobs()).toMatchObject(ids.map((deliveryId) => ({ task: 'send-mail', payload: { deliveryId } })))
  await expect(queue(['cyd@example.com'], { fails: true })).rejects.toThrow()
  expect(await deliveries()).toHaveLength(2)
  expect(await jobs()).toHaveLength(2)
})

test('FLT-06: the same intent queued twice is one message', async () => {
  const id = newId()
  await queue(['dana@example.com'], { ids: [id] })
  await queue(['dana@example.com'], { ids: [id] })
  expect(await deliveries()).toHaveLength(1)
  expect(await jobs()).toHaveLength(1)
})

test('THR-18: an invalid address gives a failed delivery, and the others are queued', async () => {
  await queue(['dana@example.com', 'bob@example.com\r\nBcc: eve@evil.test', 'cyd@example.com'])
  expect((await deliveries()).map(({ to, status }) => [to, status])).toEqual([
    ['dana@example.com', 'QUEUED'],
    ['bob@example.com Bcc: eve@evil.test', 'FAILED'],
    ['cyd@example.com', 'QUEUED'],
  ])
  expect(await jobs()).toHaveLength(2)
})

test('attachments that are too large are refused when the mail is queued', async () => {
  const attached = 'x'.repeat(10 * 1024 * 1024 + 1)
  await expect(queue(['dana@example.com'], { attached })).rejects.toMatchObject({ status: 400 })
})

test('a message is sent under the name of the organization, and its content is deleted afterwards', async () => {
  await amy.call('organizations_update', { id: amy.organizationId ?? '', name: 'מאפייה', email: 'office@acme.test' })
  const id = await queueOne()
  const { mail, sent } = planned()
  expect(await attempt(mail)).toBe('SENT')
  expect(sent).toEqual([
    {
      id,
      organizationId: amy.organizationId,
      to: ['dana@example.com'],
      senderName: 'מאפייה',
      holdsPayroll: false,
      replyTo: 'office@acme.test',
      ...content,
      attachments: [{ fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from('attached') }],
    },
  ])
  expect(await delivery()).toMatchObject({
    status: 'SENT',
    attempts: 1,
    messageId: `<${id}@kontor.example>`,
    lastReason: null,
    letter: null,
    contents: Buffer.alloc(0),
  })
  expect(await jobs()).toEqual([])
})

test('the sender name in the settings replaces the name of the organization', async () => {
  await amy.call('settings_update', { id: amy.organizationId ?? '', senderName: 'Acme Billing' })
  await queueOne()
  const { mail, sent } = planned()
  expect(await attempt(mail)).toBe('SENT')
  expect(sent).toMatchObject([{ senderName: 'Acme Billing' }])
})

test('in local mode a message is stored in the outbox', async () => {
  await queueOne()
  expect(await attempt(theApp().providers.mail)).toBe('SENT')
  const { messages } = await amy.call('organizations_outbox')
  expect(messages).toMatchObject([
    { to: 'dana@example.com', ...content, attachments: [{ fileName: 'a.txt', size: 8 }] },
  ])
  expect((await delivery())?.messageId).toBe(messages[0]?.headers['Message-ID'])
})

test('in strict mode without a mail server the delivery fails at once with the reason', async () => {
  await queueOne()
  const mail = mailFor({ mode: 'strict', smtpUrl: undefined, mailFrom: 'books@kontor.example' }, theApp().system)
  expect(await attempt(mail)).toBe('FAILED')
  expect((await delivery())?.lastReason).toMatch(/^Mail is not set up on this server/)
  expect(await jobs()).toEqual([])
})

test('mail from Kontor itself to a person belongs to no organization', async () => {
  const deliveryId = newId()
  await theApp().system.use(async (db, connection) => {
    const ordered: Promise<unknown>[] = []
    const enqueue = (name: string, payload: object) => void ordered.push(enqueueJob(connection, name, payload))
    const mail = { id: deliveryId, to: 'dana@example.com', template: 'password-reset', ...content }
    await queueMail({ db, enqueue, secrets: theApp().services.secrets }, mail)
    await Promise.all(ordered)
  })
  const { mail, sent } = planned({}, 'sent')
  const taken = await takeUp()
  const elsewhere = { ...taken.ticket, id: '0', flags: { [`organization:${amy.organizationId}`]: true as const } }
  const there = createExecutor(ground(mail), 8).execute(sendMail, taken.payload, elsewhere)
  await expect(there).rejects.toThrow('Somebody else has this job now.')
  expect(sent).toEqual([])
  await workOn(taken, mail)
  await workOn(await takeUp(), mail)
  expect(sent).toMatchObject(Array(2).fill({ organizationId: null, senderName: 'Kontor', replyTo: null }))
  expect(await ask('select status, attempts from mail_deliveries where id = $1', [deliveryId])).toEqual([
    { status: 'SENT', attempts: 2 },
  ])
})

test('no transaction is open during the connection to the mail server', async () => {
  await queueOne()
  let open: unknown
  const { mail } = planned()
  const looking: Mail = {
    ...mail,
    async send(message) {
      const transactions = `select query from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`
      open = await queryAsSuperuser(theDatabase(), transactions)
      return mail.send(message)
    },
  }
  expect(await attempt(looking)).toBe('SENT')
  expect(open).toEqual([])
})

test('FLT-10: a temporary failure is retried up to 5 attempts, after 1, 5, 25 and 120 seconds, and then given up', async () => {
  const id = await queueOne()
  const { mail, sent } = planned({}, {}, {}, {}, { reason: 'still busy' })
  for (const [n, waitS] of [1, 5, 25, 120].entries()) {
    expect(await attempt(mail)).toBe('QUEUED')
    const [job, ...others] = await jobs()
    expect(others).toEqual([])
    expect(job).toMatchObject({
      task: 'send-mail',
      payload: { $order: { payload: { deliveryId: id }, attempt: n + 2 } },
    })
    expect(job?.inS).toBeGreaterThan(waitS * 0.8 - 1)
    expect(job?.inS).toBeLessThan(waitS * 1.2)
    expect(await delivery()).toMatchObject({ attempts: n + 1, lastReason: 'busy', claimedUntil: null })
  }
  expect(await attempt(mail)).toBe('FAILED')
  expect(await delivery()).toMatchObject({ attempts: 5, lastReason: 'still busy', letter: null })
  expect(await jobs()).toEqual([])
  await again(id)
  expect(await attempt(mail)).toBe('FAILED')
  expect(sent).toHaveLength(5)
})

/** The same order once more, as a queue may hand out what it believes to be undone. */
const again = (deliveryId: string) =>
  ask("select graphile_worker.add_job('send-mail', $1::json, flags => $2::text[])", [
    JSON.stringify({ deliveryId }),
    [`organization:${amy.organizationId}`],
  ])

test('FLT-10: a permanent refusal is not retried', async () => {
  const id = await queueOne()
  const { mail, sent } = planned({ retry: false, reason: '550 No such user' })
  expect(await attempt(mail)).toBe('FAILED')
  expect(await jobs()).toEqual([])
  await again(id)
  expect(await attempt(mail)).toBe('FAILED')
  expect(await delivery()).toMatchObject({ attempts: 1, lastReason: '550 No such user' })
  expect(sent).toHaveLength(1)
})

test('an exception of the provider counts as no answer and is retried', async () => {
  await queueOne()
  const broken: Mail = { send: () => Promise.reject(new Error('out of order')), close() {} }
  expect(await attempt(broken)).toBe('QUEUED')
  expect(await delivery()).toMatchObject({ lastReason: 'The mail provider gave no answer.', claimedUntil: null })
  expect(await attempt(planned().mail)).toBe('SENT')
})

test('FLT-10, INV-14: a deferred message is sent again with the same Message-ID', async () => {
  let taken = 0
  const script = behaving((line) => (line === '.' && taken++ === 0 ? '451 4.7.1 Greylisted' : undefined))
  const server = await scripted(script)
  const limits = { connectMs: 500, greetingMs: 500, silenceMs: 500, totalMs: 1_500 }
  const mail = smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from: 'books@kontor.example', limits })
  opened.push(server, mail)
  await queueOne()
  expect(await attempt(mail)).toBe('QUEUED')
  expect((await delivery())?.lastReason).toBe('The mail server answered: 451 4.7.1 Greylisted')
  expect(await attempt(mail)).toBe('SENT')
  const header = `Message-ID: ${(await delivery())?.messageId}`
  expect(server.lines.filter((line) => line.startsWith('Message-ID:'))).toEqual([header, header])
})

test('FLT-10: a worker retries a delivery from the queue until it succeeds', async () => {
  const { mail, sent } = planned({}, 'sent')
  const pool = resilientPool(theDatabase())
  opened.push({ close: () => pool.end() })
  const worker = await startWorker(pool, { ...ground(mail), jobs: [sendMail] })
  opened.push({ close: () => worker.stop() })
  const id = await queueOne()
  await vi.waitFor(async () => expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 2 }), 15_000)
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), 5_000)
  expect(sent.map((message) => message.id)).toEqual([id, id])
})

test('FLT-06: of eight workers that take the same job at once, one sends', async () => {
  await queueOne()
  const { mail, sent } = planned()
  const slow: Mail = {
    ...mail,
    async send(message) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return mail.send(message)
    },
  }
  const taken = await takeUp()
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => workOn(taken, slow)))
  const refused = ends.filter((end) => end.status === 'rejected').map(({ reason }) => String(reason))
  expect(refused.filter((reason) => !reason.includes('Somebody else has this job now.'))).toEqual([])
  expect(sent).toHaveLength(1)
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 1 })
  expect(await attempt(slow)).toBe('SENT') // those that came too late ordered a look at it, once
  expect(await jobs()).toEqual([])
  expect(sent).toHaveLength(1)
})

test('INV-14: an interrupted delivery is retried when its claim has expired', async () => {
  const id = await queueOne()
  const { mail, sent } = planned()
  const frozen = vi.fn(() => new Promise<Outcome[]>(() => {}))
  const taken = await takeUp()
  void createExecutor(ground({ send: frozen, close() {} }), 8).execute(sendMail, taken.payload, taken.ticket)
  await vi.waitFor(() => expect(frozen).toHaveBeenCalled())
  await workOn(taken, mail) // the claim is valid: its holder may be alive
  expect(await delivery()).toMatchObject({ status: 'QUEUED', attempts: 1 })
  const [job, ...others] = await jobs()
  expect(others).toEqual([])
  expect(job).toMatchObject({ payload: { deliveryId: id } })
  expect(job?.inS).toBeGreaterThan(80)
  expect(sent).toEqual([])
  await runOut(id)
  expect(await attempt(mail)).toBe('SENT')
  expect(sent.map((message) => message.id)).toEqual([id])
  expect(await delivery()).toMatchObject({ attempts: 2 })
})

const runOut = (id: string, attempts?: number) =>
  ask(
    `update mail_deliveries set attempts = coalesce($2, attempts), claimed_until = now() - interval '1 second' where id = $1`,
    [id, attempts],
  )

test('a delivery whose attempts were all interrupted is given up, with the reason that it may have arrived', async () => {
  await runOut(await queueOne(), 5)
  const { mail, sent } = planned()
  expect(await attempt(mail)).toBe('FAILED')
  expect((await delivery())?.lastReason).toMatch(/interrupted/)
  expect(await jobs()).toEqual([])
  expect(sent).toEqual([])
})

test('FLT-03: a late failure of a worker does not overwrite the result of another', async () => {
  const id = await queueOne()
  const { mail } = planned()
  const late: Mail = {
    async send({ to: [address = ''] }) {
      await runOut(id)
      await again(id)
      expect(await attempt(mail)).toBe('SENT')
      return [{ address, ok: false, reason: 'too late', retry: true }]
    },
    close() {},
  }
  expect(await attempt(late)).toBe('SENT')
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 2, lastReason: null })
  expect(await jobs()).toEqual([])
})

test('FLT-03: a late success of a worker that was declared dead counts', async () => {
  const id = await queueOne()
  const { mail, sent } = planned()
  const taken = await takeUp()
  const superseded: Mail = {
    ...mail,
    async send(message) {
      await changeJobs("locked_by = 'another', attempts = attempts + 1")
      return mail.send(message)
    },
  }
  await expect(workOn(taken, superseded)).rejects.toThrow('Somebody else has this job now.')
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 1 })
  await workOn({ ...taken, ticket: { ...taken.ticket, locked_by: 'another', attempts: 2 } }, mail)
  expect(sent.map((message) => message.id)).toEqual([id])
})

test('a sent delivery cannot be changed, and no request can change a delivery', async () => {
  const waiting = await queueOne()
  const asRequest = (change: string) =>
    withTransaction(theApp().confined, amy, async ({ connection }) => {
      await connection.query(`update mail_deliveries set ${change} where id = $1`, [waiting])
    })
  await expect(asRequest("status = 'SENT', message_id = 'x', letter = null")).rejects.toThrow(/append-only/)
  await expect(asRequest('"to" = \'eve@evil.test\'')).rejects.toThrow(/permission denied/)
  expect(await attempt(planned().mail)).toBe('SENT')
  for (const change of ["status = 'FAILED', last_reason = 'x'", "status = 'QUEUED', letter = ''", 'attempts = 9'])
    await expect(ask(`update mail_deliveries set ${change} where id = $1`, [waiting])).rejects.toThrow(/append-only/)
})

test('deleting an organization deletes its mail', async () => {
  await queueOne()
  await amy.call('organizations_delete', { id: amy.organizationId ?? '' })
  const { mail, sent } = planned()
  expect(await attempt(mail)).toBeUndefined()
  expect(sent).toEqual([])
})
