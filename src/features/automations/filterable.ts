import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../core/define/filterable.ts'

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

const Run = filterable({
  feature: 'automations',
  from: sql`automation_runs`,
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
