import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Tables } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { AuditEntry, Cause } from './audit-entry.ts'

/** A row of the log with the person who acted. */
export type FoundRow = Omit<Selectable<Tables['auditLog']>, 'sessionId'> & { name: string | null; email: string | null }

type Named = { kind: 'API_KEY' | 'APP'; id: string; name: string; prefix: string | null }
type Automation = { id: string; name: string | null }
type Run = {
  id: string
  automationId: string
  automationName: string
  eventId: string | null
  type: string | null
  requestId: string | null
}

/** What the rows of a page refer to, by id. */
export type Causes = {
  keys: Map<string, Named>
  apps: Map<string, Named>
  runs: Map<string, Run>
  automations: Map<string, Automation>
}

/**
 * Reads the keys, apps, runs and automations of a page, in one round trip; none if people did everything on it. `isAcross` if
 * the page is of all organizations of the caller.
 */
export async function readCauses(db: Database, rows: readonly FoundRow[], isAcross: boolean): Promise<Causes> {
  const keyIds = given(rows.map(({ apiKeyId }) => apiKeyId))
  const clientIds = given(rows.map(({ clientId }) => clientId))
  const runIds = given(rows.map(({ runId }) => runId))
  const automationIds = given(rows.map(({ automationId }) => automationId))
  const { named, runs, automations } = await pipeline({
    named: (keyIds.length > 0 || clientIds.length > 0) && readNames(db, { keyIds, clientIds, isAcross }),
    runs: runIds.length > 0 && readRuns(db, runIds),
    automations: automationIds.length > 0 && readAutomations(db, automationIds),
  })
  const names = (named || { rows: [] }).rows
  return {
    keys: byId(names.filter(({ kind }) => kind === 'API_KEY')),
    apps: byId(names.filter(({ kind }) => kind === 'APP')),
    runs: byId((runs || { rows: [] }).rows),
    automations: byId(automations || []),
  }
}

const given = (ids: (string | null)[]) => [...new Set(ids.flatMap((id) => id ?? []))]
const byId = <T extends { id: string }>(all: readonly T[]) => new Map(all.map((each) => [each.id, each]))

/** In one organization a function reads them; across organizations, row security shows the same names (`used`). */
const readNames = (
  db: Database,
  { keyIds, clientIds, isAcross }: { keyIds: string[]; clientIds: string[]; isAcross: boolean },
) =>
  isAcross
    ? sql<Named>`select 'API_KEY' as kind, id::text, name, prefix from api_keys where id = any(${keyIds}::uuid[])
      union all (select distinct on (client_id) 'APP', client_id, client_name, null from connected_apps
        where client_id = any(${clientIds}::text[]) order by client_id, created_at desc)`.execute(db)
    : sql<Named>`select * from names_in_audit_log(${keyIds}::uuid[], ${clientIds}::text[])`.execute(db)

const readRuns = (db: Database, runIds: string[]) =>
  sql<Run>`select r.id, r.automation_id, a.name as automation_name, r.trigger_event_id as event_id, r.trigger_type as type,
      e.cause ->> 'requestId' as request_id
    from automation_runs r
    join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
    left join events e on e.organization_id = r.organization_id and e.id = r.trigger_event_id
    where r.id = any(${runIds}::uuid[])`.execute(db)

const readAutomations = (db: Database, ids: string[]): Promise<Automation[]> =>
  db.selectFrom('automations').select(['id', 'name']).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()

/** The entry with what caused it. */
export function toEntry(row: FoundRow, causes: Causes): Omit<AuditEntry, 'object'> {
  const { name, email, organizationId, detail, automationId, turnId, ...entry } = row
  const key = causes.keys.get(row.apiKeyId ?? '')
  const app = causes.apps.get(row.clientId ?? '')
  const run = causes.runs.get(row.runId ?? '')
  const named = {
    apiKey: key ? { name: key.name, prefix: key.prefix ?? '' } : null,
    app: app ? { name: app.name } : null,
    automation: automationOf(automationId, run, causes),
  }
  return {
    ...entry,
    ...named,
    organizationId: organizationId ?? '',
    user: name !== null && email !== null ? { name, email } : null,
    trigger: run?.eventId && run.type ? { eventId: run.eventId, type: run.type, requestId: run.requestId } : null,
    turnRunId: turnId,
    cause: causeOf(row, named),
    detail: detail as AuditEntry['detail'],
  }
}

/** Entries of earlier versions have only the run, which knows its automation until it is deleted. */
function automationOf(id: string | null, run: Run | undefined, { automations }: Causes): Automation | null {
  if (id) return automations.get(id) ?? { id, name: null }
  return run ? { id: run.automationId, name: run.automationName } : null
}

function causeOf(row: FoundRow, { apiKey, app, automation }: Pick<AuditEntry, 'apiKey' | 'app' | 'automation'>): Cause {
  switch (row.source) {
    case 'API_KEY':
      return { kind: 'API_KEY', id: row.apiKeyId, name: apiKey?.name ?? null }
    case 'OAUTH':
      return { kind: 'APP', id: row.clientId, name: app?.name ?? null }
    case 'AUTOMATION':
      return { kind: 'AUTOMATION', id: automation?.id ?? null, name: automation?.name ?? null }
    case 'COMPANION':
      return { kind: 'COMPANION', id: row.turnId, name: null }
    case 'LINK':
    case 'SYSTEM':
      return { kind: row.source, id: null, name: null }
    default:
      return { kind: 'PERSON', id: row.userId, name: row.name }
  }
}
