import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { apiOperations, operations } from '../../catalog/operations.ts'
import { atLeast } from '../../core/define/access.ts'
import { type Operation, onSurface } from '../../core/define/operation.ts'
import type { TObject } from '../../core/define/schema.ts'
import { resourceOf } from '../../core/run/input.ts'
import type { Tables } from '../../db/database.ts'
import { noteViewName } from '../../features/selling/documents/public-page/public-link.ts'
import { referencesOf, referredTable, rows, tableOf } from '../rows.ts'
import { theApp } from '../world.ts'

/** Rules for the declaration of every operation. */

/** The specification's names, addresses and scopes, letter for letter. A feature adds its lines when it is built. */
const specified = `
  api_keys_list               GET    /api/api-keys                      users:read          SESSION
  api_keys_create             POST   /api/api-keys                      users:write         SESSION
  api_keys_get                GET    /api/api-keys/{id}                 users:read          SESSION
  api_keys_update             PATCH  /api/api-keys/{id}                 users:write         SESSION
  api_keys_revoke             DELETE /api/api-keys/{id}                 users:write         SESSION
  api_keys_usage              GET    /api/api-keys/{id}/usage           users:read          SESSION
  customers_create            POST   /api/customers                     customers:write     CONTRIBUTOR
  customers_list              GET    /api/customers                     customers:read      VIEWER
  customers_get               GET    /api/customers/{id}                customers:read      VIEWER
  customers_update            PUT    /api/customers/{id}                customers:write     CONTRIBUTOR
  customers_update_patch      PATCH  /api/customers/{id}                customers:write     CONTRIBUTOR
  customers_delete            DELETE /api/customers/{id}                customers:write     CONTRIBUTOR
  customers_recipients        GET    /api/customers/{id}/recipients     customers:read      VIEWER
  customers_recipients_post   POST   /api/customers/{id}/recipients     customers:write     CONTRIBUTOR
  customers_recipients_delete DELETE /api/customers/{id}/recipients     customers:write     CONTRIBUTOR
  bank_accounts_create        POST   /api/bank-accounts                 bank_accounts:write CONTRIBUTOR
  bank_accounts_list          GET    /api/bank-accounts                 bank_accounts:read  VIEWER
  bank_accounts_get           GET    /api/bank-accounts/{id}            bank_accounts:read  VIEWER
  bank_accounts_update        PATCH  /api/bank-accounts/{id}            bank_accounts:write CONTRIBUTOR
  bank_accounts_delete        DELETE /api/bank-accounts/{id}            bank_accounts:write CONTRIBUTOR
  expense_categories_create   POST   /api/expense-categories            expenses:write      CONTRIBUTOR
  expense_categories_list     GET    /api/expense-categories            expenses:read       VIEWER
  expenses_update             PUT    /api/expense-categories/{id}       expenses:write      CONTRIBUTOR
  expenses_update_patch       PATCH  /api/expense-categories/{id}       expenses:write      CONTRIBUTOR
  expenses_delete             DELETE /api/expense-categories/{id}       expenses:write      CONTRIBUTOR
  organizations_create        POST   /api/organizations                 organizations:write ANYBODY
  organizations_list          GET    /api/organizations                 organizations:read  VIEWER
  organizations_get           GET    /api/organizations/{id}            organizations:read  VIEWER
  organizations_update        PATCH  /api/organizations/{id}            organizations:write MANAGER
  organizations_delete        DELETE /api/organizations/{id}            organizations:write OWNER
  organizations_audit         GET    /api/audit                         organizations:read  MANAGER
  reports_exchange_rates      GET    /api/exchange-rates                reports:read        VIEWER
  reports_accounts            GET    /api/accounts                      reports:read        VIEWER
  reports_account_create      POST   /api/accounts                      reports:write       MANAGER
  reports_account_update      PATCH  /api/accounts/{id}                 reports:write       MANAGER
  reports_receivables_aging   GET    /api/reports/receivables-aging     reports:read        VIEWER
  reports_payables_aging      GET    /api/reports/payables-aging        reports:read        VIEWER
  reports_income              GET    /api/reports/income                reports:read        VIEWER
  reports_expenses            GET    /api/reports/expenses              reports:read        VIEWER
  reports_tax_compliance      GET    /api/reports/tax-compliance        reports:read        VIEWER
  reports_stock_valuation     GET    /api/reports/stock-valuation       reports:read        VIEWER
  reports_gst_f5              GET    /api/reports/gst-f5                reports:read        VIEWER
  reports_iras_audit_file     GET    /api/reports/iras-audit-file       reports:read        VIEWER
  reports_1099_nec            GET    /api/reports/1099-nec              reports:read        VIEWER
  reports_sales_tax           GET    /api/reports/sales-tax             reports:read        VIEWER
  reports_customer_statement  GET    /api/customers/{id}/statement      reports:read        VIEWER
  reports_customer_statement_send POST /api/customers/{id}/statement/send reports:write     CONTRIBUTOR
  reports_journal             GET    /api/reports/journal               reports:read        VIEWER
  reports_profit_and_loss     GET    /api/reports/profit-and-loss       reports:read        VIEWER
  reports_trial_balance       GET    /api/reports/trial-balance         reports:read        VIEWER
  reports_balance_sheet       GET    /api/reports/balance-sheet         reports:read        VIEWER
  reports_general_ledger      GET    /api/reports/general-ledger        reports:read        VIEWER
  payroll_bank_file           GET    /api/payroll/bank-file             payroll:read        CONTRIBUTOR
  reports_statutory_files     GET    /api/reports/statutory             reports:read        VIEWER
  reports_statutory_file      GET    /api/reports/statutory/{file}      reports:read        VIEWER
  reports_journal_entries     GET    /api/journal-entries               reports:read        VIEWER
  reports_journal_entry_create POST  /api/journal-entries               reports:write       MANAGER
  reports_journal_entry       GET    /api/journal-entries/{id}          reports:read        VIEWER
  reports_journal_entry_reverse POST /api/journal-entries/{id}/reverse  reports:write       MANAGER
  payroll_employees_list      GET    /api/hr/employees                  payroll:read        CONTRIBUTOR
  payroll_employees_create    POST   /api/hr/employees                  payroll:write       CONTRIBUTOR
  payroll_employees_get       GET    /api/hr/employees/{id}             payroll:read        CONTRIBUTOR
  payroll_employees_update    PATCH  /api/hr/employees/{id}             payroll:write       CONTRIBUTOR
  payroll_employees_delete    DELETE /api/hr/employees/{id}             payroll:write       CONTRIBUTOR
  payroll_my_payslips         GET    /api/hr/me/payslips                payroll:read        EMPLOYEE
  payroll_advance             POST   /api/payroll/advance               payroll:write       CONTRIBUTOR
  payroll_apply               POST   /api/payroll/apply                 payroll:write       CONTRIBUTOR
  payroll_approve             POST   /api/payroll/approve               payroll:write       CONTRIBUTOR
  payroll_consent_upload      POST   /api/payroll/consent-upload        payroll:write       CONTRIBUTOR
  payroll_generate            POST   /api/payroll/generate              payroll:write       CONTRIBUTOR
  payroll_gpl_settle          POST   /api/payroll/gpl-settle            payroll:write       CONTRIBUTOR
  payroll_pay                 POST   /api/payroll/pay                   payroll:write       CONTRIBUTOR
  payroll_payments            GET    /api/payroll/payments              payroll:read        CONTRIBUTOR
  payroll_payments_void       POST   /api/payroll/payments/{id}/void    payroll:write       CONTRIBUTOR
  payroll_payslip_delete      DELETE /api/payroll/payslip               payroll:write       CONTRIBUTOR
  payroll_regenerate          POST   /api/payroll/regenerate            payroll:write       CONTRIBUTOR
  payroll_summary             GET    /api/payroll/summary               payroll:read        CONTRIBUTOR
  payroll_unapply             POST   /api/payroll/unapply               payroll:write       CONTRIBUTOR
  payroll_void                POST   /api/payroll/void                  payroll:write       CONTRIBUTOR
  payroll_form_cpf            GET    /api/payroll/forms/sg-cpf          payroll:read        CONTRIBUTOR
  payroll_form_ir8a           GET    /api/payroll/forms/sg-ir8a         payroll:read        CONTRIBUTOR
  payroll_form_941            GET    /api/payroll/forms/us-941          payroll:read        CONTRIBUTOR
  payroll_form_940            GET    /api/payroll/forms/us-940          payroll:read        CONTRIBUTOR
  payroll_form_w2             GET    /api/payroll/forms/us-w2           payroll:read        CONTRIBUTOR
  payroll_form_w3             GET    /api/payroll/forms/us-w3           payroll:read        CONTRIBUTOR
  payroll_form_102            GET    /api/payroll/forms/il-102          payroll:read        CONTRIBUTOR
  payroll_form_126            GET    /api/payroll/forms/il-126          payroll:read        CONTRIBUTOR
  payroll_form_106            GET    /api/payroll/forms/il-106          payroll:read        CONTRIBUTOR
  suppliers_list              GET    /api/suppliers                     suppliers:read      VIEWER
  suppliers_create            POST   /api/suppliers                     suppliers:write     CONTRIBUTOR
  suppliers_get               GET    /api/suppliers/{id}                suppliers:read      VIEWER
  suppliers_update            PUT    /api/suppliers/{id}                suppliers:write     CONTRIBUTOR
  suppliers_update_patch      PATCH  /api/suppliers/{id}                suppliers:write     CONTRIBUTOR
  suppliers_delete            DELETE /api/suppliers/{id}                suppliers:write     CONTRIBUTOR
  logistics_items_list        GET    /api/items                         logistics:read      VIEWER
  logistics_items_create      POST   /api/items                         logistics:write     CONTRIBUTOR
  logistics_items_get         GET    /api/items/{id}                    logistics:read      VIEWER
  logistics_items_update      PUT    /api/items/{id}                    logistics:write     CONTRIBUTOR
  logistics_items_update_patch PATCH /api/items/{id}                    logistics:write     CONTRIBUTOR
  logistics_items_delete      DELETE /api/items/{id}                    logistics:write     CONTRIBUTOR
  logistics_stock_levels      GET    /api/stock/levels                  logistics:read      VIEWER
  logistics_stock_movements   GET    /api/stock/movements               logistics:read      VIEWER
  logistics_stock_movement    GET    /api/stock/movements/{id}          logistics:read      VIEWER
  logistics_stock_movements_create POST /api/stock/movements            logistics:write     CONTRIBUTOR
  organizations_import_preview POST  /api/imports/preview               organizations:read  CONTRIBUTOR
  organizations_import_create POST   /api/imports                       organizations:write CONTRIBUTOR
  organizations_imports       GET    /api/imports                       organizations:read  VIEWER
  organizations_import        GET    /api/imports/{id}                  organizations:read  VIEWER
  orders_list                 GET    /api/orders                        orders:read         VIEWER
  orders_create               POST   /api/orders                        orders:write        CONTRIBUTOR
  orders_get                  GET    /api/orders/{id}                   orders:read         VIEWER
  orders_update               PUT    /api/orders/{id}                   orders:write        CONTRIBUTOR
  orders_update_patch         PATCH  /api/orders/{id}                   orders:write        CONTRIBUTOR
  orders_delete               DELETE /api/orders/{id}                   orders:write        CONTRIBUTOR
  orders_open                 POST   /api/orders/{id}/open              orders:write        CONTRIBUTOR
  orders_cancel               POST   /api/orders/{id}/cancel            orders:write        CONTRIBUTOR
  orders_close                POST   /api/orders/{id}/close             orders:write        CONTRIBUTOR
  orders_receive              POST   /api/orders/{id}/receive           orders:write        CONTRIBUTOR
  orders_deliver              POST   /api/orders/{id}/deliver           orders:write        CONTRIBUTOR
  orders_invoice              POST   /api/orders/{id}/invoice           invoices:write      CONTRIBUTOR
  orders_chain                GET    /api/orders/{id}/chain             orders:read         VIEWER
  orders_match                GET    /api/orders/{id}/match             orders:read         VIEWER
  orders_pdf                  GET    /api/orders/{id}/pdf               orders:read         VIEWER
  orders_send                 POST   /api/orders/{id}/send              orders:write        CONTRIBUTOR
  payroll_payslips_list       GET    /api/payroll/payslips              payroll:read        CONTRIBUTOR
  payroll_payslips_get        GET    /api/payroll/payslips/{id}         payroll:read        CONTRIBUTOR
  payroll_payslips_pdf        GET    /api/payroll/payslips/{id}/pdf     payroll:read        CONTRIBUTOR
  payroll_payslips_send       POST   /api/payroll/payslips/send         payroll:write       CONTRIBUTOR
  payroll_my_payslip_pdf      GET    /api/hr/me/payslips/{id}/pdf       payroll:read        EMPLOYEE
  payroll_my_claims           GET    /api/hr/me/claims                  payroll:read        EMPLOYEE
  payroll_my_claims_create    POST   /api/hr/me/claims                  payroll:write       EMPLOYEE
  settings_get                GET    /api/organizations/{id}/settings   settings:read       VIEWER
  settings_update             PATCH  /api/organizations/{id}/settings   settings:write      MANAGER
  users_members               GET    /api/organizations/{id}/members    users:read          VIEWER
  users_member_update         PATCH  /api/organizations/{id}/members/{userId} users:write    MANAGER
  users_member_delete         DELETE /api/organizations/{id}/members/{userId} users:write    MANAGER
  users_invitations           GET    /api/organizations/{id}/invitations users:read          MANAGER
  users_invitations_post      POST   /api/organizations/{id}/invitations users:write         MANAGER
  users_invitation_delete     DELETE /api/organizations/{id}/invitations/{invitationId} users:write MANAGER
  users_invitation_accept     POST   /api/invitations/accept            users:write         SESSION
  users_me                    GET    /api/users/me                      users:read          ANYBODY
  users_me_update             PATCH  /api/users/me                      users:write         ANYBODY
  users_notifications         GET    /api/notifications                 users:read          ANYBODY
  users_notification_read     POST   /api/notifications/{id}/read       users:write         ANYBODY
  users_notifications_read_all POST  /api/notifications/read-all        users:write         ANYBODY
  organizations_file_upload   POST   /api/files                         organizations:write CONTRIBUTOR
  organizations_file          GET    /api/files/{id}                    organizations:read  VIEWER
  invoices_list               GET    /api/documents                     invoices:read       VIEWER
  invoices_create             POST   /api/documents                     invoices:write      CONTRIBUTOR
  invoices_get                GET    /api/documents/{id}                invoices:read       VIEWER
  invoices_update             PATCH  /api/documents/{id}                invoices:write      CONTRIBUTOR
  invoices_update_put         PUT    /api/documents/{id}                invoices:write      CONTRIBUTOR
  invoices_delete             DELETE /api/documents/{id}                invoices:write      CONTRIBUTOR
  invoices_mark_paid          POST   /api/documents/{id}/mark-paid      invoices:write      CONTRIBUTOR
  invoices_events             GET    /api/documents/{id}/events         invoices:read       VIEWER
  invoices_events_post        POST   /api/documents/{id}/events         invoices:write      CONTRIBUTOR
  invoices_manual_allocation  POST   /api/documents/{id}/manual-allocation invoices:write   CONTRIBUTOR
  invoices_memos              POST   /api/documents/{id}/memos          invoices:write      CONTRIBUTOR
  invoices_duplicate          POST   /api/documents/{id}/duplicate      invoices:write      CONTRIBUTOR
  invoices_convert            POST   /api/documents/{id}/convert        invoices:write      CONTRIBUTOR
  invoices_cancel             POST   /api/documents/{id}/cancel         invoices:write      CONTRIBUTOR
  invoices_send               POST   /api/documents/{id}/send           invoices:write      CONTRIBUTOR
  invoices_attachments        POST   /api/documents/{id}/attachments    invoices:write      CONTRIBUTOR
  invoices_einvoice           GET    /api/documents/{id}/einvoice       invoices:read       VIEWER
  invoices_link               GET    /api/documents/{id}/link           invoices:read       VIEWER
  invoices_link_renew         POST   /api/documents/{id}/link           invoices:write      CONTRIBUTOR
  invoices_payments           POST   /api/documents/{id}/payments       invoices:write      CONTRIBUTOR
  invoices_payments_list      GET    /api/payments                      invoices:read       VIEWER
  invoices_payments_create    POST   /api/payments                      invoices:write      CONTRIBUTOR
  invoices_payments_void      POST   /api/payments/{id}/void            invoices:write      CONTRIBUTOR
  invoices_payments_allocate  POST   /api/payments/{id}/allocations     invoices:write      CONTRIBUTOR
  invoices_payments_unallocate DELETE /api/payments/{id}/allocations/{allocationId} invoices:write CONTRIBUTOR
  invoices_payments_receipt   POST   /api/payments/{id}/receipt         invoices:write      CONTRIBUTOR
  invoices_payments_refund    POST   /api/payments/{id}/refund          invoices:write      CONTRIBUTOR
  expenses_list               GET    /api/expenses                      expenses:read       VIEWER
  expenses_create             POST   /api/expenses                      expenses:write      CONTRIBUTOR
  expenses_get                GET    /api/expenses/{id}                 expenses:read       VIEWER
  expenses_update_put         PUT    /api/expenses/{id}                 expenses:write      CONTRIBUTOR
  expenses_update_patch_2     PATCH  /api/expenses/{id}                 expenses:write      CONTRIBUTOR
  expenses_delete_delete      DELETE /api/expenses/{id}                 expenses:write      CONTRIBUTOR
  expenses_status             PATCH  /api/expenses/{id}/status          expenses:write      CONTRIBUTOR
  expenses_customers          POST   /api/expenses/{id}/customers       expenses:write      CONTRIBUTOR
  expenses_customers_delete   DELETE /api/expenses/{id}/customers       expenses:write      CONTRIBUTOR
  expenses_payments           POST   /api/expenses/{id}/payments        expenses:write      CONTRIBUTOR
  expenses_credits            POST   /api/expenses/{id}/credits         expenses:write      MANAGER
  expenses_credits_void       POST   /api/expenses/{id}/credits/{creditId}/void expenses:write MANAGER
  expenses_payments_list      GET    /api/expenses/payments             expenses:read       VIEWER
  expenses_payments_create    POST   /api/expenses/payments             expenses:write      CONTRIBUTOR
  expenses_payments_allocate  POST   /api/expenses/payments/{id}/allocations expenses:write CONTRIBUTOR
  expenses_payments_unallocate DELETE /api/expenses/payments/{id}/allocations/{allocationId} expenses:write CONTRIBUTOR
  expenses_payments_void      POST   /api/expenses/payments/{id}/void   expenses:write      CONTRIBUTOR
  expenses_payments_refund    POST   /api/expenses/payments/{id}/refund expenses:write      CONTRIBUTOR
  expenses_upload             POST   /api/expenses/upload               expenses:write      CONTRIBUTOR
  expenses_scan               POST   /api/expenses/scan                 expenses:write      CONTRIBUTOR
  expenses_scan_batch         POST   /api/expenses/scan/batches         expenses:write      CONTRIBUTOR
  expenses_scan_batches       GET    /api/expenses/scan/batches         expenses:read       VIEWER
  expenses_scan_batch_get     GET    /api/expenses/scan/batches/{id}    expenses:read       VIEWER
  expenses_usage              GET    /api/expenses/usage                expenses:read       VIEWER
  expenses_attachments        GET    /api/expenses/attachments/{id}     expenses:read       VIEWER
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))
  .map(([name = '', method, path, scope, who]) => ({ name, is: `${method} ${path} ${scope} ${who}` }))

test('every specified operation is where the specification says, for whom it says', () => {
  const found = specified.map(({ name }) => {
    const operation = operations.find((each) => each.name === name)
    return { name, is: operation && `${operation.http} ${operation.scope} ${whoMay(operation)}` }
  })
  expect(specified.length).toBeGreaterThanOrEqual(190)
  expect(found).toEqual(specified)
})

const whoMay = ({ within, sources, role }: Operation) => {
  if (sources.length === 1) return sources[0]
  return within === 'caller' ? 'ANYBODY' : role
}

const addresses = {
  api: /^\/api(\/([a-z0-9]+(-[a-z0-9]+)*|\{[a-z]\w*\}))+$/,
  account: /^\/api\/auth(\/([a-z]+(-[a-z]+)*|\{id\}))+$/,
  redirect: /^\/api(\/([a-z]+(-[a-z]+)*|\{provider\}))+\/callback$/,
  'public-page': /^\/d\/\{token\}(\/([a-z]+|\{[a-z]\w*\}))*$/,
}

/** What is wrong with each of these operations, by its name; a rule concerns at least `atLeast` of them. */
function wrongWith<O extends Operation>(
  some: readonly O[],
  least: number,
  find: (operation: O) => unknown[] | boolean,
) {
  expect(some.length, 'operations that the rule concerns').toBeGreaterThanOrEqual(least)
  return some.flatMap((operation) => {
    const found = find(operation)
    const problems = found === true ? ['is otherwise'] : found || []
    return problems.map((problem) => `${operation.name}: ${problem}`)
  })
}

const changes = operations.filter(({ reads }) => !reads)
const missing = (wanted: readonly string[], has: readonly string[] = []) => wanted.filter((each) => !has.includes(each))

test('every operation has a name and an address of its own', () => {
  const shape = ({ http }: Operation) => http.replace(/\{\w+\}/g, '{}')
  const alike = (operation: Operation) =>
    operations.filter((other) => other.name === operation.name || shape(other) === shape(operation))
  expect(wrongWith(operations, 300, (operation) => alike(operation).length !== 1)).toEqual([])
})

test('every operation has the name of a tool, an address of its surface and a sentence that says what it does', () => {
  expect(
    wrongWith(operations, 300, ({ name, surface, path, does }) => [
      ...(/^[a-z]+(_[a-z0-9]+)+$/.test(name) ? [] : ['its name']),
      ...(addresses[surface].test(path) ? [] : [`its address ${path}`]),
      ...(/^[A-Z].{10,}\.$/.test(does) ? [] : [`its sentence ${does}`]),
    ]),
  ).toEqual([])
})

test('every operation has a route, unless the customer page alone calls it', () => {
  const without = operations.filter(({ surface, path, method }) => {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    // A browser that is sent back here only opens pages.
    return !theApp().server.hasRoute({ method: surface === 'redirect' ? 'GET' : method, url })
  })
  expect(without.map(({ name }) => name)).toEqual([noteViewName])
})

test('every part of a path is a required field', () => {
  const withParts = operations.filter(({ path }) => path.includes('{'))
  expect(
    wrongWith(withParts, 150, ({ path, surface, input }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
      const signed = surface === 'public-page' ? ['token'] : [] // the surface makes the id of the document of it
      return missing(missing(named, signed), input.required)
    }),
  ).toEqual([])
})

test('every schema is closed, that of the answer without defaults', () => {
  const fromBrowsers = '"clientExtensionResults":{"type":"object","properties":{},"additionalProperties":true}'
  expect(
    wrongWith(operations, 300, ({ input, output }) => [
      ...((input as Partial<TObject>).type === 'object' ? [] : ['its input is no object']),
      ...(JSON.stringify([input, output]).replace(fromBrowsers, '').includes('"additionalProperties":true')
        ? ['a schema is open']
        : []),
      ...(JSON.stringify(output).includes('"default"') ? ['its answer has a default'] : []),
    ]),
  ).toEqual([])
})

test('every schema is one by the rules of JSON Schema, which are not asked when input is checked', () => {
  const ajv = new Ajv2020({ strict: false })
  expect(
    wrongWith(operations, 300, ({ input, output }) =>
      [input, output].flatMap((schema) => (ajv.validateSchema(schema) === true ? [] : [ajv.errorsText()])),
    ),
  ).toEqual([])
})

test('a change needs a write scope', () => {
  expect(wrongWith(changes, 150, ({ access }) => access !== 'write')).toEqual([])
})

test('no role is checked outside an organization', () => {
  const outside = operations.filter(({ within }) => within === 'caller')
  expect(wrongWith(outside, 40, ({ role, reads }) => role !== (reads ? 'VIEWER' : 'CONTRIBUTOR'))).toEqual([])
})

test('a change in an organization is for contributors at least, unless it is for every employee', () => {
  const inside = changes.filter(({ within, role }) => within !== 'caller' && role !== 'EMPLOYEE')
  expect(wrongWith(inside, 100, ({ role }) => !atLeast(role, 'CONTRIBUTOR'))).toEqual([])
})

test('every operation is open to the callers of its surface', () => {
  const differs = (found: object, wanted: object) =>
    JSON.stringify(found) === JSON.stringify(wanted) ? [] : [JSON.stringify(found)]
  expect(
    wrongWith(onSurface(operations, 'api'), 250, ({ open, pool, sources }) =>
      differs({ open, pool, called: sources.length > 0 }, { open: false, pool: 'confined', called: true }),
    ),
  ).toEqual([])
  expect(
    wrongWith(onSurface(operations, 'account'), 20, ({ open, pool, within, sources }) =>
      differs({ pool, within, sources }, { pool: 'system', within: 'caller', sources: open ? [] : ['SESSION'] }),
    ),
  ).toEqual([])
  expect(
    wrongWith(onSurface(operations, 'public-page'), 3, ({ open, pool, sources, link }) =>
      differs({ open, pool, sources, link }, { open: false, pool: 'confined', sources: [], link: 'document' }),
    ),
  ).toEqual([])
})

test('a row is named by a field that the operation has', () => {
  const byField = operations.filter(({ within }) => typeof within === 'object')
  expect(
    wrongWith(byField, 15, ({ within, input }) => typeof within === 'object' && !(within.by in input.properties)),
  ).toEqual([])
  const byId = operations.filter(({ path }) => path.includes('{id}'))
  expect(wrongWith(byId, 130, (operation) => tableOf(operation) === undefined)).toEqual([])
})

test('every operation leaves an audit row under its own name, except on the account surface', () => {
  const others = operations.filter(({ surface }) => surface !== 'account')
  expect(wrongWith(others, 250, ({ name, recordedAs }) => recordedAs !== name)).toEqual([])
})

test('a link is accepted only to read one row of an organization', () => {
  const byLink = apiOperations.filter(({ link }) => link) as Operation[]
  expect(
    wrongWith(byLink, 1, ({ name, reads, path, within, input }) => [
      ...(reads && path.endsWith('{id}') && typeof within === 'string' && within !== 'caller'
        ? []
        : [`${name} is no read`]),
      ...missing(Object.keys(input.properties), ['id', 'token']),
      ...missing(['id', 'token'], Object.keys(input.properties)),
    ]),
  ).toEqual([])
})

test('what is created is answered with its id', () => {
  const creating = apiOperations.filter(({ status }) => status === 201) as Operation[]
  const fieldsOf = ({ output }: Operation) =>
    Object.keys(resourceOf(output)?.properties ?? (output as Partial<TObject>).properties ?? {})
  const ids = ['id', 'paymentId', 'turnRunId']
  expect(wrongWith(creating, 15, (operation) => !fieldsOf(operation).some((field) => ids.includes(field)))).toEqual([])
})

test('every row that an operation needs has a recipe in rows.ts', () => {
  const aboutRows = apiOperations.filter((operation) => tableOf(operation) !== undefined)
  expect(
    wrongWith(aboutRows as Operation[], 60, (operation) => {
      const table = tableOf(operation) ?? ''
      return table in rows ? [] : [helpful(table)]
    }),
  ).toEqual([])
  const referring = apiOperations.filter((operation) => referencesOf(operation).length > 0)
  expect(
    wrongWith(referring as Operation[], 23, (operation) =>
      referencesOf(operation)
        .filter(({ field }) => referredTable(field, operation.name) === undefined)
        .map(({ field }) => helpful(`what ${field} of ${operation.name} names`)),
    ),
  ).toEqual([])
})

test('every operation of the customer page is about the document of the link', () => {
  expect(
    wrongWith(onSurface(operations, 'public-page') as Operation[], 3, ({ input, reads, linkWrites, within }) => [
      ...(within === 'documents' ? [] : ['it is about something else']),
      ...missing(['id', 'linkVersion'], input.required),
      ...(linkWrites === !reads ? [] : ['linkWrites']),
    ]),
  ).toEqual([])
})

/** Account operations that change something and leave no audit row. */
const unrecorded: Record<string, string> = {
  auth_sign_up: 'the account itself says when it was made',
  auth_sign_in: 'the session itself says when and from where',
  auth_passkey_sign_in: 'the session itself says when and from where',
  auth_passkey_sign_in_options: 'the caller is unknown',
  auth_sign_out: 'the session ends',
  auth_session_end: 'the session ends',
  auth_password_reset: 'the caller is unknown, and the e-mail is recorded as mail',
  auth_email_verify: 'the e-mail is recorded as mail',
  auth_email_change: 'the e-mail is recorded as mail, and the change once it is confirmed',
  auth_authenticator: 'it counts once it is confirmed',
  auth_passkey_options: 'the passkey is recorded once it is added',
  auth_step_up_passkey_options: 'the proof is recorded once it is given',
}

/** Account operations that take a secret or an address and count in no bucket of their own. */
const countedOtherwise: Record<string, string> = {
  auth_sign_in: 'failures are counted in sign_in_failures, before the password is looked at',
}

const account = onSurface(operations, 'account') as Operation[]

test('every account operation names its audit row, or a list says why there is none', () => {
  expect(
    wrongWith(account, 20, ({ name, reads, recordedAs }) => {
      if (reads) return recordedAs !== name // which nothing writes
      return recordedAs === null ? !(name in unrecorded) : !/^auth\.[a-z_]+$/.test(recordedAs)
    }),
  ).toEqual([])
})

test('every account operation counts the tries of whatever can be guessed', () => {
  const secrets = ['password', 'currentPassword', 'code', 'token', 'email']
  const guessable = account.filter(
    ({ name, input }) => !(name in countedOtherwise) && secrets.some((field) => field in input.properties),
  )
  expect(wrongWith(guessable, 8, ({ alsoRates }) => alsoRates.length === 0)).toEqual([])
})

test('an account operation that reads leaves the session as it is', () => {
  const reading = account.filter(({ reads }) => reads)
  expect(wrongWith(reading, 1, ({ session }) => session !== undefined)).toEqual([])
})

const helpful = (table: string) => `Add a line for ${table} to src/test/rows.ts: the sweeps need a row of it.`

test('a reference is found however deep it stands', () => {
  const nested = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      items: { type: 'array', items: { type: 'object', properties: { bankAccountId: { type: 'string' } } } },
      customerIds: { type: 'array', items: { type: 'string' } },
    },
  } as unknown as TObject
  const found = referencesOf({ input: nested, within: 'customers' } as unknown as Operation)
  expect(found.map(({ path }) => path.join('.'))).toEqual(['items.0.bankAccountId', 'customerIds'])
  expect(found.map(({ field }) => referredTable(field))).toEqual([
    'bankAccounts',
    'customers',
  ] satisfies (keyof Tables)[])
})

test('the rules for links, creations and references have operations to check', () => {
  expect(operations.filter(({ link }) => link).length).toBeGreaterThanOrEqual(1)
  expect(operations.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(15)
  expect(operations.flatMap(referencesOf).length).toBeGreaterThanOrEqual(23)
})
