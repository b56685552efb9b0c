import '../own-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { type App, createApp } from '../../program/app.ts'
import { prune } from '../../worker/prune.ts'
import { emailOf, personWithPassword } from '../accounts.ts'
import { action, automate, carryOn, graphOf, trigger } from '../automations/automations.ts'
import { mailbox } from '../fakes/smtp.ts'
import { doJob } from '../job.ts'
import { proves } from '../prove.ts'
import { sell } from '../sales-documents.ts'
import {
  addressed,
  member,
  type Name,
  operationNamed,
  type Someone,
  testConfig,
  theApp,
  theDatabase,
} from '../world.ts'

/** In strict mode a person sends mail to others with a confirmed address and within limits, and creates so many organizations. */

let strict: App
let inbox: Awaited<ReturnType<typeof mailbox>>
beforeAll(async () => {
  inbox = await mailbox()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${inbox.port}?tls=off`, MAIL_FROM: 'books@kontor.example' }
  strict = await createApp({ ...testConfig({ ...mail, RATE_LIMIT_SCALE: '1' }), mode: 'strict' }, theDatabase())
  await strict.server.ready()
})
afterAll(async () => {
  await strict.close()
  await inbox.close()
})

const rows = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** Calls an operation at the server in strict mode, or at the one in local mode. */
async function call(someone: Someone, name: Name, input: Record<string, unknown>, at: App = strict) {
  const operation = operationNamed(name)
  const { url, body } = addressed(operation, input)
  const answer = await at.server.inject({
    method: operation.method as 'POST',
    url,
    headers: { ...(someone.credentials as Record<string, string>) },
    ...(body && { payload: body }),
  })
  const details = answer.json().error?.details as { code?: string; message: string }[] | undefined
  return { status: answer.statusCode, body: answer.json(), code: details?.[0]?.code, headers: answer.headers }
}

const verify = ({ userId }: Someone) => rows('update users set email_verified_at = now() where id = $1', [userId])
const unverify = ({ userId }: Someone) => rows('update users set email_verified_at = null where id = $1', [userId])

const newAddress = () => `${newId()}@recipient.test`

async function invoiceTo(someone: Someone, email: string) {
  const { id: customerId } = await someone.call('customers_create', { name: 'Globex', country: 'SG', email })
  return (await sell(someone, { customerId, status: 'UNSENT' })).id
}

const mailing = (to: string) =>
  graphOf(
    [trigger('invoice.created'), action('mail', 'email.send', { to, subject: 'Hello', body: 'Good day' })],
    'start>mail',
  )

type Sending = (someone: Someone, to: string) => Promise<{ status: number; code: string | undefined; headers: object }>

/** Every way to send mail to an address of one's choice. */
const ways: [string, Sending][] = [
  ['a document', async (who, to) => call(who, 'invoices_send', { id: await invoiceTo(who, to) })],
  [
    'a receipt',
    async (who, to) =>
      call(who, 'invoices_mark_paid', {
        id: await invoiceTo(who, to),
        paymentDate: '2026-01-31',
        paymentMethod: 'CASH',
        sendReceiptEmail: true,
      }),
  ],
  [
    'an invitation',
    (who, to) => call(who, 'users_invitations_post', { id: who.organizationId, email: to, role: 'VIEWER' }),
  ],
  [
    'a document that an automation sends',
    async (who, to) => {
      const send = action('send', 'invoices.send', { id: '{{trigger.id}}' })
      const id = await automate(who, graphOf([trigger('invoice.created'), send], 'start>send'), { armed: false })
      return toStatus(await call(who, 'automations_test', { id, payload: { id: await invoiceTo(who, to) } }))
    },
  ],
  [
    'mail of an automation',
    async (who, to) => {
      const id = await automate(who, mailing(to), { armed: false })
      return toStatus(await call(who, 'automations_test', { id }))
    },
  ],
]

/** The outcome of a run as if the step had been a request of its own. */
function toStatus(answer: Awaited<ReturnType<typeof call>>) {
  const { status, steps } = answer.body as { status: string; steps: { error: string | null }[] }
  const error = steps.map((step) => step.error ?? '').join(' ')
  if (status === 'SUCCEEDED') return { status: 200, code: undefined, headers: {} }
  if (/Confirm your e-mail address/.test(error)) return { status: 403, code: 'EMAIL_UNCONFIRMED', headers: {} }
  if (/This recipient has got/.test(error)) return { status: 429, code: 'MAIL_PER_RECIPIENT', headers: {} }
  if (/You have sent/.test(error)) return { status: 429, code: 'MAIL_PER_PERSON', headers: {} }
  throw new Error(`The run ended in another way: ${JSON.stringify(answer.body)}`)
}

const accepted = (status: number) => expect([200, 201]).toContain(status)

const messagesTo = (to: string) =>
  rows(
    'select 1 from mail_deliveries where lower("to") = lower($1) union all select 1 from automation_deliveries where target = $1',
    [to],
  )

/** In `npm test` every second way: all of them count in one place. */
const isCounted = (way: string) => proves || ways.findIndex(([each]) => each === way) % 2 === 0

describe.each(ways)('%s', (way, sending) => {
  test('THR-18: is not sent for an account whose address is not confirmed, and is once it is', async () => {
    const amy = await member('OWNER')
    const to = newAddress()
    expect(await sending(amy, to)).toMatchObject({ status: 403, code: 'EMAIL_UNCONFIRMED' })
    expect(await messagesTo(to)).toEqual([])
    await verify(amy)
    accepted((await sending(amy, to)).status)
    expect(await messagesTo(to)).toHaveLength(1)
  })

  test.runIf(isCounted(way))(
    'THR-18: goes to one recipient twenty times within a day and not once more, however the address is spelled',
    async () => {
      const amy = await member('OWNER')
      await verify(amy)
      const name = newId()
      await rows('insert into mail_counts values ($1, now() - $2::interval, 19)', [
        `mailbox:${name}@recipient.test`,
        '20 hours',
      ])
      accepted((await sending(amy, `${name}@recipient.test`)).status)
      const refused = await sending(amy, `${name}+tag@Recipient.test`)
      expect(refused).toMatchObject({ status: 429, code: 'MAIL_PER_RECIPIENT' })
      if ('retry-after' in refused.headers) {
        const waitS = Number(refused.headers['retry-after'])
        expect(waitS).toBeGreaterThan(4 * 3600)
        expect(waitS).toBeLessThanOrEqual(5 * 3600)
      }
      accepted((await sending(amy, newAddress())).status)
    },
  )

  test.runIf(isCounted(way))('THR-18: is one of 500 messages that a person sends within a day', async () => {
    const amy = await member('OWNER')
    await verify(amy)
    await rows('insert into mail_counts values ($1, now(), 499)', [`person:${amy.userId}`])
    accepted((await sending(amy, newAddress())).status)
    expect(await sending(amy, newAddress())).toMatchObject({ status: 429, code: 'MAIL_PER_PERSON' })
  })
})

test('RATE: mail of an automation waits for the limits of a person and of a recipient, and is then sent', async () => {
  const amy = await member('OWNER')
  await verify(amy)
  for (const subject of ['person', 'mailbox']) {
    const to = newAddress()
    const counted = subject === 'person' ? `person:${amy.userId}` : `mailbox:${to}`
    await rows("insert into mail_counts values ($1, now() - interval '20 hours', 500)", [counted])
    const id = await automate(amy, mailing(to), { armed: false })
    const { body } = await call(amy, 'automations_test', { id })
    expect(body).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 1 }] })
    const waitH = (Date.parse(body.steps[1].waitsUntil) - Date.now()) / 3_600_000
    expect(waitH).toBeGreaterThan(3.9)
    expect(waitH).toBeLessThan(8)
    await rows('delete from mail_counts where subject = $1', [counted])
    await carryOn(amy.organizationId ?? '', body.id)
    expect(await amy.call('automations_run', { id, runId: body.id })).toMatchObject({
      status: 'SUCCEEDED',
      steps: [{}, { attempt: 1 }],
    })
    expect(await messagesTo(to)).toHaveLength(1)
  }
})

const invite = (who: Someone, email: string, at: App = strict) =>
  call(who, 'users_invitations_post', { id: who.organizationId, email, role: 'VIEWER' }, at)

test('THR-18: of forty messages at once from two organizations a mailbox gets exactly twenty', async () => {
  const [amy, bob] = [await member('OWNER'), await member('OWNER')]
  await Promise.all([verify(amy), verify(bob)])
  const name = newId()
  const invited = Array.from({ length: 40 }, (_, n) => invite(n % 2 ? amy : bob, `${name}+${n}@recipient.test`))
  const answers = await Promise.all(invited)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  for (const { status, code, headers } of answers.filter((answer) => answer.status !== 201)) {
    expect([status, code]).toEqual([429, 'MAIL_PER_RECIPIENT'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(await rows('select 1 from mail_deliveries where "to" like $1', [`${name}+%`])).toHaveLength(20)
})

test('THR-18: of ten messages at once a person who has one left sends one', async () => {
  const amy = await member('OWNER')
  await verify(amy)
  await rows('insert into mail_counts values ($1, now(), 499)', [`person:${amy.userId}`])
  const answers = await Promise.all(Array.from({ length: 10 }, () => invite(amy, newAddress())))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(429)])
})

test('a message counts for a day and no longer, and the counts are deleted', async () => {
  const amy = await member('OWNER')
  await verify(amy)
  const counted = (hours: string) =>
    rows('insert into mail_counts values ($1, now() - $2::interval, 500)', [`person:${amy.userId}`, hours])
  await counted('25 hours 1 minute')
  expect((await invite(amy, newAddress())).status).toBe(201)
  await counted('24 hours 50 minutes')
  expect((await invite(amy, newAddress())).code).toBe('MAIL_PER_PERSON')
  await rows(`update mail_counts set hour = hour - interval '2 days' where subject = $1`, [`person:${amy.userId}`])
  await doJob(prune)
  expect(await rows('select 1 from mail_counts where subject = $1', [`person:${amy.userId}`])).toEqual([])
})

test('a retry of a message and a message to no address do not count', async () => {
  const amy = await member('OWNER')
  await verify(amy)
  const to = newAddress()
  const id = await invoiceTo(amy, to)
  const headers = { 'idempotency-key': newId() }
  const send = () =>
    strict.server.inject({
      method: 'POST',
      url: `/api/documents/${id}/send`,
      headers: { ...(amy.credentials as Record<string, string>), ...headers },
    })
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200])
  const count = () =>
    rows<{ messages: number }>('select sum(messages)::int as messages from mail_counts where subject = $1', [
      `person:${amy.userId}`,
    ])
  expect(await count()).toEqual([{ messages: 1 }])
  await rows('update customers set email = $2 where id = (select counterparty_id from documents where id = $1)', [
    id,
    'nobody at all',
  ])
  expect((await call(amy, 'invoices_send', { id })).body).toMatchObject({ failed: 1 })
  expect(await count()).toEqual([{ messages: 1 }])
})

test('in local mode nothing of this is limited', async () => {
  const amy = await member('OWNER')
  await unverify(amy)
  await rows('insert into mail_counts values ($1, now(), 500)', [`person:${amy.userId}`])
  expect((await invite(amy, newAddress(), theApp())).status).toBe(201)
})

test('THR-18: requests to confirm an address count for the recipient, and people who are not confirmed can make them', async () => {
  const amy = await personWithPassword()
  const victim = newAddress()
  const change = (email: string) => call(amy, 'auth_email_change', { email, password: 'correct horse' })
  expect((await change(victim)).status).toBe(200)
  await rows('update mail_counts set messages = 20 where subject = $1', [`mailbox:${victim}`])
  expect(await change(victim)).toMatchObject({ status: 429, code: 'MAIL_PER_RECIPIENT' })
  expect((await call(amy, 'auth_email_verify', {})).status).toBe(200)
  await rows('update mail_counts set messages = 20 where subject = $1', [`mailbox:${emailOf(amy)}`])
  expect(await call(amy, 'auth_email_verify', {})).toMatchObject({ status: 429, code: 'MAIL_PER_RECIPIENT' })
})

describe('RATE: of organizations', () => {
  const create = (who: Someone, at: App = strict) =>
    call(who, 'organizations_create', { name: 'Acme', country: 'SG' }, at)

  test('a person creates fifty and not one more, also at the same time; those given away count, those deleted do not, and local mode has no limit', async () => {
    const [amy, bob] = [await personWithPassword(), await personWithPassword()]
    const ids: string[] = []
    for (let n = 0; n < 49; n += 1) {
      const made = await create(amy, theApp())
      expect(made.status).toBe(201)
      ids.push(made.body.id)
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(amy)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      code: 'ORGANIZATIONS_MAX',
      body: { error: { message: expect.stringContaining('as many organizations as one person may') } },
    })
    expect((await create(bob)).status).toBe(201)

    const [given = '', deleted = '', beyond = ''] = ids
    await rows(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')`, [given, bob.userId])
    await amy.call('users_member_delete', { id: given, userId: amy.userId })
    expect((await create(amy)).code).toBe('ORGANIZATIONS_MAX')
    await amy.call('organizations_delete', { id: deleted })
    expect((await create(amy)).status).toBe(201)
    expect((await create(amy)).code).toBe('ORGANIZATIONS_MAX')
    expect((await create(amy, theApp())).status).toBe(201)
    expect((await create(amy)).code).toBe('ORGANIZATIONS_MAX')
    await amy.call('organizations_delete', { id: beyond })
    expect((await create(amy)).code).toBe('ORGANIZATIONS_MAX')
  })
})
