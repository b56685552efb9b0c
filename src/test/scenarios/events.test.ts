import '../own-world.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scheduleEvents } from '../../core/define/schedule.ts'
import { emitOverdue } from '../../features/selling/documents/events/overdue.ts'
import { fireDue } from '../../worker/clock.ts'
import { action, automate, graphOf, trigger } from '../automations/automations.ts'
import { integration, largeInvoice, simulatorCredentials, submitted } from '../clearance.ts'
import { billOf } from '../einvoices/bill.ts'
import { doJob } from '../job.ts'
import { approvedPayslip } from '../payroll/rows.ts'
import { connect, poll, startMailbox } from '../polls.ts'
import { sell } from '../sales-documents.ts'
import { doScans } from '../scans.ts'
import { member, type Someone, theApp } from '../world.ts'

const folder = fileURLToPath(new URL('../../', import.meta.url))

/** Every event type that the sources declare: `event('customer.created', …)`. */
function declared(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const code = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('test/'))
  const types = code.flatMap((file) => {
    const text = readFileSync(`${folder}${file}`, 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    return [...text.matchAll(/\bevent\(\s*'([a-z_]+\.[a-z_]+)'/g)].map(([, type = '']) => type)
  })
  return types.toSorted()
}

/** The triggers of the specification, for the areas that are built. */
const promised = [
  'invoice.created', 'invoice.issued', 'invoice.sent', 'invoice.paid', 'invoice.overdue', 'invoice.disputed',
  'invoice.dispute_resolved', 'invoice.cleared', 'invoice.clearance_rejected', 'receipt.issued', 'payment.recorded', 'payment.voided', 'customer.created', 'customer.updated',
  'expense.created', 'expense.submitted', 'expense.approved', 'expense.rejected', 'expense.paid', 'expense.scanned', 'ingestion.completed', 'ingestion.failed',
  'order.opened', 'order.received', 'order.invoiced', 'stock.low', 'payslip.generated', 'payslip.approved', 'payslip.paid',
  'schedule.hourly', 'schedule.daily', 'schedule.weekly', 'schedule.monthly',
] // biome-ignore format: a list of words

/** Declared events that the test below does not produce. It stays empty: a new event is produced there. */
const exceptions: string[] = []

test('every promised event is declared, and each once', () => {
  expect(declared()).toEqual([...new Set(declared())])
  expect(declared()).toEqual(expect.arrayContaining(promised))
})

/** Takes expenses through every status: one is approved, credited and paid, one rejected, and one filled in by a scan. */
async function spendAndPay(someone: Someone) {
  const [{ id }, { id: rejected }] = [await expense(someone), await expense(someone)]
  await someone.call('expenses_status', { id, status: 'PENDING_REVIEW' })
  await someone.call('expenses_status', { id, status: 'APPROVED' })
  await someone.call('expenses_credits', { id, amount: 10 })
  await someone.call('expenses_payments', { id, amount: 90, paidAt: '2026-03-04' })
  await someone.call('expenses_status', { id: rejected, status: 'REJECTED' })
  const uploaded = await someone.call('expenses_upload', { file: billOf() })
  await someone.call('expenses_scan', { attachmentId: uploaded.id })
}

/** A month of payroll with one employee, paid in full. */
async function payWages(someone: Someone) {
  const { id: payslipId } = await approvedPayslip(someone)
  const given = { organizationId: String(someone.organizationId), payslipId, paidAt: '2026-03-31' }
  await someone.call('payroll_pay', { ...given, kind: 'NET' })
  await someone.call('payroll_pay', { ...given, kind: 'STATUTORY' })
}

/** Buys lamps, sends the order, receives them and sells them until they are low. */
async function buyAndSell(someone: Someone, customerId: string) {
  const lamp = { name: 'Lamp', salePrice: 25, purchasePrice: 10, lowStockThreshold: 5 }
  const { id: itemId } = await someone.call('logistics_items_create', lamp)
  const { id: supplierId } = await someone.call('suppliers_create', { name: 'Acme', email: 'acme@x.test' })
  const order = (fields: object) =>
    someone.call('orders_create', { kind: 'SALES', status: 'OPEN', lines: [{ itemId, quantity: 10 }], ...fields })
  const bought = await order({ kind: 'PURCHASE', supplierId })
  await someone.call('orders_send', { id: bought.id })
  await someone.call('orders_receive', { id: bought.id })
  const sold = await order({ customerId, lines: [{ itemId, quantity: 6 }] })
  await someone.call('orders_deliver', { id: sold.id })
  await someone.call('orders_invoice', { id: sold.id })
}

/** Uploads a bill, and scans it in a batch. */
async function scanBatch(someone: Someone) {
  const { id } = await someone.call('expenses_upload', { file: billOf() })
  await someone.call('expenses_scan_batch', { attachmentIds: [id] })
  await doScans(someone)
}

/** Polls a mailbox, and once more after its server is gone. */
async function pollTwice(someone: Someone) {
  const mailbox = await startMailbox()
  const { id } = await connect(someone, mailbox)
  await poll(someone, id)
  await mailbox.close()
  await poll(someone, id)
}

/** The tax authority approves one document and rejects another one. */
async function clearTwo(someone: Someone) {
  const id = String(someone.organizationId)
  await someone.call('organizations_update', { id, taxNumber: '514000009' })
  await someone.call('integrations_tax_authority_post', { ...integration(someone), credentials: simulatorCredentials })
  const [cleared, rejected] = [
    await largeInvoice(someone),
    await largeInvoice(someone, {}, { registrationNumber: '1' }),
  ]
  for (const { id } of [cleared, rejected]) await submitted(someone, id)
}

const expense = (someone: Someone) =>
  someone.call('expenses_create', { amount: 100, currency: 'SGD', date: '2026-03-01' })

test('INV-10: every declared event happens, with a flat payload that names its organization and its object', async () => {
  const amy = await member('MANAGER', { country: 'IL' })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG', email: 'g@x.test' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'pays late' })
  const { id } = await sell(amy, { customerId, dueDate: '2026-03-02' })
  await amy.call('invoices_send', { id })
  await amy.call('invoices_events_post', { id, type: 'DISPUTED' })
  await amy.call('invoices_events_post', { id, type: 'DISPUTE_RESOLVED' })
  await doJob(emitOverdue, { day: '2026-03-03' }, { flags: { [`organization:${amy.organizationId}`]: true } })
  const paid = { paymentDate: '2026-03-04', paymentMethod: 'CASH', sendReceiptEmail: false }
  const { payment } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  const deposit = { amount: 5, currency: 'SGD', paidAt: '2026-03-04' }
  const { id: depositId } = await amy.call('invoices_payments_create', deposit)
  await amy.call('invoices_payments_refund', { id: depositId, paidAt: '2026-03-05' })
  await spendAndPay(amy)
  await buyAndSell(amy, customerId)
  await payWages(amy)
  await scanBatch(amy)
  await clearTwo(amy)
  await pollTwice(amy)
  const customers = { fileName: 'customers.csv', base64: Buffer.from('name\nAcme\n').toString('base64') }
  await amy.call('organizations_import_create', { kind: 'CUSTOMERS', file: customers })
  const failing = await automate(amy, graphOf([trigger('invoice.paid'), action('lost', 'no_such_tool')], 'start>lost'))
  await amy.call('automations_test', { id: failing })
  for (const { type } of scheduleEvents) {
    const everybody = { name: 'everybody', on: [type], run: async () => {} }
    const year = new Date().getUTCFullYear() + 1
    const firing = { type, subscribers: [everybody], now: `${year}-06-15T12:00:00Z` }
    await theApp().system.use((_, connection) => fireDue(connection, firing))
  }

  const { rows } = await theApp().system.raw.query<{ type: string; payload: Record<string, unknown> }>(
    'select type, payload from events where organization_id = $1',
    [amy.organizationId],
  )
  const happened = [...new Set(rows.map(({ type }) => type))].toSorted()
  expect(happened).toEqual(declared().filter((type) => !exceptions.includes(type)))
  for (const { type, payload } of rows) {
    expect([type, payload]).toMatchObject([type, { id: expect.any(String), organizationId: amy.organizationId }])
    const nested = Object.values(payload).filter((value) => typeof value === 'object' && value !== null)
    expect([type, nested]).toEqual([type, []])
  }
  const facts = Object.keys(rows.find(({ type }) => type === 'invoice.paid')?.payload ?? {})
  const named = ['id', 'invoiceNumber', 'documentType', 'customerId', 'customerName', 'currency', 'total', 'paidAmount',
    'paymentDate', 'dueDate', 'issueDate'] // biome-ignore format: a list of words
  expect(facts).toEqual(expect.arrayContaining(named))
})
