import { atLeast } from '../../../core/define/access.ts'
import { conflict, forbidden } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { one } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type } from '../../../core/define/schema.ts'
import { checksUpdatedAt, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { givenExtras } from '../../../core/define/views.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { amountFilters } from '../../../ledger/filters.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { lockDocument } from '../../../ledger/numbering.ts'
import { remove as removeFile } from '../../platform/files/store.ts'
import { Expense, ExpenseChanges, ListedExpense, NewExpense, sources } from './expense.ts'
import { expenseKind } from './kind.ts'
import { dayFilters, listExpenses, sortKeys } from './reading/list.ts'
import { expenseById, toExpense, toListed } from './reading/read.ts'
import { countViews, expenseViews } from './reading/views.ts'
import { changeExpense } from './writing/change.ts'
import { createExpense } from './writing/create.ts'

export const list = operation({
  name: 'expenses_list',
  http: 'GET /api/expenses',
  does: 'Lists expenses, searched by title, vendor, notes or document number.',
  scope: 'expenses:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    categoryId: Type.Optional(Id),
    status: Type.Optional(OneOf(...expenseKind.statuses)),
    source: Type.Optional(OneOf(...sources)),
    ...dayFilters,
    ...amountFilters,
    customerId: Type.Optional(Id),
    sortBy: defaulted(OneOf(...sortKeys), 'date'),
    sortOrder: defaulted(SortOrder, 'desc'),
    ...expenseViews.asked,
  }),
  output: Type.Object({ expenses: Type.Array(ListedExpense), pagination: Pagination, ...expenseViews.answered }),
  async run(context, { counts: wantsCounts, ...query }) {
    const { db } = context
    const userId = wantsCounts || query.view ? (await context.who).userId : undefined
    const { counts, listed } = await pipeline({
      counts: userId !== undefined && wantsCounts && countViews(db, userId),
      listed: listExpenses(db, { ...query, userId }),
    })
    const { rows, pagination, ids } = listed
    return { expenses: rows.map((row) => toListed(context, row)), pagination, ...givenExtras({ counts, ids }) }
  },
})

export const create = operation({
  name: 'expenses_create',
  http: 'POST /api/expenses',
  does: 'Creates an expense; the amount includes tax. Entered by hand it is a DRAFT, from a scan or a mail it waits for review.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewExpense,
  output: ListedExpense,
  alsoShown: Expense,
  status: 201,
  async run(context, given) {
    const { expense, warnings } = await createExpense(context, given)
    return withWarnings(expense, warnings)
  },
})

export const get = operation({
  ...showsUpdatedAt,
  name: 'expenses_get',
  http: 'GET /api/expenses/{id}',
  does: 'Reads one expense.',
  scope: 'expenses:read',
  within: 'expenses',
  input: ById,
  output: Expense,
  run: async (context, { id }) => toExpense(context, await one(expenseById(context.db, id), 'expense')),
})

export const replace = operation({
  ...checksUpdatedAt,
  name: 'expenses_update_put',
  http: 'PUT /api/expenses/{id}',
  does: 'Replaces an expense (not a category): optional fields left out are emptied; amount, currency and date are kept.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: ExpenseChanges,
  output: Expense,
  alsoShown: ListedExpense,
  run: (context, changes) => changeExpense(context, changes, { replace: true }),
})

export const update = operation({
  ...checksUpdatedAt,
  name: 'expenses_update_patch_2',
  http: 'PATCH /api/expenses/{id}',
  does: 'Changes the given fields of an expense (not a category). A changed amount, currency or date takes an approval back.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: ExpenseChanges,
  output: Expense,
  alsoShown: ListedExpense,
  run: (context, changes) => changeExpense(context, changes),
})

const insteadOfDeleting = {
  DRAFT: 'Reject it instead.',
  PENDING_REVIEW: 'Reject it instead.',
  APPROVED: 'Record a credit of the supplier if it is not owed.',
  REJECTED: 'It is rejected, so nothing is owed.',
} as const

export const remove = operation({
  name: 'expenses_delete_delete',
  http: 'DELETE /api/expenses/{id}',
  does: 'Deletes an expense (not a category) without payments. An approved one needs the role MANAGER.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: ById,
  output: Success,
  async run({ db, who, audit, enqueue }, { id }) {
    const { member, row, paid, files } = await pipeline({
      member: who,
      locked: lockDocument(db, id),
      row: one(expenseById(db, id), 'expense'),
      paid: db.selectFrom('allocations').select('id').where('documentId', '=', id).limit(1).execute(),
      files: db.selectFrom('documentAttachments').select('fileId').where('documentId', '=', id).execute(),
    })
    if (paid.length > 0)
      throw conflict(
        `The expense has payments or credits, maybe voided ones, and stays in the books. ${insteadOfDeleting[row.status]}`,
        'HAS_PAYMENTS',
      )
    const isApproved = row.status === 'APPROVED'
    if (isApproved && !atLeast(member.role, 'MANAGER'))
      throw forbidden(`Deleting an approved expense needs the role MANAGER; yours is ${member.role}.`, 'ROLE')
    const { title, vendor, currency, date, totalMinor } = row
    audit({ deleted: { title, vendor, currency, date, amountMinor: totalMinor } })
    await pipeline({
      history: appendHistory(db, id, 'DELETED', { userId: member.userId }),
      reopened:
        isApproved && db.updateTable('documents').set({ status: 'PENDING_REVIEW' }).where('id', '=', id).execute(),
      document: db.deleteFrom('documents').where('id', '=', id).execute(),
      files: Promise.all(files.map(({ fileId }) => removeFile({ db, enqueue }, fileId))),
    })
    return success
  },
})
