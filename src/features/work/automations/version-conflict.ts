import { sql } from 'kysely'
import type { DetailCode } from '../../../core/define/error-codes.ts'
import { type Detail, Failure } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { Block, Edge, Graph } from './automation.ts'

/** 409 for a change of a version that is no longer the current one: who saved it since, when, and what is different. */
export async function versionConflict(db: Database, id: string, expected: number): Promise<Failure> {
  const { current, before } = await pipeline({
    current: one(currentVersion(db, id), 'automation'),
    before: graphAt(db, id, expected).executeTakeFirst(),
  })
  const { version, savedAt, savedBy } = current
  const saved = savedAt && ` ${savedBy ?? 'A former member'} saved it last, at ${savedAt}.`
  const message = `You have version ${expected} of this automation, and the current one is ${version}.${saved ?? ''} Read it again and repeat your change.`
  return new Failure('CONFLICT', message, {
    details: [
      { path: '', message, code: 'VERSION_CONFLICT' },
      { path: 'version', message: `The current version is ${version}.` },
      ...(before ? graphChanges(before, current) : [unknownBefore(expected)]),
    ],
  })
}

const unknownBefore = (expected: number): Detail => ({
  path: 'blocks',
  message: `What changed is not known: the graph of version ${expected} is not kept any more.`,
})

const currentVersion = (db: Database, id: string) =>
  db
    .selectFrom('automations')
    .leftJoin('users', 'users.id', 'automations.savedByUserId')
    .select(['automations.version', 'automations.savedAt', 'users.name as savedBy'])
    .select([sql<Block[]>`automations.blocks`.as('blocks'), sql<Edge[]>`automations.edges`.as('edges')])
    .where('automations.id', '=', id)

/** The graph that the automation had in a version, if it is still kept. */
const graphAt = (db: Database, id: string, version: number) =>
  db
    .selectFrom('automationGraphs')
    .select([sql<Block[]>`blocks`.as('blocks'), sql<Edge[]>`edges`.as('edges')])
    .where('automationId', '=', id)
    .where('version', '<=', version)
    .where((is) => is.or([is('supersededVersion', 'is', null), is('supersededVersion', '>', version)]))

const graphChanges = (before: Graph, after: Graph): Detail[] => [
  ...differences('block', before.blocks, after.blocks),
  ...differences('edge', before.edges, after.edges),
]

type Part = { id: string; position?: unknown }

function differences(noun: 'block' | 'edge', before: readonly Part[], after: readonly Part[]): Detail[] {
  const old = new Map(before.map((part) => [part.id, part]))
  const kept = new Set(after.map(({ id }) => id))
  const detailed = ({ id }: Part, code: DetailCode, what: string): Detail => ({
    path: `${noun}s.${id}`,
    message: `The ${noun} ${id} was ${what}.`,
    code,
  })
  const removed = before.filter(({ id }) => !kept.has(id)).map((part) => detailed(part, 'REMOVED', 'removed'))
  const others = after.flatMap((part) => {
    const was = old.get(part.id)
    if (!was) return [detailed(part, 'ADDED', 'added')]
    if (JSON.stringify(was) === JSON.stringify(part)) return []
    const isMoved = withoutPosition(was) === withoutPosition(part)
    return [detailed(part, 'CHANGED', isMoved ? 'moved' : 'changed')]
  })
  return [...removed, ...others]
}

const withoutPosition = (part: Part) => JSON.stringify({ ...part, position: null })
