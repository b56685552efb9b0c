import { sql } from 'kysely'
import type { Role, Source } from '../../../core/define/access.ts'
import { forbidden } from '../../../core/define/failure.ts'
import type { Database, Member } from '../../../core/define/operation.ts'
import type { Automation } from './automation.ts'

/** A person's rights in the organization. `scopes` is null unless a credential limits the rights of the role. */
export type Rights = { role: Role; scopes: readonly string[] | null; source: Source }

/**
 * What the run of a graph may do (THR-07): it acts as the owner of the automation, or as the person who tested or replayed
 * it, with the lowest of the current roles of the owner, the author of the graph and everybody who started the run, within
 * the scopes that the graph was saved with (null: all of them).
 */
export type GraphRights = { role: Role; scopes: string[] | null }

/** Why a graph or a run may do nothing; the database finds it (rights_of_graph() in 0096_who_starts_a_run.sql). */
export type RightsProblem = 'OWNER' | 'AUTHOR' | 'CREDENTIAL' | 'STARTER'

export const problemSentence: Record<RightsProblem, string> = {
  OWNER: 'The owner of the automation no longer belongs to the organization.',
  AUTHOR: 'The author of the graph, who saved it last, no longer belongs to the organization.',
  STARTER: 'Somebody who tested or replayed this run no longer belongs to the organization.',
  CREDENTIAL: 'The API key or app that the graph was saved with is revoked, has expired or no longer has access.',
}

/** The columns of rights_of_graph(). */
export type RightsRow = { role: Role | null; scopes: string[] | null; problem: RightsProblem | null }

type CurrentRights = { rights: Rights | undefined; problem: RightsProblem | null }

/** The rights that a run of the automation would have now, or what is wrong with them. */
export const currentRights = async (db: Database, automationId: string): Promise<CurrentRights> =>
  toRights(await rowOfAutomation(db, automationId))

/** The same of a run, which keeps the graph it started with. */
export const rightsOfRun = async (db: Database, runId: string): Promise<CurrentRights> =>
  toRights(await rowOfRun(db, runId))

/** With which rights the graph of a run reads. One that may do nothing at the moment still has its scopes. */
export const readingRightsOfRun = async (db: Database, runId: string): Promise<GraphRights> =>
  toReadingRights(await rowOfRun(db, runId))

/** The same of the current graph of an automation, which a replay adopts. */
export const currentReadingRights = async (db: Database, automationId: string): Promise<GraphRights> =>
  toReadingRights(await rowOfAutomation(db, automationId))

async function rowOfAutomation(db: Database, automationId: string): Promise<RightsRow | undefined> {
  const { rows } = await sql<RightsRow>`select x.role, x.scopes, x.problem
    from automations a, rights_of_graph(a.organization_id, a.graph_id) x where a.id = ${automationId}`.execute(db)
  return rows[0]
}

async function rowOfRun(db: Database, runId: string): Promise<RightsRow | undefined> {
  const { rows } = await sql<RightsRow>`select x.role, x.scopes, x.problem from automation_runs r,
    rights_of_graph(r.organization_id, r.graph_id, r.started_by) x where r.id = ${runId}`.execute(db)
  return rows[0]
}

const toReadingRights = (row: RightsRow | undefined): GraphRights => ({
  role: row?.role ?? 'EMPLOYEE',
  scopes: row ? row.scopes : [],
})

/**
 * 403 if the rights of a run have ended since it was claimed. For steps that do not go through the runner: sent along with
 * their own statements.
 */
export const requireRightsOfRun = (db: Database, runId: string, role: Role) =>
  sql`select ${rightsOfRunHold(runId, role)}`.execute(db)

/** The same as an expression, for a statement that does something else as well. */
export const rightsOfRunHold = (runId: string, role: Role) => sql`require_rights_of_run(${runId}, ${role})`

function toRights(row: RightsRow | undefined): CurrentRights {
  const { role, scopes, problem } = row ?? { role: null, scopes: null, problem: 'OWNER' as const }
  return { rights: role ? { role, scopes, source: 'AUTOMATION' } : undefined, problem }
}

/**
 * A graph whose key or app has ended stays without rights until the owner of the automation enables it in a session. It then
 * keeps its author and scopes, and no longer depends on the key or app. Anyone else is refused.
 */
export async function releaseFromCredential(db: Database, automation: Automation, caller: Member): Promise<void> {
  if (caller.source === 'SESSION' && caller.userId === automation.ownerUserId) {
    await sql`select release_graph(${automation.id})`.execute(db)
    return
  }
  const { problem } = await currentRights(db, automation.id)
  if (problem === 'CREDENTIAL')
    throw forbidden(
      `${problemSentence.CREDENTIAL} Only the owner of the automation can enable it again, signed in with a browser.`,
      'CREDENTIAL_ENDED',
    )
}
