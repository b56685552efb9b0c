import { sql } from 'kysely'
import { type Inside, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { newId } from '../../../../core/values/id.ts'
import { connectionById, deleteAutoScan } from '../../../buying/mailboxes/connection.ts'
import { enableAutomation } from '../store.ts'
import { AutoScan, autoScanGraph, autoScanOf, Cadence } from './automation.ts'

const OfConnection = Type.Object({ organizationId: Type.Optional(Id), id: Id })
const within = { table: 'mailConnections', by: 'id' } as const

export const get = operation({
  name: 'integrations_auto_scan',
  http: 'GET /api/expenses/email-settings/{id}/auto-scan',
  does: 'Reads how often a mailbox is polled by its automation.',
  scope: 'integrations:read',
  role: 'VIEWER',
  within,
  input: OfConnection,
  output: AutoScan,
  run: ({ db }, { id }) => autoScanOf(db, toUuid(id)),
})

export const set = operation({
  name: 'integrations_auto_scan_post',
  http: 'POST /api/expenses/email-settings/{id}/auto-scan',
  does: 'Polls a mailbox every day, week or month, by an automation that counts toward the limit of the plan; OFF deletes it.',
  scope: 'integrations:write',
  role: 'CONTRIBUTOR',
  within,
  input: Type.Object({ ...OfConnection.properties, cadence: Cadence }),
  output: AutoScan,
  async run(context, { id, cadence }) {
    return cadence === 'OFF' ? turnOff(context, toUuid(id)) : turnOn(context, toUuid(id), cadence)
  },
})

export const remove = operation({
  name: 'integrations_auto_scan_delete',
  http: 'DELETE /api/expenses/email-settings/{id}/auto-scan',
  does: 'Turns the auto-scan of a mailbox off and deletes its automation.',
  scope: 'integrations:write',
  role: 'CONTRIBUTOR',
  within,
  input: OfConnection,
  output: AutoScan,
  run: (context, { id }) => turnOff(context, toUuid(id)),
})

/** Writes the automation, which keeps its id when the cadence changes, and enables it. Past the limit of the plan it is 409. */
async function turnOn({ db, who }: Inside<'organizationId'>, connectionId: string, cadence: Exclude<Cadence, 'OFF'>) {
  const { organizationId } = await who
  await sql`select from organizations where id = current_organization() for no key update`.execute(db)
  const { name } = await one(connectionById(db, connectionId), 'mail connection')
  const before = await autoScanOf(db, connectionId)
  const automationId = before.automationId ?? newId()
  const { blocks, edges } = autoScanGraph(cadence, organizationId, connectionId)
  const label = `Read the mailbox ${name}`.slice(0, 200)
  await sql`select save_auto_scan(${connectionId}::uuid, ${automationId}::uuid, ${label}, ${JSON.stringify(blocks)}::jsonb,
    ${JSON.stringify(edges)}::jsonb)`.execute(db)
  await enableAutomation(db, automationId)
  return autoScanOf(db, connectionId)
}

async function turnOff({ db }: Pick<Inside, 'db'>, connectionId: string) {
  await autoScanOf(db, connectionId) // 404 if there is no such connection
  await deleteAutoScan(db, connectionId)
  return autoScanOf(db, connectionId)
}
