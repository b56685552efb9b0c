import { action, automate, graphOf, lastRun, settle, trigger } from '../automations/automations.ts'
import { spend, spendApproved } from '../expenses.ts'
import { hire } from '../payroll/company.ts'
import { sell } from '../sales-documents.ts'
import { addItem, stockUp } from '../trading.ts'
import { member, type Someone } from '../world.ts'

/** A company with a little of everything, whose figures the tests of the assistant know. */

export type Books = Awaited<ReturnType<typeof companionBooks>>

const line = (amount: number) => ({
  items: [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  taxRate: 9,
  taxAmount: Math.round(amount * 9) / 100,
  total: Math.round(amount * 109) / 100,
})

export async function companionBooks() {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const [globex, initech, cohen] = [
    await amy.call('customers_create', { name: 'Globex Pte Ltd', country: 'SG', email: 'ap@globex.test' }),
    await amy.call('customers_create', { name: 'Initech', country: 'SG' }),
    await amy.call('customers_create', { name: 'כהן ובניו בע״מ', country: 'SG' }),
  ]
  const sold = (customerId: string, amount: number, issueDate: string, dueDate: string | null, more: object = {}) =>
    sell(amy, { customerId, ...line(amount), issueDate, dueDate, status: 'SENT', ...more })
  const late = await sold(globex.id, 1_000, '2026-03-10', '2026-04-09')
  const partly = await sold(initech.id, 500, '2026-05-02', '2026-06-01')
  await amy.call('invoices_payments', { id: partly.id, amount: 145, paidAt: '2026-05-20' })
  const foreign = await sold(globex.id, 200, '2026-06-01', '2026-07-01', {
    currency: 'USD',
    exchangeRate: 1.3,
    exchangeRateDate: '2026-06-01',
  })
  const draft = await sell(amy, { customerId: cohen.id, ...line(300) })
  await expenses(amy)
  const lamp = await addItem(amy, { lowStockThreshold: 10 })
  await stockUp(amy, lamp.id, 5, 10)
  const dana = await hire(amy, { residencyStatus: 'CITIZEN' })
  await amy.call('payroll_generate', { organizationId, month: '2026-03' })
  const { payslips } = await amy.call('payroll_payslips_list', { organizationId })
  const supplier = await amy.call('suppliers_create', { name: 'Lumen', country: 'SG' })
  const order = await amy.call('orders_create', {
    ...{ kind: 'PURCHASE', supplierId: supplier.id, status: 'OPEN', orderDate: '2026-04-01' },
    lines: [{ itemId: lamp.id, quantity: 20 }],
  })
  const failing = await failingAutomation(amy)
  return {
    amy,
    organizationId,
    globex,
    initech,
    cohen,
    late,
    partly,
    foreign,
    draft,
    lamp,
    dana,
    failing,
    order,
    payslipId: payslips[0]?.id ?? '',
  }
}

async function expenses(amy: Someone) {
  const fuel = await amy.call('expense_categories_create', { name: 'Fuel' })
  await spendApproved(amy, { amount: 218, vendor: 'Shell', date: '2026-02-03', categoryId: fuel.id })
  await spendApproved(amy, { amount: 54.5, vendor: 'Esso', date: '2026-03-04', categoryId: fuel.id })
  const waiting = await spend(amy, { amount: 40, vendor: 'Paper Shop', date: '2026-03-05' })
  await amy.call('expenses_status', { id: waiting.id, status: 'PENDING_REVIEW' })
}

/** An automation whose step names a document that does not exist. */
async function failingAutomation(amy: Someone) {
  const graph = graphOf(
    [trigger('customer.created'), action('remind', 'invoices_get', { id: '00000000-0000-4000-8000-000000000000' })],
    'start>remind',
  )
  const id = await automate(amy, graph, { name: 'Welcome' })
  await amy.call('customers_create', { name: 'Umbrella', country: 'SG' })
  await settle(amy)
  return { id, run: await lastRun(amy, id) }
}
