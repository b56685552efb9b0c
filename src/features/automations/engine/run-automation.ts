import { job } from '../../../core/define/job.ts'
import { requeueJob } from '../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import type { Subscriber } from '../../../core/define/subscriber.ts'
import { drive } from './engine.ts'

/** Carries a run on; its order was committed with the event that started it (0020_automations.sql). */
export const runAutomation = job('run-automation', Type.Object({ runId: Id }), (context, { runId }) =>
  drive({ ...context, end: context.once, patienceMs: () => 0 }, runId),
)

/** Orders runs again that are under way and whose order was lost. */
export const requeueLostRuns = requeueJob('recover-runs', 'requeue_lost_runs')

/** Where somebody waits for the clock. The database starts the runs itself, with the event. */
export const scheduleSubscriber: Subscriber = {
  name: 'automations',
  on: ['schedule.hourly', 'schedule.daily', 'schedule.weekly', 'schedule.monthly'],
  wants: `select organization_id, min(enabled_at) as since from automations
    where status = 'ENABLED' and triggers @> array[$1::text] group by 1`,
}
