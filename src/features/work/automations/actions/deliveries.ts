import { sql } from 'kysely'
import { type Member, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { paged, toUuid } from '../../../../core/define/query.ts'
import { Id, OneOf, optional, Type } from '../../../../core/define/schema.ts'
import { parseUrl } from '../../../../core/values/url.ts'
import { mayReadStep } from '../protected-steps.ts'
import { hiddenText } from '../runs/read-run.ts'
import { Delivery, deliveryKinds, deliveryOutcomes } from './delivery.ts'

export const deliveries = operation({
  name: 'automations_deliveries',
  http: 'GET /api/automations/deliveries',
  does: 'Lists what automations sent outside, webhooks and mail, every attempt with what became of it; the newest first.',
  scope: 'automations:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    ...optional({
      automationId: Id,
      runId: Id,
      kind: OneOf(...deliveryKinds),
      outcome: OneOf(...deliveryOutcomes),
    }),
    ...paging({ limit: 25 }),
  }),
  output: Type.Object({ deliveries: Type.Array(Delivery), pagination: Pagination }),
  async run({ db, who }, { automationId, runId, kind, outcome, ...page }) {
    const all = db
      .selectFrom('automationDeliveries')
      .innerJoin('automationSteps', 'automationSteps.id', 'stepId') // row security limits both tables to the organization
      .innerJoin('automationRuns', 'automationRuns.id', 'runId')
      .select(columns)
      .select(sql<string>`coalesce(webhook_id, step_id::text)`.as('webhookId')) // null in rows of earlier versions
      .$if(automationId !== undefined, (query) => query.where('automationId', '=', toUuid(automationId ?? '')))
      .$if(runId !== undefined, (query) => query.where('runId', '=', toUuid(runId ?? '')))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'WEBHOOK'))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'SENDING'))
      .orderBy('automationDeliveries.createdAt', 'desc')
      .orderBy('automationDeliveries.id', 'desc')
    const { rows, pagination } = await paged(all, page)
    const reader = await who
    return { deliveries: rows.map((row) => withoutHidden(row, reader)), pagination }
  },
})

/** A delivery without what it says of its content, if the reader may not see the data of its step. */
function withoutHidden({ feature, ...delivery }: Delivery & { feature: string | null }, reader: Member): Delivery {
  if (mayReadStep(feature, reader)) return delivery
  const hidden = hiddenText(feature)
  const { reason, answer, target } = delivery
  const url = delivery.kind === 'WEBHOOK' ? parseUrl(target) : undefined
  return {
    ...delivery,
    target: url ? `${url.protocol}//${url.host}/${hidden}` : hidden,
    reason: reason === null ? null : hidden,
    answer: answer === null ? null : hidden,
  }
}

const columns = [
  'automationDeliveries.id', 'automationDeliveries.organizationId', 'automationId', 'runId', 'stepId', 'kind', 'target',
  'automationDeliveries.attempt', 'outcome', 'automationDeliveries.status', 'automationDeliveries.latencyMs', 'reason',
  'answer', 'automationDeliveries.createdAt', 'feature',
] as const // biome-ignore format: a list of words
