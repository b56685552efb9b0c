import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { byId, one } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { capsOf, defaultSettings } from '../../company/settings/settings.ts'
import type { Block, Edge } from './automation.ts'

const columns = [
  'id', 'organizationId', 'ownerUserId', 'name', 'description', 'status', 'version', 'createdAt', 'updatedAt',
] as const // biome-ignore format: a list of words

/** The JSON columns `blocks` and `edges` always match their schemas in `automation.ts`. */
export const automations = (db: Database) =>
  db
    .selectFrom('automations')
    .select(columns)
    .select([sql<Block[]>`automations.blocks`.as('blocks'), sql<Edge[]>`automations.edges`.as('edges')])

export const automationById = byId((db, id) => automations(db).where('id', '=', id))

/**
 * Enables an automation, unless the organization has reached the limit of its plan (INV-15). The lock on the organization
 * makes concurrent calls wait for each other.
 */
export async function enableAutomation(db: Database, id: string): Promise<void> {
  await sql`select from organizations where id = current_organization() for no key update`.execute(db)
  const {
    automation: { status },
    settings,
    enabled,
  } = await pipeline({
    automation: one(db.selectFrom('automations').select('status').where('id', '=', id).forNoKeyUpdate(), 'automation'),
    settings: db.selectFrom('organizationSettings').select('plan').executeTakeFirst(),
    enabled: db.selectFrom('automations').select('id').where('status', '=', 'ENABLED').execute(),
  })
  if (status === 'ENABLED') return
  const { automationsMax } = capsOf(settings?.plan ?? defaultSettings.plan)
  if (enabled.length >= automationsMax)
    throw conflict(`The plan allows ${automationsMax} enabled automations. Disable one first.`, 'AUTOMATION_CAP')
  const set = { status: 'ENABLED', enabledAt: sql<string>`now()` } as const
  await db.updateTable('automations').set(set).where('id', '=', id).execute()
}
