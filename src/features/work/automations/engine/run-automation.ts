import { job } from '../../../../core/define/job.ts'
import { requeueJob } from '../../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import type { Subscriber } from '../../../../core/define/subscriber.ts'
import { executeRun } from './engine.ts'
import { toUnclaimedRun, unclaimedRunOfJob } from './run-record.ts'

/** Executes a run. The job is enqueued in the transaction of the event that started the run (0020_automations.sql). */
export const runAutomation = job(
  'run-automation',
  Type.Object({ runId: Id }),
  (context, { runId }) =>
    executeRun(
      {
        readFiltered: context.read,
        lastTransaction: context.once,
        maxWaitMs: () => 0,
        unclaimed: toUnclaimedRun(context.preloaded),
        ...context,
      },
      runId,
    ),
  { preload: unclaimedRunOfJob },
)

/** Enqueues the job again for RUNNING runs that have none. */
export const requeueLostRuns = requeueJob('recover-runs', { job: runAutomation.name, requeueLost: 'requeue_lost_runs' })

/** The organizations that need schedule events. The database itself starts the runs, when the event is inserted. */
export const scheduleSubscriber: Subscriber = {
  name: 'automations',
  on: ['schedule.hourly', 'schedule.daily', 'schedule.weekly', 'schedule.monthly'],
  wants: `select organization_id, min(enabled_at) as since from automations
    where status = 'ENABLED' and triggers @> array[$1::text] group by 1`,
}
