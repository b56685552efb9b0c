import type { Operation } from '../core/define/operation.ts'
import type { TObject, TSchema } from '../core/define/schema.ts'
import { resourceNoun } from '../core/run/authorize.ts'
import { newId } from '../core/values/id.ts'
import type { Tables } from '../db/database.ts'
import { runSoFar } from './automations/automations.ts'
import { makePdf } from './fakes/pdfs.ts'
import { approvedClaim, approvedPayslip, consentFile, draftPayslip, leaveClaim, newHire } from './payroll/rows.ts'
import { sell } from './sales-documents.ts'
import { sample } from './sample.ts'
import { member, type Name, Someone, theApp } from './world.ts'

/** Makes a row of a table in the organization of a person with full access; `of` is its parent row. */
type Recipe = (someone: Someone, of?: string) => Promise<{ id: string }>

/** A table, or the rows of one kind in a table that has several kinds. */
type RowKind = keyof Tables | keyof typeof tablesOfKinds
const tablesOfKinds = {
  paymentsOfExpenses: 'payments',
  allocationsOfExpenses: 'allocations',
  creditsOfExpenses: 'documents',
  paymentsOfPayroll: 'payments',
} as const

/** The table that holds rows of this kind. */
export const storedIn = (kind: string): string => tablesOfKinds[kind as keyof typeof tablesOfKinds] ?? kind

/** One line for each table that an operation or a field refers to by id, and for each kind of its rows. */
export const rows: Partial<Record<RowKind, Recipe>> = {
  accounts: (amy) =>
    amy.call('reports_account_create', { ...home(amy), code: newId().slice(-12), name: 'Deposits', type: 'ASSET' }),
  allocations: async (amy, of) => {
    const { id: documentId } = await sell(amy, { status: 'UNSENT' })
    const id = of ?? (await rowOf('payments', amy))
    const { allocations } = await amy.call('invoices_payments_allocate', {
      id,
      allocations: [{ documentId, amount: 1 }],
    })
    return { id: String(allocations[0]?.id) }
  },
  apiKeys: async (amy) => (await amy.call('api_keys_create', { name: 'Books', scopes: ['*:read'] })).key,
  automations: (amy) =>
    amy.call('automations_create', {
      organizationId: amy.organizationId ?? 'none',
      name: 'Auto',
      ...failingGraph,
    } as never),
  automationRuns: async (amy, of) => {
    const id = of ?? (await rowOf('automations', amy))
    return amy.call('automations_test', { id })
  },
  bankAccounts: (amy) => amy.call('bank_accounts_create', { ...home(amy), accountName: 'Main', bankName: 'DBS' }),
  companionSessions: async (amy) => ({ id: (await talk(amy)).sessionId }),
  companionTurns: async (amy) => ({ id: (await talk(amy)).turnRunId }),
  connectedApps: (amy) => connectedApp(amy),
  customerRecipients: async (amy, of) =>
    amy.call('customers_recipients_post', { id: of ?? (await rowOf('customers', amy)), email: `${newId()}@x.test` }),
  customers: (
    amy, // a person, since only persons are claimants
  ) => amy.call('customers_create', { ...home(amy), name: 'Globex', country: 'SG', kind: 'INDIVIDUAL' }),
  // a PDF, since only PDFs have pages; blank, so that a scan of it ends at once
  documentAttachments: async (amy) =>
    amy.call('expenses_upload', {
      ...home(amy),
      file: { fileName: 'receipt.pdf', base64: makePdf({ pages: [{}] }).toString('base64') },
    }),
  documents: async (amy) => sell(amy, { customerId: await rowOf('customers', amy) }),
  allocationsOfExpenses: async (amy, of) => {
    const { id: expenseId } = await spend(amy)
    const id = of ?? (await rowOf('paymentsOfExpenses', amy))
    const { allocations } = await amy.call('expenses_payments_allocate', {
      id,
      allocations: [{ expenseId, amount: 1 }],
    })
    return { id: String(allocations[0]?.id) }
  },
  creditsOfExpenses: async (amy, of) => {
    const id = of ?? (await spend(amy)).id
    await amy.call('expenses_status', { id, status: 'APPROVED' })
    const { credits } = await amy.call('expenses_credits', { id, amount: 1 })
    return { id: String(credits.at(-1)?.id) }
  },
  paymentsOfExpenses: (amy) =>
    amy.call('expenses_payments_create', { ...home(amy), amount: 5, currency: 'SGD', paidAt: '2026-01-31' }),
  paymentsOfPayroll: async (amy) => {
    const counterpartyId = (await newHire(amy)).id
    const given = { ...home(amy), counterpartyId, amount: 5, paidAt: '2026-01-31' }
    return { id: (await amy.call('payroll_advance', given as never)).paymentId }
  },
  employees: (amy) => newHire(amy),
  payslips: (amy) => draftPayslip(amy),
  leaveClaims: async (amy) => ({ id: (await leaveClaim(amy)).lineIds[0] ?? 'none' }),
  expenses: (amy) => spend(amy),
  expenseCategories: (amy) => amy.call('expense_categories_create', { ...home(amy), name: 'Fuel' }),
  invitations: (amy) =>
    amy.call('users_invitations_post', {
      id: amy.organizationId ?? 'none',
      email: `${newId()}@x.test`,
      role: 'VIEWER',
    }),
  imports: (amy) => amy.call('organizations_import_create', { ...home(amy), ...smallImport() } as never),
  ingestionRuns: async (amy) => {
    const connectionId = await rowOf('mailConnections', amy)
    return { id: (await amy.call('expenses_email_poll', { ...home(amy), connectionId })).runId }
  },
  mailConnections: (amy) =>
    amy.call('integrations_email_settings_post', {
      organizationId: amy.organizationId ?? 'none',
      name: 'Receipts',
      provider: 'IMAP',
    }),
  items: (amy) => amy.call('logistics_items_create', { ...home(amy), name: 'Lamp', salePrice: 25, purchasePrice: 10 }),
  orders: async (amy) => order(amy),
  scanBatches: async (amy) =>
    amy.call('expenses_scan_batch', { ...home(amy), attachmentIds: [await rowOf('documentAttachments', amy)] }),
  stockMovements: async (amy) =>
    amy.call('logistics_stock_movements_create', {
      ...home(amy),
      itemId: await rowOf('items', amy),
      kind: 'IN',
      quantity: 5,
    }),
  suppliers: (amy) => amy.call('suppliers_create', { ...home(amy), name: 'Acme', country: 'SG' }),
  journalEntries: async (amy) =>
    amy.call('reports_journal_entry_create', { ...home(amy), ...(await journalEntry(amy)) }),
  notifications: (amy) => notification(amy),
  events: (amy) => customerEvent(amy),
  files: (amy) =>
    amy.call('organizations_file_upload', { ...home(amy), file: { fileName: 'note.txt', base64: 'SGVsbG8=' } }),
  outbox: ({ organizationId = 'none' }) => outboxMail(organizationId),
  organizations: async ({ organizationId }) => ({ id: organizationId ?? 'none' }),
  payments: (amy) =>
    amy.call('invoices_payments_create', { ...home(amy), amount: 5, currency: 'SGD', paidAt: '2026-01-31' }),
  plannedPayments: (amy) =>
    amy.call('invoices_payments_create', {
      ...{ ...home(amy), amount: 5, currency: 'SGD', paidAt: '2026-01-31' },
      details: { cheque: { dueDate: '2999-01-31' } },
    }),
  views: (amy) => amy.call('views_create', { ...home(amy), name: 'Overdue', screen: 'documents' }),
  users: async (amy) => ({ id: (await member('VIEWER', { of: amy })).userId }),
}

/** Whether the row of an operation belongs to one person, so that colleagues find nothing. */
export const isPersonal = (operation: Operation) =>
  ['companionSessions', 'companionTurns', 'views'].includes(tableOf(operation) ?? '')

/** A session with the companion, with one turn that nobody works on. It is stored directly, because not every role may begin one. */
async function talk({ organizationId, userId }: Someone) {
  const [key, sessionId, turnRunId] = [newId(), newId(), newId()]
  await theApp().system.raw.query(
    `with session as (insert into companion_sessions (organization_id, key, user_id, id, title, last_index) values ($1, $2, $3, $4, 'Talk', 1))
     insert into companion_turns (organization_id, id, session_key, user_id, number, source) values ($1, $5, $2, $3, 1, 'SESSION')`,
    [organizationId, key, userId, sessionId, turnRunId],
  )
  return { sessionId, turnRunId }
}

/** A turn of the companion that asks for the person's word. */
async function askingTurn(someone: Someone): Promise<string> {
  const { turnRunId } = await talk(someone)
  await theApp().system.raw.query(
    `insert into companion_steps (organization_id, id, session_key, turn_id, user_id, kind, ref, "order", input, status, expires_at)
     select organization_id, $2, session_key, id, user_id, 'TOOL', 'customers_delete', 1, '{}', 'PENDING', now() + interval '1 hour'
     from companion_turns where id = $1`,
    [turnRunId, newId()],
  )
  return turnRunId
}

/** The smallest graph whose run fails, so that it can be replayed. */
const failingGraph = {
  blocks: [
    { id: 'start', kind: 'TRIGGER', ref: 'invoice.paid' },
    { id: 'never', kind: 'CUSTOM' },
  ],
  edges: [{ id: 'e', fromBlockId: 'start', toBlockId: 'never' }],
}

const spend = (someone: Someone, more: Record<string, unknown> = {}) =>
  someone.call('expenses_create', { ...home(someone), amount: 117, currency: 'SGD', date: '2026-01-31', ...more })

/** An amount with one split, whose category is a row of the organization. */
const splitExpense = async (someone: Someone) => ({
  amount: 117,
  orderId: await purchaseOrder(someone),
  splits: [{ categoryId: await rowOf('expenseCategories', someone), amount: 117 }],
})

/** A file with one customer. */
const smallImport = () => ({
  kind: 'CUSTOMERS',
  file: { fileName: 'customers.csv', base64: Buffer.from(`name,country\nImported ${newId()},SG\n`).toString('base64') },
  mapping: undefined,
  sheet: undefined,
  dateOrder: undefined,
})

/** The draft of an order of a customer. */
const salesOrder = async (someone: Someone) => ({
  ...home(someone),
  kind: 'SALES' as const,
  customerId: await rowOf('customers', someone),
  supplierId: null,
  lines: [{ description: 'Lamp', quantity: 2, unitPrice: 25 }],
  status: 'DRAFT' as const,
})

const itemLines = async (someone: Someone) => [{ itemId: await rowOf('items', someone), quantity: 2, unitPrice: 25 }]

/** Lines of a document that name an item. */
const soldItem = async (someone: Someone) => ({
  items: [
    { id: '1', itemId: await rowOf('items', someone), description: 'Lamp', quantity: 1, unitPrice: 25, amount: 25 },
  ],
  subtotal: 25,
  taxRate: 0,
  taxAmount: 0,
  total: 25,
})

/** The draft of an order. */
const order = async (someone: Someone) => someone.call('orders_create', await salesOrder(someone))

/** The id of an open order of a customer. */
const openOrder = async (someone: Someone) =>
  (await someone.call('orders_create', { ...(await salesOrder(someone)), status: 'OPEN' })).id

/** The id of an open order to a supplier. */
async function purchaseOrder(someone: Someone): Promise<string> {
  const lines = [{ description: 'Lamp', quantity: 2, unitPrice: 10 }]
  const supplierId = await rowOf('suppliers', someone)
  return (
    await someone.call('orders_create', { ...home(someone), kind: 'PURCHASE', supplierId, lines, status: 'OPEN' })
  ).id
}

/** The id of the employee that the person is; they become one if they are none yet. */
export async function employeeOf(someone: Someone): Promise<string> {
  const { userId } = someone
  const { employees } = await someone.call('payroll_employees_list', { ...home(someone), limit: 100 })
  const found = employees.find((each) => each.userId === userId)
  if (found) return found.id
  const id = await rowOf('employees', someone)
  await someone.call('payroll_employees_update', { id, userId })
  return id
}

/** A balanced journal entry over two accounts. */
async function journalEntry(someone: Someone) {
  const lines = [
    { accountId: await rowOf('accounts', someone), debit: 5 },
    { accountId: await rowOf('accounts', someone), credit: 5 },
  ]
  return { date: '2026-01-31', description: 'Deposit', lines }
}

/** The event of a customer who was added. */
async function customerEvent(someone: Someone) {
  const customerId = await rowOf('customers', someone)
  const { rows: found } = await theApp().system.raw.query<{ id: string }>(
    "select id from events where organization_id = $1 and type = 'customer.created' and payload ->> 'id' = $2",
    [someone.organizationId, customerId],
  )
  return { id: String(found[0]?.id) }
}

/** A logo for the organization of a person with full access. */
async function withLogo(someone: Someone) {
  const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const { id: logoFileId } = await someone.call('organizations_file_upload', {
    ...home(someone),
    file: { fileName: 'logo.png', base64 },
  })
  await someone.call('settings_update', { id: someone.organizationId ?? 'none', logoFileId })
  return {}
}

const sentRequest = async (someone: Someone) =>
  (await sell(someone, { status: 'SENT', documentType: 'PAYMENT_REQUEST' })).id

/** Input that an operation needs beyond its schema: matching totals, or a row in a certain state. */
const extraInput: Partial<Record<Name, (someone: Someone) => Promise<Record<string, unknown>>>> = {
  payroll_form_cpf: async () => ({ month: '2026-03', format: 'json' }), // the file needs a UEN
  reports_statutory_file: async () => ({
    ...{ file: 'il-withholding-summary', from: '2026-01-01', to: '2026-12-31', format: 'checklist' },
  }),
  payroll_bank_file: async () => ({ format: undefined, answer: 'checklist' }), // nothing is outstanding
  // the sealed password differs each time, and says that there is one
  integrations_email_settings_post: async () => ({ password: undefined }),
  integrations_email_settings_put: async () => ({ password: undefined }),
  integrations_email_settings_delete: async (someone) => ({ id: await rowOf('mailConnections', someone) }),
  settings_logo: withLogo,
  automations_try: async () => ({
    ...{ automationId: undefined, eventId: undefined, triggerType: undefined },
    blocks: [{ id: 'start', kind: 'TRIGGER', ref: 'customer.created' }],
    edges: [],
  }),
  automations_trigger_events: async () => ({ automationId: undefined, type: 'customer.created' }),
  settings_update: async () => ({ logoFileId: null, lockedUntil: null }), // the fixtures are dated in the past
  automations_secrets_delete: async (someone) => {
    const { name } = await someone.call('automations_secrets_set', {
      organizationId: someone.organizationId ?? '',
      name: 'CRM_TOKEN',
      value: 'hush-hush',
    })
    return { name }
  },
  companion_write_ask: async () => ({ question: 'How many customers do we have?', schema: { type: 'integer' } }),
  companion_write_session: async () => ({ title: 'Books' }),
  companion_write_confirm: async (someone) => ({ id: await askingTurn(someone) }),
  automations_create: async () => failingGraph,
  automations_update: async () => failingGraph,
  automations_replay_failed: async () => ({ after: undefined }), // of a run that is there
  automations_disable: async () => ({ stop: undefined }), // for the owner or a MANAGER, and by no automation
  automations_cancel: async (someone) => {
    const id = await rowOf('automations', someone)
    return { id, runId: await runSoFar(someone, id, []) }
  },
  reports_account_update: async () => ({ purpose: undefined }), // a purpose and categories exclude each other
  reports_account_create: async () => ({ code: newId().slice(-12), type: 'ASSET' }),
  reports_journal: async () => ({ cursor: undefined }), // only a page before gives one
  changes_stream: async () => ({ lastEventId: undefined }), // only an answer gives one
  reports_general_ledger: async () => ({ cursor: undefined, account: '600' }),
  reports_journal_entry_create: journalEntry,
  invoices_create: soldItem,
  invoices_update: soldItem,
  invoices_update_put: soldItem,
  invoices_payments_create: async () => ({ amount: 5, currency: 'SGD' }),
  invoices_payments: async (someone) => ({ id: (await sell(someone, { status: 'UNSENT' })).id }),
  invoices_payments_allocate: async (someone) => ({
    allocations: [{ documentId: (await sell(someone, { status: 'UNSENT' })).id, amount: 1 }],
  }),
  invoices_payments_receipt: async (someone) => {
    const { id } = await sell(someone, { status: 'UNSENT' })
    return { id: (await someone.call('invoices_payments', { id, amount: 1, paidAt: '2026-01-31' })).id }
  },
  invoices_link: async (someone) => ({ id: (await sell(someone, { status: 'UNSENT' })).id }),
  invoices_link_renew: async (someone) => ({ id: (await sell(someone, { status: 'UNSENT' })).id }),
  invoices_send: async (someone) => {
    const dana = { ...home(someone), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    const customerId = (await someone.call('customers_create', dana)).id
    return { id: (await sell(someone, { customerId })).id, kind: 'DOCUMENT' }
  },
  invoices_mail_preview: async (someone) => {
    const dana = { ...home(someone), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    const customerId = (await someone.call('customers_create', dana)).id
    return { id: (await sell(someone, { customerId })).id, kind: 'DOCUMENT' }
  },
  invoices_preview: soldItem,
  invoices_bulk_send: async (someone) => ({ ids: [(await sell(someone)).id], kind: 'DOCUMENT' }),
  invoices_bulk_mark_paid: async (someone) => ({ ids: [(await sell(someone, { status: 'UNSENT' })).id] }),
  invoices_bulk_delete: async (someone) => ({ ids: [(await sell(someone)).id] }),
  invoices_bulk_pdf: async (someone) => ({ ids: [(await sell(someone)).id] }),
  invoices_send_preview: async (someone) => {
    const dana = { ...home(someone), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    return { id: (await sell(someone, { customerId: (await someone.call('customers_create', dana)).id })).id }
  },
  invoices_einvoice: async (someone) => {
    await theApp().system.use((db) =>
      db
        .updateTable('organizations')
        .set({ registrationNumber: '201403121W' })
        .where('id', '=', String(someone.organizationId))
        .execute(),
    ) // an e-invoice names it; not everyone who reads documents may enter it
    return {
      id: (await sell(someone, { status: 'UNSENT', taxRate: null, taxAmount: 0, total: 100 })).id,
      format: 'cii',
    }
  },
  invoices_memos: async (someone) => {
    const { id, invoiceDate: issueDate } = await sell(someone, { status: 'UNSENT' })
    const items = [{ id: '1', description: 'More', quantity: 1, unitPrice: 1, amount: 1 }]
    return { id, kind: 'DEBIT', items, issueDate }
  },
  invoices_convert: async (someone) => ({ id: await sentRequest(someone), documentType: 'INVOICE' }),
  invoices_cancel: async (someone) => ({ id: await sentRequest(someone) }),
  payroll_apply: async (someone) => {
    const { id: payslipId } = await draftPayslip(someone)
    const attachmentId = await consentFile(someone, payslipId)
    return { payslipId, consent: { affirmed: true, at: '2026-03-25', attachmentId } }
  },
  payroll_void: async (someone) => ({ payslipId: (await approvedPayslip(someone)).id }),
  payroll_pay: async (someone) => {
    const { id: payslipId, employeeId } = await approvedPayslip(someone)
    return { payslipId, kind: 'NET', claimDocumentIds: [await approvedClaim(someone, employeeId)] }
  },
  payroll_gpl_settle: async (someone) => leaveClaim(someone),
  payroll_employees_update: async () => ({ effectiveFrom: '2026-02-01', startDate: undefined, endDate: null }),
  expenses_create: splitExpense,
  expenses_update_put: splitExpense,
  expenses_update_patch_2: splitExpense,
  expenses_status: async () => ({ status: 'PENDING_REVIEW' }),
  expenses_credits: async (someone) => {
    const { id } = await spend(someone, { splits: [{ categoryId: null, amount: 117 }] }) // a split to credit
    await someone.call('expenses_status', { id, status: 'APPROVED' })
    return { id }
  },
  expenses_customers_delete: async (someone) => {
    const { id } = await spend(someone)
    const customerId = await rowOf('customers', someone)
    await someone.call('expenses_customers', { id, customerIds: [customerId] })
    return { id, customerId }
  },
  expenses_payments_create: async () => ({ amount: 5, currency: 'SGD' }),
  expenses_payments_allocate: async (someone) => ({
    allocations: [{ expenseId: (await spend(someone)).id, amount: 1 }],
  }),
  reports_customer_statement_send: async (someone) => {
    const dana = { ...home(someone), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    return { id: (await someone.call('customers_create', dana)).id }
  },
  reports_customer_statement_send_preview: async (someone) => {
    const dana = { ...home(someone), name: 'Dana', country: 'SG', email: 'dana@x.test' }
    return { id: (await someone.call('customers_create', dana)).id }
  },
  integrations_tax_authority_connect: async (someone) => {
    const given = { id: someone.organizationId ?? 'none', integrationId: 'il-ita-invoices' }
    const credentials = { clientId: 'kontor', clientSecret: 'simulator' }
    await someone.call('integrations_tax_authority_post', { ...given, credentials })
    return given
  },
  orders_create: async (someone) => salesOrder(someone),
  orders_update: async (someone) => ({ supplierId: null, lines: await itemLines(someone) }),
  orders_update_patch: async (someone) => ({ supplierId: null, lines: await itemLines(someone) }),
  orders_cancel: async (someone) => ({ id: await openOrder(someone) }),
  orders_close: async (someone) => ({ id: await openOrder(someone) }),
  orders_invoice: async (someone) => ({ id: await openOrder(someone) }),
  orders_receive: async (someone) => ({ id: await purchaseOrder(someone), lines: undefined }),
  orders_deliver: async (someone) => ({ id: await openOrder(someone), lines: undefined }),
  orders_send: async (someone) => ({ id: await purchaseOrder(someone), to: ['orders@x.test'], language: 'en' }),
  orders_send_preview: async (someone) => ({ id: await purchaseOrder(someone), to: ['orders@x.test'], language: 'en' }),
  payroll_payslips_list: async () => ({ month: '2026-03', status: 'APPROVED' }),
  payroll_payslips_send: async (someone) => ({ month: '2026-03', payslipIds: [(await approvedPayslip(someone)).id] }),
  payroll_payslips_send_preview: async (someone) => ({
    ...{ month: '2026-03', payslipIds: [(await approvedPayslip(someone)).id] },
  }),
  payroll_my_payslip_pdf: async (someone) => ({ id: (await approvedPayslip(someone, await employeeOf(someone))).id }),
  payroll_my_claims_create: async (someone) => {
    await employeeOf(someone)
    return { currency: 'SGD' }
  },
  logistics_stock_movements_create: async () => ({ kind: 'ADJUST', quantity: 5, reason: 'Counted' }),
  organizations_import_preview: async () => smallImport(),
  organizations_import_create: async () => smallImport(),
  users_invitation_accept: async ({ userId }) => {
    const { organizationId: id = 'none', ...eve } = await member('OWNER')
    const host = new Someone(eve.userId, eve.credentials)
    const email = `${userId}@example.test` // as world.ts makes people
    return { token: (await host.call('users_invitations_post', { id, email, role: 'EMPLOYEE' })).token }
  },
}

/** Operations of one country: they are refused in the organizations of others. */
const countryOf: Partial<Record<Name, 'IL' | 'SG' | 'US'>> = {
  payroll_form_102: 'IL',
  payroll_form_126: 'IL',
  payroll_form_106: 'IL',
  payroll_form_941: 'US',
  payroll_form_940: 'US',
  payroll_form_w2: 'US',
  payroll_form_w3: 'US',
}
/** The country of organizations that were moved to another one for an operation, of each API under test. */
const moves = new WeakMap<object, Map<string, string>>()

/** Moves the organization of a person to the country of an operation, and back for the next one. */
export async function moveFor(operation: Operation, { organizationId: id }: Someone) {
  const country = countryOf[operation.name as Name] ?? 'SG'
  const movedTo = moves.get(theApp()) ?? new Map<string, string>()
  moves.set(theApp(), movedTo)
  if (id === undefined || (movedTo.get(id) ?? 'SG') === country) return
  movedTo.set(id, country)
  await theApp().system.use((db) => db.updateTable('organizations').set({ country }).where('id', '=', id).execute())
}

/** Fields that are named like references and are none: the client chooses them, or an unknown one is reported and not refused. */
const notReferences = [
  'fromBlockId',
  'toBlockId',
  'sessionId',
  'lastEventId',
  'clientId',
  'employeeIds',
  'objectId',
  'lineId',
  'integrationId',
  'authorityOrgId', // the same on every server
]

/** A connected app of the person, as the consent page creates it. */
async function connectedApp({ userId, organizationId }: Someone) {
  const client = { id: newId(), metadata: {} }
  const id = newId()
  await theApp().system.use(async (db, connection) => {
    await connection.query('insert into oauth_clients (id, metadata) values ($1, $2)', [client.id, client.metadata])
    await db
      .insertInto('connectedApps')
      .values({
        id,
        userId,
        clientId: client.id,
        clientName: 'Ledger Lens',
        clientUri: null,
        scopes: ['customers:read'],
        resources: ['http://127.0.0.1:3000'],
        lastUsedAt: null,
        expiresAt: '2099-01-01T00:00:00Z',
        revokedAt: null,
      })
      .execute()
    await connection.query(
      'insert into connected_app_organizations (app_id, organization_id, user_id) select $1::uuid, $2::uuid, $3::uuid where $2::uuid is not null',
      [id, organizationId ?? null, userId],
    )
  })
  return { id }
}

/** Mail in the outbox of local mode, which only the mail provider writes. */
const outboxMail = (organizationId: string) =>
  theApp().system.use((db) => {
    const id = newId()
    const letter = { to: 'dana@x.test', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>', headers: '{}' }
    const row = {
      id,
      organizationId,
      messageId: `<${id}@x.test>`,
      attachments: '[]',
      contents: Buffer.alloc(0),
      ...letter,
    }
    return db.insertInto('outbox').values(row).returning('id').executeTakeFirstOrThrow()
  })

/** A notification of a person, which no operation creates. */
const notification = ({
  userId,
  organizationId = null,
}: Pick<Someone, 'userId'> & { organizationId?: string | null | undefined }) =>
  theApp().system.use((db) =>
    db
      .insertInto('notifications')
      .values({ id: newId(), userId, organizationId, kind: 'MEMBER_LEFT', data: '{"name":"Bob","by":null}' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

const home = ({ organizationId }: Someone) => (organizationId === undefined ? {} : { organizationId })

/** The table of the row that an operation is about: `within` says, or the path for rows of the caller. */
export function tableOf({ within, path }: Operation): string | undefined {
  if (typeof within === 'object') return paymentsOfKind[within.kind ?? ''] ?? within.table
  if (within !== 'caller' && within !== 'organizationId') return within
  const segment = /([\w-]+)\/\{id\}/.exec(path)?.[1]
  return segment?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const paymentsOfKind: Record<string, RowKind> = { EXPENSE: 'paymentsOfExpenses', PAYSLIP: 'paymentsOfPayroll' }

/** The field that names the row. */
export const keyOf = ({ within }: Operation) => (typeof within === 'object' ? within.by : 'id')

/** Fields whose name is not that of their table, of every operation or of one. */
const referredTables: Record<string, RowKind> = {
  logoFileId: 'files',
  categoryIds: 'expenseCategories',
  supplierId: 'suppliers',
  defaultCategoryId: 'expenseCategories',
  expenseId: 'expenses',
  claimantId: 'customers',
  counterpartyId: 'customers',
  claimDocumentIds: 'expenses',
  turnRunId: 'companionTurns',
  'expenses_payments_list paymentId': 'paymentsOfExpenses',
  'payroll_payments paymentId': 'paymentsOfPayroll',
  'payroll_gpl_settle lineIds': 'leaveClaims',
  'expenses_payments_unallocate allocationId': 'allocationsOfExpenses',
  'expenses_credits_void creditId': 'creditsOfExpenses',
}

/** The table that a field such as `recipientId` or `customerIds` refers to, by its noun. */
export function referredTable(field: string, operation = ''): string | undefined {
  const known = referredTables[`${operation} ${field}`] ?? referredTables[field]
  if (known) return known
  const noun = resourceNoun(`${field.replace(/Ids?$/, '')}s` as never)
  return Object.keys(rows).find((table) => ` ${resourceNoun(table as never)}`.endsWith(` ${noun}`))
}

/** Makes a row and returns its id. */
export async function rowOf(table: string, someone: Someone, of?: string): Promise<string> {
  const recipe = rows[table as RowKind]
  if (!recipe) throw new Error(`Add a line for ${table} to src/test/rows.ts: the sweeps need a row of it.`)
  return (await recipe(someone, of)).id
}

/** Input that the operation accepts from this person, with rows of their organization in its references. */
export async function inputFor(operation: Operation, someone: Someone, more: { optional?: boolean } = {}) {
  const input = sample(operation.input, more) as Record<string, unknown>
  await moveFor(operation, someone)
  if ('organizationId' in operation.input.properties) Object.assign(input, home(someone))
  const table = tableOf(operation)
  const key = keyOf(operation)
  if (table) input[key] = await rowOf(table, someone)
  for (const { path, field } of referencesOf(operation)) {
    if (at(input, path) !== undefined) put(input, path, await referred(operation, field, someone, input[key]))
  }
  return { ...input, ...(await extraInput[operation.name as Name]?.(someone)) }
}

async function referred({ name }: Operation, field: string, someone: Someone, of: unknown) {
  const id = await rowOf(referredTable(field, name) ?? field, someone, typeof of === 'string' ? of : undefined)
  return field.endsWith('Ids') ? [id] : id
}

/** A field of an input that refers to rows, at any depth: `['items', '0', 'itemId']`. */
export type Reference = { path: string[]; field: string }

/** Every field of an operation that refers to a row, except the organization and the row that the operation is about. */
export const referencesOf = (operation: Operation): Reference[] =>
  walk(operation.input, []).filter(
    ({ path, field }) => !(path.length === 1 && field === keyOf(operation)) && field !== 'organizationId',
  )

function walk(schema: TSchema, path: string[]): Reference[] {
  const { properties, items, anyOf = [] } = schema as Partial<TObject> & { items?: TSchema; anyOf?: TSchema[] }
  const inside = Object.entries(properties ?? {}).flatMap(([field, inner]) =>
    /\w(Id|Ids)$/.test(field) && !notReferences.includes(field)
      ? [{ path: [...path, field], field }]
      : walk(inner, [...path, field]),
  )
  return [...inside, ...(items ? walk(items, [...path, '0']) : []), ...anyOf.flatMap((branch) => walk(branch, path))]
}

type Tree = Record<string, unknown>

export const at = (tree: Tree, path: string[]): unknown =>
  path.reduce<unknown>((node, step) => (node as Tree | undefined)?.[step], tree)

export function put(tree: Tree, path: string[], value: unknown): void {
  const [step = '', ...rest] = path
  if (rest.length === 0) tree[step] = value
  else {
    tree[step] ??= rest[0] === '0' ? [] : {}
    put(tree[step] as Tree, rest, value)
  }
}
