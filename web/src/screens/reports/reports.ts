import type { Name } from '../../api.ts'
import type { Language } from '../../words.ts'
import type { reportWords } from './words.ts'

/** A report: what it is about, the operation that computes it, and what it is called. */
export type Report = {
  group: keyof (typeof reportWords)['en']['groups']
  key: string
  name: Name
  title: Record<Language, string>
  about: Record<Language, string>
}

export const reports: readonly Report[] = [
  report('books', 'profit-and-loss', 'reports_profit_and_loss', ['Profit and loss', 'רווח והפסד'], ['Income and costs by month, with the year before.', 'הכנסות ועלויות לפי חודש, עם השנה הקודמת.']),
  report('books', 'balance-sheet', 'reports_balance_sheet', ['Balance sheet', 'מאזן'], ['What the organization has and owes on a day.', 'מה יש לארגון ומה הוא חייב, ליום מסוים.']),
  report('books', 'trial-balance', 'reports_trial_balance', ['Trial balance', 'מאזן בוחן'], ['Debits and credits of every account.', 'חובה וזכות של כל חשבון.']),
  report('books', 'general-ledger', 'reports_general_ledger', ['General ledger', 'כרטסת'], ['The entries of one account.', 'הפקודות של חשבון אחד.']),
  report('books', 'journal', 'reports_journal', ['Journal', 'ספר יומן'], ['Every entry in order.', 'כל הפקודות לפי הסדר.']),
  report('books', 'exchange-rates', 'reports_exchange_rates', ['Exchange rates', 'שערי חליפין'], ['The rates that are used on a day.', 'השערים שבשימוש ביום מסוים.']),
  report('sales', 'income', 'reports_income', ['Income', 'הכנסות'], ['By month, customer, account or type.', 'לפי חודש, לקוח, חשבון או סוג.']),
  report('sales', 'receivables-aging', 'reports_receivables_aging', ['Who owes you', 'מי חייב לכם'], ['Open invoices by age.', 'חשבוניות פתוחות לפי ותק.']),
  report('purchases', 'expenses', 'reports_expenses', ['Expenses', 'הוצאות'], ['By month, vendor, category, account or type.', 'לפי חודש, ספק, קטגוריה, חשבון או סוג.']),
  report('purchases', 'payables-aging', 'reports_payables_aging', ['Whom you owe', 'למי אתם חייבים'], ['Open bills by age.', 'חשבונות פתוחים לפי ותק.']),
  report('stock', 'stock-valuation', 'reports_stock_valuation', ['Stock value', 'שווי המלאי'], ['Quantities and cost of every item.', 'כמות ועלות של כל פריט.']),
  report('people', 'payroll', 'payroll_summary', ['Payroll of a month', 'שכר של חודש'], ['Per person and authority.', 'לפי עובד ורשות.']),
  report('tax', 'tax-compliance', 'reports_tax_compliance', ['Tax', 'מסים'], ['Output and input tax by rate and period, and what is missing.', 'מס עסקאות ותשומות לפי שיעור ותקופה, ומה חסר.']),
  report('tax', 'gst-f5', 'reports_gst_f5', ['GST F5', 'GST F5'], ['The boxes of the GST return.', 'תיבות הדוח של GST.']),
  report('tax', 'iras-audit-file', 'reports_iras_audit_file', ['IRAS audit file', 'קובץ ביקורת IRAS'], ['Purchases, supplies and ledger for the authority.', 'רכש, אספקה וכרטסת לרשות.']),
  report('tax', 'sales-tax', 'reports_sales_tax', ['Sales tax', 'מס מכירה'], ['By state.', 'לפי מדינה.']),
  report('tax', '1099-nec', 'reports_1099_nec', ['1099-NEC', '1099-NEC'], ['What contractors were paid.', 'מה ששולם לקבלנים.']),
] // biome-ignore format: a table

function report(
  group: Report['group'],
  key: string,
  name: Name,
  [en, he]: [string, string],
  [about, aboutHe]: [string, string],
): Report {
  return { group, key, name, title: { en, he }, about: { en: about, he: aboutHe } }
}
