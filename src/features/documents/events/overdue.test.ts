import { expect, test } from 'vitest'
import { jobs, subscribers } from '../../../catalog/jobs.ts'
import { problemsOf } from '../../../core/define/validate.ts'
import { doJob } from '../../../test/job.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { fireDue } from '../../../worker/clock.ts'
import { invoiceOverdue } from './events.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** What the worker does when the clock stands there: the clock fires, and the jobs it ordered for the organization are done. */
async function clockAt(now: string, { organizationId }: Someone) {
  await theApp().system.use((_, connection) => fireDue(connection, { type: 'schedule.daily', subscribers, now }))
  const flags = { [`organization:${organizationId}`]: true as const }
  for (;;) {
    const [ordered] = await ask<{ name: string; payload: object }>(
      `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
       where t.id = j.task_id and j.id = (select min(id) from graphile_worker._private_jobs where flags ? $1)
       returning t.identifier as name, j.payload`,
      [`organization:${organizationId}`],
    )
    if (!ordered) return
    const found = jobs.find(({ name }) => name === ordered.name)
    if (!found) throw new Error(`There is no job ${ordered.name}.`)
    await doJob(found, ordered.payload, { flags })
  }
}

const told = async ({ organizationId }: Someone) =>
  ask<{ id: string; dueDate: string; payload: object }>(
    `select payload ->> 'id' as id, payload ->> 'dueDate' as "dueDate", payload from events
     where organization_id = $1 and type = 'invoice.overdue' order by events.id`,
    [organizationId],
  )

/** Issued long ago: the clock does not look further back than the oldest of them. */
const longAgo = ({ organizationId }: Someone) =>
  ask("update organizations set created_at = '2026-01-01' where id = $1", [organizationId]).then(() =>
    ask(
      `alter table documents disable trigger guard_document; update documents set issued_at = '2026-01-01' where organization_id = '${organizationId}' and issued_at is not null;
       alter table documents enable trigger guard_document`,
    ),
  )

test('INV-12: a document that is open the morning after its due date is told of once, as the day is where the organization is', async () => {
  const amy = await member('CONTRIBUTOR') // Singapore is eight hours ahead
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  await longAgo(amy)
  await clockAt('2026-03-02T23:59:59Z', amy) // 07:59 on the 3rd: the morning has not come
  expect(await told(amy)).toEqual([])
  await clockAt('2026-03-03T00:00:00Z', amy)
  expect(await told(amy)).toMatchObject([{ id, dueDate: '2026-03-02' }])
  expect(problemsOf(invoiceOverdue.payload, (await told(amy))[0]?.payload)).toEqual([])
  for (const later of ['2026-03-03T00:01:00Z', '2026-03-04T00:00:00Z', '2026-06-01T00:00:00Z'])
    await clockAt(later, amy)
  expect(await told(amy)).toHaveLength(1)
})

test('after a time in which nobody worked all that became overdue is told of, each once', async () => {
  const amy = await member('CONTRIBUTOR')
  const first = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  const second = await sell(amy, { status: 'UNSENT', dueDate: '2026-03-09' })
  await longAgo(amy)
  await clockAt('2026-04-01T12:00:00Z', amy)
  expect((await told(amy)).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
})

test('a new due date counts anew, and one that it had before does not', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-03-02' })
  await longAgo(amy)
  await clockAt('2026-03-03T00:00:00Z', amy)
  await amy.call('invoices_update', { id, dueDate: '2026-03-10' })
  await clockAt('2026-03-04T00:00:00Z', amy)
  expect(await told(amy)).toHaveLength(1)
  await clockAt('2026-03-11T00:00:00Z', amy)
  await amy.call('invoices_update', { id, dueDate: '2026-03-02' })
  await clockAt('2026-03-12T00:00:00Z', amy)
  expect((await told(amy)).map(({ dueDate }) => dueDate)).toEqual(['2026-03-02', '2026-03-10'])
})

test('drafts, what is paid, what is over nothing and what is not due are not overdue; what is disputed or paid in part is', async () => {
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
  await longAgo(amy)
  await clockAt('2026-03-03T00:00:00Z', amy)
  expect((await told(amy)).map(({ id }) => id).sort()).toEqual([disputed.id, partly.id].sort())
})
