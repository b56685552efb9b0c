import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import type { Catalog } from '../../../core/define/services.ts'
import { withTopic } from '../../../core/define/topic.ts'
import { memoize } from '../../../core/values/memoize.ts'
import { type Change, ChangeEvent } from './change.ts'
import { type Cursor, cursorText, readCursor } from './cursor.ts'
import { type ChangeRow, changesMax, changesSince, cursorNow, runsMax } from './read.ts'
import { effectOf, type ResourceName, readableBy, resourceNamed } from './resources.ts'

/** After so long a client reads everything again. What the product did by itself is kept for twice as long. */
const resumableMs = 24 * 3_600_000

export const stream = operation({
  name: 'changes_stream',
  http: 'GET /api/changes',
  does: 'Reads what changed in an organization since lastEventId, of what the caller may read: resource, id and kind of change. Without lastEventId it tells where to begin.',
  scope: 'organizations:read',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  within: 'organizationId',
  streams: true,
  collectsMs: 200,
  input: Type.Object({
    organizationId: Id,
    lastEventId: Type.Optional(
      Type.String({ maxLength: 5_000, description: 'The id of the last event that was received.' }),
    ),
  }),
  output: Type.Object({
    events: Type.Array(ChangeEvent),
    lastEventId: Type.String({ description: 'Ask again with it.' }),
    hasMore: Type.Boolean(),
  }),
  async run({ db, who, catalog, now: clock }, { lastEventId }) {
    const seen = lastEventId === undefined ? undefined : readCursor(lastEventId)
    const member = await who
    const events = (cursor: Cursor, all: ChangeEvent[]) => {
      const id = cursorText(cursor)
      const last = all.pop()
      const listed = last ? [...all, { ...last, id }] : []
      return withTopic({ events: listed, lastEventId: id, hasMore: false }, member.organizationId)
    }
    const notice = (event: 'ready' | 'reset'): ChangeEvent[] => [{ id: null, event, data: { at: clock.toISOString() } }]
    if (!seen) return events(await cursorNow(db), notice('ready'))
    const { now, changes } = await changesSince(db, seen)
    if (isOutdated(seen, now) || isTooMany(changes)) return events(now, notice('reset'))
    const readable = readableBy(member)
    const told = toChanges(changes, { catalog, readable, userId: member.userId })
    return events(
      now,
      told.map((data) => ({ id: null, event: 'change', data })),
    )
  },
})

/** Or of another database: one that was restored from a backup has other transactions. */
const isOutdated = (seen: Cursor, now: Cursor) =>
  now.readAt - seen.readAt > resumableMs || seen.readAt > now.readAt + 60_000 || seen.xmax > now.xmax

const isTooMany = (changes: readonly ChangeRow[]) =>
  ['CALL' as const, 'PRODUCT' as const].some(
    (from) => changes.filter(({ source }) => source === from).length > changesMax,
  )

type Reader = { catalog: Catalog; readable: ReadonlySet<ResourceName>; userId: string }

/** The changes that the reader may know of, each once, in the order in which they began. */
function toChanges(rows: readonly ChangeRow[], reader: Reader): Change[] {
  const told = new Map<string, Change>()
  const runs = rows.filter(({ source }) => source === 'RUN')
  const others = rows.filter(({ source }) => source !== 'RUN').toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const inOrder =
    runs.length > runsMax ? [...others, { ...(runs[0] as ChangeRow), objectId: null }] : [...others, ...runs]
  for (const row of inOrder) {
    for (const change of changesOf(row, reader)) {
      const key = `${change.resource} ${change.id} ${change.change}`
      told.delete(key)
      told.set(key, change)
    }
  }
  return [...told.values()]
}

function changesOf(row: ChangeRow, { catalog, readable, userId }: Reader): Change[] {
  const { source, name, objectId, at } = row
  const own = row.userId === userId
  const common = { at, userId: row.userId, requestId: own ? row.requestId : null }
  if (source !== 'CALL') {
    const resource = name as ResourceName // the database and the list of resources are compared by a test
    if (!readable.has(resource)) return []
    const { feature } = resourceNamed(resource)
    return [
      { ...common, resource, feature, id: objectId, change: row.change ?? 'updated', operation: null, userId: null },
    ]
  }
  const changed = byName(catalog).get(name)
  const effect = changed && effectOf(changed)
  if (!effect) return []
  const { main, also, change, hasId } = effect
  const mainChange = { resource: main, id: hasId ? objectId : null, change }
  const alsoChanges = also.map((resource) => ({ resource, id: null, change: 'updated' as const }))
  return [mainChange, ...alsoChanges]
    .filter(({ resource }) => readable.has(resource) && (own || !resourceNamed(resource).own))
    .map((one) => ({ ...common, ...one, feature: resourceNamed(one.resource).feature, operation: name }))
}

const byName = memoize((catalog: Catalog) => new Map(catalog.operations.map((each) => [each.name, each])))
