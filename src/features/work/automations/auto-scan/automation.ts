import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import { action, chain, trigger } from '../template.ts'

export const Cadence = OneOf('OFF', 'DAILY', 'WEEKLY', 'MONTHLY')
export type Cadence = Static<typeof Cadence>

export const AutoScan = Type.Object({
  connectionId: Id,
  automationId: nullable(Id),
  cadence: Cadence,
  automationStatus: nullable(OneOf('ENABLED', 'DISABLED', 'PAUSED_NO_ACCESS')),
})
export type AutoScan = Static<typeof AutoScan>

const schedules = { DAILY: 'schedule.daily', WEEKLY: 'schedule.weekly', MONTHLY: 'schedule.monthly' } as const

/** A schedule that polls one connection: an ordinary automation. */
export const autoScanGraph = (cadence: Exclude<Cadence, 'OFF'>, organizationId: string, connectionId: string) =>
  chain([trigger(schedules[cadence]), action('poll', 'expenses_email_poll', { organizationId, connectionId })])

/** The auto-scan of a connection as it is now. Without its automation, which anyone may delete, it is off. */
export async function autoScanOf(db: Database, connectionId: string): Promise<AutoScan> {
  const { automationId, status, triggers } = await one(
    db
      .selectFrom('mailConnections as c')
      .leftJoin('automations as a', (join) =>
        join.onRef('a.organizationId', '=', 'c.organizationId').onRef('a.id', '=', 'c.autoScanAutomationId'),
      )
      .select(['a.id as automationId', 'a.status'])
      .select(sql<string[] | null>`a.triggers`.as('triggers'))
      .where('c.id', '=', connectionId)
      .where('c.deletedAt', 'is', null),
    'mail connection',
  )
  const cadence = cadenceOf(triggers)
  if (!automationId || !status) return { connectionId, automationId: null, cadence: 'OFF', automationStatus: null }
  const automationStatus = status === 'ENABLED' || status === 'PAUSED_NO_ACCESS' ? status : 'DISABLED'
  return { connectionId, automationId, cadence, automationStatus }
}

/** By the first schedule of the graph, which a person may have edited. */
function cadenceOf(triggers: readonly string[] | null): Cadence {
  const names = Object.entries(schedules) as [Exclude<Cadence, 'OFF'>, string][]
  return names.find(([, type]) => triggers?.includes(type))?.[0] ?? 'OFF'
}
