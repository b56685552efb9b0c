import { expect, test } from 'vitest'
import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'
import { action, automate, graphOf, lastRun, trigger } from '../../../../test/automations/automations.ts'
import { logOf, started } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { doJob } from '../../../../test/job.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { claimRun, isClaimLost } from '../engine/run-record.ts'
import { engineActions } from './engine-actions.ts'

const inputs = {
  'webhook.post': (url: string) => ({ url, body: { a: 1 } }),
  'email.send': () => ({ to: 'dana@example.com', subject: 'Hello', body: 'Hi' }),
}

/** Another worker takes over the run, as after a silence of the first one. */
const claimAgain = (_: Someone, __: string, runId: string) =>
  theApp()
    .system.use((db, { ask }) => claimRun({ db, ask }, runId))
    .then(() => {})
const cancel = (amy: Someone, id: string, runId: string) => amy.call('automations_cancel', { id, runId }).then(() => {})

const cases = (['webhook.post', 'email.send'] as const).flatMap((ref) => [
  { ref, what: 'was claimed by another worker', lose: claimAgain },
  { ref, what: 'was cancelled', lose: cancel },
])

test.each(cases)('INV-13: $ref sends nothing if its run $what since the step started', async ({ ref, lose }) => {
  const amy = await member('CONTRIBUTOR')
  const { heard, url } = await receiver()
  const input = inputs[ref](url)
  const id = await automate(amy, graphOf([trigger('customer.created'), action('out', ref, input)], 'start>out'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const organizationId = amy.organizationId ?? ''
  const [claimed, stepId] = await theApp().system.use(async (db, { ask }) => {
    const run = await claimRun({ db, ask }, runId)
    const inserted = await ask(
      `insert into automation_steps (organization_id, id, run_id, block_id, ref, status, started_at)
       values ($1, new_id(), $2, 'out', $3, 'RUNNING', now()) returning id`,
      [organizationId, runId, ref],
    )
    return [run, String(inserted.rows[0]?.id)]
  })
  await lose(amy, id, runId)

  const { token = 0, owner, automationName = '' } = claimed ?? {}
  if (!owner) throw new Error('The run has no owner.')
  const place = { stepId, runId, automationId: id, automationName, organizationId, blockId: 'out', element: -1 }
  let refusal: unknown
  const execute = job('test-late-step', Type.Object({}), async (context) => {
    const send = engineActions.find(({ name }) => name === ref)
    const dependencies = { ...context, readFiltered: context.read }
    const step = { ...place, attempt: 1, token, depth: 1, owner, headers: [] }
    await send?.run(dependencies, input as never, step).catch((error) => {
      refusal = error
    })
  })
  await doJob(execute, {}, { flags: { [`organization:${organizationId}`]: true } })
  expect(isClaimLost(refusal)).toBe(true)
  expect(heard).toEqual([])
  expect(await logOf(amy)).toEqual([])
})

test.each([
  { what: 'was claimed by another worker', lose: claimAgain, status: 'RUNNING' },
  { what: 'was cancelled', lose: cancel, status: 'CANCELLED' },
])('INV-13: a webhook that was delivered is logged, also if its run $what meanwhile', async ({ lose, status }) => {
  const amy = await member('CONTRIBUTOR')
  const { url } = await receiver(async (response) => {
    await lose(amy, (await webhook.run()).automationId, webhook.runId)
    response.end('thanks')
  })
  const webhook = await started(amy, 'webhook.post', { url })
  await webhook.work()
  expect(await logOf(amy)).toMatchObject([{ outcome: 'DELIVERED', status: 200, answer: 'thanks' }])
  const run = await webhook.run()
  expect(run.status).toBe(status)
  expect(run.steps[1]?.status).not.toBe('SUCCEEDED')
})
