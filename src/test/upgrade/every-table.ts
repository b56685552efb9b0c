import { expect } from 'vitest'
import { apiOperations, operations } from '../../catalog/operations.ts'
import { onSurface } from '../../core/define/operation.ts'
import { withConnection } from '../../core/run/connection.ts'
import { sha256 } from '../../core/values/id.ts'
import { queueTables } from '../../db/queue.ts'
import { receiveEInvoices } from '../../features/books/tax-authorities/receive/receive.ts'
import { sendDigestBatch } from '../../features/company/notifications/send-digests.ts'
import { sumUpLockedPeriod } from '../../features/company/settings/sum-up-locked-period.ts'
import { deliver, reportingCompany } from '../access-point.ts'
import { accountInput, linkFor, personWithPassword } from '../accounts.ts'
import { clearingCompany, largeInvoice, submitted } from '../clearance.ts'
import { billOf } from '../einvoices/bill.ts'
import { doJob } from '../job.ts'
import { newsletterMail, receiptMail } from '../mails/mails.ts'
import { connect, poll, startMailbox } from '../polls.ts'
import { inputFor, rowOf } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../world.ts'

/**
 * Rows for every table of a backup: whatever the operations write, and what only jobs, sign-ins and the outside world
 * bring. A new table that no operation fills needs a function here; the test that writes a fixture names it.
 */
export async function writeEveryTable(): Promise<void> {
  const carol = await member('OWNER')
  await callEveryOperation(carol)
  await endTurns()
  await callAccountOperations()
  await limitKey(carol)
  await repeatSafely(carol)
  await sellWithoutRate()
  await lockPeriod()
  await clearInvoice()
  await receiveInvoice()
  await readMailbox()
  await sendDigest(carol)
  await arrangeApp(carol)
  await giveJobUp()
  await storeToken(carol)
  await useModel(carol)
  await holdLease(carol)
  await beginRotation()
  await rememberSchedule()
}

const home = ({ organizationId = '' }: Someone) => ({ organizationId })
const flagsOf = ({ organizationId }: Someone) => ({ flags: { [`organization:${organizationId}`]: true as const } })
const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

/**
 * Every operation of the API that writes, once: first those that delete, so that the rows of the others stay. A deleted
 * organization would take all of its rows with it.
 */
async function callEveryOperation(carol: Someone) {
  const writes = apiOperations.filter(({ reads, name }) => !reads && name !== 'organizations_delete')
  const deletesFirst = writes.toSorted((a, b) => Number(b.method === 'DELETE') - Number(a.method === 'DELETE'))
  for (const operation of deletesFirst) {
    const reply = await carol.request(operation, await inputFor(operation, carol))
    expect([operation.name, reply]).toMatchObject([operation.name, { status: operation.status }])
  }
}

/** Ends the turns of the companion that rows.ts wrote: they have no job, which `verify` reports. */
const endTurns = () =>
  query(`update companion_turns set status = 'CANCELLED', finished_at = now()
    where status = 'RUNNING' and id::text not in (select queued_job_subjects('run-turn', 'turnId'))`)

/** Everything that a person does with their account, by a person each: passkeys, links in e-mails, sign-ins. */
async function callAccountOperations() {
  const writes = onSurface(operations, 'account').filter(({ reads, method }) => !reads && method !== 'DELETE')
  for (const operation of writes) {
    const someone = await personWithPassword()
    const reply = await someone.request(operation, await accountInput(operation, someone))
    expect([operation.name, reply]).toMatchObject([operation.name, { status: operation.status }])
  }
  await linkFor(await personWithPassword(), 'RESET_PASSWORD') // one that was not used
}

const limitKey = (carol: Someone) =>
  carol.call('api_keys_create', {
    name: 'One company',
    scopes: ['*:read'],
    allOrgs: false,
    organizationIds: [home(carol).organizationId],
  })

/** The answer of a call with an Idempotency-Key is remembered. */
async function repeatSafely(carol: Someone) {
  const account = { ...home(carol), accountName: 'Savings', bankName: 'DBS' }
  await carol.request(operationNamed('bank_accounts_create'), account, { 'idempotency-key': 'savings' })
}

/** A paid document in a currency without a rate in old-books.ts: its revenue is kept by day. */
const sellWithoutRate = async () =>
  sell(await member('OWNER'), { status: 'PAID', issueDate: '2026-01-05', currency: 'CHF' })

/** A locked period, with what was booked to each account until then. */
async function lockPeriod() {
  const dan = await member('OWNER')
  const { organizationId: id } = home(dan)
  await sell(dan, { status: 'UNSENT', issueDate: '2026-01-10' })
  await dan.call('settings_update', { id, lockedUntil: '2026-01-31' })
  for (const { id: lockId } of await query('select id from period_locks where organization_id = $1', [id]))
    await doJob(sumUpLockedPeriod, { lockId }, flagsOf(dan))
}

/** An invoice with a number of the tax authority, which is the simulator. */
async function clearInvoice() {
  const noa = await clearingCompany()
  const { id } = await largeInvoice(noa)
  expect(await submitted(noa, id)).toMatchObject({ success: true })
}

/** An e-invoice of a supplier that came through the access point, which is the simulator. */
async function receiveInvoice() {
  const ravi = await reportingCompany()
  const { base64 } = billOf({ number: 'E-1' })
  await deliver(ravi.participantId, Buffer.from(base64, 'base64').toString())
  const [{ id: connectionId }] = await query('select id from tax_authority_connections where organization_id = $1', [
    ravi.organizationId,
  ])
  await doJob(receiveEInvoices, { connectionId }, flagsOf(ravi))
}

/** A mailbox that was read: one message with a bill, one without, and a supplier whose name on the bill was learned. */
async function readMailbox() {
  const tom = await member('OWNER')
  const mailbox = await startMailbox([receiptMail({ id: 'bill' }), newsletterMail()])
  try {
    const { id: connectionId } = await connect(tom, mailbox)
    const { messages } = await poll(tom, connectionId)
    const expenseId = messages.find(({ outcome }) => outcome === 'CREATED')?.expenseId
    const { id: supplierId } = await tom.call('suppliers_create', { ...home(tom), name: 'Acme Holding', country: 'SG' })
    await tom.call('expenses_update_patch_2', { id: String(expenseId), supplierId })
  } finally {
    await mailbox.close()
  }
}

/** How the app looks to a person, and a view that they saved. */
async function arrangeApp(carol: Someone) {
  await carol.call('preferences_update', { theme: 'DARK' })
  await rowOf('views', carol)
}

/** The digest of the next morning: at half past midnight in UTC it is half past eight in Singapore. */
async function sendDigest(carol: Someone) {
  await carol.call('users_me_update', { digest: 'DAILY' })
  await rowOf('notifications', carol)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { secrets, installation } = theApp().services
  await withConnection(theApp().system, true, ({ db }) =>
    sendDigestBatch({ db, secrets, installation }, new Date(`${tomorrow}T00:30:00Z`)),
  )
}

/** A job with a payload that it does not accept is given up. */
const giveJobUp = () => doJob(receiveEInvoices, {})

/** A token of a connected app. By SQL: the flow that grants one needs a server on a port and a browser. */
async function storeToken(carol: Someone) {
  const appId = await rowOf('connectedApps', carol)
  await query(
    `insert into oauth_tokens (kind, secret_hash, app_id, payload, expires_at)
     values ('RefreshToken', $1, $2, '{"kind":"RefreshToken"}', now() + interval '30 days')`,
    [sha256('a token of the upgrade fixture'), appId],
  )
}

/** What a language model has used. By SQL: without KONTOR_MODEL nothing is used. */
const useModel = ({ organizationId }: Someone) =>
  query(
    `insert into companion_usage (organization_id, day, input_tokens, output_tokens, cost_micros)
     values ($1, current_date, 1200, 300, 4500)`,
    [organizationId],
  )

/** A lease that has ended. By SQL: they are held for the seconds in which a mail provider renews a token. */
const holdLease = ({ organizationId }: Someone) =>
  query(
    `insert into leases (organization_id, subject, token, holder, expires_at) values ($1, 'mail-token:fixture', 3, 'worker', now())`,
    [organizationId],
  )

/** A rotation of secrets that was interrupted. By SQL: one that ends leaves nothing. */
const beginRotation = () => query('insert into secrets_rotation default values')

/** The last run of a scheduled job. By SQL: a worker would also do the jobs that are to wait. */
const rememberSchedule = () =>
  query(`insert into ${queueTables.crontabs} (identifier, known_since, last_execution)
    values ('prune', now(), now())`)
