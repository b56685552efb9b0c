import { conflict } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { ById, Type } from '../../../../core/define/schema.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { publicLinkUrl } from './public-link.ts'

const Link = Type.Object({
  url: Type.String({ format: 'uri', description: 'Opens the page of the document to whoever holds the address.' }),
})

export const get = operation({
  name: 'invoices_link',
  http: 'GET /api/documents/{id}/link',
  does: 'Tells the address of the public page of a sales document, which its customer needs no account for.',
  scope: 'invoices:read',
  within: 'documents',
  input: ById,
  output: Link,
  async run({ db, ...services }, { id }) {
    const linked = db.selectFrom('documents').select(['id', 'organizationId', 'linkVersion', 'status'])
    const document = await one(linked.where('id', '=', id), 'document')
    if (document.status === 'DRAFT') throw noPage()
    return { url: publicLinkUrl(services, document) }
  },
})

export const renew = operation({
  name: 'invoices_link_renew',
  http: 'POST /api/documents/{id}/link',
  does: 'Gives the public page of a sales document a new address; those given out before open nothing any more.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: Link,
  async run({ db, who, ...services }, { id }) {
    const { userId } = await who
    const renewed = db
      .updateTable('documents')
      .set((document) => ({ linkVersion: document('linkVersion', '+', 1) }))
      .where('id', '=', id)
      .returning(['id', 'organizationId', 'linkVersion', 'status'])
    const document = await one(renewed, 'document')
    if (document.status === 'DRAFT') throw noPage()
    await appendHistory(db, id, 'LINK_RENEWED', { userId })
    return { url: publicLinkUrl(services, document) }
  },
})

const noPage = () => conflict('A draft has no page yet: it gets one when it is issued.', 'DRAFT')
