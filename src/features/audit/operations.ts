import { invalid } from '../../core/define/failure.ts'
import { operation } from '../../core/define/operation.ts'
import { Pagination, paging } from '../../core/define/page.ts'
import { paged, toUuid } from '../../core/define/query.ts'
import { Id, InOrganization, optional, Type } from '../../core/define/schema.ts'
import { addDays, toDay } from '../../core/values/day.ts'
import { AuditEntry } from './audit-entry.ts'

const Moment = Type.String({ maxLength: 40, examples: ['2026-01-31', '2026-01-31T08:00:00Z'] })

export const list = operation({
  name: 'organizations_audit',
  http: 'GET /api/audit',
  does: 'Lists who changed what, newest first.',
  scope: 'organizations:read',
  role: 'MANAGER',
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    ...optional({
      operation: Type.String({ maxLength: 100, description: 'The name of a tool.', examples: ['customers_create'] }),
      userId: Id,
      objectId: Type.String({ maxLength: 200, description: 'What was changed.' }),
      from: { ...Moment, description: 'The first instant, or a day in UTC.' },
      to: { ...Moment, description: 'Before this instant, or until the end of a day in UTC.' },
    }),
    ...paging(),
  }),
  output: Type.Object({ entries: Type.Array(AuditEntry), pagination: Pagination }),
  async run({ db }, { operation: name, userId, objectId, from, to, ...page }) {
    let query = db
      .selectFrom('auditLog')
      .leftJoin('users', 'users.id', 'auditLog.userId')
      .select(columns)
      .select(['users.name', 'users.email'])
    if (name) query = query.where('operation', '=', name)
    if (userId) query = query.where('userId', '=', toUuid(userId))
    if (objectId) query = query.where('objectId', '=', objectId)
    if (from) query = query.where('auditLog.createdAt', '>=', instantOf('from', from))
    if (to) query = query.where('auditLog.createdAt', '<', instantOf('to', to))
    const newestFirst = query.orderBy('auditLog.createdAt', 'desc').orderBy('auditLog.id', 'desc')
    const { rows, pagination } = await paged(newestFirst, page)
    return { entries: rows.map(toEntry), pagination }
  },
})

const columns = [
  'auditLog.id', 'organizationId', 'auditLog.createdAt', 'userId', 'source', 'operation', 'objectId', 'requestId',
  'apiKeyId', 'clientId', 'detail',
] as const // biome-ignore format: a list of words

type AuditRow = Omit<AuditEntry, 'organizationId' | 'user' | 'detail'> & {
  organizationId: string | null
  detail: object | null
  name: string | null
  email: string | null
}

const toEntry = ({ name, email, organizationId, detail, ...row }: AuditRow): AuditEntry => ({
  ...row,
  organizationId: organizationId ?? '',
  user: name !== null && email !== null ? { name, email } : null,
  detail: detail as AuditEntry['detail'],
})

/** The end of a day is the beginning of the next one. */
function instantOf(field: 'from' | 'to', text: string): string {
  const day = toDay(text)
  if (!day)
    throw invalid(field, `${field} must be a day such as 2026-01-31 or an instant such as 2026-01-31T08:00:00Z.`)
  if (text.length > 10) return new Date(text).toISOString()
  return `${field === 'from' ? day : addDays(day, 1)}T00:00:00.000Z`
}
