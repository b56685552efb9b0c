import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { doJob, type JobOptions } from '../job.ts'
import { type Someone, theApp } from '../world.ts'
import { action, automate, graphOf, lastRun, trigger } from './automations.ts'

/** Makes an automation with one external action and starts a test run of it. */
export async function testRun(someone: Someone, ref: string, input: object, payload: Record<string, unknown> = {}) {
  const graph = graphOf([trigger('invoice.paid'), action('out', ref, input)], 'start>out')
  const id = await automate(someone, graph, { armed: false })
  return someone.call('automations_test', { id, payload })
}

/** Starts such an automation by an event. `work` makes one attempt as a worker, `run` reads the run. */
export async function started(someone: Someone, ref: string, input: object) {
  const { organizationId = '' } = someone
  const graph = graphOf([trigger('customer.created'), action('out', ref, input)], 'start>out')
  const id = await automate(someone, graph)
  await someone.call('customers_create', { organizationId, name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(someone, id)
  const flags = { [`organization:${organizationId}`]: true as const }
  return {
    runId,
    work: (more: JobOptions = {}) => doJob(runAutomation, { runId }, { ...more, flags }),
    run: () => someone.call('automations_run', { id, runId }),
  }
}

/** The delivery log of an organization, oldest first. */
export async function logOf(someone: Someone) {
  const { organizationId = '' } = someone
  const { deliveries } = await someone.call('automations_deliveries', { organizationId })
  return deliveries.reverse()
}

/** Job options with some providers replaced. */
export const withProvider = (more: Partial<JobOptions['providers']>): JobOptions => ({
  providers: { ...theApp().providers, ...more } as NonNullable<JobOptions['providers']>,
})
