import { notFound } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { Id, NonEmpty, Success, success, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockDocument } from '../../../ledger/numbering.ts'
import { Expense } from './expense.ts'
import { resolveReferences } from './expense-context.ts'
import { expenseById, toExpense } from './reading/read.ts'
import { linkCustomers } from './writing/save.ts'

export const link = operation({
  name: 'expenses_customers',
  http: 'POST /api/expenses/{id}/customers',
  does: 'Links customers to an expense, for example those it can be charged on to.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: Type.Object({ id: Id, customerIds: Type.Array(NonEmpty, { minItems: 1, maxItems: 100 }) }),
  output: Expense,
  async run(context, { id, customerIds }) {
    const { db } = context
    const none = {
      supplierId: null,
      claimantId: null,
      orderId: null,
      vendor: null,
      vendorTaxNumber: null,
      categoryId: null,
      splits: null,
    }
    await pipeline({ locked: lockDocument(db, id), references: resolveReferences(db, { ...none, customerIds }) })
    await linkCustomers(db, id, customerIds)
    return toExpense(context, await one(expenseById(db, id), 'expense'))
  },
})

export const unlink = operation({
  name: 'expenses_customers_delete',
  http: 'DELETE /api/expenses/{id}/customers',
  does: 'Removes the link between an expense and a customer.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: Type.Object({ id: Id, customerId: NonEmpty }),
  output: Success,
  async run({ db }, { id, customerId }) {
    const removed = await db
      .deleteFrom('expenseCustomers')
      .where('expenseId', '=', id)
      .where('customerId', '=', toUuid(customerId))
      .returning('customerId')
      .execute()
    if (removed.length === 0) throw notFound('customer of this expense')
    return success
  },
})
