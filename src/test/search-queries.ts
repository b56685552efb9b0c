/** A search of a bookkeeper or an agent, and the tools of which one must be among the first three. */
export type SearchQuery = readonly [query: string, ...expected: string[]]

/** Written before the search was built, and not used while its synonyms were chosen: they show how it does with new words. */
export const heldOutQueries: SearchQuery[] = [
  ['give a customer their money back', 'invoices_payments_refund'],
  ['client statement of account by email', 'reports_customer_statement_send'],
  ['employee left the company', 'payroll_employees_update'],
  ['profit this year compared to last year', 'reports_profit_and_loss'],
  ['low inventory', 'logistics_stock_levels'],
  ['upload a receipt photo', 'expenses_upload'],
  ['approve staff reimbursement', 'expenses_status'],
  ['quarterly GST filing', 'reports_gst_f5'],
  ['add a collegue to the workspace', 'users_invitations_post'],
  ['close the books for last month', 'settings_update'],
  ['credit note for a wrong invoice', 'invoices_memos'],
  ['which automations failed yesterday', 'automations_runs'],
  ['purchase order to vendor for more stock', 'orders_create'],
  ['exchange rate dollar to shekel today', 'reports_exchange_rates'],
  ['שלח חשבונית ללקוח', 'invoices_send'],
  ['תלושי שכר של החודש', 'payroll_payslips_list'],
  ['מי חייב לי כסף', 'reports_receivables_aging'],
  ['הוסף ספק חדש', 'suppliers_create'],
  ['מאזן בוחן', 'reports_trial_balance'],
  ['העלאת קבלה של הוצאה', 'expenses_upload'],
]
