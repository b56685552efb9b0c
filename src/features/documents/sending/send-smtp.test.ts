import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpMail } from '../../../providers/mail/smtp.ts'
import { behaving, type Script, scripted } from '../../../test/fakes/smtp.ts'
import { doJob } from '../../../test/job.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../../../test/world.ts'
import { createDeliverNow } from '../../mail/deliver-now.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { recordMailingOutcomeJob } from './mailing.ts'

/** Sending against a mail server that takes, puts off, refuses, hangs or breaks off, as its script says. */

let amy: Someone
const usual = { ...{ mail: undefined, deliverNow: undefined } } as unknown as ReturnType<typeof theApp>['providers']
beforeEach(async () => {
  amy = await member('CONTRIBUTOR')
  Object.assign(usual, theApp().providers)
})

const opened: { close(): unknown }[] = []
afterEach(async () => {
  Object.assign(theApp().providers, usual)
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** The API speaks to this server from now on; what a call waits for it is short. */
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

/** What a worker does when its time has come: another attempt at what waits, and a word about the outcome. */
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

test('FLT-10: of three recipients one is refused: two have it, and everything says so', async () => {
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

test('FLT-10: when all are refused the document has its number, and waits to be sent', async () => {
  await mailServer(behaving((line) => (/^RCPT/.test(line) ? '554 5.7.1 Not here' : undefined)))
  const id = await draftFor('a@globex.test')
  expect(await amy.call('invoices_send', { id })).toEqual({ success: false, sent: 0, failed: 1, totalRecipients: 1 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'UNSENT', invoiceNumber: '1' })
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['SEND_FAILED'])
})

test('FLT-10: what a server puts off is tried again, and told when it has arrived', async () => {
  let asked = 0
  await mailServer(behaving((line) => (line === '.' && asked++ === 0 ? '451 4.7.1 Greylisted' : undefined)))
  const id = await draftFor('a@globex.test')
  const told = await amy.call('invoices_send', { id })
  expect(told).toEqual({ success: false, sent: 0, failed: 1, retrying: 1, totalRecipients: 1 })
  expect(await statusOf(id)).toBe('UNSENT')
  await workLater(id)
  expect(await statusOf(id)).toBe('SENT')
  expect(await eventsOf(id)).toMatchObject([
    { type: 'SEND_FAILED', payload: { failed: 1, retrying: 1 } },
    { type: 'SENT', payload: { sent: 1, to: ['a@globex.test'] } },
  ])
})

test('FLT-10: what is put off and then refused is told a second time, as final', async () => {
  let asked = 0
  await mailServer(
    behaving((line) => (line === '.' ? (asked++ === 0 ? '451 4.7.1 Later' : '550 5.7.1 No') : undefined)),
  )
  const id = await draftFor('a@globex.test')
  expect(await amy.call('invoices_send', { id })).toMatchObject({ failed: 1, retrying: 1 })
  await workLater(id)
  expect((await eventsOf(id)).map(({ payload }) => payload)).toMatchObject([{ retrying: 1 }, { retrying: 0 }])
  expect(await statusOf(id)).toBe('UNSENT')
})

test('FLT-10: nobody waits for a server that hangs, and the numbers add up', async () => {
  await mailServer(
    behaving((line) => (/^RCPT TO:<b@/.test(line) ? '' : undefined)),
    1_000,
  )
  const id = await draftFor('a@globex.test', 'b@globex.test')
  const told = await amy.call('invoices_send', { id })
  expect(told).toEqual({ success: true, sent: 1, failed: 1, retrying: 1, totalRecipients: 2 })
  expect(await statusOf(id)).toBe('SENT')
})

test('FLT-10: a server that breaks off after the message gets it again under the same Message-ID', async () => {
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

test('IDEM-5: sent again with its Idempotency-Key it is told again, and mailed once', async () => {
  const server = await mailServer(behaving(() => undefined))
  const id = await draftFor('a@globex.test')
  const again = () => amy.request(operationNamed('invoices_send'), { id }, { 'idempotency-key': 'once' })
  const [first, second] = [await again(), await again()]
  expect(second.body).toEqual(first.body)
  expect(accepted(server)).toBe(1)
})

test('IDEM-5: a process that dies between queueing and sending is taken over by the retry, and mails once', async () => {
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

test('a process that dies between queueing and sending leaves the rest to a worker', async () => {
  const server = await mailServer(behaving(() => undefined))
  const id = await draftFor('a@globex.test')
  theApp().providers.deliverNow = () => Promise.reject(new Error('killed'))
  await expect(amy.call('invoices_send', { id })).rejects.toMatchObject({ status: 500 })
  await workLater(id)
  expect([accepted(server), await statusOf(id)]).toEqual([1, 'SENT'])
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['SENT'])
})

test('FLT-10: the letter with a receipt is counted alike, and the payment stands whatever becomes of it', async () => {
  await mailServer(behaving((line) => (/^RCPT TO:<b@/.test(line) ? '550 No' : undefined)))
  const id = await draftFor('a@globex.test', 'b@globex.test')
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: true, generateReceipt: true }
  const { email, document, receipt } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect([email, document.status]).toEqual([{ sent: 1, failed: 1 }, 'PAID'])
  expect((await eventsOf(String(receipt?.id))).map(({ type }) => type)).toEqual(['SENT', 'SEND_FAILED'])
})
