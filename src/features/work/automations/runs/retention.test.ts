import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { runsKeptDays } from '../../../../core/values/kept-days.ts'
import { action, automate, graphOf, runSoFar, settle, trigger } from '../../../../test/automations/automations.ts'
import { doJob } from '../../../../test/job.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { prune } from '../../../../worker/prune.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const graph = graphOf(
  [trigger('customer.created'), action('find', 'customers_get', { id: '{{trigger.id}}' })],
  'start>find',
)
const aged = (runId: string, days: number) =>
  query(
    `update automation_runs set started_at = now() - make_interval(days => $2), finished_at = finished_at - make_interval(days => $2) where id = $1`,
    [runId, days],
  )
const customer = (amy: Someone) =>
  amy.call('customers_create', { organizationId: amy.organizationId ?? '', name: 'Globex', country: 'SG' })
const runIds = async (automationId: string): Promise<string[]> =>
  (await query('select id from automation_runs where automation_id = $1 order by place', [automationId])).map(
    ({ id }) => id,
  )

test('ended runs are deleted with their steps, deliveries and unused graphs after the days in the settings; unfinished ones never', async () => {
  const amy = await member('MANAGER')
  const id = await automate(amy, graph)
  for (let n = 0; n < 3; n++) await customer(amy)
  await settle(amy)
  const unfinished = await runSoFar(amy, id, [])
  const [old = '', newer = '', newest = ''] = await runIds(id)
  await query(
    `insert into automation_deliveries (organization_id, id, step_id, kind, target, attempt, outcome, reason)
     select organization_id, new_id(), id, 'WEBHOOK', 'x', 1, 'FAILED', 'x' from automation_steps where run_id = $1`,
    [old],
  )
  await query(
    'update automation_runs set graph_id = (select id from automation_graphs where automation_id = $2) where id = $1',
    [old, id],
  )
  await amy.call('automations_update', { id, ...graph } as never)
  await query(
    "update automation_graphs set superseded_at = now() - interval '200 days' where automation_id = $1 and superseded_at is not null",
    [id],
  )
  await query(
    'update automation_runs set graph_id = (select graph_id from automations where id = $2) where id = any ($1)',
    [[newer, newest, unfinished], id],
  )
  for (const [run, days] of [[old, 181], [newer, 179], [newest, 31], [unfinished, 900]] as const) await aged(run, days) // biome-ignore format: a table
  await doJob(prune)
  expect(await runIds(id)).toEqual([newer, newest, unfinished])
  expect(await query('select from automation_steps where run_id = $1', [old])).toEqual([])
  expect(await query('select from automation_deliveries where organization_id = $1', [amy.organizationId])).toEqual([])
  expect(await query('select from automation_graphs where automation_id = $1', [id])).toHaveLength(1)
  await amy.call('settings_update', { id: amy.organizationId ?? '', automationRunsKeptDays: 30 })
  await doJob(prune)
  expect(await runIds(id)).toEqual([unfinished])
})

test('INV-11: the event of a deleted run is kept, and starts nothing again', async () => {
  const amy = await member('MANAGER')
  const id = await automate(amy, graph)
  await customer(amy)
  await settle(amy)
  const [run = ''] = await runIds(id)
  const [{ event }] = await query('select trigger_event_id as event from automation_runs where id = $1', [run])
  await aged(run, 181)
  await doJob(prune)
  expect(await query('select from events where id = $1', [event])).toHaveLength(1)
  const again = query('insert into events select * from events where id = $1', [event])
  await expect(again).rejects.toMatchObject({ constraint: 'events_pkey' })
  await settle(amy)
  expect(await runIds(id)).toEqual([])
})

test.each([29, 3_651, 30.5])('runs cannot be kept for %s days', async (automationRunsKeptDays) => {
  const amy = await member('MANAGER')
  const update = amy.call('settings_update', { id: amy.organizationId ?? '', automationRunsKeptDays })
  await expect(update).rejects.toMatchObject({ status: 400 })
})

test('without settings, runs are kept as long as the settings say that they are', async () => {
  const amy = await member('MANAGER')
  const { automationRunsKeptDays } = await amy.call('settings_get', { id: amy.organizationId ?? '' })
  expect(automationRunsKeptDays).toBe(runsKeptDays)
  expect(
    await query(`select column_default as "days" from information_schema.columns
      where table_name = 'organization_settings' and column_name = 'automation_runs_kept_days'`),
  ).toEqual([{ days: String(runsKeptDays) }])
  const id = await automate(amy, graph)
  for (let n = 0; n < 2; n++) await customer(amy)
  await settle(amy)
  const [old = '', newer = ''] = await runIds(id)
  await aged(old, runsKeptDays + 1)
  await aged(newer, runsKeptDays - 1)
  await doJob(prune, {})
  expect(await runIds(id)).toEqual([newer])
})
