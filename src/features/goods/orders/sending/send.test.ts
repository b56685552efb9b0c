import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpMail } from '../../../../providers/mail/smtp.ts'
import { behaving, type Script, scripted } from '../../../../test/fakes/smtp.ts'
import { doJob } from '../../../../test/job.ts'
import { member, type Someone, theApp, withKey } from '../../../../test/world.ts'
import { createDeliverNow } from '../../../platform/mail/deliver-now.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { recordOrderMailingJob } from './mailing.ts'

let amy: Someone
let providers: ReturnType<typeof theApp>['providers']
beforeEach(async () => {
  amy = await member('MANAGER')
  providers = { ...theApp().providers }
})

const opened: { close(): unknown }[] = []
afterEach(async () => {
  Object.assign(theApp().providers, providers)
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** Makes the API send to a scripted server, with short timeouts. */
async function mailServer(script: Script) {
  const server = await scripted(script)
  const limits = { connectMs: 2_000, greetingMs: 2_000, silenceMs: 2_000, totalMs: 4_000 }
  const mail = smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from: 'books@kontor.example', limits })
  opened.push(server, mail)
  const { confined, services } = theApp()
  Object.assign(theApp().providers, {
    mail,
    deliverNow: createDeliverNow({ confined, services, providers: { ...providers, mail } }, 5_000),
  })
  return server
}

async function ordered(more: Record<string, unknown> = {}, email: string | null = 'sales@acme.test') {
  const { id: supplierId } = await amy.call('suppliers_create', { name: 'Acme Lighting', country: 'SG', email })
  const lines = [{ description: 'Lamp', quantity: 12, unitPrice: 10 }]
  return amy.call('orders_create', {
    ...{ kind: 'PURCHASE', supplierId, lines, status: 'OPEN', expectedDate: '2026-12-24', ...more },
  })
}

const deliveries = () =>
  theApp().system.use((db) =>
    db
      .selectFrom('mailDeliveries')
      .selectAll()
      .where('organizationId', '=', String(amy.organizationId))
      .orderBy('to')
      .execute(),
  )

const sentEvents = () =>
  theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select('payload')
      .where('organizationId', '=', String(amy.organizationId))
      .where('type', '=', 'order.sent')
      .execute(),
  )

const flags = () => ({ [`organization:${amy.organizationId}`]: true as const })

test('a key that may not read orders sends one to the supplier, and to no other address', async () => {
  const { id } = await ordered()
  const narrow = await withKey(amy, ['orders:write'])
  expect(await narrow.call('orders_send', { id })).toMatchObject({ sent: 1 })
  const refusal = { status: 403, details: [{ path: 'to', code: 'SCOPE' }] }
  await expect(narrow.call('orders_send', { id, to: ['me@x.test'] })).rejects.toMatchObject(refusal)
  const both = await withKey(amy, ['orders:write', 'orders:read'])
  expect(await both.call('orders_send', { id, to: ['me@x.test'] })).toMatchObject({ sent: 1 })
})

test('an order is sent to the address of its supplier, with the order as PDF', async () => {
  const { id, sentAt } = await ordered()
  expect(sentAt).toBe(null)
  expect(await amy.call('orders_send', { id })).toEqual({
    success: true,
    sent: 1,
    kept: 1,
    failed: 0,
    totalRecipients: 1,
  })
  expect((await amy.call('orders_get', { id })).sentAt).toMatch(/^2/)
  const [email] = (await amy.call('organizations_outbox', {})).messages
  expect(email).toMatchObject({
    to: 'sales@acme.test',
    subject: expect.stringMatching(/^Purchase Order PO-0001 from /),
  })
  expect(email?.text).toContain('purchase order PO-0001')
  expect(email?.text).toContain('24 December 2026')
  expect(JSON.stringify(email)).toContain('Purchase Order PO-0001.pdf')
  expect(await sentEvents()).toMatchObject([{ payload: { id, orderNumber: 'PO-0001' } }])
})

test('given addresses replace that of the supplier, and the first sending stays the time of sending', async () => {
  const { id } = await ordered({}, null)
  await expect(amy.call('orders_send', { id })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'NO_RECIPIENTS', path: 'to' }],
  })
  const to = ['b@acme.test', 'a@acme.test', 'b@acme.test']
  expect(await amy.call('orders_send', { id, to, language: 'he' })).toMatchObject({ sent: 2, totalRecipients: 2 })
  const { sentAt } = await amy.call('orders_get', { id })
  expect((await deliveries()).map((each) => [each.to, each.template])).toEqual([
    ['a@acme.test', 'order'],
    ['b@acme.test', 'order'],
  ])
  expect((await deliveries())[0]?.subject).toMatch(/^הזמנת רכש PO-0001 מאת /)
  await amy.call('orders_send', { id, to: ['c@acme.test'] })
  expect((await amy.call('orders_get', { id })).sentAt).toBe(sentAt)
  expect(await sentEvents()).toHaveLength(1)
})

test('drafts, orders that have ended and orders of customers are not sent', async () => {
  const to = ['a@acme.test']
  const refused = (id: string) =>
    expect(amy.call('orders_send', { id, to })).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'ORDER_TRANSITION' }],
    })
  const draft = await ordered({ status: 'DRAFT' })
  await refused(draft.id)
  await amy.call('orders_open', { id: draft.id })
  expect(await amy.call('orders_send', { id: draft.id, to })).toMatchObject({ sent: 1 })
  await amy.call('orders_cancel', { id: draft.id })
  await refused(draft.id)
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const lines = [{ description: 'Lamp', quantity: 1, unitPrice: 25 }]
  await refused((await amy.call('orders_create', { kind: 'SALES', customerId, lines, status: 'OPEN' })).id)
  expect(await deliveries()).toHaveLength(1)
})

test('an order that is too long to print is not sent', async () => {
  const lines = Array(40).fill({ description: 'Work\n'.repeat(400), quantity: 1, unitPrice: 1 })
  const [short, long] = [await ordered(), await ordered({ lines })]
  expect(await amy.call('orders_send', { id: short.id })).toMatchObject({ sent: 1 })
  await expect(amy.call('orders_send', { id: long.id })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'PRINT_TOO_LONG' }],
  })
})

test('FLT-10: a deferred e-mail is retried by a worker, and the order is sent when it was accepted', async () => {
  let attempts = 0
  await mailServer(behaving((line) => (line === '.' && attempts++ === 0 ? '451 4.7.1 Greylisted' : undefined)))
  const { id } = await ordered()
  expect(await amy.call('orders_send', { id })).toMatchObject({ success: false, sent: 0, failed: 1, retrying: 1 })
  expect((await amy.call('orders_get', { id })).sentAt).toBe(null)
  const [delivery] = await deliveries()
  await doJob(sendMail, { deliveryId: delivery?.id }, { flags: flags() })
  const payload = { orderId: id, deliveryIds: [String(delivery?.id)] }
  await doJob(recordOrderMailingJob, payload, { flags: flags() })
  await doJob(recordOrderMailingJob, payload, { flags: flags() })
  expect((await amy.call('orders_get', { id })).sentAt).not.toBe(null)
  expect(await sentEvents()).toHaveLength(1)
})

test('FLT-10: an order whose e-mail is refused for good is not marked as sent', async () => {
  await mailServer(behaving((line) => (/^RCPT/.test(line) ? '550 5.1.1 No such user' : undefined)))
  const { id } = await ordered()
  expect(await amy.call('orders_send', { id })).toEqual({ success: false, sent: 0, failed: 1, totalRecipients: 1 })
  expect((await amy.call('orders_get', { id })).sentAt).toBe(null)
  expect(await sentEvents()).toEqual([])
})
