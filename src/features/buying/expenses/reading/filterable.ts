import { sql } from 'kysely'
import { amount, column, filterable, toMany, toOne } from '../../../../core/define/filterable.ts'
import { isPaidBy, paymentFields, paymentsOfKind, paysFor } from '../../../../ledger/payments/filterable.ts'
import { expenseKind } from '../kind.ts'

const Expense = filterable({
  feature: 'expenses',
  from: sql`(select e.*, d.status, d.currency, d.minor_digits, d.issue_date, d.due_date, d.total_minor, d.tax_minor, d.tax_rate, d.paid_minor,
      d.credited_minor, d.total_minor - d.paid_minor - d.credited_minor as open_minor, d.payment_method, d.exchange_rate, d.created_by,
      d.created_at, d.updated_at
    from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id and d.document_type = 'EXPENSE')`,
  fields: {
    id: 'id',
    organizationId: 'id',
    title: 'text',
    description: column('text', 'title'),
    vendor: 'text',
    supplierId: 'id',
    claimantId: 'id',
    orderId: 'id',
    categoryId: 'id',
    status: 'text',
    source: 'text',
    currency: 'text',
    amount: amount('totalMinor'),
    taxAmount: amount('chargedTaxMinor'),
    deductibleTaxAmount: amount('taxMinor'),
    taxRate: 'number',
    paidAmount: amount('paidMinor'),
    creditedAmount: amount('creditedMinor'),
    openBalance: amount('openMinor'),
    date: column('day', 'issueDate'),
    dueDate: 'day',
    daysOverdue: {
      kind: 'number',
      of: (row) => sql`case when ${row.column('openMinor')} > 0
        then coalesce(greatest(${row.today}::date - ${row.column('dueDate')}, 0), 0) else 0 end`,
    },
    paymentMethod: 'text',
    exchangeRate: 'number',
    notes: 'text',
    documentNumber: 'text',
    vendorTaxNumber: 'text',
    vatAllocationNumber: column('text', 'allocationNumber'),
    statusReason: 'text',
    reviewedAt: 'instant',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    category: toOne('ExpenseCategory', 'categoryId', 'id'),
    supplier: toOne('Supplier', 'supplierId', 'id'),
    order: toOne('Order', 'orderId', 'id'),
    claimant: toOne('Customer', 'claimantId', 'id'),
    customers: {
      ...toMany('Customer', 'id', 'expenseId'),
      through: { from: sql`expense_customers`, on: ['customerId', 'id'] },
    },
    payments: isPaidBy('ExpensePayment'),
    createdBy: toOne('Member', 'createdBy', 'userId'),
    reviewedBy: toOne('Member', 'reviewedBy', 'userId'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const ExpensePayment = filterable({
  feature: 'expenses',
  from: paymentsOfKind(expenseKind),
  fields: {
    id: 'id',
    organizationId: 'id',
    supplierId: column('id', 'counterpartyId'),
    ...paymentFields,
    createdAt: 'instant',
  },
  relations: {
    supplier: toOne('Supplier', 'counterpartyId', 'id'),
    createdBy: toOne('Member', 'createdBy', 'userId'),
    expenses: paysFor('Expense'),
  },
})

export const expenseObjects = { Expense, ExpensePayment }
