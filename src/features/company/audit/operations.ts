import type { ExpressionBuilder } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { givenColumns, paged, toUuid } from '../../../core/define/query.ts'
import { Id, InOrganization, OneOf, optional, Type } from '../../../core/define/schema.ts'
import { addDays, toDay } from '../../../core/values/day.ts'
import type { Tables } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { AuditEntry, auditSources } from './audit-entry.ts'
import { readCauses, toEntry } from './causes.ts'
import { readObjects } from './objects.ts'

const Moment = Type.String({ maxLength: 40, examples: ['2026-01-31', '2026-01-31T08:00:00Z'] })

const filterFields = {
  operation: Type.String({ maxLength: 100, description: 'The name of a tool.', examples: ['customers_create'] }),
  userId: Id,
  objectId: Type.String({ maxLength: 200, description: 'What was changed.' }),
  source: { ...OneOf(...auditSources), description: 'How the caller came in; SYSTEM: the product by itself.' },
  apiKeyId: { ...Id, description: 'What this API key did, and automations that it saved.' },
  clientId: Type.String({
    maxLength: 2_048,
    description: 'What this connected app did, and automations that it saved.',
  }),
  automationId: { ...Id, description: 'What this automation did.' },
  runId: { ...Id, description: 'What this run of an automation did.' },
  turnRunId: { ...Id, description: 'What this turn of the companion did.' },
  from: { ...Moment, description: 'The first instant, or a day in UTC.' },
  to: { ...Moment, description: 'Before this instant, or until the end of a day in UTC.' },
}

export const list = operation({
  name: 'organizations_audit',
  http: 'GET /api/audit',
  does: 'Lists who changed what, and which key, app, automation or turn of the companion did it, newest first.',
  scope: 'organizations:read',
  role: 'MANAGER',
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    ...optional(filterFields),
    ...paging(),
  }),
  output: Type.Object({ entries: Type.Array(AuditEntry), pagination: Pagination }),
  async run({ db }, { organizationId, page, limit, ...filters }) {
    const found = db
      .selectFrom('auditLog')
      .leftJoin('users', 'users.id', 'auditLog.userId')
      .select(columns)
      .select(['users.name', 'users.email'])
      .where(matching(filters))
    const newestFirst = found.orderBy('auditLog.createdAt', 'desc').orderBy('auditLog.id', 'desc')
    const { rows, pagination } = await paged(newestFirst, { page, limit })
    const { causes, objects } = await pipeline({
      causes: readCauses(db, rows, organizationId === undefined),
      objects: readObjects(db, rows),
    })
    const entries = rows.map((row) => ({ ...toEntry(row, causes), object: objects.get(row.objectId ?? '') ?? null }))
    return { entries, pagination }
  },
})

const columns = [
  'auditLog.id', 'organizationId', 'auditLog.createdAt', 'userId', 'source', 'operation', 'objectId', 'requestId',
  'apiKeyId', 'clientId', 'automationId', 'runId', 'turnId', 'detail',
] as const // biome-ignore format: a list of words

type AuditFilters = { [name in keyof typeof filterFields]?: string }

/** The conditions of the filters that are given. Each equality but that of the operation has an index, sorted by time. */
function matching({ from, to, ...given }: AuditFilters) {
  const equal = {
    operation: given.operation || undefined,
    objectId: given.objectId || undefined,
    source: given.source,
    clientId: given.clientId || undefined,
    userId: idOf(given.userId),
    apiKeyId: idOf(given.apiKeyId),
    automationId: idOf(given.automationId),
    runId: idOf(given.runId),
    turnId: idOf(given.turnRunId),
  }
  return (row: ExpressionBuilder<Tables, 'auditLog'>) => {
    const conditions = Object.entries(givenColumns(equal)).map(([column, value]) =>
      row(`auditLog.${column as keyof typeof equal}`, '=', value),
    )
    // The index by source holds no entries of keys; those are found by the index of the keys.
    if (given.source === 'API_KEY') conditions.push(row('auditLog.apiKeyId', 'is not', null))
    if (from) conditions.push(row('auditLog.createdAt', '>=', instantOf('from', from)))
    if (to) conditions.push(row('auditLog.createdAt', '<', instantOf('to', to)))
    return row.and(conditions)
  }
}

/** As it is stored: runs and turns are text here. */
const idOf = (text: string | undefined) => (text ? toUuid(text).toLowerCase() : undefined)

/** The end of a day is the beginning of the next one. */
function instantOf(field: 'from' | 'to', text: string): string {
  const day = toDay(text)
  if (!day)
    throw invalid(field, `${field} must be a day such as 2026-01-31 or an instant such as 2026-01-31T08:00:00Z.`)
  if (text.length > 10) return new Date(text).toISOString()
  return `${field === 'from' ? day : addDays(day, 1)}T00:00:00.000Z`
}
