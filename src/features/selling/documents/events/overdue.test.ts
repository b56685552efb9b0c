import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { jobs, subscribers } from '../../../../catalog/jobs.ts'
import { problemsOf } from '../../../../core/define/validate.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, ofOrganization, removeJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { fireDue } from '../../../../worker/clock.ts'
import { invoiceOverdue } from './events.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** Fires the clock at a time and does the jobs it queues for the organization, as the worker would. */
async function runClockAt(now: string, { organizationId }: Someone) {
  await theApp().system.use((_, connection) => fireDue(connection, { type: 'schedule.daily', subscribers, now }))
  const flags = { [`organization:${organizationId}`]: true as const }
  for (;;) {
    const [queued] = await findJobs(...ofOrganization(organizationId))
    if (!queued) return
    await removeJobs('id = $1', [queued.id])
    const queuedJob = jobs.find(({ name }) => name === queued.job)
    if (!queuedJob) throw new Error(`There is no job ${queued.job}.`)
    await doJob(queuedJob, queued.payload, { flags })
  }
}

const overdueEvents = async ({ organizationId }: Someone) =>
  ask<{ id: string; dueDate: string; payload: object }>(
    `select payload ->> 'id' as id, payload ->> 'dueDate' as "dueDate", payload from events
     where organization_id = $1 and type = 'invoice.overdue' order by events.id`,
    [organizationId],
  )

/** Backdates organization and documents, since the clock does not look further back than their creation. */
const backdate = ({ organizationId }: Someone) =>
  ask("update organizations set created_at = '2026-01-01' where id = $1", [organizationId]).then(() =>
    ask(
      `alter table documents disable trigger guard_document; update documents set issued_at = '2026-01-01' where organization_id = '${organizationId}' and issued_at is not null;
       alter table documents enable trigger guard_document`,
    ),
  )

test('INV-12: an open document emits one overdue event on the morning after its due date, in the time zone of the organization', async () => {
  const amy = await member('CONTRIBUTOR') // Singapore is eight hours ahead
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  await backdate(amy)
  await runClockAt('2026-03-02T23:59:59Z', amy) // 07:59 on the 3rd, before the daily run
  expect(await overdueEvents(amy)).toEqual([])
  await runClockAt('2026-03-03T00:00:00Z', amy)
  expect(await overdueEvents(amy)).toMatchObject([{ id, dueDate: '2026-03-02' }])
  expect(problemsOf(invoiceOverdue.payload, (await overdueEvents(amy))[0]?.payload)).toEqual([])
  for (const later of ['2026-03-03T00:01:00Z', '2026-03-04T00:00:00Z', '2026-06-01T00:00:00Z'])
    await runClockAt(later, amy)
  expect(await overdueEvents(amy)).toHaveLength(1)
})

test('after a downtime every document that became overdue emits one event', async () => {
  const amy = await member('CONTRIBUTOR')
  const first = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  const second = await sell(amy, { status: 'UNSENT', dueDate: '2026-03-09' })
  await backdate(amy)
  await runClockAt('2026-04-01T12:00:00Z', amy)
  expect((await overdueEvents(amy)).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
})

test('a new due date can emit another event, a due date that was reported before cannot', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  await backdate(amy)
  await runClockAt('2026-03-03T00:00:00Z', amy)
  await amy.call('invoices_update', { id, dueDate: '2026-03-10' })
  await runClockAt('2026-03-04T00:00:00Z', amy)
  expect(await overdueEvents(amy)).toHaveLength(1)
  await runClockAt('2026-03-11T00:00:00Z', amy)
  await amy.call('invoices_update', { id, dueDate: '2026-03-02' })
  await runClockAt('2026-03-12T00:00:00Z', amy)
  expect((await overdueEvents(amy)).map(({ dueDate }) => dueDate)).toEqual(['2026-03-02', '2026-03-10'])
})

test('disputed and partly paid documents become overdue; drafts, paid and not yet due documents and those over zero do not', async () => {
  const amy = await member('CONTRIBUTOR')
  const dueDate = '2026-03-02'
  await sell(amy, { dueDate })
  await sell(amy, { status: 'PAID', dueDate })
  await sell(amy, { status: 'SENT' })
  await sell(amy, { status: 'SENT', dueDate, items: [], subtotal: 0, taxAmount: 0, total: 0 })
  await sell(amy, { status: 'SENT', dueDate: '2026-03-03' })
  const disputed = await sell(amy, { status: 'SENT', dueDate })
  await amy.call('invoices_events_post', { id: disputed.id, type: 'DISPUTED' })
  const partly = await sell(amy, { status: 'UNSENT', dueDate })
  await amy.call('invoices_payments', { id: partly.id, amount: 10, paidAt: '2026-03-01' })
  await backdate(amy)
  await runClockAt('2026-03-03T00:00:00Z', amy)
  expect((await overdueEvents(amy)).map(({ id }) => id).sort()).toEqual([disputed.id, partly.id].sort())
})
