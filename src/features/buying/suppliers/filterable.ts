import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Supplier = filterable({
  feature: 'suppliers',
  from: sql`(select c.*, s.tax_number, s.gst_number, s.payment_terms_days, s.default_category_id, s.default_currency, s.withholding_rate,
      s.withholding_valid_until, s.is1099
    from customers c join suppliers s on s.organization_id = c.organization_id and s.id = c.id)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    name: 'text',
    email: 'text',
    phone: 'text',
    address: 'text',
    country: 'text',
    registrationNumber: 'text',
    taxNumber: 'text',
    gstNumber: 'text',
    paymentTermsDays: 'number',
    defaultCurrency: 'text',
    withholdingRate: 'number',
    withholdingValidUntil: 'day',
    is1099: 'boolean',
    isCustomer: 'boolean',
    notes: 'text',
    kind: 'text',
    status: 'text',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    expenses: toMany('Expense', 'id', 'supplierId'),
    orders: toMany('Order', 'id', 'supplierId'),
    defaultCategory: toOne('ExpenseCategory', 'defaultCategoryId', 'id'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

export const supplierObjects = { Supplier }
