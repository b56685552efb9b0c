import { operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { paged } from '../../../core/define/query.ts'
import { InOrganization, Type } from '../../../core/define/schema.ts'
import { withoutOneTimeLinks } from './one-time-links.ts'
import { OutboxMessage } from './outbox-message.ts'

export const list = operation({
  name: 'organizations_outbox',
  http: 'GET /api/outbox',
  does: 'Lists the mail that was kept instead of sent, newest first: local mode without a mail server. Empty elsewhere. Tokens of invitations are hidden unless the caller may invite.',
  scope: 'organizations:read',
  role: 'MANAGER',
  within: 'organizationId',
  input: Type.Object({ ...InOrganization.properties, ...paging() }),
  output: Type.Object({ messages: Type.Array(OutboxMessage), pagination: Pagination }),
  async run(context, input) {
    const newestFirst = context.db
      .selectFrom('outbox')
      .select(columns)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
    const { rows, pagination } = await paged(newestFirst.$castTo<OutboxMessage>(), input) // two columns are JSON
    return { messages: await withoutOneTimeLinks(context, rows), pagination }
  },
})

const columns = [
  'id', 'organizationId', 'to', 'subject', 'text', 'html', 'headers', 'attachments', 'createdAt',
] as const // biome-ignore format: a list of words
