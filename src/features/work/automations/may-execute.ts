import { sql } from 'kysely'
import { atLeast } from '../../../core/define/access.ts'
import { type Failure, forbidden } from '../../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Block } from './automation.ts'
import { joinMarks, markOfTrigger, missingToRead, unknownMark } from './protected-steps.ts'
import { currentRights, type GraphRights } from './rights.ts'
import { missingScopes } from './save-warnings.ts'

/** 403 unless the caller is the owner of the automation or a MANAGER. Returns its blocks. */
export async function requireMayControl(db: Database, id: string, caller: Member): Promise<Block[]> {
  const automation = db.selectFrom('automations').where('id', '=', id)
  const { ownerUserId, blocks } = await one(
    automation.select(['ownerUserId', sql<Block[]>`blocks`.as('blocks')]),
    'automation',
  )
  if (ownerUserId !== caller.userId && !atLeast(caller.role, 'MANAGER'))
    throw forbidden(
      'An automation runs with the rights of its owner, so only its owner or a MANAGER may test, replay or cancel its runs.',
      'ROLE',
    )
  return blocks
}

/**
 * 403 unless the caller may test and replay the automation: its owner or a MANAGER, with a credential that has the scopes which
 * its graph uses. What the graph lacks itself fails in the run.
 */
export async function requireMayExecute({ db, catalog }: Pick<Inside, 'db' | 'catalog'>, id: string, caller: Member) {
  const blocks = await requireMayControl(db, id, caller)
  if (!caller.scopes) return
  const { rights } = await currentRights(db, id)
  const lacks = (scopes: readonly string[] | null) => missingScopes(catalog, { blocks }, { role: 'OWNER', scopes })
  const lackedByGraph = new Set(lacks(rights?.scopes ?? null).map(({ path }) => path))
  const [missing] = lacks(caller.scopes).filter(({ path }) => !lackedByGraph.has(path))
  if (missing) throw forbidden(`The credential lacks a scope that this automation uses. ${missing.message}`, 'SCOPE')
}

type RecordedRun = { id: string; triggerRef: string | null }
type Readers = { caller: Member; graph: GraphRights }

/**
 * Why runs may not be replayed, by their ids: the caller and the graph that a run has from then on both have to be able to
 * read what is recorded, the payload and the outputs of the steps that succeeded. Bindings of another graph than the one that
 * recorded them could send them anywhere (THR-07).
 */
export async function refusalsToReuse(
  db: Database,
  runs: readonly RecordedRun[],
  readers: Readers,
): Promise<Map<string, Failure>> {
  const steps = await db
    .selectFrom('automationSteps')
    .select(['runId', 'feature', 'ref'])
    .distinct()
    .where('runId', 'in', [...runs.map(({ id }) => id)])
    .where('status', '=', 'SUCCEEDED')
    .execute()
  const marks = new Map(runs.map(({ id, triggerRef }) => [id, markOfTrigger(triggerRef)]))
  for (const { runId, feature, ref } of steps) {
    // Versions before recorded no mark with triggers and filters. A filter has no `ref`.
    const mark = feature ?? (ref === null ? unknownMark : markOfTrigger(ref))
    marks.set(runId, joinMarks(marks.get(runId) ?? null, mark))
  }
  const refusals = [...marks].map(([id, mark]) => [id, refusalToRead(mark, readers)] as const)
  return new Map(refusals.filter((entry): entry is [string, Failure] => entry[1] !== undefined))
}

function refusalToRead(mark: string | null, { caller, graph }: Readers): Failure | undefined {
  for (const [reader, name] of [
    [caller, 'The caller'],
    [graph, 'The graph'],
  ] as const) {
    const missing = missingToRead(mark, reader)
    if (missing)
      return forbidden(
        `${name} lacks ${missing}, which the recorded data of this run needs.`,
        missing.startsWith('the scope') ? 'SCOPE' : 'ROLE',
      )
  }
  return undefined
}
