import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { byId, one } from '../../core/define/query.ts'
import { capsOf, defaultSettings } from '../settings/settings.ts'
import type { Rights } from './actions/action.ts'
import type { Block, Edge } from './automation.ts'

const shown = [
  'id', 'organizationId', 'ownerUserId', 'name', 'description', 'status', 'createdAt', 'updatedAt',
] as const // biome-ignore format: a list of words

/** The columns of a graph hold what `automation.ts` says: nothing else is ever written there. */
export const automations = (db: Database) =>
  db
    .selectFrom('automations')
    .select(shown)
    .select([sql<Block[]>`automations.blocks`.as('blocks'), sql<Edge[]>`automations.edges`.as('edges')])

export const automationById = byId((db, id) => automations(db).where('id', '=', id))

/**
 * Arms an automation, unless the organization has as many armed as its plan allows (INV-15). Whoever else arms one at the
 * same moment waits at the row of the organization.
 */
export async function arm(db: Database, id: string): Promise<void> {
  await sql`select from organizations where id = current_organization() for no key update`.execute(db)
  const [{ status }, settings, armed] = await Promise.all([
    one(db.selectFrom('automations').select('status').where('id', '=', id).forNoKeyUpdate(), 'automation'),
    db.selectFrom('organizationSettings').select('plan').executeTakeFirst(),
    db.selectFrom('automations').select('id').where('status', '=', 'ENABLED').execute(),
  ])
  if (status === 'ENABLED') return
  const { automationsMax } = capsOf(settings?.plan ?? defaultSettings.plan)
  if (armed.length >= automationsMax)
    throw conflict(
      `${automationsMax} automations are enabled already, which is what the plan allows. Disable one first.`,
      'AUTOMATION_CAP',
    )
  const set = { status: 'ENABLED', enabledAt: sql<string>`now()` } as const
  await db.updateTable('automations').set(set).where('id', '=', id).execute()
}

/** What the owner may do in the organization now; undefined when they no longer belong to it. */
export async function rightsOf(db: Database, userId: string): Promise<Rights | undefined> {
  const member = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'userId')
    .select('role')
    .where('userId', '=', userId)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
  return member && { role: member.role, scopes: null, source: 'AUTOMATION' }
}
