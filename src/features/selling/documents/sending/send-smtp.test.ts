import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpMail } from '../../../../providers/mail/smtp.ts'
import { behaving, type Script, scripted } from '../../../../test/fakes/smtp.ts'
import { doJob } from '../../../../test/job.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../../../../test/world.ts'
import { createDeliverNow } from '../../../platform/mail/deliver-now.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { recordMailingOutcomeJob } from './mailing.ts'

// Sending with a scripted mail server that accepts, defers, refuses, hangs or disconnects.

let amy: Someone
const originalProviders = { ...{ mail: undefined, deliverNow: undefined } } as unknown as ReturnType<
  typeof theApp
>['providers']
beforeEach(async () => {
  amy = await member('CONTRIBUTOR')
  Object.assign(originalProviders, theApp().providers)
})

const opened: { close(): unknown }[] = []
afterEach(async () => {
  Object.assign(theApp().providers, originalProviders)
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** Makes the API send to a scripted server, with short timeouts. */
async function mailServer(script: Script, limitMs = 5_000) {
  const server = await scripted(script)
  const limits = { connectMs: 2_000, greetingMs: 2_000, silenceMs: 2_000, totalMs: 4_000 }
  const mail = smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from: 'books@kontor.example', limits })
  opened.push(server, mail)
  const { confined, services, providers } = theApp()
  Object.assign(providers, {
    mail,
    deliverNow: createDeliverNow({ confined, services, providers: { ...providers, mail } }, limitMs),
  })
  return server
}

async function draftFor(...emails: string[]) {
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  for (const email of emails) await amy.call('customers_recipients_post', { id: customerId, email })
  return (await sell(amy, { customerId })).id
}

const eventsOf = async (id: string) =>
  (await amy.call('invoices_events', { id })).events
    .map(({ type, payload }) => ({ type, payload }))
    .filter(({ type }) => /^SEN[DT]/.test(type))
    .toReversed()

const deliveries = () =>
  theApp().system.use((db) =>
    db
      .selectFrom('mailDeliveries')
      .selectAll()
      .where('organizationId', '=', String(amy.organizationId))
      .orderBy('to')
      .execute(),
  )

const flags = () => ({ [`organization:${amy.organizationId}`]: true as const })

/** Does the jobs of a worker: retries queued deliveries and records the outcome. */
async function workLater(documentId: string) {
  for (const { id, status } of await deliveries())
    if (status === 'QUEUED') await doJob(sendMail, { deliveryId: id }, { flags: flags() })
  const [mailing] = await theApp().system.use((db) =>
    db.selectFrom('documentMailings').select('mailingId').where('documentId', '=', documentId).execute(),
  )
  const payload = { mailingId: mailing?.mailingId, documentId }
  await doJob(recordMailingOutcomeJob, payload, { flags: flags() })
}

const accepted = ({ lines }: { lines: string[] }) => lines.filter((line) => line === '.').length
const statusOf = async (id: string) => (await amy.call('invoices_get', { id })).status

test('FLT-10: with one of three recipients refused, the answer, the history and the deliveries say so', async () => {
  const server = await mailServer(
    behaving((line) => (/^RCPT TO:<b@/.test(line) ? '550 5.1.1 No such user' : undefined)),
  )
  const id = await draftFor('a@globex.test', 'b@globex.test', 'c@globex.test')
  expect(await amy.call('invoices_send', { id })).toEqual({ success: true, sent: 2, failed: 1, totalRecipients: 3 })
  expect(accepted(server)).toBe(2)
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', invoiceNumber: '1' })
  expect(await eventsOf(id)).toMatchObject([
    { type: 'SENT', payload: { sent: 2, to: ['a@globex.test', 'c@globex.test'], userId: amy.userId } },
    {
      type: 'SEND_FAILED',
      payload: { failed: 1, to: ['b@globex.test'], retrying: 0, reasons: [expect.stringContaining('550 5.1.1')] },
    },
  ])
  await workLater(id)
  expect(await eventsOf(id)).toHaveLength(2)
  expect((await deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['SENT', 1],
    ['FAILED', 1],
    ['SENT', 1],
  ])
})

test('FLT-10: with all recipients refused, the document is issued and stays UNSENT', async () => {
  await mailServer(behaving((line) => (/^RCPT/.test(line) ? '554 5.7.1 Not here' : undefined)))
  const id = await draftFor('a@globex.test')
  expect(await amy.call('invoices_send', { id })).toEqual({ success: false, sent: 0, failed: 1, totalRecipients: 1 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'UNSENT', invoiceNumber: '1' })
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['SEND_FAILED'])
})

test('FLT-10: a deferred e-mail is retried, and the history records when it was sent', async () => {
  let attempts = 0
  await mailServer(behaving((line) => (line === '.' && attempts++ === 0 ? '451 4.7.1 Greylisted' : undefined)))
  const id = await draftFor('a@globex.test')
  const answer = await amy.call('invoices_send', { id })
  expect(answer).toEqual({ success: false, sent: 0, failed: 1, retrying: 1, totalRecipients: 1 })
  expect(await statusOf(id)).toBe('UNSENT')
  await workLater(id)
  expect(await statusOf(id)).toBe('SENT')
  expect(await eventsOf(id)).toMatchObject([
    { type: 'SEND_FAILED', payload: { failed: 1, retrying: 1 } },
    { type: 'SENT', payload: { sent: 1, to: ['a@globex.test'] } },
  ])
})

test('FLT-10: an e-mail that is deferred and then refused is recorded twice, the second time as final', async () => {
  let attempts = 0
  await mailServer(
    behaving((line) => (line === '.' ? (attempts++ === 0 ? '451 4.7.1 Later' : '550 5.7.1 No') : undefined)),
  )
  const id = await draftFor('a@globex.test')
  expect(await amy.call('invoices_send', { id })).toMatchObject({ failed: 1, retrying: 1 })
  await workLater(id)
  expect((await eventsOf(id)).map(({ payload }) => payload)).toMatchObject([{ retrying: 1 }, { retrying: 0 }])
  expect(await statusOf(id)).toBe('UNSENT')
})

test('FLT-10: the call does not wait for a server that hangs, and the counts add up', async () => {
  await mailServer(
    behaving((line) => (/^RCPT TO:<b@/.test(line) ? '' : undefined)),
    1_000,
  )
  const id = await draftFor('a@globex.test', 'b@globex.test')
  const answer = await amy.call('invoices_send', { id })
  expect(answer).toEqual({ success: true, sent: 1, failed: 1, retrying: 1, totalRecipients: 2 })
  expect(await statusOf(id)).toBe('SENT')
})

test('FLT-10: after a disconnect the e-mail is sent again with the same Message-ID', async () => {
  let broken = 0
  const well = behaving(() => undefined)
  const server = await mailServer((line, to) => (line === '.' && broken++ === 0 ? to.socket.destroy() : well(line, to)))
  const id = await draftFor('a@globex.test')
  expect(await amy.call('invoices_send', { id })).toMatchObject({ success: false, failed: 1, retrying: 1 })
  await workLater(id)
  expect(await statusOf(id)).toBe('SENT')
  const ids = server.lines.filter((line) => line.startsWith('Message-ID:'))
  expect(new Set(ids).size).toBe(1)
})

test('IDEM-5: a repeated call with the same Idempotency-Key gets the same answer and sends no second e-mail', async () => {
  const server = await mailServer(behaving(() => undefined))
  const id = await draftFor('a@globex.test')
  const again = () => amy.request(operationNamed('invoices_send'), { id }, { 'idempotency-key': 'once' })
  const [first, second] = [await again(), await again()]
  expect(second.body).toEqual(first.body)
  expect(accepted(server)).toBe(1)
})

test('IDEM-5: after a crash between queueing and sending, the retry sends each e-mail once', async () => {
  const server = await mailServer(behaving(() => undefined))
  const { deliverNow } = theApp().providers
  const id = await draftFor('a@globex.test', 'b@globex.test')
  const again = () => amy.request(operationNamed('invoices_send'), { id }, { 'idempotency-key': 'retried' })
  theApp().providers.deliverNow = () => Promise.reject(new Error('killed'))
  expect((await again()).status).toBe(500)
  expect([await statusOf(id), (await deliveries()).length, accepted(server)]).toEqual(['UNSENT', 2, 0])
  theApp().providers.deliverNow = deliverNow
  expect((await again()).body).toEqual({ success: true, sent: 2, failed: 0, totalRecipients: 2 })
  expect((await amy.call('invoices_get', { id })).invoiceNumber).toBe('1')
  expect([(await deliveries()).length, accepted(server)]).toEqual([2, 2])
})

test('after a crash between queueing and sending, a worker sends the e-mails', async () => {
  const server = await mailServer(behaving(() => undefined))
  const id = await draftFor('a@globex.test')
  theApp().providers.deliverNow = () => Promise.reject(new Error('killed'))
  await expect(amy.call('invoices_send', { id })).rejects.toMatchObject({ status: 500 })
  await workLater(id)
  expect([accepted(server), await statusOf(id)]).toEqual([1, 'SENT'])
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['SENT'])
})

test('FLT-10: a refused receipt e-mail is counted and does not affect the payment', async () => {
  await mailServer(behaving((line) => (/^RCPT TO:<b@/.test(line) ? '550 No' : undefined)))
  const id = await draftFor('a@globex.test', 'b@globex.test')
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: true, generateReceipt: true }
  const { email, document, receipt } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect([email, document.status]).toEqual([{ sent: 1, failed: 1 }, 'PAID'])
  expect((await eventsOf(String(receipt?.id))).map(({ type }) => type)).toEqual(['SENT', 'SEND_FAILED'])
})
