import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { rows } from '../../../../test/rows.ts'
import { statementCounter } from '../../../../test/statements.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

/** Stores a run that began some days ago. */
const ran = (amy: Someone, automationId: string, status: string, daysAgo: number) =>
  theApp().system.raw.query(
    `insert into automation_runs (organization_id, id, automation_id, input, depth, status, started_at, finished_at)
     values ($1, $2, $3, '{}', 0, $4, now() - $5 * interval '1 day', case when $4 <> 'RUNNING' then now() end)`,
    [amy.organizationId, newId(), automationId, status, daysAgo],
  )

const list = (amy: Someone, input: object = {}) =>
  amy.call('automations_list', { organizationId: String(amy.organizationId), ...input } as never)

test('on request each automation has its last run and the share of runs that succeeded in 30 days', async () => {
  const amy = await member('MANAGER')
  const made = async () => String((await rows.automations?.(amy))?.id)
  const [idle, busy] = [await made(), await made()]
  for (const [status, daysAgo] of [['SUCCEEDED', 40], ['SUCCEEDED', 20], ['SUCCEEDED', 10], ['SUCCEEDED', 9], ['FAILED', 5],
    ['CANCELLED', 4], ['RUNNING', 1]] as const) await ran(amy, busy, status, daysAgo) // biome-ignore format: a list
  const { automations } = await list(amy, { runSummary: true })
  const of = (id: string) => automations.find((each) => each.id === id)
  expect(of(busy)).toMatchObject({
    lastRun: { id: expect.any(String), status: 'RUNNING', startedAt: expect.stringMatching(/Z$/), finishedAt: null },
    success30Days: { succeeded: 3, failed: 1, share: 0.75 },
  })
  expect(of(idle)).toMatchObject({ lastRun: null, success30Days: { succeeded: 0, failed: 0, share: null } })
  expect((await list(amy)).automations[0]).not.toHaveProperty('lastRun')
  const statements = statementCounter()
  expect(await statements(() => list(amy, { runSummary: true }))).toBe(await statements(() => list(amy)))
})
