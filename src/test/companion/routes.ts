import { newId } from '../../core/values/id.ts'
import { hire } from '../payroll/company.ts'
import { rows } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { member, type Someone, theApp } from '../world.ts'

/** A call that shows the content to the model, or the attachment that carries it. */
type Reading = { tool: string; input: Record<string, unknown> } | { attachment: Record<string, string> }

/** Puts a text into a field as its author would, and says how the companion comes to read it. */
type Route = (amy: Someone, text: string) => Promise<Reading>

const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })
const ask = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

const customer =
  (field: 'name' | 'notes' | 'address'): Route =>
  async (amy, text) => {
    const given = { ...home(amy), name: 'Globex', country: 'SG', [field]: text }
    const { id } = await amy.call('customers_create', given)
    return { tool: 'customers_get', input: { id } }
  }

const supplier =
  (field: 'name' | 'notes'): Route =>
  async (amy, text) => {
    const { id } = await amy.call('suppliers_create', { ...home(amy), name: 'Acme', country: 'SG', [field]: text })
    return { tool: 'suppliers_get', input: { id } }
  }

const item =
  (field: 'name' | 'description'): Route =>
  async (amy, text) => {
    const { id } = await amy.call('logistics_items_create', { ...home(amy), name: 'Lamp', [field]: text })
    return { tool: 'logistics_items_get', input: { id } }
  }

const expense =
  (field: 'vendor' | 'notes' | 'title'): Route =>
  async (amy, text) => {
    const given = { ...home(amy), amount: 117, currency: 'SGD', date: '2026-01-31', [field]: text }
    const { id } = await amy.call('expenses_create', given)
    return { tool: 'expenses_get', input: { id } }
  }

const attachment =
  (field: 'name' | 'type' | 'storageKey'): Route =>
  async (_, text) => ({ attachment: { [field]: text } })

/** A run of an automation with one step, as the engine leaves it. */
async function stepOf(amy: Someone, output: object | null) {
  const { id } = (await rows.automations?.(amy)) ?? { id: '' }
  const { id: runId } = (await rows.automationRuns?.(amy, id)) ?? { id: '' }
  const stepId = newId()
  await ask(
    `insert into automation_steps (organization_id, id, run_id, block_id, status, output, started_at, finished_at)
     values ($1, $2, $3, 'never', 'SUCCEEDED', $4, now(), now()) on conflict (organization_id, run_id, block_id, element_key)
     do update set output = excluded.output, status = 'SUCCEEDED'`,
    [amy.organizationId, stepId, runId, output && JSON.stringify(output)],
  )
  const found = await ask('select id from automation_steps where run_id = $1 and block_id = $2', [runId, 'never'])
  return { id, runId, stepId: String(found.rows[0]?.id) }
}

const mail =
  (field: 'subject' | 'reason'): Route =>
  async (amy, text) => {
    const { id: runId } = (await rows.ingestionRuns?.(amy)) ?? { id: '' }
    const message = { subject: 'Receipt', reason: null, [field]: text }
    await ask(
      `insert into ingestion_messages (organization_id, id, run_id, folder, place, message_id, subject, outcome, reason, is_detected)
       values ($1, $2, $3, 'INBOX', '1', '<1@x.test>', $4, 'FAILED', $5, true)`,
      [amy.organizationId, newId(), runId, message.subject, message.reason],
    )
    return { tool: 'integrations_fetch_log_messages', input: { id: runId } }
  }

/** Every field by which content of others reaches the companion. */
export const routes = {
  'customer name': customer('name'),
  'customer notes': customer('notes'),
  'customer address': customer('address'),
  'supplier name': supplier('name'),
  'supplier notes': supplier('notes'),
  'item name': item('name'),
  'item description': item('description'),
  'expense vendor': expense('vendor'),
  'expense notes': expense('notes'),
  'expense title': expense('title'),
  'attachment name': attachment('name'),
  'attachment type': attachment('type'),
  'attachment key': attachment('storageKey'),
  'mail subject': mail('subject'),
  'mail reason': mail('reason'),
  async 'document line'(amy, text) {
    const { id } = await sell(amy, { items: [{ id: '1', description: text, quantity: 2, unitPrice: 50, amount: 100 }] })
    return { tool: 'invoices_get', input: { id } }
  },
  async 'document notes'(amy, text) {
    const { id } = await sell(amy, { notes: text })
    return { tool: 'invoices_get', input: { id } }
  },
  async 'dispute message'(amy, text) {
    const { id } = await sell(amy, { status: 'UNSENT' })
    await amy.call('invoices_events_post', { id, type: 'DISPUTED', payload: { message: text } })
    return { tool: 'invoices_events', input: { id } }
  },
  async 'automation name'(amy, text) {
    const { id } = (await rows.automations?.(amy)) ?? { id: '' }
    await ask('update automations set name = $2 where id = $1', [id, text])
    return { tool: 'automations_get', input: { id } }
  },
  async 'category name'(amy, text) {
    await amy.call('expense_categories_create', { ...home(amy), name: text })
    return { tool: 'expense_categories_list', input: {} }
  },
  async 'bank account name'(amy, text) {
    const { id } = await amy.call('bank_accounts_create', { ...home(amy), accountName: text, bankName: 'DBS' })
    return { tool: 'bank_accounts_get', input: { id } }
  },
  async 'employee name'(amy, text) {
    const { id } = await hire(amy, { ...home(amy), name: text })
    return { tool: 'payroll_employees_get', input: { id } }
  },
  async 'member name'(amy, text) {
    const { userId } = await member('VIEWER', { of: amy })
    await ask('update users set name = $2 where id = $1', [userId, text])
    return { tool: 'users_members', input: { id: amy.organizationId } }
  },
  async 'order notes'(amy, text) {
    const { id } = (await rows.orders?.(amy)) ?? { id: '' }
    await amy.call('orders_update_patch', { id, notes: text } as never)
    return { tool: 'orders_get', input: { id } }
  },
  async 'journal description'(amy, text) {
    const account = async () => (await rows.accounts?.(amy))?.id ?? ''
    const lines = [
      { accountId: await account(), debit: 5 },
      { accountId: await account(), credit: 5 },
    ]
    const given = { ...home(amy), date: '2026-01-31', description: text, lines }
    const { id } = await amy.call('reports_journal_entry_create', given)
    return { tool: 'reports_journal_entry', input: { id } }
  },
  async 'file name'(amy, text) {
    const file = { fileName: text, base64: 'SGVsbG8=' }
    const { expenseId } = await amy.call('expenses_upload', { ...home(amy), file })
    return { tool: 'expenses_get', input: { id: expenseId } }
  },
  async 'step output'(amy, text) {
    const { id, runId } = await stepOf(amy, { said: text })
    return { tool: 'automations_run', input: { id, runId } }
  },
  async 'webhook answer'(amy, text) {
    const { stepId, runId } = await stepOf(amy, null)
    await ask(
      `insert into automation_deliveries (organization_id, id, step_id, kind, target, attempt, outcome, status, answer)
       values ($1, $2, $3, 'WEBHOOK', 'https://hooks.example.com', 1, 'DELIVERED', 200, $4)`,
      [amy.organizationId, newId(), stepId, text],
    )
    return { tool: 'automations_deliveries', input: { runId } }
  },
  async 'audit details'(amy, text) {
    await ask(
      `insert into audit_log (id, organization_id, user_id, source, operation, object_id, request_id, detail)
       values ($4, $1, $2, 'SESSION', 'customers_update', null, 'request', $3)`,
      [amy.organizationId, amy.userId, JSON.stringify({ notes: text }), newId()],
    )
    return { tool: 'organizations_audit', input: { operation: 'customers_update', limit: 1 } }
  },
} satisfies Record<string, Route>

export type RouteName = keyof typeof routes
