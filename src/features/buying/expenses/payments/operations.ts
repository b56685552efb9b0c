import { sql } from 'kysely'
import { conflict, invalid, notFound } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { Id, nullable, OneOf, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { currencyOf } from '../../../../ledger/currency-of.ts'
import { organizationContext, requiredDay } from '../../../../ledger/organization-context.ts'
import {
  lockPayable,
  type PayableWords,
  payerOf,
  paymentMinor,
  refuseOverpayment,
  refuseUnusable,
  sharesOf,
  sharesOfRemainder,
} from '../../../../ledger/payments/payable-documents.ts'
import { NewRefund, openMinorOf, Payment, toPayment, VoidReason } from '../../../../ledger/payments/payment.ts'
import { readDetails } from '../../../../ledger/payments/payment-details.ts'
import { isOpen, lockPayment, paymentById, paymentsOf } from '../../../../ledger/payments/read-payment.ts'
import { allocate as allocateShares } from '../../../../ledger/payments/record-payment.ts'
import { takeBack, voidPayment } from '../../../../ledger/payments/void-payment.ts'
import { checkReferences } from '../../../selling/documents/write.ts'
import { refundOfKind } from '../../../selling/payments/refund-of-kind.ts'
import { Expense } from '../expense.ts'
import { expenseKind } from '../kind.ts'
import { expenseById, toExpense } from '../reading/read.ts'
import { ExpensePayment, NewExpensePayment, RemainderAllocations } from './payment.ts'
import { emitPaid, recordExpensePayment } from './record.ts'

const expenseWords: PayableWords = {
  ...{ noun: 'expense', one: 'An expense', field: 'expenseId', party: 'supplier or claimant' },
  firstStep: 'Move it back to DRAFT first (PATCH /api/expenses/{id}/status).',
  refund: 'A refund came back from the supplier and pays nothing.',
}

const expensePayment = { table: 'payments', by: 'id', kind: expenseKind.name } as const

export const payExpense = operation({
  name: 'expenses_payments',
  http: 'POST /api/expenses/{id}/payments',
  does: 'Records a payment of an expense, of all that is open or a part. What exceeds the open balance is refused, or stays unallocated if allowUnallocated is true.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: ExpensePayment,
  output: Expense,
  status: 201,
  async run(context, { id, amount, paidAt, method = null, allowUnallocated = false, ...given }) {
    const { db } = context
    const { organization, documents } = await pipeline({
      organization: organizationContext(db),
      references: checkReferences(db, { bankAccountId: given.bankAccountId ?? null }),
      documents: lockPayable(db, expenseKind, [id]),
    })
    const [expense] = documents
    if (!expense) throw notFound('expense')
    const { currency, customerId, openMinor } = expense
    const amountMinor = paymentMinor('amount', amount, currency)
    const share = allowUnallocated ? Math.min(amountMinor, openMinor) : amountMinor
    refuseOverpayment(expenseKind, expense, { path: 'amount', amountMinor: share }, expenseWords)
    const { warnings } = await recordExpensePayment(
      { ...context, organization },
      {
        customerId,
        currency,
        amountMinor,
        paidAt: requiredDay('paidAt', paidAt, organization),
        method,
        stored: readDetails(given, { currency, amountMinor, organization }),
        shares: share > 0 ? [{ documentId: id, amountMinor: share }] : [],
        given,
      },
    )
    return withWarnings(toExpense(context, await one(expenseById(db, id), 'expense')), warnings)
  },
})

export const list = operation({
  name: 'expenses_payments_list',
  http: 'GET /api/expenses/payments',
  does: 'Lists payments of expenses, the latest first, with what of them went to which expense.',
  scope: 'expenses:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    supplierId: Type.Optional(Id),
    expenseId: Type.Optional(Id),
    paymentId: Type.Optional(Id),
    open: Type.Optional(OneOf('true', 'false')),
  }),
  output: Type.Object({ payments: Type.Array(Payment), pagination: Pagination }),
  async run({ db }, { organizationId: _, supplierId, expenseId, paymentId, open, ...page }) {
    let query = paymentsOf(db, expenseKind).orderBy('paidAt', 'desc').orderBy('id', 'desc')
    if (paymentId) query = query.where('id', '=', toUuid(paymentId))
    if (supplierId) query = query.where('counterpartyId', '=', toUuid(supplierId))
    if (expenseId)
      query = query.where('id', 'in', (inner) =>
        inner.selectFrom('allocations').select('paymentId').where('documentId', '=', toUuid(expenseId)),
      )
    if (open) query = query.where(isOpen, '=', open === 'true')
    const { rows, pagination } = await paged(query, page)
    return { payments: rows.map(toPayment), pagination }
  },
})

export const create = operation({
  name: 'expenses_payments_create',
  http: 'POST /api/expenses/payments',
  does: 'Records one payment to a supplier or claimant and allocates it to expenses; what is left of it stays open as an advance.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewExpensePayment,
  output: Payment,
  status: 201,
  async run(context, { amount, paidAt, supplierId: named = null, method = null, allocations, ...given }) {
    const { db } = context
    const requests = toRequests(allocations)
    const supplierId = named && toUuid(named).toLowerCase()
    const { organization, documents } = await pipeline({
      organization: organizationContext(db),
      references: checkReferences(db, { bankAccountId: given.bankAccountId ?? null }),
      documents: lockExpenses(db, requests),
      supplier: supplierId !== null && requireSupplier(db, supplierId),
    })
    const currency = currencyOf(given.currency)
    const amountMinor = paymentMinor('amount', amount, currency)
    const wanted = { currency, amountMinor, customerId: supplierId }
    const { shares, leftMinor } = sharesOf(expenseKind, wanted, requests, documents, expenseWords)
    if (leftMinor < 0)
      throw invalid('allocations', 'The allocations exceed the amount of the payment.', 'AMOUNT_MISMATCH')
    const { payment, warnings } = await recordExpensePayment(
      { ...context, organization },
      {
        ...wanted,
        customerId: payerOf(supplierId, documents),
        paidAt: requiredDay('paidAt', paidAt, organization),
        method,
        stored: readDetails(given, { currency, amountMinor, organization }),
        shares,
        given,
      },
    )
    return withWarnings(toPayment(payment), warnings)
  },
})

export const allocate = operation({
  name: 'expenses_payments_allocate',
  http: 'POST /api/expenses/payments/{id}/allocations',
  does: 'Allocates the open remainder of a payment or supplier credit, or a part of it, to expenses.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: expensePayment,
  input: RemainderAllocations,
  output: Payment,
  status: 201,
  async run(context, { id, allocations }) {
    const { db } = context
    const requests = toRequests(allocations)
    const { member, documents } = await pipeline({
      member: context.who,
      documents: lockExpenses(db, requests),
    })
    const payment = await lockPayment(db, expenseKind, id)
    refuseUnusable(payment, expenseWords)
    if (payment.customerId === null) await refuseOtherVendors(db, payment.id, requests)
    const shares = sharesOfRemainder(expenseKind, payment, requests, documents, expenseWords)
    await allocateShares({ db, member }, payment, shares)
    await emitPaid(context, member, shares)
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

export const unallocate = operation({
  name: 'expenses_payments_unallocate',
  http: 'DELETE /api/expenses/payments/{id}/allocations/{allocationId}',
  does: 'Takes one allocation of a payment back: its amount is open again.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: expensePayment,
  input: Type.Object({ id: Id, allocationId: Id }),
  output: Payment,
  async run({ db, who }, { id, allocationId }) {
    const query = db
      .selectFrom('allocations')
      .select(['id', 'paymentId', 'documentId', 'amountMinor', 'voidedAt', 'isCredit'])
      .where('paymentId', '=', id)
      .where('id', '=', toUuid(allocationId))
    const { member, allocation } = await pipeline({ member: who, allocation: query.executeTakeFirst() })
    if (!allocation) throw notFound('allocation')
    await lockPayable(db, expenseKind, [allocation.documentId])
    const payment = await lockPayment(db, expenseKind, id)
    const current = await one(query, 'allocation')
    if (current.voidedAt !== null) return toPayment(payment)
    if (current.isCredit)
      throw conflict(
        'The supplier credited this expense. Void the credit if it is a mistake (POST /api/expenses/{id}/credits/{creditId}/void).',
        'CREDITED',
      )
    await takeBack({ db, member }, [{ ...current, currency: payment.currency }])
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

const voidAtExpense =
  'This is the credit of a supplier. Void it at its expense (POST /api/expenses/{id}/credits/{creditId}/void).'

export const cancel = operation({
  name: 'expenses_payments_void',
  http: 'POST /api/expenses/payments/{id}/void',
  does: 'Voids a payment of expenses: what it paid is open again.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: expensePayment,
  input: Type.Object({ id: Id, reason: Type.Optional(nullable(VoidReason)) }),
  output: Payment,
  run: (context, { id, reason = null }) =>
    voidPayment(context, { id, reason }, { kind: expenseKind, credit: voidAtExpense }),
})

export const refund = operation({
  name: 'expenses_payments_refund',
  http: 'POST /api/expenses/payments/{id}/refund',
  does: 'Records that the supplier paid back the open remainder of a payment or credit, or a part of it.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: expensePayment,
  input: NewRefund,
  output: Payment,
  status: 201,
  run: (context, input) => refundOfKind(context, input, { kind: expenseKind, refuse: refuseNothingOpen }),
})

/** Expense ids in lower case, as PostgreSQL returns them; text that is no UUID matches no expense. */
const toRequests = (allocations: readonly { expenseId: string; amount?: number }[]) =>
  allocations.map(({ expenseId, amount }) => ({
    documentId: toUuid(expenseId).toLowerCase(),
    ...(amount !== undefined && { amount }),
  }))

/** The ledger refuses this too, and would name the endpoint of sales. */
function refuseNothingOpen(payment: Awaited<ReturnType<typeof lockPayment>>) {
  if (payment.voidedAt !== null || payment.source === 'REFUND' || openMinorOf(payment) > 0) return
  throw conflict(
    payment.source === 'CREDIT_MEMO'
      ? 'The credit has no open remainder: it is used or refunded in full.'
      : 'The payment has no open remainder. Take back an allocation first (DELETE /api/expenses/payments/{id}/allocations/{allocationId}).',
    'NOTHING_OPEN',
  )
}

type Requests = ReturnType<typeof toRequests>

/** Locks the expenses that are to be paid. The credit of a supplier is none. */
async function lockExpenses(db: Database, requests: Requests) {
  const ids = requests.map(({ documentId }) => documentId)
  const documents = await lockPayable(db, expenseKind, ids)
  return documents.filter(({ documentType }) => documentType === 'EXPENSE')
}

/** A payment or credit that names no supplier keeps to the vendor that it paid or credited before. */
async function refuseOtherVendors(db: Database, paymentId: string, requests: Requests) {
  const ids = requests.map(({ documentId }) => documentId)
  const { rows } = await sql<{ id: string }>`select d.id from documents d
    where d.id = any (${ids}::uuid[]) and crosses_vendors(d.organization_id, ${paymentId}::uuid, d.id, '{}')`.execute(
    db,
  )
  const at = requests.findIndex(({ documentId }) => rows.some(({ id }) => id === documentId))
  if (at >= 0)
    throw invalid(
      `allocations.${at}.expenseId`,
      'The expense is of another vendor than what this payment or credit without a supplier was for. Refund or void it, and pay the expense with a payment of its own.',
      'OTHER_CUSTOMER',
    )
}

async function requireSupplier(db: Database, id: string) {
  const found = await db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw invalid('supplierId', 'The supplier does not exist.', 'UNKNOWN_REFERENCE')
}
