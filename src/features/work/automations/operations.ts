import { invalid, notFound } from '../../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { one, paged } from '../../../core/define/query.ts'
import { ById, Id, OneOf, Success, success, Type, type Warning } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { Automation, AutomationChanges, automationStatuses, NewAutomation } from './automation.ts'
import { isTrigger } from './graph.ts'
import { requireMayControl } from './may-execute.ts'
import { currentRights, releaseFromCredential } from './rights.ts'
import { cancelRuns, interruptedSteps } from './runs/cancel-runs.ts'
import { runSummaryColumns, runSummaryFields, withRunSummary } from './runs/run-summary.ts'
import {
  refuseAutomation,
  requireEditorRights,
  requireMaySendSecrets,
  requirePersonAsAuthor,
  requireValidGraph,
} from './save-checks.ts'
import { authorWarnings, saveWarnings } from './save-warnings.ts'
import { automationById, automations, enableAutomation } from './store.ts'
import { versionConflict } from './version-conflict.ts'

const ListedAutomation = Type.Object({ ...Automation.properties, ...runSummaryFields })

export const list = operation({
  name: 'automations_list',
  http: 'GET /api/automations',
  does: 'Lists the automations of an organization with their graphs, the newest first.',
  scope: 'automations:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    status: Type.Optional(OneOf(...automationStatuses)),
    runSummary: Type.Optional(
      Type.Boolean({ description: 'Also tells the last run of each, and how many of 30 days succeeded.' }),
    ),
    ...paging({ limit: 20 }),
  }),
  output: Type.Object({ automations: Type.Array(ListedAutomation), pagination: Pagination }),
  async run({ db }, { status, runSummary, page, limit }) {
    const all = automations(db).orderBy('createdAt', 'desc').orderBy('id', 'desc')
    const chosen = status ? all.where('status', '=', status) : all
    const { rows, pagination } = await paged(
      chosen.$if(runSummary === true, (query) => query.select(runSummaryColumns)),
      { page, limit },
    )
    return { automations: rows.map(withRunSummary), pagination }
  },
})

export const create = operation({
  name: 'automations_create',
  http: 'POST /api/automations',
  does: 'Creates an automation, which does not fire until it is enabled. It runs with the rights of whoever creates it, within the scopes of the credential. Warns of what will not work.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewAutomation,
  output: Automation,
  version: 'SHOWN',
  status: 201,
  async run({ db, who, catalog }, { name, description = null, blocks, edges }) {
    requireValidGraph({ blocks, edges })
    const author = await who
    requirePersonAsAuthor(author)
    requireMaySendSecrets(blocks, author)
    const { userId } = author
    const id = newId()
    const graph = { blocks: JSON.stringify(blocks), edges: JSON.stringify(edges) }
    await db
      .insertInto('automations')
      .values({ id, ownerUserId: userId, name, description, ...graph })
      .execute()
    return withWarnings(
      await one(automationById(db, id), 'automation'),
      authorWarnings(catalog, { blocks, edges }, author),
    )
  },
})

export const get = operation({
  name: 'automations_get',
  http: 'GET /api/automations/{id}',
  does: 'Reads one automation with its graph.',
  scope: 'automations:read',
  within: 'automations',
  input: ById,
  output: Automation,
  version: 'SHOWN',
  run: ({ db }, { id }) => one(automationById(db, id), 'automation'),
})

export const update = operation({
  name: 'automations_update',
  http: 'PATCH /api/automations/{id}',
  does: 'Changes an automation. Its graph is replaced whole: blocks and edges are sent together. Warns of what will not work; with If-Match it is refused if somebody has changed it since.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: AutomationChanges,
  output: Automation,
  alsoShown: ListedAutomation,
  version: 'CHECKED',
  async run({ db, who, catalog, audit, expectedVersion }, { id, blocks, edges, ...changes }) {
    const graph = blocks && edges && { blocks, edges }
    if (!graph && (blocks || edges))
      throw invalid(blocks ? 'edges' : 'blocks', 'Send blocks and edges together: the whole graph is replaced.')
    if (graph) requireValidGraph(graph)
    const columns = ['id', 'ownerUserId', 'version'] as const
    const editing = db.selectFrom('automations').select(columns).where('id', '=', id).forNoKeyUpdate()
    const {
      automation: { ownerUserId, version },
      editor,
    } = await pipeline({ automation: one(editing, 'automation'), editor: who })
    if (expectedVersion !== undefined && expectedVersion !== version)
      throw await versionConflict(db, id, expectedVersion)
    if (graph) requirePersonAsAuthor(editor)
    if (graph) requireMaySendSecrets(graph.blocks, editor)
    if (graph && ownerUserId !== editor.userId) requireEditorRights(catalog, graph.blocks, editor)
    const set = {
      ...changes,
      ...(graph && { blocks: JSON.stringify(graph.blocks), edges: JSON.stringify(graph.edges) }),
    }
    audit({ fields: Object.keys(set) })
    if (Object.keys(set).length > 0) await db.updateTable('automations').set(set).where('id', '=', id).execute()
    const saved = await one(automationById(db, id), 'automation')
    return graph ? withWarnings(saved, authorWarnings(catalog, graph, editor)) : saved
  },
})

export const remove = operation({
  name: 'automations_delete',
  http: 'DELETE /api/automations/{id}',
  does: 'Deletes an automation with its graph and all of its runs, for good.',
  scope: 'automations:write',
  role: 'MANAGER',
  within: 'automations',
  input: ById,
  output: Success,
  async run({ db, audit }, { id }) {
    const { name } = await one(db.deleteFrom('automations').where('id', '=', id).returning('name'), 'automation')
    audit({ name })
    return success
  },
})

export const enable = operation({
  name: 'automations_enable',
  http: 'POST /api/automations/{id}/enable',
  does: 'Arms an automation: it fires from now on. Warns of what will fail when it does.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: ById,
  output: Automation,
  version: 'SHOWN',
  async run({ db, who, catalog }, { id }) {
    const { before, caller } = await pipeline({ before: automationById(db, id).executeTakeFirst(), caller: who })
    if (!before) throw notFound('automation')
    if (!before.blocks.some(isTrigger)) throw invalid('blocks', 'An automation needs at least one TRIGGER block.')
    await releaseFromCredential(db, before, caller)
    await enableAutomation(db, id)
    const { after, current } = await pipeline({
      after: one(automationById(db, id), 'automation'),
      current: currentRights(db, id),
    })
    return withWarnings(after, saveWarnings(catalog, after, current))
  },
})

const withWarnings = (automation: Automation, warnings: Warning[]): Automation =>
  warnings.length > 0 ? { ...automation, warnings } : automation

export const disable = operation({
  name: 'automations_disable',
  http: 'POST /api/automations/{id}/disable',
  does: 'Disarms an automation: it stops firing. Its graph and its runs stay; runs that have not ended go on, or are cancelled with `stop`.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: Type.Object({
    id: Id,
    stop: Type.Optional(
      Type.Boolean({ description: 'Also cancels its runs that have not ended; for its owner or a MANAGER.' }),
    ),
  }),
  output: Type.Object({
    ...Automation.properties,
    stopped: Type.Optional(Type.Integer({ minimum: 0, description: 'With stop: how many runs were cancelled.' })),
  }),
  version: 'SHOWN',
  async run({ db, who, audit }, { id, stop = false }) {
    const stopped = stop ? await stopRuns(db, id, await who) : undefined
    if (stopped !== undefined) audit({ stopped })
    await db
      .updateTable('automations')
      .set({ status: 'PAUSED' })
      .where('id', '=', id)
      .where('status', 'in', ['ENABLED', 'PAUSED_NO_ACCESS'])
      .execute()
    const disabled = await one(automationById(db, id), 'automation')
    if (stopped === undefined) return disabled
    return { ...withWarnings(disabled, await interruptedSteps(db, id)), stopped }
  },
})

async function stopRuns(db: Database, id: string, caller: Member): Promise<number> {
  refuseAutomation(caller, 'An automation cannot cancel runs.')
  await requireMayControl(db, id, caller)
  return cancelRuns(db, { automationId: id, by: caller })
}
