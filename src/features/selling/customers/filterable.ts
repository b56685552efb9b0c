import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Customer = filterable({
  feature: 'customers',
  from: sql`(select * from customers where is_customer)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    name: 'text',
    displayName: { kind: 'text', of: (row) => sql`coalesce(${row.column('name')}, ${row.column('email')}, '')` },
    email: 'text',
    phone: 'text',
    address: 'text',
    country: 'text',
    registrationNumber: 'text',
    notes: 'text',
    kind: 'text',
    status: 'text',
    isSupplier: 'boolean',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    documents: toMany('Document', 'id', 'counterpartyId'),
    payments: toMany('Payment', 'id', 'counterpartyId'),
    supplied: toMany('Expense', 'id', 'supplierId'),
    claims: toMany('Expense', 'id', 'claimantId'),
    expenses: {
      ...toMany('Expense', 'id', 'customerId'),
      through: { from: sql`expense_customers`, on: ['expenseId', 'id'] },
    },
    orders: toMany('Order', 'id', 'customerId'),
    recipients: toMany('Recipient', 'id', 'customerId'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const Recipient = filterable({
  feature: 'customers',
  from: sql`customer_recipients`,
  fields: { id: 'id', customerId: 'id', email: 'text', name: 'text', createdAt: 'instant', updatedAt: 'instant' },
  relations: { customer: toOne('Customer', 'customerId', 'id') },
})

export const customerObjects = { Customer, Recipient }
