import { expect, onTestFinished, test } from 'vitest'
import { createConsumeRateLimit } from '../../../../core/run/rate-limit.ts'
import { smtpMail } from '../../../../providers/mail/smtp.ts'
import { action, graphOf, trigger } from '../../../../test/automations/automations.ts'
import { logOf, started, testRun, withProvider } from '../../../../test/automations/outside-actions.ts'
import { behaving, mailbox, type Received, scripted } from '../../../../test/fakes/smtp.ts'
import { within } from '../../../../test/secrets.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { recipientsOf } from './email-send.ts'

const outboxOf = async (amy: Someone) =>
  (await amy.call('organizations_outbox', { organizationId: amy.organizationId ?? '' })).messages
const mail = (to: unknown, more: object = {}) => ({ to, subject: 'Paid', body: 'Thank you.', ...more })

/** Providers that send mail to this server. */
function mailTo(server: { port: number; close(): Promise<void> }) {
  const mail = smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from: 'kontor@example.com' })
  onTestFinished(async () => {
    mail.close()
    await server.close()
  })
  return withProvider({ mail })
}

/** A mail server that refuses these recipients with the given codes. */
const refusing = (codes: Record<string, number>) =>
  mailbox({
    onRcptTo({ address }, _session, callback) {
      const responseCode = codes[address]
      callback(responseCode ? Object.assign(new Error(`${responseCode} No`), { responseCode }) : null)
    },
  })

const idsOf = (received: Received[]) => received.map(({ raw }) => /^message-id: (.*)$/im.exec(raw.toString())?.[1])

test('mail is sent in the name of the organization, with bindings resolved, as text and as escaped HTML', async () => {
  const amy = await member('OWNER')
  const body = 'Dear {{trigger.name}},\nyou paid <b>{{trigger.total}}</b>.\n\nשלום'
  const run = await testRun(amy, 'email.send', mail('dana@example.com', { subject: 'Paid: {{trigger.name}}', body }), { name: 'Dana & Co', total: 12.5 })
  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    steps: [{}, { output: { sent: 1, failed: 0, totalRecipients: 1, recipients: [{ address: 'dana@example.com', outcome: 'DELIVERED' }] } }],
  })
  const [message, ...others] = await outboxOf(amy)
  expect(others).toEqual([])
  expect(message).toMatchObject({ to: 'dana@example.com', subject: 'Paid: Dana & Co', text: 'Dear Dana & Co,\nyou paid <b>12.5</b>.\n\nשלום\n' })
  expect(message?.html).toContain('<p dir="auto" style="margin:0 0 16px">Dear Dana &amp; Co,<br>you paid &lt;b&gt;12.5&lt;/b&gt;.</p>')
  expect(await logOf(amy)).toMatchObject([{ kind: 'EMAIL', target: 'dana@example.com', outcome: 'DELIVERED', attempt: 1, reason: null, status: null, stepId: run.steps[1]?.id }])
}) // biome-ignore format: a list of words

test.each([
  ['a@x.test', ['a@x.test']],
  ['a@x.test, b@x.test', ['a@x.test', 'b@x.test']],
  [
    ['a@x.test', 'b@x.test'],
    ['a@x.test', 'b@x.test'],
  ],
  ['a@x.test,A@X.test', ['A@x.test']],
])('the recipients of %j are %j', (to, addresses) => expect(recipientsOf(to)).toEqual(addresses))

test('each recipient gets a separate message', async () => {
  const amy = await member('OWNER')
  const run = await testRun(amy, 'email.send', mail('dana@x.test, eli@x.test'))
  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    steps: [{}, { output: { sent: 2, failed: 0, totalRecipients: 2 } }],
  })
  expect((await outboxOf(amy)).map(({ to }) => to).sort()).toEqual(['dana@x.test', 'eli@x.test'])
})

test.each([
  mail('dana@x.test\r\nBcc: eve@x.test'),
  mail('dana@x.test\nBcc: eve@x.test, eli@x.test'),
  mail('"dana@x.test, eve"@x.test'),
  mail('dana@x.test, nobody'),
  mail('dana@x.test,'),
  mail(''),
  mail([]),
  mail(null),
  mail(Array.from({ length: 21 }, (_, n) => `n${n}@x.test`).join()),
  mail('dana@x.test', { subject: 'Hi\r\nBcc: eve@x.test' }),
  mail('dana@x.test', { subject: 'Hi\u2028there' }),
  mail('dana@x.test', { subject: '' }),
  mail('dana@x.test', { body: ' ' }),
  mail('dana@x.test', { body: { a: 1 } }),
  mail('dana@x.test', { bcc: 'eve@x.test' }),
  mail('dana@x.test', { from: 'bank@x.test' }),
])('THR-18: %j is refused before anything is sent', async (input) => {
  const amy = await member('OWNER')
  const run = await testRun(amy, 'email.send', input)
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', attempt: 1 }] })
  expect([await outboxOf(amy), await logOf(amy)]).toEqual([[], []])
})

test('FLT-10: if one of three recipients is refused, the others get the mail and the counts are exact', async () => {
  const amy = await member('CONTRIBUTOR')
  const more = mailTo(await refusing({ 'bad@x.test': 550 }))
  const { work, run } = await started(amy, 'email.send', mail(['dana@x.test', 'bad@x.test', 'eli@x.test']))
  await work(more)
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { sent: 2, failed: 1, totalRecipients: 3 } }] })
  expect((await logOf(amy)).map(({ target, outcome }) => `${target} ${outcome}`).sort()).toEqual(['bad@x.test REFUSED', 'dana@x.test DELIVERED', 'eli@x.test DELIVERED'])
}) // biome-ignore format: a list of words

test('FLT-10: a 5xx answer is final, and the error of the step contains it', async () => {
  const amy = await member('CONTRIBUTOR')
  const server = await scripted(behaving((line) => (/^RCPT/.test(line) ? '550 No such user here' : undefined)))
  const { work, run } = await started(amy, 'email.send', mail('bad@x.test'))
  await work(mailTo(server))
  expect(await run()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('No such user'), steps: [{}, { attempt: 1 }] })
  expect(await logOf(amy)).toMatchObject([{ outcome: 'REFUSED', reason: expect.stringContaining('No such user') }])
}) // biome-ignore format: a list of words

test('FLT-10 INV-14: after a 4xx answer only recipients without the mail are tried again, with the same Message-ID', async () => {
  const amy = await member('CONTRIBUTOR')
  const busy = mailTo(await refusing({ 'later@x.test': 450, 'bad@x.test': 550 }))
  const { work, run } = await started(amy, 'email.send', mail('later@x.test, dana@x.test, bad@x.test'))
  await work(busy)
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', error: expect.stringContaining('450'), attempt: 2 }] })
  const box = await mailbox()
  await work(mailTo(box))
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { sent: 2, failed: 1, totalRecipients: 3 } }] })
  expect(box.received.map(({ to }) => to)).toEqual([['later@x.test']])
  const outcomes = (await logOf(amy)).map(({ target, attempt, outcome }) => `${attempt} ${target} ${outcome}`).sort()
  expect(outcomes).toEqual(['1 bad@x.test REFUSED', '1 dana@x.test DELIVERED', '1 later@x.test FAILED', '2 later@x.test DELIVERED'])
}) // biome-ignore format: a list of words

test('FLT-10: sending is retried if the server disconnects after DATA or is unreachable', async () => {
  const amy = await member('CONTRIBUTOR')
  const polite = behaving(() => undefined)
  const server = await scripted((line, to) => (line === '.' ? to.socket.destroy() : polite(line, to)))
  const { work, run } = await started(amy, 'email.send', mail('dana@x.test'))
  await work(mailTo(server))
  await work(withProvider({ mail: smtpMail({ url: 'smtp://127.0.0.1:1', from: 'kontor@example.com' }) }))
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 3 }] })
  const box = await mailbox()
  await work(mailTo(box))
  expect(await run()).toMatchObject({ status: 'SUCCEEDED' })
  expect(new Set(idsOf(box.received)).size).toBe(1)
  expect((await logOf(amy)).map(({ outcome }) => outcome)).toEqual(['FAILED', 'FAILED', 'DELIVERED'])
}) // biome-ignore format: a list of words

test.each([
  ['451 4.4.2 Connection timeout', { status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 2 }] }],
  ['554 5.7.1 Connection terminated', { status: 'FAILED', steps: [{}, { status: 'FAILED', attempt: 1 }] }],
])('FLT-10: the mail server answer %s is not mistaken for a lost database connection', async (answer, expected) => {
  const amy = await member('CONTRIBUTOR')
  const server = await scripted(behaving((line) => (/^RCPT/.test(line) ? answer : undefined)))
  const { work, run } = await started(amy, 'email.send', mail('dana@x.test'))
  await work(mailTo(server))
  expect(await run()).toMatchObject(expected)
  expect((await run()).steps[1]?.error).toContain(answer)
})

test('a replay tries refused recipients again', async () => {
  const amy = await member('CONTRIBUTOR')
  const { work, run } = await started(amy, 'email.send', mail('dana@x.test'))
  await work(mailTo(await refusing({ 'dana@x.test': 550 })))
  const { automationId: id, id: runId } = await run()
  expect(await amy.call('automations_replay', { id, runId })).toMatchObject({ status: 'SUCCEEDED' })
  expect((await logOf(amy)).map(({ outcome }) => outcome)).toEqual(['REFUSED', 'DELIVERED'])
})

test('RATE: an organization can send 20 messages at once and 100 per hour; beyond that steps wait their turn, in their order', async () => {
  const amy = await member('OWNER')
  const consumeRateLimit = createConsumeRateLimit()
  const services = { ...theApp().services, consumeRateLimit }
  const { work, run, runId } = await started(amy, 'email.send', mail('dana@x.test, eli@x.test'))
  await within(amy.organizationId, (db) => consumeRateLimit(db, 'emailSend', { count: 19 }))
  await work({ services })
  expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', error: expect.stringContaining('messages from automations') }] })
  expect([await outboxOf(amy), await logOf(amy)]).toEqual([[], []])
  const other = await started(amy, 'email.send', mail('fay@x.test'))
  await other.work({ services })
  const { rows } = await theApp().system.raw.query(`select round(extract(epoch from waits_until - now()) / 36)::integer as turn, attempt, turn_tokens
    from automation_steps where run_id = any ($1) and status = 'PENDING' order by turn`, [[runId, other.runId]])
  expect(rows).toEqual([{ turn: 1, attempt: 1, turn_tokens: 2 }, { turn: 2, attempt: 1, turn_tokens: 1 }])
  await theApp().system.raw.query("update automation_steps set turn_at = now() where run_id = $1 and status = 'PENDING'", [runId])
  await work({ services })
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1, output: { sent: 2 } }] })
  expect((await outboxOf(amy)).map(({ to }) => to).sort()).toEqual(['dana@x.test', 'eli@x.test'])
}) // biome-ignore format: a list of words

test('INV-14: mail with another body after a replay has another Message-ID', async () => {
  const amy = await member('CONTRIBUTOR')
  const { work, run, runId } = await started(amy, 'email.send', mail('dana@x.test', { body: 'first' }))
  await work(mailTo(await refusing({ 'dana@x.test': 550 })))
  const { automationId: id, steps } = await run()
  const graph = graphOf([trigger('customer.created'), action('out', 'email.send', mail('dana@x.test', { body: 'second' }))], 'start>out')
  await amy.call('automations_update', { id, ...graph } as never)
  expect(await amy.call('automations_replay', { id, runId })).toMatchObject({ status: 'SUCCEEDED' })
  const [first, second] = await logOf(amy)
  expect(first?.webhookId).toBe(steps[1]?.id)
  expect(second?.webhookId).not.toBe(first?.webhookId)
}) // biome-ignore format: a list of words
