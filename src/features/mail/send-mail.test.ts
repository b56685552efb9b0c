import { Logger, runOnce } from 'graphile-worker'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../../core/id.ts'
import { operation } from '../../core/operation.ts'
import { Id, Type } from '../../core/schema.ts'
import { type Mail, type Message, mailFor, type Outcome } from '../../providers/mail.ts'
import { smtpMail } from '../../providers/mail-smtp.ts'
import { behaving, scripted } from '../../test/smtp.ts'
import { member, type Someone, theApp, theDatabase } from '../../test/world.ts'
import type { SendMail } from './delivery.ts'
import { countDeliveries, queueMail } from './queue.ts'
import { attemptDelivery, sendMail } from './send-mail.ts'

/** An operation that sends mail to everybody it is told, and may fail after having ordered it. */
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
  await ask('delete from graphile_worker._private_jobs')
})

async function queue(to: string[], more: { ids?: string[]; fails?: boolean; attached?: string } = {}) {
  const { body } = await theApp().runner.run(write, {
    caller: { source: 'AUTOMATION', credential: null, userId: amy.userId, requestId: 'test' },
    input: { organizationId: amy.organizationId, to, ids: [], fails: false, attached: 'attached', ...more },
    trace: {},
  })
  return (JSON.parse(body) as { ids: string[] }).ids
}

async function queueOne(): Promise<SendMail> {
  const [deliveryId = ''] = await queue(['dana@example.com'])
  await ask('delete from graphile_worker._private_jobs') // as a worker does that has taken it up
  return { deliveryId, organizationId: amy.organizationId ?? '' }
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

type Waiting = { task: string; key: string; payload: object; inS: number }
const jobs = () =>
  ask<Waiting>(`select t.identifier as task, j.key, j.payload, extract(epoch from j.run_at - now())::float8 as in_s
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`)

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
  return { mail, sent, context: { system: theApp().system, mail, random: () => 0.5 } }
}

test('mail is ordered with what the operation did, or not at all', async () => {
  const ids = await queue(['dana@example.com', 'bob@example.com'])
  expect((await deliveries()).map(({ id, to, status, attempts }) => ({ id, to, status, attempts }))).toEqual([
    { id: ids[0], to: 'dana@example.com', status: 'QUEUED', attempts: 0 },
    { id: ids[1], to: 'bob@example.com', status: 'QUEUED', attempts: 0 },
  ])
  expect(await jobs()).toMatchObject(
    ids.map((deliveryId) => ({
      task: 'send-mail',
      key: `send-mail:${deliveryId}`,
      payload: { deliveryId, organizationId: amy.organizationId },
    })),
  )
  await expect(queue(['cyd@example.com'], { fails: true })).rejects.toThrow()
  expect(await deliveries()).toHaveLength(2)
  expect(await jobs()).toHaveLength(2)
})

test('FLT-06: the same intent twice is one message', async () => {
  const id = newId()
  await queue(['dana@example.com'], { ids: [id] })
  await queue(['dana@example.com'], { ids: [id] })
  expect(await deliveries()).toHaveLength(1)
  expect(await jobs()).toHaveLength(1)
})

test('THR-18: an address that no mail can go to is a failed delivery, and the others are on their way', async () => {
  const ids = await queue(['dana@example.com', 'bob@example.com\r\nBcc: eve@evil.test', 'cyd@example.com'])
  expect((await deliveries()).map(({ to, status }) => [to, status])).toEqual([
    ['dana@example.com', 'QUEUED'],
    ['bob@example.com Bcc: eve@evil.test', 'FAILED'],
    ['cyd@example.com', 'QUEUED'],
  ])
  expect(await jobs()).toHaveLength(2)
  expect(await theApp().system.use((db) => countDeliveries(db, ids))).toEqual({ sent: 0, failed: 1, queued: 2 })
  expect(await theApp().system.use((db) => countDeliveries(db, []))).toEqual({ sent: 0, failed: 0, queued: 0 })
})

test('attachments that are too large are refused when the mail is ordered', async () => {
  const attached = 'x'.repeat(10 * 1024 * 1024 + 1)
  await expect(queue(['dana@example.com'], { attached })).rejects.toMatchObject({ status: 400 })
})

test('a message is sent under the name of the organization, and what it said is kept no longer', async () => {
  await amy.call('organizations_update', { id: amy.organizationId ?? '', name: 'מאפייה', email: 'office@acme.test' })
  const order = await queueOne()
  const { context, sent } = planned()
  await sendMail.run(order, context)
  expect(sent).toEqual([
    {
      id: order.deliveryId,
      organizationId: amy.organizationId,
      to: ['dana@example.com'],
      senderName: 'מאפייה',
      replyTo: 'office@acme.test',
      ...content,
      attachments: [{ fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from('attached') }],
    },
  ])
  expect(await delivery()).toMatchObject({
    status: 'SENT',
    attempts: 1,
    messageId: `<${order.deliveryId}@kontor.example>`,
    lastReason: null,
    text: null,
    html: null,
    contents: Buffer.alloc(0),
  })
  expect(await jobs()).toEqual([])
})

test('in local mode a message ends in the outbox', async () => {
  const order = await queueOne()
  const mail = mailFor({ mode: 'local', smtpUrl: undefined, mailFrom: 'books@kontor.example' }, theApp().system)
  expect(await attemptDelivery(order, { system: theApp().system, mail })).toBe('SENT')
  const { messages } = await amy.call('organizations_outbox')
  expect(messages).toMatchObject([
    { to: 'dana@example.com', ...content, attachments: [{ fileName: 'a.txt', size: 8 }] },
  ])
  expect((await delivery())?.messageId).toBe(messages[0]?.headers['Message-ID'])
})

test('in strict mode without a mail server the delivery fails at once and says why', async () => {
  const order = await queueOne()
  const mail = mailFor({ mode: 'strict', smtpUrl: undefined, mailFrom: 'books@kontor.example' }, theApp().system)
  expect(await attemptDelivery(order, { system: theApp().system, mail })).toBe('FAILED')
  expect((await delivery())?.lastReason).toMatch(/^Mail is not set up on this server/)
  expect(await jobs()).toEqual([])
})

test('mail from Kontor itself to a person belongs to no organization', async () => {
  const deliveryId = newId()
  await theApp().system.use((db) =>
    queueMail(
      { db, enqueue: () => {} },
      { id: deliveryId, to: 'dana@example.com', template: 'password-reset', ...content },
    ),
  )
  const { context, sent } = planned()
  expect(await attemptDelivery({ deliveryId, organizationId: amy.organizationId ?? '' }, context)).toBeUndefined()
  expect(await attemptDelivery({ deliveryId, organizationId: null }, context)).toBe('SENT')
  expect(sent).toMatchObject([{ organizationId: null, senderName: 'Kontor', replyTo: null }])
})

test('no transaction is open while the mail server is spoken to', async () => {
  const order = await queueOne()
  let open: unknown
  const { context } = planned()
  const mail: Mail = {
    ...context.mail,
    async send(message) {
      open = await ask(`select query from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`)
      return context.mail.send(message)
    },
  }
  expect(await attemptDelivery(order, { ...context, mail })).toBe('SENT')
  expect(open).toEqual([])
})

test('FLT-10: what may yet succeed is tried 5 times, 1, 5, 25 and 120 seconds apart, and then given up', async () => {
  const order = await queueOne()
  const { context, sent } = planned({}, {}, {}, {}, { reason: 'still busy' })
  const waits: number[] = []
  for (let attempt = 1; attempt <= 4; attempt++) {
    expect(await attemptDelivery(order, context)).toBe('QUEUED')
    const [job, ...others] = await jobs()
    expect(others).toEqual([])
    expect(job).toMatchObject({ task: 'send-mail', payload: order })
    waits.push(Math.round(job?.inS ?? 0))
    expect(await delivery()).toMatchObject({ attempts: attempt, lastReason: 'busy', claimedUntil: null })
  }
  expect(waits).toEqual([1, 5, 25, 120])
  await ask('delete from graphile_worker._private_jobs')
  expect(await attemptDelivery(order, context)).toBe('FAILED')
  expect(await delivery()).toMatchObject({ attempts: 5, lastReason: 'still busy', text: null, html: null })
  expect(await jobs()).toEqual([])
  expect(await attemptDelivery(order, context)).toBe('FAILED')
  expect(sent).toHaveLength(5)
})

test('FLT-10: a refusal for good is not tried again', async () => {
  const order = await queueOne()
  const { context, sent } = planned({ retry: false, reason: '550 No such user' })
  expect(await attemptDelivery(order, context)).toBe('FAILED')
  expect(await attemptDelivery(order, context)).toBe('FAILED')
  expect(await delivery()).toMatchObject({ attempts: 1, lastReason: '550 No such user' })
  expect(await jobs()).toEqual([])
  expect(sent).toHaveLength(1)
})

test('FLT-10, INV-14: a message that a server puts off comes again with the Message-ID it had', async () => {
  let taken = 0
  const script = behaving((line) => (line === '.' && taken++ === 0 ? '451 4.7.1 Greylisted' : undefined))
  const server = await scripted(script)
  const limits = { connectMs: 500, greetingMs: 500, silenceMs: 500, totalMs: 1_500 }
  const mail = smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from: 'books@kontor.example', limits })
  opened.push(server, mail)
  const order = await queueOne()
  const { system } = theApp()
  expect(await attemptDelivery(order, { system, mail })).toBe('QUEUED')
  expect((await delivery())?.lastReason).toBe('The mail server answered: 451 4.7.1 Greylisted')
  expect(await attemptDelivery(order, { system, mail })).toBe('SENT')
  const header = `Message-ID: ${(await delivery())?.messageId}`
  expect(server.lines.filter((line) => line.startsWith('Message-ID:'))).toEqual([header, header])
})

test('FLT-10: a worker that takes jobs from the queue tries again and then is done, one order at a time', async () => {
  const [deliveryId = ''] = await queue(['dana@example.com'])
  const { context, sent } = planned({}, 'sent')
  const pgPool = new pg.Pool(theDatabase())
  opened.push({ close: () => pgPool.end() })
  pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const work = () =>
    runOnce({
      pgPool,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: { [sendMail.name]: (payload) => sendMail.run(payload as SendMail, context) },
    })
  await work()
  expect(await jobs()).toMatchObject([{ key: `send-mail:${deliveryId}`, payload: { deliveryId } }])
  expect((await jobs())[0]?.inS).toBeGreaterThan(0)
  await ask('update graphile_worker._private_jobs set run_at = now()')
  await work()
  expect(await jobs()).toEqual([])
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 2 })
  expect(sent.map(({ id }) => id)).toEqual([deliveryId, deliveryId])
})

test('FLT-06: of eight workers that take up the same order at once, one sends', async () => {
  const order = await queueOne()
  const { context, sent } = planned()
  const mail: Mail = {
    ...context.mail,
    async send(message) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return context.mail.send(message)
    },
  }
  await Promise.all(Array.from({ length: 8 }, () => attemptDelivery(order, { ...context, mail })))
  expect(sent).toHaveLength(1)
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 1 })
})

test('INV-14: what a crash interrupted is taken up again when its claim has run out', async () => {
  const order = await queueOne()
  const { context, sent } = planned()
  const crashing: Mail = { send: () => Promise.reject(new Error('killed')), close() {} }
  await expect(attemptDelivery(order, { ...context, mail: crashing })).rejects.toThrow('killed')
  expect(await attemptDelivery(order, context)).toBe('QUEUED') // the claim holds: whoever has it may be alive
  const [job] = await jobs()
  expect(job?.inS).toBeGreaterThan(80)
  expect(sent).toEqual([])
  await ask("update mail_deliveries set claimed_until = now() - interval '1 second' where id = $1", [order.deliveryId])
  expect(await attemptDelivery(order, context)).toBe('SENT')
  expect(sent.map(({ id }) => id)).toEqual([order.deliveryId])
  expect(await delivery()).toMatchObject({ attempts: 2 })
})

test('a delivery whose every attempt was interrupted is given up, and says that it may have arrived', async () => {
  const order = await queueOne()
  await ask("update mail_deliveries set attempts = 5, claimed_until = now() - interval '1 second' where id = $1", [
    order.deliveryId,
  ])
  const { context, sent } = planned()
  expect(await attemptDelivery(order, context)).toBe('FAILED')
  expect((await delivery())?.lastReason).toMatch(/interrupted/)
  expect(sent).toEqual([])
})

test('FLT-03: a worker that comes back late does not undo what another has done since', async () => {
  const order = await queueOne()
  const { context } = planned()
  const late: Mail = {
    async send({ to: [address = ''] }) {
      await ask("update mail_deliveries set claimed_until = now() - interval '1 second' where id = $1", [
        order.deliveryId,
      ])
      expect(await attemptDelivery(order, context)).toBe('SENT')
      return [{ address, ok: false, reason: 'too late', retry: true }]
    },
    close() {},
  }
  expect(await attemptDelivery(order, { ...context, mail: late })).toBe('SENT')
  expect(await delivery()).toMatchObject({ status: 'SENT', attempts: 2, lastReason: null })
  expect(await jobs()).toEqual([])
})

test('what was sent stays sent, whoever writes; and no request changes a delivery', async () => {
  const order = await queueOne()
  await attemptDelivery(order, planned().context)
  for (const change of [
    "status = 'FAILED', last_reason = 'x'",
    "status = 'QUEUED', text = '', html = ''",
    'attempts = 9',
  ])
    await expect(ask(`update mail_deliveries set ${change} where id = $1`, [order.deliveryId])).rejects.toThrow(
      /append-only/,
    )
  await expect(
    theApp().confined.use((_, connection) => connection.query("update mail_deliveries set status = 'SENT'")),
  ).rejects.toThrow(/permission denied/)
})

test('an organization that is deleted takes its mail along', async () => {
  const order = await queueOne()
  await amy.call('organizations_delete', { id: amy.organizationId ?? '' })
  const { context, sent } = planned()
  expect(await attemptDelivery(order, context)).toBeUndefined()
  expect(sent).toEqual([])
})
