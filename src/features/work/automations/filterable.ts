import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Automation = filterable({
  feature: 'automations',
  from: sql`automations`,
  fields: {
    id: 'id',
    organizationId: 'id',
    ownerUserId: 'id',
    name: 'text',
    description: 'text',
    status: 'text',
    enabledAt: 'instant',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: { owner: toOne('Member', 'ownerUserId', 'userId'), runs: toMany('Run', 'id', 'automationId') },
})

/** The error only where no failed step holds the data of a feature, which some readers may not see. */
const Run = filterable({
  feature: 'automations',
  from: sql`(select r.id, r.organization_id, r.automation_id, r.trigger_event_id, r.trigger_type, r.status, r.started_at, r.finished_at,
    case when not exists (select from automation_steps s where s.organization_id = r.organization_id and s.run_id = r.id
      and s.status = 'FAILED' and s.feature <> 'automations') then r.error end as error from automation_runs r)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    automationId: 'id',
    triggerEventId: 'id',
    triggerType: 'text',
    status: 'text',
    error: 'text',
    startedAt: 'instant',
    finishedAt: 'instant',
  },
  relations: { automation: toOne('Automation', 'automationId', 'id'), steps: toMany('Step', 'id', 'runId') },
})

/** Without input and output, because some readers may not see all of them. */
const Step = filterable({
  feature: 'automations',
  from: sql`automation_steps`,
  fields: {
    id: 'id',
    runId: 'id',
    blockId: 'text',
    status: 'text',
    attempt: 'number',
    latencyMs: 'number',
    startedAt: 'instant',
    finishedAt: 'instant',
  },
  relations: { run: toOne('Run', 'runId', 'id') },
})

export const automationObjects = { Automation, Run, Step }
