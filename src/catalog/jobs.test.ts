import '../test/own-world.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { automate, graphOf, lastRun, trigger } from '../test/automations/automations.ts'
import { clearingCompany, largeInvoice } from '../test/clearance.ts'
import { billOf } from '../test/einvoices/bill.ts'
import { doJob } from '../test/job.ts'
import { connect, startMailbox } from '../test/polls.ts'
import { changeJobs, findJobs } from '../test/queue.ts'
import { member, type Someone, theApp } from '../test/world.ts'
import { jobs } from './jobs.ts'

type Case = { recover: string; job: string; field: string; start(): Promise<Started> }
type Started = { organizationId: string; subject: string }

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

/** Something of each kind that a job looks for if its own job was lost, and that has a job now. */
const cases: Case[] = [
  { recover: 'recover-mail', job: 'send-mail', field: 'deliveryId', start: startMail },
  { recover: 'recover-runs', job: 'run-automation', field: 'runId', start: startRun },
  { recover: 'recover-scans', job: 'scan-batch-file', field: 'fileId', start: startScan },
  { recover: 'recover-polls', job: 'poll-mailbox', field: 'runId', start: startPoll },
  { recover: 'recover-clearances', job: 'clear-document', field: 'documentId', start: startClearance },
  { recover: 'recover-turns', job: 'run-turn', field: 'turnId', start: startTurn },
]

const started = ({ organizationId }: Someone, subject: string): Started => ({
  organizationId: String(organizationId),
  subject,
})

async function startMail() {
  const amy = await member('OWNER')
  await amy.call('users_invitations_post', {
    id: String(amy.organizationId),
    email: `${newId()}@example.test`,
    role: 'VIEWER',
  })
  const [{ id }] = await query('select id from mail_deliveries where organization_id = $1', [amy.organizationId])
  return started(amy, id)
}

async function startRun() {
  const amy = await member('CONTRIBUTOR')
  const automation = await automate(amy, graphOf([trigger('customer.created')]))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  return started(amy, (await lastRun(amy, automation)).id)
}

async function startScan() {
  const amy = await member('MANAGER')
  const { id } = await amy.call('expenses_upload', { file: billOf() })
  const organizationId = String(amy.organizationId)
  const batch = await amy.call('expenses_scan_batch', { organizationId, attachmentIds: [id] })
  const [file] = await query('select id from scan_batch_files where batch_id = $1', [batch.id])
  return started(amy, file.id)
}

async function startPoll() {
  const amy = await member('MANAGER')
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.close())
  const { id: connectionId } = await connect(amy, mailbox)
  const { runId } = await amy.call('expenses_email_poll', { organizationId: String(amy.organizationId), connectionId })
  return started(amy, runId)
}

/** Its submission is recorded only by the job. */
async function startClearance() {
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy)
  return started(amy, id)
}

async function startTurn() {
  const amy = await member('OWNER')
  const message = { organizationId: String(amy.organizationId), sessionId: `s-${newId()}`, text: 'Hello' }
  const { turnRunId } = await amy.call('companion_write_sessions', message)
  await query("update companion_turns set started_at = now() - interval '2 minutes' where id = $1", [turnRunId])
  return started(amy, turnRunId)
}

/** The jobs of a subject, the oldest first. */
const jobsOf = ({ job, field }: Case, subject: string) =>
  findJobs("job = $1 and coalesce(payload ->> $2, payload #>> array['$order', 'payload', $2]) = $3", [
    job,
    field,
    subject,
  ])

/** The oldest job of a subject. */
async function jobOf(each: Case, subject: string) {
  const [found] = await jobsOf(each, subject)
  if (!found) throw new Error(`No job ${each.job} is waiting.`)
  return found
}

/** What stays as it is while a job is left alone. */
const lasting = async (each: Case, subject: string) =>
  (await jobsOf(each, subject)).map(({ id, attempts, lockedBy, isAvailable }) => ({
    id,
    attempts,
    lockedBy,
    isAvailable,
  }))

const change = (id: string, columns: string) => changeJobs(columns, 'id = $1', [id])

async function recover({ recover }: Case) {
  const found = jobs.find(({ name }) => name === recover)
  if (!found) throw new Error(`There is no job ${recover}.`)
  await doJob(found)
}

test('every job that looks for lost jobs is covered', () => {
  const names = jobs.map(({ name }) => name).filter((name) => name.startsWith('recover-'))
  expect(cases.map(({ recover }) => recover).sort()).toEqual(names.sort())
})

describe.each(cases)('$job', (each) => {
  test('FLT-02: a job whose attempts are used up is tried again, and knows how often it was interrupted', async () => {
    const { subject, organizationId } = await each.start()
    const { id } = await jobOf(each, subject)
    const [{ attempts } = { attempts: 0 }] = await change(id, 'attempts = max_attempts')
    await recover(each)
    const flags = { [`organization:${organizationId}`]: true }
    expect(await jobsOf(each, subject)).toMatchObject([{ id, attempts, isAvailable: true, flags }])
    await recover(each)
    expect(await jobsOf(each, subject)).toHaveLength(1)
  })

  test('a job that a worker runs with its last attempt is left to it', async () => {
    const { subject } = await each.start()
    const { id } = await jobOf(each, subject)
    await change(id, "attempts = max_attempts, locked_at = now(), locked_by = 'another worker'")
    const before = await lasting(each, subject)
    await recover(each)
    expect(await lasting(each, subject)).toEqual(before)
  })

  test('a job without attempts is removed if another one does the same', async () => {
    const { subject } = await each.start()
    const { id, flags } = await jobOf(each, subject)
    await change(id, 'attempts = max_attempts, key = null')
    const again = { $order: { payload: { [each.field]: subject }, attempt: 2 } }
    await query('select graphile_worker.add_job($1, $2::json, flags => $3)', [
      each.job,
      JSON.stringify(again),
      Object.keys(flags ?? {}),
    ])
    await recover(each)
    const left = await jobsOf(each, subject)
    expect(left).toMatchObject([{ attempts: 0, isAvailable: true }])
    expect(left[0]?.id).not.toBe(id)
  })
})

test('a job without attempts does not count as queued', async () => {
  const [each] = cases as [Case]
  const { subject } = await each.start()
  const isLost = async () => (await query('select id from lost_mail() where id = $1', [subject])).length === 1
  const { id } = await jobOf(each, subject)
  expect(await isLost()).toBe(false)
  await change(id, 'attempts = max_attempts')
  expect(await isLost()).toBe(true)
  await change(id, "locked_at = now(), locked_by = 'another worker'")
  expect(await isLost()).toBe(false)
})

test('other jobs keep their number of attempts', async () => {
  await query("select graphile_worker.add_job('prune', '{}', job_key => 'used up')")
  await changeJobs('attempts = max_attempts', "key = 'used up'")
  for (const each of cases) await recover(each)
  expect(await findJobs("key = 'used up'")).toMatchObject([{ isAvailable: false }])
})
