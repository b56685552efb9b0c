import { action, automate, graphOf, trigger } from '../../src/test/automations/automations.ts'
import { member, type Someone } from '../../src/test/world.ts'

/** The moment at which the pictures are taken. */
export const goldenNow = new Date('2026-05-18T09:00:00+03:00')

const names = [
  'קיבוץ עין השופט',
  'Hotel Carmel View',
  'מסעדת הנמל',
  'Brooklyn Pour Over LLC',
  'בית קפה לילך',
  'נועה ברק',
]
/**
 * Customer, day of issue, day it is due, hours at 400, and how far it came. What is overdue is decided by the clock of the database,
 * which goes on: whatever is open is overdue already, or is never due.
 */
const sales: readonly (readonly [number, string, string | null, number, 'PAID' | 'SENT' | 'UNSENT' | 'DRAFT'])[] = [
  [0, '2026-01-08', '2026-02-07', 12, 'PAID'],
  [1, '2026-01-20', '2026-02-19', 31, 'PAID'],
  [2, '2026-02-03', '2026-03-05', 9, 'PAID'],
  [0, '2026-02-17', '2026-03-19', 22, 'PAID'],
  [3, '2026-03-02', '2026-04-01', 40, 'PAID'],
  [4, '2026-03-15', '2026-04-14', 7, 'SENT'],
  [1, '2026-03-29', '2026-04-28', 26, 'PAID'],
  [2, '2026-04-07', '2026-05-07', 15, 'SENT'],
  [5, '2026-04-19', null, 4, 'SENT'],
  [0, '2026-04-28', null, 18, 'SENT'],
  [1, '2026-05-06', null, 33, 'SENT'],
  [3, '2026-05-12', '2026-06-11', 21, 'UNSENT'],
  [4, '2026-05-17', '2026-06-16', 5, 'DRAFT'],
]

/** A company in Israel with a little of everything, the same on every machine and on every day. */
export async function goldenCompany() {
  const amy = await member('OWNER', { country: 'IL' })
  const customers: string[] = []
  for (const [at, name] of names.entries()) {
    const isAbroad = at === 3
    const email = `accounts${at}@customer.test`
    customers.push((await amy.call('customers_create', { name, country: isAbroad ? 'US' : 'IL', email })).id)
  }
  const documents: { id: string; total: number }[] = []
  for (const [customer, issueDate, dueDate, hours, status] of sales)
    documents.push(await sellHours(amy, { customerId: String(customers[customer]), issueDate, dueDate, hours, status }))
  await buy(amy)
  await trade(amy, customers)
  const automationId = await automate(amy, thanks, { armed: false, name: 'Thanks for a payment' })
  return {
    amy,
    customerId: String(customers[1]),
    openId: String(documents[9]?.id),
    draftId: String(documents.at(-1)?.id),
    automationId,
  }
}

type Sale = { customerId: string; issueDate: string; dueDate: string | null; hours: number; status: string }

async function sellHours(amy: Someone, { customerId, issueDate, dueDate, hours, status }: Sale) {
  const subtotal = hours * 400
  const taxAmount = (subtotal * 18) / 100
  const document = await amy.call('invoices_create', {
    organizationId: String(amy.organizationId),
    ...{
      customerId,
      issueDate,
      dueDate,
      currency: 'ILS',
      subtotal,
      taxRate: 18,
      taxAmount,
      total: subtotal + taxAmount,
    },
    items: [{ id: '1', description: 'Consulting, hour', quantity: hours, unitPrice: 400, amount: subtotal }],
    status: status === 'PAID' ? 'SENT' : (status as 'SENT'),
  })
  if (status === 'PAID')
    await amy.call('invoices_payments_create', {
      ...{ customerId, amount: document.total, currency: 'ILS', paidAt: dueDate ?? issueDate, method: 'BANK_TRANSFER' },
      allocations: [{ documentId: document.id, amount: document.total }],
    })
  return document
}

async function buy(amy: Someone) {
  const supplier = await amy.call('suppliers_create', {
    name: 'דפוס רמון',
    country: 'IL',
    email: 'print@supplier.test',
  })
  const { categories } = await amy.call('expense_categories_list', {})
  const vendors = ['דפוס רמון', 'תחנת דלק כנרת', 'Hamburg Kaffeekontor GmbH', 'חשמל הצפון', 'מסעדת המפל']
  for (const [at, vendor] of vendors.entries()) {
    const { id } = await amy.call('expenses_create', {
      ...{ vendor, amount: 354 + 708 * at, currency: 'ILS', date: `2026-05-0${at + 2}`, title: 'Office' },
      ...(categories[at] && { categoryId: categories[at].id }),
      ...(at === 0 && { supplierId: supplier.id }),
    })
    const status = (['APPROVED', 'PENDING_REVIEW', 'APPROVED', 'PENDING_REVIEW'] as const)[at]
    if (status) await amy.call('expenses_status', { id, status })
  }
}

async function trade(amy: Someone, customers: readonly string[]) {
  const items = [
    { name: 'מטחנת קפה ידנית', sku: 'GRD-20', salePrice: 229, purchasePrice: 118 },
    { name: 'מכונת אספרסו ביתית', sku: 'MCH-E1', salePrice: 1790, purchasePrice: 980 },
    { name: 'Installation and training', sku: 'SRV-INST', salePrice: 350, kind: 'SERVICE' as const },
  ]
  for (const each of items) await amy.call('logistics_items_create', each)
  for (const [at, status] of (['OPEN', 'DRAFT', 'OPEN'] as const).entries())
    await amy.call('orders_create', {
      ...{ kind: 'SALES', status, customerId: String(customers[at]), currency: 'ILS', orderDate: `2026-05-1${at}` },
      expectedDate: '2026-06-01',
      lines: [{ description: 'Espresso machine', quantity: at + 1, unitPrice: 1790 }],
    })
}

const thanks = graphOf(
  [
    trigger('invoice.paid'),
    action('customer', 'customers_get', { id: '{{trigger.customerId}}' }),
    action('thanks', 'email.send', { to: '{{customer.email}}', subject: 'Thank you', body: 'We received it.' }),
  ],
  'start>customer',
  'customer>thanks',
)
