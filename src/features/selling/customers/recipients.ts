import { operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one, toUuid } from '../../../core/define/query.ts'
import { ById, Id, Success, success, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { NewRecipient, Recipient } from './customer.ts'

export const listRecipients = operation({
  name: 'customers_recipients',
  http: 'GET /api/customers/{id}/recipients',
  does: 'Lists who receives the documents of a customer by e-mail.',
  scope: 'customers:read',
  within: 'customers',
  input: ById,
  output: wholeList(Recipient),
  run: ({ db }, { id }) =>
    bounded(db.selectFrom('customerRecipients').select(columns))
      .where('customerId', '=', id)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
})

export const addRecipient = operation({
  name: 'customers_recipients_post',
  http: 'POST /api/customers/{id}/recipients',
  does: 'Adds an e-mail address that receives the documents of a customer.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: NewRecipient,
  output: Recipient,
  status: 201,
  run: ({ db }, { id: customerId, email, name = null }) =>
    db
      .insertInto('customerRecipients')
      .values({ id: newId(), customerId, email, name })
      .returning(columns)
      .executeTakeFirstOrThrow(),
})

export const removeRecipient = operation({
  name: 'customers_recipients_delete',
  http: 'DELETE /api/customers/{id}/recipients',
  does: 'Removes an e-mail address from those that receive the documents of a customer.',
  scope: 'customers:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: Type.Object({ id: Id, recipientId: Id }),
  output: Success,
  async run({ db }, { id, recipientId }) {
    const removed = db
      .deleteFrom('customerRecipients')
      .where('id', '=', toUuid(recipientId))
      .where('customerId', '=', id)
    await one(removed.returning('id'), 'recipient')
    return success
  },
})

const columns = ['id', 'customerId', 'email', 'name', 'createdAt', 'updatedAt'] as const
