import { beforeAll, describe, expect, test } from 'vitest'
import { emailOf } from '../../../test/accounts.ts'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../test/automations/automations.ts'
import { request } from '../../../test/mcp.ts'
import { member, operationNamed, type Someone, theApp, withKey } from '../../../test/world.ts'

/** Who tests or replays an automation of somebody else gains nothing by it: no role, no approval of what is their own. */

let mia: Someone // the owner, whose automation approves whatever the payload names
let ann: Someone // a manager
let approve: string
beforeAll(async () => {
  mia = await member('OWNER')
  ann = await member('MANAGER', { of: mia })
  const input = { id: '{{trigger.id}}', status: 'APPROVED' }
  approve = await automate(mia, graphOf([trigger('expense.submitted'), action('approve', 'expenses_status', input)], 'start>approve'), { armed: false }) // biome-ignore format: a line
})

async function submit(someone: Someone, amount: number, more: object = {}) {
  const given = { organizationId: mia.organizationId ?? '', amount, currency: 'SGD', date: '2026-01-31', ...more }
  const { id } = await someone.call('expenses_create', given)
  await someone.call('expenses_status', { id, status: 'PENDING_REVIEW' })
  return id
}
const statusOf = async (id: string) => (await mia.call('expenses_get', { id })).status
const auditOf = async (id: string) => {
  const text = "select user_id, source from audit_log where object_id = $1 and operation = 'expenses_status' order by created_at desc limit 1" // biome-ignore format: a line
  return (await theApp().system.raw.query(text, [id])).rows[0]
}

let self: string
const ownClaim = async (amount: number) => {
  self ??= (await mia.call('customers_create', { organizationId: mia.organizationId ?? '', name: 'Ann', country: 'SG', kind: 'INDIVIDUAL', email: emailOf(ann) })).id // biome-ignore format: a line
  return submit(ann, amount, { claimantId: self })
}

const test_ = (someone: Someone, id: string, more: object = {}) =>
  someone.call('automations_test', { id: approve, payload: { id, homeAmount: 1, ...more } })

describe('a manager gets no approval of a claim of their own', () => {
  test('by testing the automation of an owner', async () => {
    const claim = await ownClaim(48_000)
    const run = await test_(ann, claim)
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('a claim of your own') })
    expect(await statusOf(claim)).toBe('PENDING_REVIEW')
  })

  test('by testing it with a key, over MCP', async () => {
    const claim = await ownClaim(480)
    const key = await withKey(ann)
    const { body } = await request(key, operationNamed('automations_test'), { id: approve, payload: { id: claim } })
    expect(body).toMatchObject({ status: 'FAILED' })
    expect(await statusOf(claim)).toBe('PENDING_REVIEW')
  })

  test.each(['automations_replay', 'automations_replay_failed'] as const)(
    'by %s of a run that failed',
    async (name) => {
      const claim = await ownClaim(470)
      await test_(ann, claim)
      const { id: runId, startedAt } = await lastRun(ann, approve)
      const input = name === 'automations_replay' ? { runId } : { from: startedAt }
      await ann.call(name, { id: approve, ...input } as never)
      await settle(mia)
      expect(await statusOf(claim)).toBe('PENDING_REVIEW')
      await mia.call(name, { id: approve, ...input } as never) // nor when the owner carries their run on
      await settle(mia)
      expect(await statusOf(claim)).toBe('PENDING_REVIEW')
    },
  )
})

describe('an organization that requires approval', () => {
  beforeAll(async () => {
    await mia.call('settings_update', { id: mia.organizationId ?? '', requireApproval: true })
    return () => mia.call('settings_update', { id: mia.organizationId ?? '', requireApproval: false })
  })

  test('gets none for what the starter entered, nor for what they changed', async () => {
    const carl = await member('CONTRIBUTOR', { of: mia })
    const entered = await submit(ann, 10)
    const raised = await submit(carl, 50)
    await ann.call('expenses_update_patch_2', { id: raised, amount: 7_000 })
    for (const id of [entered, raised]) {
      expect(await test_(ann, id)).toMatchObject({ status: 'FAILED' })
      expect(await statusOf(id)).toBe('PENDING_REVIEW')
    }
  })
})

test("what a manager starts on a colleague's expense is done in their name", async () => {
  const carl = await member('CONTRIBUTOR', { of: mia })
  const expense = await submit(carl, 30)
  expect(await test_(ann, expense)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await mia.call('expenses_get', { id: expense })).toMatchObject({ reviewedBy: { id: ann.userId } })
  expect(await auditOf(expense)).toEqual({ user_id: ann.userId, source: 'AUTOMATION' })
})

test('what is the own account of the owner is read by nobody who tests their automation', async () => {
  const automation = await automate(mia, graphOf([trigger('schedule.daily'), action('read', 'users_me')], 'start>read'), { armed: false }) // biome-ignore format: a line
  expect(await mia.call('automations_test', { id: automation, payload: {} })).toMatchObject({ status: 'SUCCEEDED' })
  const run = await ann.call('automations_test', { id: automation, payload: {} })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('personal account') })
})

test('a run has no higher role than anybody who started it, and none after one of them has left', async () => {
  const bob = await member('MANAGER', { of: mia })
  const invite = { id: mia.organizationId ?? '', userId: ann.userId, role: 'OWNER' }
  const automation = await automate(mia, graphOf([trigger('schedule.daily'), action('raise', 'users_member_update', invite)], 'start>raise'), { armed: false }) // biome-ignore format: a line
  expect(await bob.call('automations_test', { id: automation, payload: {} })).toMatchObject({ status: 'FAILED' })
  const { id: runId } = await lastRun(mia, automation)
  await mia.call('automations_replay', { id: automation, runId })
  expect(await lastRun(mia, automation)).toMatchObject({ status: 'FAILED' })
  await mia.call('users_member_delete', { id: mia.organizationId ?? '', userId: bob.userId })
  expect(await mia.call('automations_replay', { id: automation, runId })).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('Somebody who tested or replayed this run no longer belongs'),
  })
})
