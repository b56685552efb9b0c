import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { action, automate, graphOf, settle, trigger } from '../../../../test/automations/automations.ts'
import { findJobs } from '../../../../test/queue.ts'
import { member, type Someone, theApp, withKey } from '../../../../test/world.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const graph = graphOf(
  [trigger('customer.updated'), action('add', 'customers_create', { name: 'Added', country: 'SG' })],
  'start>add',
)

/** FAILED runs that started at these instants. */
async function failedRuns({ organizationId }: Someone, automationId: string, starts: readonly string[]) {
  const ids = starts.map(() => newId())
  for (const [at, start] of starts.entries())
    await query(
      `insert into automation_runs (organization_id, id, automation_id, input, depth, token, status, error, started_at, finished_at)
       values ($1, $2, $3, '{}', 0, 1, 'FAILED', 'x', $4, $4)`,
      [organizationId, ids[at], automationId, start],
    )
  return ids
}

const days = ['2026-01-30T12:00:00Z', '2026-01-31T12:00:00Z', '2026-02-01T12:00:00Z', '2026-02-02T12:00:00Z']

test('the failed runs of a period are replayed, the oldest first, and the list of runs shows how far they are', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  const ids = await failedRuns(amy, id, days)
  const period = { id, from: '2026-01-31', to: '2026-02-02T12:00:00Z' }
  const first = await amy.call('automations_replay_failed', { ...period, limit: 1 })
  expect(first).toEqual({ replayed: 1, remaining: 1, skipped: [], lastRunId: ids[1] })
  const ofStatus = async (status: 'RUNNING' | 'FAILED' | 'SUCCEEDED') =>
    (await amy.call('automations_runs', { ...period, status })).runs.map((run) => run.id)
  expect([await ofStatus('RUNNING'), await ofStatus('FAILED')]).toEqual([[ids[1]], [ids[2]]])
  const second = await amy.call('automations_replay_failed', { ...period, after: String(first.lastRunId) })
  expect(second).toEqual({ replayed: 1, remaining: 0, skipped: [], lastRunId: ids[2] })
  const jobs = await findJobs("payload ->> 'runId' = any ($1)", [ids])
  expect(jobs.map(({ payload }) => (payload as { runId: string }).runId).sort()).toEqual([ids[1], ids[2]].sort())
  await settle(amy)
  expect(await ofStatus('SUCCEEDED')).toEqual([ids[2], ids[1]])
  expect((await amy.call('automations_runs', { id, status: 'FAILED' })).pagination.total).toBe(2)
  const none = { replayed: 0, remaining: 0, skipped: [], lastRunId: null }
  expect(await amy.call('automations_replay_failed', period)).toEqual(none)
})

test('a day of the period is one of the organization', async () => {
  const amy = await member('CONTRIBUTOR')
  await query("update organizations set timezone = 'Asia/Singapore' where id = $1", [amy.organizationId])
  const id = await automate(amy, graph, { armed: false })
  const ids = await failedRuns(amy, id, [
    '2026-01-30T15:59:59Z',
    '2026-01-30T16:00:00Z',
    '2026-01-31T15:59:59Z',
    '2026-01-31T16:00:00Z',
  ])
  const { runs } = await amy.call('automations_runs', { id, from: '2026-01-31', to: '2026-01-31' })
  expect(runs.map((run) => run.id)).toEqual([ids[2], ids[1]])
  for (const from of ['2026-02-30', 'yesterday', '2026-01-31T25:00:00Z'])
    await expect(amy.call('automations_runs', { id, from })).rejects.toMatchObject({ status: 400 })
})

test('a run that another request replays at the same moment is skipped', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  const ids = await failedRuns(amy, id, days)
  const other = await theApp().system.raw.connect()
  await other.query('begin')
  await other.query('select from automation_runs where id = $1 for no key update', [ids[0]])
  const answer = await amy.call('automations_replay_failed', { id, from: '2020-01-01' })
  await other.query('rollback')
  other.release()
  expect(answer).toMatchObject({
    replayed: 3,
    remaining: 0,
    skipped: [{ runId: ids[0], reason: expect.stringContaining('another request') }],
  })
})

test('THR-07: runs are replayed with the rights that a single replay needs', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  const ids = await failedRuns(amy, id, days.slice(0, 2))
  await query(
    `insert into automation_steps (organization_id, id, run_id, block_id, status, feature) values ($1, new_id(), $2, 'x', 'SUCCEEDED', 'payroll')`,
    [amy.organizationId, ids[0]],
  )
  const colleague = await member('CONTRIBUTOR', { of: amy })
  await expect(colleague.call('automations_replay_failed', { id, from: '2020-01-01' })).rejects.toMatchObject({
    status: 403,
  })
  const small = await withKey(amy, ['automations:write'])
  await expect(small.call('automations_replay_failed', { id, from: '2020-01-01' })).rejects.toMatchObject({
    status: 403,
  })
  const key = await withKey(amy, ['automations:write', 'customers:write', 'customers:read'])
  expect(await key.call('automations_replay_failed', { id, from: '2020-01-01' })).toMatchObject({
    replayed: 1,
    skipped: [
      { runId: ids[0], reason: 'The caller lacks the scope payroll:read, which the recorded data of this run needs.' },
    ],
  })
})
