import '../../../test/own-world.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operation } from '../../../core/define/operation.ts'
import { Type } from '../../../core/define/schema.ts'
import type { Message, Outcome } from '../../../core/outside/mail.ts'
import { fromEnvelope } from '../../../core/run/record.ts'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { newId } from '../../../core/values/id.ts'
import { doJob } from '../../../test/job.ts'
import { findJobs, removeJobs } from '../../../test/queue.ts'
import { member, person, type Someone, theApp } from '../../../test/world.ts'
import { prune } from '../../../worker/prune.ts'
import { invitation } from '../../company/invitations/template.ts'
import { nothingEnded } from '../../company/people/end-access.ts'
import { type PersonTemplate, queueMail, queuePersonMail } from './queue.ts'
import { requeueLostMail, sendMail } from './send-mail.ts'
import { accessEnded } from './templates/access-ended.ts'
import { accountExists } from './templates/account-exists.ts'
import { emailChanged } from './templates/email-changed.ts'
import { notificationDigest } from './templates/notification-digest.ts'
import { passwordReset } from './templates/password-reset.ts'
import { verifyEmail } from './templates/verify-email.ts'

const secret = 'VerySecretLinkToken'
const url = `https://books.example.com/reset?token=${secret}`
const content = { subject: 'Hello', text: `Go to ${url}`, html: `<a href="${url}">Go</a>` }
const attachments = [{ fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from(secret) }]

const Input = Type.Object({ to: Type.String(), template: Type.String(), fails: Type.Boolean() })
const definition = {
  does: 'Writes mail, for this test.',
  scope: 'users:write',
  output: Type.Object({ id: Type.String() }),
} as const

const writeToMe = operation({
  ...definition,
  name: 'users_write_to_me',
  http: 'POST /api/write-to-me',
  within: 'caller',
  input: Input,
  async run(context, { to, template, fails }) {
    const id = await queuePersonMail(context, { to, template: template as PersonTemplate, ...content })
    if (fails) throw new Error('something else went wrong')
    return { id }
  },
})
const writeForUs = operation({
  ...definition,
  name: 'users_write_for_us',
  http: 'POST /api/write-for-us',
  role: 'EMPLOYEE',
  within: 'organizationId',
  input: Type.Object({ organizationId: Type.String(), ...Input.properties }),
  run: async (context, { to, template }) => ({
    id:
      template === 'document'
        ? await queueMail(context, { to, template, ...content, attachments })
        : await queuePersonMail(context, { to, template: template as PersonTemplate, ...content }),
  }),
})

let amy: Someone
beforeEach(async () => {
  amy = await member('OWNER')
})
afterEach(async () => {
  await removeJobs()
  await ask('delete from mail_deliveries')
})

const ask = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

async function run(which: typeof writeToMe | typeof writeForUs, more: object = {}, by = amy): Promise<string> {
  const input = { to: 'dana@example.com', template: 'password-reset', fails: false, ...more }
  const caller = { source: 'COMPANION', credential: null, userId: by.userId, requestId: 'test' } as const
  const here = which === writeForUs && { organizationId: amy.organizationId }
  return JSON.parse((await theApp().runner.run(which, { caller, input: { ...input, ...here }, trace: {} })).body).id
}

const sent: Message[] = []
const mail = {
  async send(message: Message): Promise<Outcome[]> {
    sent.push(message)
    return [{ address: message.to[0] ?? '', ok: true, messageId: `<${message.id}>` }]
  },
  close() {},
}
const providers = () => ({ ...theApp().providers, mail })

type Order = { deliveryId: string; flags: Record<string, true> | null }
const orders = async (): Promise<Order[]> =>
  (await findJobs()).map(({ payload, flags }) => {
    const { deliveryId } = fromEnvelope(payload).payload as { deliveryId: string }
    return { deliveryId, flags }
  })

async function deliver({ deliveryId, flags }: Order) {
  sent.length = 0
  await doJob(sendMail, { deliveryId }, { providers: providers(), flags })
  return sent[0]
}
const statusOf = async (id: string) =>
  (await ask('select status, last_reason, organization_id from mail_deliveries where id = $1', [id]))[0]

test('INV-20: a queued message is stored encrypted and arrives unchanged', async () => {
  await run(writeForUs, { template: 'document' })
  const [row] = await ask<{ text: string; letter: Buffer; contents: Buffer }>(
    'select d::text as text, letter, contents from mail_deliveries d where organization_id = $1',
    [amy.organizationId],
  )
  expect(row?.text).not.toContain(secret)
  for (const bytes of [row?.letter, row?.contents]) expect(bytes?.includes(secret)).toBe(false)
  const [order] = await orders()
  expect(order && (await deliver(order))).toMatchObject({ ...content, attachments })
})

test.each([
  ['to', "'eve@evil.test'"],
  ['letter', 'set_byte(letter, 20, get_byte(letter, 20) # 1)'],
  ['contents', 'set_byte(contents, 20, get_byte(contents, 20) # 1)'],
])('INV-20: a message whose %s was changed in the table is not sent', async (column, value) => {
  const unaltered = await run(writeForUs, { template: 'document' })
  const id = await run(writeForUs, { template: 'document' })
  await ask(`update mail_deliveries set "${column}" = ${value} where id = $1`, [id])
  const queued = new Map((await orders()).map((each) => [each.deliveryId, each]))
  const [first, order] = [queued.get(unaltered), queued.get(id)]
  expect(first && (await deliver(first))).toMatchObject(content)
  expect(order).toBeDefined()
  expect(order && (await deliver(order))).toBeUndefined()
  expect(await statusOf(id)).toMatchObject({ status: 'FAILED', lastReason: expect.stringMatching(/altered/) })
})

test('a message that is too long is refused when it is queued', async () => {
  const context = { secrets: theApp().services.secrets, enqueue() {} }
  const long = { to: 'dana@example.com', template: 'document', ...content, text: 'x'.repeat(200_001) }
  await expect(theApp().system.use((db) => queueMail({ ...context, db }, long))).rejects.toMatchObject({ status: 400 })
})

test.each([
  ['their own operation', writeToMe],
  ['an operation of an organization', writeForUs],
])('mail from Kontor to a person can be queued in %s and belongs to no organization', async (_, which) => {
  const id = await run(which)
  expect(await statusOf(id)).toMatchObject({ status: 'QUEUED', organizationId: null })
  expect(await orders()).toEqual([{ deliveryId: id, flags: null }])
  const [order] = await orders()
  expect(order && (await deliver(order))).toMatchObject({ organizationId: null, senderName: 'Kontor', ...content })
  expect(await statusOf(id)).toMatchObject({ status: 'SENT' })
})

test('mail to a person is sent only if the operation commits', async () => {
  await expect(run(writeToMe, { fails: true })).rejects.toThrow()
  expect(await orders()).toEqual([])
  expect(await ask("select from mail_deliveries where organization_id is null and status = 'QUEUED'")).toEqual([])
})

test('mail to a person can be queued on a system connection, and queued twice it is sent once', async () => {
  const id = newId()
  const write = () =>
    theApp().system.use((db) =>
      queuePersonMail(
        { db, secrets: theApp().services.secrets },
        { id, to: 'dana@example.com', template: 'verify-email', ...content },
      ),
    )
  expect([await write(), await write()]).toEqual([id, id])
  expect(await orders()).toEqual([{ deliveryId: id, flags: null }])
})

test('THR-18: mail from Kontor needs a known template and a valid address', async () => {
  const known = await run(writeToMe)
  await expect(run(writeToMe, { template: 'free-text' })).rejects.toThrow()
  const id = await run(writeToMe, { to: 'bob@example.com\r\nBcc: eve@evil.test' })
  expect(await statusOf(id)).toMatchObject({
    status: 'FAILED',
    lastReason: expect.stringMatching(/Mail cannot be sent to this address/),
  })
  expect((await orders()).map(({ deliveryId }) => deliveryId)).toEqual([known])
})

test('INV-18: no request can read mail from Kontor to a person, not even that of its recipient', async () => {
  const id = await run(writeToMe)
  for (const context of [{ userId: amy.userId }, { organizationId: amy.organizationId }]) {
    const seen = await withTransaction(theApp().confined, context, async ({ connection }) => {
      return (await connection.query('select id from mail_deliveries where id = $1', [id])).rows
    })
    expect(seen).toEqual([])
  }
})

test('the database accepts every template of mail to a person', async () => {
  const dana = { name: 'Dana', url }
  const letters = {
    'password-reset': passwordReset('he', { ...dana, validMinutes: 30 }),
    'verify-email': verifyEmail('en', { ...dana, validHours: 24 }),
    'email-changed': emailChanged('en', { name: 'Dana', email: 'new@example.com' }),
    'account-exists': accountExists('he', dana),
    'access-ended': accessEnded('en', { ...dana, ...nothingEnded }),
    invitation: invitation('en', { organizationName: 'Acme', inviterName: 'Bob', role: 'VIEWER', url, validDays: 7 }),
    'notification-digest': notificationDigest('en', { ...dana, items: ['An invoice was paid'], more: 0 }),
  } satisfies Record<PersonTemplate, typeof content>
  const dear = await person()
  for (const [template, letter] of Object.entries(letters)) {
    expect(letter.text).toContain('\n')
    await run(writeToMe, { template }, dear)
  }
  expect(await orders()).toHaveLength(Object.keys(letters).length)
})

const recover = () => doJob(requeueLostMail)

test('a delivery whose job was lost is requeued once and sent', async () => {
  const ids = [await run(writeToMe), await run(writeForUs, { template: 'document' })]
  await removeJobs()
  await recover()
  await recover()
  expect(await orders()).toEqual([
    { deliveryId: ids[0], flags: null },
    { deliveryId: ids[1], flags: { [`organization:${amy.organizationId}`]: true } },
  ])
  for (const order of await orders()) expect((await deliver(order))?.id).toBe(order.deliveryId)
})

test('a delivery that is being sent, waits for a retry or is finished is not requeued', async () => {
  const [held, retried, done] = [await run(writeToMe), await run(writeToMe), await run(writeToMe)]
  await ask("update mail_deliveries set claimed_until = now() + interval '1 minute' where id = $1", [held])
  await ask("update mail_deliveries set status = 'FAILED', letter = null, last_reason = 'x' where id = $1", [done])
  await removeJobs()
  const retry = JSON.stringify({ $order: { payload: { deliveryId: retried }, attempt: 2 } })
  await ask("select graphile_worker.add_job('send-mail', $1::json)", [retry])
  await recover()
  expect(await orders()).toEqual([{ deliveryId: retried, flags: null }])
  await ask("update mail_deliveries set claimed_until = now() - interval '1 second' where id = $1", [held])
  await recover()
  expect((await orders()).map(({ deliveryId }) => deliveryId)).toEqual([retried, held])
})

test('deliveries are deleted after 400 days, unless they are still queued', async () => {
  const [old, waiting, young] = [await run(writeToMe), await run(writeToMe), await run(writeToMe)]
  const aged = (id: string, days: number, more = '') =>
    ask(`update mail_deliveries set created_at = now() - make_interval(days => $2) ${more} where id = $1`, [id, days])
  const failed = ", status = 'FAILED', letter = null, last_reason = 'x'"
  await aged(old, 401, failed)
  await aged(waiting, 401)
  await aged(young, 399, failed)
  await doJob(prune)
  const left = await ask<{ id: string }>('select id from mail_deliveries where id = any ($1) order by id', [
    [old, waiting, young],
  ])
  expect(left.map(({ id }) => id)).toEqual([waiting, young].sort())
})
