import { runAutomation } from '../../features/automations/engine/run-automation.ts'
import { doJob, type More } from '../job.ts'
import { type Someone, theApp } from '../world.ts'
import { action, automate, graphOf, lastRun, trigger } from './automations.ts'

/** An automation of somebody's that does one thing outside, tried as they would: with a test run. */
export async function testRun(someone: Someone, ref: string, input: object, payload: Record<string, unknown> = {}) {
  const graph = graphOf([trigger('invoice.paid'), action('out', ref, input)], 'start>out')
  const id = await automate(someone, graph, { armed: false })
  return someone.call('automations_test', { id, payload })
}

/** The same, started by an event and waiting for a worker; `work` makes one attempt at it, `run` reads it. */
export async function started(someone: Someone, ref: string, input: object) {
  const { organizationId = '' } = someone
  const graph = graphOf([trigger('customer.created'), action('out', ref, input)], 'start>out')
  const id = await automate(someone, graph)
  await someone.call('customers_create', { organizationId, name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(someone, id)
  const flags = { [`organization:${organizationId}`]: true as const }
  return {
    runId,
    work: (more: More = {}) => doJob(runAutomation, { runId }, { ...more, flags }),
    run: () => someone.call('automations_run', { id, runId }),
  }
}

/** What the log says of an organization, the oldest first. */
export async function logOf(someone: Someone) {
  const { organizationId = '' } = someone
  const { deliveries } = await someone.call('automations_deliveries', { organizationId })
  return deliveries.reverse()
}

/** Providers with another one in place of one of them. */
export const withProvider = (more: Partial<More['providers']>): More => ({
  providers: { ...theApp().providers, ...more } as NonNullable<More['providers']>,
})
