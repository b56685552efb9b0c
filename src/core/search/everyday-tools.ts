/**
 * The tools that `/mcp?tools=compact` lists: for each area what is read and written in most weeks. Left out is what happens once
 * (settings, mailboxes, imports, a new employee), what one country files, what corrects or undoes, and a second way to write the same
 * record. `search_tools` finds those, and they can be called by name.
 */
export const everydayTools: Record<string, readonly string[]> = {
  // Where every session begins, and what waits for the caller.
  start: ['organizations_list', 'users_notifications', 'dashboard_get'],
  // Looked up before each document and expense; customers are added when they are new, suppliers come with their first expense.
  parties: ['customers_list', 'customers_get', 'customers_create', 'customers_update_patch', 'suppliers_list'],
  // A sale from the draft to the money, and a dispute about it.
  sales: [
    'invoices_list', 'invoices_get', 'invoices_create', 'invoices_send', 'invoices_pdf', 'invoices_payments', 'invoices_payments_list',
    'invoices_events_post', 'bank_accounts_list',
  ],
  // A receipt from the file to the payment. What a scan has read is corrected by hand.
  expenses: [
    'expenses_list', 'expenses_get', 'expenses_create', 'expenses_update_patch_2', 'expenses_upload', 'expenses_scan',
    'expenses_status', 'expenses_payments', 'expense_categories_list',
  ],
  // Goods that come and go.
  stock: ['logistics_items_list', 'logistics_stock_levels', 'orders_list', 'orders_get', 'orders_create'],
  // The questions that an owner asks: who owes, what is owed, what was earned, what there is, which tax is due.
  reports: [
    'reports_receivables_aging', 'reports_payables_aging', 'reports_profit_and_loss', 'reports_balance_sheet',
    'reports_tax_compliance', 'reports_customer_statement',
  ],
  // A month of payroll.
  payroll: ['payroll_employees_list', 'payroll_generate', 'payroll_summary', 'payroll_approve', 'payroll_payslips_list'],
  // Everything that building, testing and repairing an automation takes.
  automations: [
    'automations_catalog', 'automations_templates', 'automations_list', 'automations_get', 'automations_create', 'automations_update',
    'automations_preview', 'automations_test', 'automations_runs', 'automations_run', 'automations_enable', 'automations_disable',
  ],
} // biome-ignore format: lists of names

const names = new Set(Object.values(everydayTools).flat())

export const isEveryday = (name: string): boolean => names.has(name)
