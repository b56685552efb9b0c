import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { doJob } from '../../../../test/job.ts'
import { hostileMails } from '../../../../test/mails/hostile.ts'
import {
  bodyReceiptMail,
  forwardMail,
  invitationMail,
  linkMail,
  newsletterMail,
  pdfMail,
  personalMail,
  receiptMail,
} from '../../../../test/mails/mails.ts'
import { connect, doPolls, poll, startMailbox, stored } from '../../../../test/polls.ts'
import { changeJobs, ofOrganization, removeJobs } from '../../../../test/queue.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { requeueLostPolls } from './poll-mailbox.ts'
import { startDuePolls } from './start-due-polls.ts'

async function mailboxWith(...messages: Buffer[]) {
  const mailbox = await startMailbox(messages)
  onTestFinished(() => mailbox.close())
  return mailbox
}

const outcomes = ({ messages }: { messages: { outcome: string }[] }) => messages.map(({ outcome }) => outcome)
const expensesOf = async (amy: Someone) =>
  (await amy.call('expenses_list', { organizationId: String(amy.organizationId), limit: 100 })).expenses

test('a poll makes an expense of each receipt, and says of every other message why it made none', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(
    receiptMail({ id: 'one', number: 'A-1', total: 54 }),
    newsletterMail(),
    receiptMail({ id: 'two', number: 'A-2', total: 20 }),
    invitationMail(),
    linkMail(),
    personalMail(),
  )
  const { id: connectionId } = await connect(amy, mailbox)
  const run = await poll(amy, connectionId)
  expect(run).toMatchObject({
    connectionId,
    status: 'DONE',
    emailsScanned: 6,
    emailsDetected: 2,
    expensesCreated: 2,
    errorMessage: null,
    completedAt: expect.any(String),
    claimedAt: expect.any(String),
    lastProgressAt: expect.any(String),
  })
  expect(outcomes(run)).toEqual([
    'CREATED',
    'SKIPPED_NOT_EXPENSE',
    'CREATED',
    'SKIPPED_NOT_EXPENSE',
    'SKIPPED_NOT_EXPENSE',
    'SKIPPED_NOT_EXPENSE',
  ])
  for (const { outcome, reason, messageId } of run.messages) {
    expect(messageId).toMatch(/^<.+@.+>$|^.+@.+$/)
    if (outcome === 'SKIPPED_NOT_EXPENSE') expect(reason).toMatch(/\w.*\.$/)
  }
  const [first] = run.messages
  const expense = await amy.call('expenses_get', { id: String(first?.expenseId) })
  expect(expense).toMatchObject({
    source: 'EMAIL',
    status: 'PENDING_REVIEW',
    amount: 54,
    emailMessageId: expect.stringContaining('one@'),
    createdBy: { id: amy.userId },
  })
  expect(expense.attachments).toHaveLength(1)
  const { connections } = (await amy.call('integrations_email_settings', {
    organizationId: String(amy.organizationId),
  })) as { connections: { lastPolledAt: string }[] }
  expect(connections).toMatchObject([{ lastPolledAt: run.dateTo }])
})

test('a second poll, a moved mailbox, a renumbered folder and another connection add nothing (INV-16)', async () => {
  const amy = await member('MANAGER')
  const messages = [
    receiptMail({ id: 'one', number: 'A-1' }),
    newsletterMail({ id: 'news' }),
    receiptMail({ id: 'two', number: 'A-2' }),
  ]
  const mailbox = await mailboxWith(...messages)
  const { id } = await connect(amy, mailbox)
  const dates = { dateFrom: new Date(Date.now() - 7_200_000).toISOString() }
  expect(outcomes(await poll(amy, id, { dates }))).toEqual(['CREATED', 'SKIPPED_NOT_EXPENSE', 'CREATED'])
  const fetched = mailbox.fetched()
  expect(outcomes(await poll(amy, id, { dates }))).toEqual(['DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DUPLICATE'])
  expect(mailbox.fetched()).toBe(fetched) // known places are not fetched
  const [inbox] = mailbox.folders
  if (inbox)
    Object.assign(inbox, {
      uidValidity: 2,
      messages: messages.toReversed().map((source, at) => stored(source, at + 100)),
    })
  expect(outcomes(await poll(amy, id, { dates }))).toEqual(['DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DUPLICATE'])
  const moved = await mailboxWith(...messages)
  const { id: other } = await connect(amy, moved)
  const run = await poll(amy, other, { dates })
  expect(outcomes(run)).toEqual(['DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DUPLICATE'])
  expect(run).toMatchObject({ emailsScanned: 3, emailsDetected: 2, expensesCreated: 0 })
  expect(run.messages[0]?.expenseId).toBeTruthy()
  expect(await expensesOf(amy)).toHaveLength(2)
})

test('only the senders and subjects of the connection are read, and others are judged again when these change', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(
    receiptMail({ number: 'A-1', from: 'Acme <billing@acme.example>' }),
    receiptMail({ number: 'B-1', from: 'Other <x@bill.other.example>', subject: 'Rechnung B-1' }),
  )
  const { id } = await connect(amy, mailbox, { senderWhitelist: ['other.example'] })
  const dates = { dateFrom: new Date(Date.now() - 7_200_000).toISOString() }
  const run = await poll(amy, id, { dates })
  expect(outcomes(run)).toEqual(['SKIPPED_NOT_EXPENSE', 'CREATED'])
  expect(run.messages[0]?.reason).toMatch(/billing@acme.example is not among the senders/)
  expect(mailbox.fetched()).toBe(1)
  const organizationId = String(amy.organizationId)
  await amy.call('integrations_email_settings_put', {
    id,
    organizationId,
    senderWhitelist: [],
    subjectFilter: 'invoice',
  })
  expect(outcomes(await poll(amy, id, { dates })).sort()).toEqual(['CREATED', 'DUPLICATE'])
})

test('a forwarded copy, inline or as an attachment, is a DUPLICATE', async () => {
  const amy = await member('MANAGER')
  const original = receiptMail({ id: 'one', number: 'A-1' })
  const mailbox = await mailboxWith(
    original,
    receiptMail({
      id: 'two',
      number: 'A-1',
      subject: 'Fwd: Invoice A-1',
      from: 'Dana <dana@globex.example>',
      text: 'Please pay this.',
    }),
    forwardMail(original, { id: 'three' }),
  )
  const { id } = await connect(amy, mailbox)
  const run = await poll(amy, id)
  expect(outcomes(run)).toEqual(['CREATED', 'DUPLICATE', 'DUPLICATE'])
  expect(run.messages[1]).toMatchObject({
    reason: expect.stringMatching(/copy or a forward|recorded already/),
    expenseId: run.messages[0]?.expenseId,
  })
})

test('a message past the quota has FAILED, names the quota, and is tried again by the next poll', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id } = await connect(amy, mailbox)
  const period = new Date().toISOString().slice(0, 7)
  const used = (count: number) =>
    system(
      'insert into scan_usage (organization_id, period, used) values ($1, $2, $3) on conflict (organization_id, period) do update set used = $3',
      [amy.organizationId, period, count],
    )
  await used(100)
  const run = await poll(amy, id)
  expect(run.messages).toMatchObject([
    { outcome: 'FAILED', reason: expect.stringMatching(/All 100 scans of .* are used/) },
  ])
  expect(outcomes(await poll(amy, id))).toEqual(['FAILED'])
  await used(0)
  expect(outcomes(await poll(amy, id))).toEqual(['CREATED'])
})

test('a message that nothing can be read from is DROPPED_NO_DATA or FAILED with the reason, and the run goes on', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(
    pdfMail({ id: 'empty', lines: ['Hello'] }),
    hostileMails['ten thousand parts']?.mail() ?? Buffer.alloc(0),
    receiptMail({ number: 'A-1' }),
  )
  const { id } = await connect(amy, mailbox)
  const run = await poll(amy, id)
  expect(outcomes(run)).toEqual(['DROPPED_NO_DATA', 'FAILED', 'CREATED'])
  expect(run.messages[0]?.reason).toMatch(/invoice.pdf: No total was found/)
  expect(run.messages[1]?.reason).toMatch(/more than 200 parts/)
  expect(run).toMatchObject({ status: 'DONE', emailsDetected: 2 })
})

test('the body of a message is read as a receipt and attached as a PDF', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(bodyReceiptMail({ total: '54.00' }))
  const { id } = await connect(amy, mailbox)
  const run = await poll(amy, id)
  expect(run.messages).toMatchObject([{ outcome: 'CREATED' }])
  const expense = await amy.call('expenses_get', { id: String(run.messages[0]?.expenseId) })
  expect(expense).toMatchObject({ amount: 54, currency: 'SGD', date: expect.stringContaining('2026-01-20') })
  expect(expense.attachments).toMatchObject([
    { fileName: expect.stringMatching(/\.pdf$/), fileType: 'application/pdf' },
  ])
})

test('a wrong password ends the run, tells the managers once, and stops automatic polls until it is mended (FLT-15)', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id } = await connect(amy, mailbox, { password: 'wrong', autoPollEnabled: true })
  const run = await poll(amy, id)
  expect(run).toMatchObject({
    status: 'ERROR',
    errorMessage: expect.stringMatching(/user name and password/),
    emailsScanned: 0,
  })
  await poll(amy, id)
  const { notifications } = await amy.call('users_notifications', {})
  expect(notifications.filter(({ kind }) => kind === 'MAILBOX_NEEDS_ATTENTION')).toHaveLength(1)
  expect(await amy.call('integrations_email_settings', { organizationId, id })).toMatchObject({
    attention: run.errorMessage,
    lastPolledAt: null,
  })
  expect(await started(amy)).toBe(0)
  await amy.call('integrations_email_settings_put', {
    id,
    organizationId,
    autoPollEnabled: true,
    password: mailbox.password,
  })
  expect(await started(amy)).toBe(1)
  await doPolls(amy)
  const { runs } = await amy.call('integrations_fetch_logs', { organizationId })
  expect(runs[0]).toMatchObject({ status: 'DONE', expensesCreated: 1 })
  expect(await started(amy)).toBe(0) // the next one is due tomorrow
})

test('automatic polls follow the day of the organization, and a missed period is caught up once', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id } = await connect(amy, mailbox, { autoPollEnabled: true, pollIntervalDays: 3 })
  expect(await started(amy)).toBe(1)
  await doPolls(amy)
  expect(await started(amy)).toBe(0)
  const { rows } = await system(
    'select next_poll_on - (now() at time zone o.timezone)::date as days from mail_connections c join organizations o on o.id = c.organization_id where c.id = $1',
    [id],
  )
  expect(rows).toEqual([{ days: 3 }])
  await system('update mail_connections set next_poll_on = next_poll_on - 30 where id = $1', [id])
  expect(await started(amy)).toBe(1)
  await doPolls(amy)
  expect(await started(amy)).toBe(0)
})

test('a stop takes effect before the next message, and what was read stays', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const mailbox = await mailboxWith(...[1, 2, 3, 4].map((n) => receiptMail({ number: `A-${n}` })))
  const { id } = await connect(amy, mailbox)
  const { runId } = await amy.call('expenses_email_poll', { organizationId, connectionId: id })
  const { receiptReader, ...others } = theApp().providers
  let read = 0
  const stopping = {
    ...receiptReader,
    read: async (request: Parameters<typeof receiptReader.read>[0]) => {
      if (++read === 2) await amy.call('integrations_stop', { id: runId })
      return receiptReader.read(request)
    },
  }
  await doPolls(amy, { providers: { ...others, receiptReader: stopping } })
  const run = await amy.call('integrations_fetch_log_get', { id: runId })
  expect(run).toMatchObject({
    status: 'MANUAL_STOP',
    emailsScanned: 1,
    expensesCreated: 1,
    messages: [{ outcome: 'CREATED' }],
  })
  expect(await expensesOf(amy)).toHaveLength(1)
  expect((await poll(amy, id)).expensesCreated).toBe(3)
})

test('a disabled or incomplete connection and a person without rights end the run in ERROR', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id } = await connect(amy, mailbox)
  const change = (changes: object) => amy.call('integrations_email_settings_put', { id, organizationId, ...changes })
  await change({ enabled: false })
  expect(await poll(amy, id)).toMatchObject({ status: 'ERROR', errorMessage: expect.stringMatching(/disabled/) })
  await change({ enabled: true, password: null })
  expect(await poll(amy, id)).toMatchObject({ status: 'ERROR', errorMessage: expect.stringMatching(/no password/) })
  await change({ password: mailbox.password })
  const bob = await member('CONTRIBUTOR', { of: amy })
  const { runId } = await bob.call('expenses_email_poll', { organizationId, connectionId: id })
  await system("update memberships set role = 'VIEWER' where user_id = $1", [bob.userId])
  await doPolls(amy)
  expect(await amy.call('integrations_fetch_log_get', { id: runId })).toMatchObject({
    status: 'ERROR',
    errorMessage: expect.stringMatching(/may no longer change expenses/),
  })
  expect((await poll(amy, id)).expensesCreated).toBe(1)
})

test('runs of one mailbox follow each other, and a run whose job was lost gets one again', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id: connectionId } = await connect(amy, mailbox)
  await amy.call('expenses_email_poll', { organizationId, connectionId })
  await amy.call('expenses_email_poll', { organizationId, connectionId })
  await removeJobs(...ofOrganization(organizationId))
  expect(await doPolls(amy)).toBe(0)
  await doJob(requeueLostPolls)
  await doPolls(amy)
  const { runs } = await amy.call('integrations_fetch_logs', { organizationId, connectionId })
  expect(runs).toMatchObject([
    { status: 'DONE', expensesCreated: 0 },
    { status: 'DONE', expensesCreated: 1 },
  ])
})

test('a run whose worker has crashed as often as the queue tries a job goes on (FLT-15)', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id: connectionId } = await connect(amy, mailbox)
  await amy.call('expenses_email_poll', { organizationId, connectionId })
  await changeJobs('attempts = 25', ...ofOrganization(organizationId))
  expect(await doPolls(amy)).toBe(1)
  await amy.call('expenses_email_poll', { organizationId, connectionId })
  await changeJobs('attempts = max_attempts', ...ofOrganization(organizationId))
  expect(await doPolls(amy)).toBe(0)
  await doJob(requeueLostPolls)
  await doPolls(amy)
  const { runs } = await amy.call('integrations_fetch_logs', { organizationId, connectionId })
  expect(runs).toMatchObject([{ status: 'DONE' }, { status: 'DONE', expensesCreated: 1 }])
})

test('the end of a run is an event', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id: connectionId } = await connect(amy, mailbox)
  const run = await poll(amy, connectionId)
  await mailbox.close()
  await poll(amy, connectionId)
  const { rows } = await system(
    "select type, payload from events where organization_id = $1 and type like 'ingestion.%' order by id",
    [amy.organizationId],
  )
  expect(rows).toMatchObject([
    {
      type: 'ingestion.completed',
      payload: { id: run.id, connectionId, connectionName: 'Receipts', emailsScanned: 1, expensesCreated: 1 },
    },
    { type: 'ingestion.failed', payload: { connectionId, errorMessage: expect.stringMatching(/accept connections/) } },
  ])
})

test('a connection that is pointed at another mailbox reads all of it, although its places look the same', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const first = await mailboxWith(receiptMail({ id: 'one', number: 'A-1' }))
  const second = await mailboxWith(receiptMail({ id: 'two', number: 'B-1' }))
  const { id } = await connect(amy, first)
  expect(outcomes(await poll(amy, id))).toEqual(['CREATED'])
  const { port, password } = second
  expect(await amy.call('integrations_email_settings_put', { id, organizationId, port, password })).toMatchObject({
    lastPolledAt: null,
  })
  expect(outcomes(await poll(amy, id))).toEqual(['CREATED'])
})

test('a poll until a day in the future leaves out nothing that comes before it', async () => {
  const amy = await member('MANAGER')
  const mailbox = await mailboxWith(receiptMail({ number: 'A-1' }))
  const { id } = await connect(amy, mailbox)
  const run = await poll(amy, id, { dates: { dateFrom: '0001-01-01T00:00:00Z', dateTo: '9999-12-31T23:59:59Z' } })
  expect(run).toMatchObject({ status: 'DONE', expensesCreated: 1 })
  mailbox.folders[0]?.messages.push({ ...stored(receiptMail({ number: 'A-2' }), 2), receivedAt: new Date() })
  expect((await poll(amy, id)).expensesCreated).toBe(1)
})

test('a stop ends a run at once whose server does not answer, and a host can be removed', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const server = createServer((socket) => void socket.write('* OK hi').toString()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { id: connectionId } = await connect(amy, {
    ...(await mailboxWith()),
    port: (server.address() as AddressInfo).port,
  })
  const { runId } = await amy.call('expenses_email_poll', { organizationId, connectionId })
  const working = doPolls(amy)
  await vi.waitFor(
    async () => expect((await amy.call('integrations_fetch_log_get', { id: runId })).status).toBe('RUNNING'),
    { timeout: 10_000 },
  )
  await amy.call('integrations_stop', { id: runId })
  await working // it would wait for the server for 30 seconds
  expect(await amy.call('integrations_fetch_log_get', { id: runId })).toMatchObject({ status: 'MANUAL_STOP' })
  expect(
    await amy.call('integrations_email_settings_put', { id: connectionId, organizationId, host: null }),
  ).toMatchObject({ host: null, hasPassword: false })
}, 28_000)

const system = (text: string, values: unknown[] = []) => theApp().system.raw.query(text, values)

/** Starts the automatic polls that are due; how many there are of this organization. */
async function started(amy: Someone): Promise<number> {
  const count = async () =>
    (await system('select from ingestion_runs where organization_id = $1', [amy.organizationId])).rows.length
  const before = await count()
  await doJob(startDuePolls)
  return (await count()) - before
}

test('a receipt of a known supplier becomes an expense that is owed to it', async () => {
  const amy = await member('MANAGER')
  const { id: supplierId } = await amy.call('suppliers_create', {
    organizationId: String(amy.organizationId),
    name: 'Acme Ltd',
    country: 'SG',
  })
  const mailbox = await mailboxWith(receiptMail({ id: 'one', number: 'A-1', total: 54, vendor: 'Acme Ltd' }))
  const run = await poll(amy, (await connect(amy, mailbox)).id)
  expect(run).toMatchObject({ status: 'DONE', expensesCreated: 1 })
  const expense = await amy.call('expenses_get', { id: String(run.messages[0]?.expenseId) })
  expect(expense).toMatchObject({ supplierId, amount: 54 })
})
