import type { Someone } from './world.ts'

/** The input for a document over two hours of consulting at 50 with 9 % tax, for a new customer unless one is given. */
export async function salesDocument(someone: Someone, more: Record<string, unknown> = {}) {
  const organizationId = String(someone.organizationId)
  const globex = { organizationId, name: 'Globex', country: 'SG' }
  const customerId = more.customerId ?? (await someone.call('customers_create', globex)).id
  return {
    organizationId,
    customerId: String(customerId),
    currency: 'SGD',
    items: [{ id: '1', description: 'Consulting', quantity: 2, unitPrice: 50, amount: 100 }],
    subtotal: 100,
    taxRate: 9,
    taxAmount: 9,
    total: 109,
    ...more,
  }
}

export const sell = async (someone: Someone, more: Record<string, unknown> = {}) =>
  someone.call('invoices_create', await salesDocument(someone, more))
