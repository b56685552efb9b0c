import { isTaxCalled, type Then } from '../understood.ts'
import { currenciesIn } from './currency-words.ts'
import { counts } from './fill.ts'
import { hasNumber, type Input, type Intent, type Missing, missing } from './intent.ts'
import type { Said } from './said.ts'

/** By what a report is divided. */
function groupBy(said: Said): Input {
  const { has, slots } = said
  if (has('byCustomer')) return { groupBy: 'customer' }
  if (has('byAccount')) return { groupBy: 'account' }
  if (said.name('customer') !== undefined && !has('byMonth')) return { groupBy: 'customer' }
  return has('byMonth') || slots.periods.length > 2 ? { groupBy: 'month' } : {}
}

/** In the countries whose tax has this name. */
const taxedBy =
  (name: string) =>
  ({ around }: Said) =>
    isTaxCalled(around, name)

const statutory = (file: string): Input => ({ file, format: 'checklist' })

/** The account by the words of the sentence, such as "cash" or a code. */
/** "The general ledger for 2025": a number that tells the time is no account. */
const isYearOf = ({ slots }: Said, digits: string): boolean =>
  slots.periods.some(({ from, to }) => from?.startsWith(digits) || to?.startsWith(digits))

function ledger(said: Said): Input | Missing {
  const code = said.text.match(/\b\d{3,6}\b/g)?.find((digits) => !isYearOf(said, digits))
  const words = code ?? said.name('item') ?? (said.has('cash') ? 'cash' : said.has('bank') ? 'bank' : undefined)
  return words === undefined ? missing('account') : { account: { $named: 'account', words } }
}

function rates(said: Said): Input {
  const others = currenciesIn(said.text).filter((code) => code !== said.around.currency)
  return others.length > 0 ? { currencies: others } : {}
}

/** "Convert 1000 USD to SGD", כמה זה 1000 דולר בשקלים: an amount of one currency, and another currency. */
function converted({ slots, text }: Said): Then['convert'] {
  const [amount] = slots.amounts
  if (!amount?.currency || slots.amounts.length > 1) return undefined
  const rest = text.slice(0, amount.start) + text.slice(amount.end)
  const other = currenciesIn(rest).find((code) => code !== amount.currency)
  if (other === undefined || !/\b(to|in|into|worth)\s|(^|\s)[בל]/i.test(rest)) return undefined
  return { amount: amount.value, from: amount.currency, to: other }
}

/** The currencies of an amount that is converted, other than that of the organization, by which rates are told. */
function conversion(said: Said): Input {
  const { from, to } = converted(said) ?? {}
  return { currencies: [from, to].filter((code) => code !== undefined && code !== said.around.currency) }
}

const report = '+list +create +generate +export +pdf +compare +byMonth'

// biome-ignore format: a table
export const reportIntents: Intent[] = [
  { name: 'revenue', tool: 'reports_income', words: ['byMonth top +@income +howMuch -expense -profit', '@income +why +top +howMuch +@sales +customer +compare +byMonth +byCustomer +byAccount +madeUp +payment -expense -profit -item -stock -vat -dashboard -salesTax', 'howMuch bill|@sales +customer +revenue +byMonth +sentState +compare -unpaid -overdue -expense -create -open -supplier -payables -owed -paidState'],
    input: groupBy, if: (said) => !counts(said) && !hasNumber(said) && !(said.has('bill') && said.slots.amounts.length > 0) && (said.has('revenue', 'income', 'byMonth') || said.isAsking || said.has('howMuch')) },
  { name: 'profit', tool: 'reports_profit_and_loss', words: [`profit +why +madeUp +howMuch +compare +byMonth +@income +expense +cash ${report}`, '@income expense +compare +howMuch +profit -customer -supplier'], input: ({ has }) => (has('cash') ? { basis: 'cash' } : {}), bonus: () => 0.5 },
  { name: 'profit', tool: 'reports_profit_and_loss', words: ['howDid +profit +dashboard +compare -@sales -customer -expense -supplier -stock -order'], if: (said) => said.period !== undefined && /\b(go|going|been|look|looking|turn out|turned out|shaping up|month|quarter|year|week|so far)\b|איך (היה|היו|עבר|הולך|נראה|מסתמן|גמרנו|סגרנו|סיימנו|יצאנו)/i.test(said.text) && said.name('customer') === undefined },
  { name: 'profit', tool: 'reports_profit_and_loss', words: ['compare +howDid +top +profit'], if: (said) => said.isAsking && said.slots.periods.length === 2 },
  { name: 'cash-balance', tool: 'reports_balance_sheet', words: ['cashBalance +howMuch +bank +account +cash +balance +which +remains +payables +payroll +pay -order -customer -supplier'], bonus: () => 1, result: { name: 'cash' } },
  { name: 'profit-and-loss', tool: 'reports_profit_and_loss', words: [`profitAndLoss +cash ${report} +send`], input: ({ has }) => (has('cash') ? { basis: 'cash' } : {}) },
  { name: 'balance-sheet', tool: 'reports_balance_sheet', words: [`balanceSheet +howMuch +balance ${report} -trialBalance`] },
  { name: 'trial-balance', tool: 'reports_trial_balance', words: [`trialBalance +balance ${report}`] },
  { name: 'general-ledger', tool: 'reports_general_ledger', words: [`generalLedger +account +bank +cash ${report} -customer`, 'movement account|bank -stock -item'], input: ledger },
  { name: 'withheld-from-us', tool: 'reports_general_ledger', words: [`withheld +tax +howMuch +customer +me +paid +form102 ${report} -supplier -employee -payroll -payslip`], bonus: () => 1, input: { account: { $named: 'account', words: 'Tax withheld by customers' } } },
  { name: 'journal', tool: 'reports_journal', words: [`journal +account ${report} -manualEntries`] },
  { name: 'manual-entries', tool: 'reports_journal_entries', words: [`manualEntries +journal +last ${report}`], input: { kind: 'MANUAL' } },
  { name: 'chart-of-accounts', tool: 'reports_accounts', words: ['chart +account'], isWhole: true },
  { name: 'vat', tool: 'reports_tax_compliance', words: [`vat +howMuch +tax +payables +pay +owed +@sales +expense +taxAuthority +receivables ${report} -plusTax -withTax -noTax +exchangeRate`, 'tax howMuch +pay +payables +owed -payroll -employee -salesTax'] },
  { name: 'gst-f5', tool: 'reports_gst_f5', words: [`gstF5 +vat +submit +taxAuthority ${report}`, `vat +howMuch +tax +payables +pay +paid +owed +receivables +@sales +expense +taxAuthority +refund +payment +which +when +dueSoon ${report} -plusTax -withTax -noTax`, 'tax howMuch +pay +payables +owed +taxAuthority -payroll -employee'], if: taxedBy('GST'), bonus: () => 0.5 },
  { name: 'sales-tax', tool: 'reports_sales_tax', words: [`salesTax +howMuch +payables +pay +paid +owed +tax +vat +receivables +@sales +taxAuthority +payment +which +when +dueSoon ${report}`, `tax +howMuch +payables +owed +pay +taxAuthority ${report} -payroll -employee`], if: taxedBy('sales tax'), bonus: () => 0.5 },
  { name: 'pcn874', tool: 'reports_statutory_file', words: [`pcn874 +vat +submit +attachment ${report}`], input: statutory('il-pcn874') },
  { name: 'uniform-file', tool: 'reports_statutory_file', words: [`uniformFile +attachment ${report}`], input: statutory('il-uniform-file') },
  { name: 'form-1099', tool: 'reports_1099_nec', words: [`form1099 +supplier +who +send ${report}`] },
  { name: 'iras-audit-file', tool: 'reports_iras_audit_file', words: [`irasFile +audit +taxAuthority ${report}`] },
  { name: 'statutory-files', tool: 'reports_statutory_files', words: [`statutory +taxAuthority +attachment +submit ${report}`, 'attachment taxAuthority'], isWhole: true },
  { name: 'convert-currency', tool: 'reports_exchange_rates', words: ['currencyWord|exchangeRate|convert +howMuch +currencyWord +exchangeRate +which +convert +it', 'convert|howMuch +which'], if: (said) => converted(said) !== undefined, bonus: () => 3, input: conversion, result: (said) => { const convert = converted(said); return convert ? { convert } : {} } },
  { name: 'exchange-rate', tool: 'reports_exchange_rates', words: ['exchangeRate +howMuch +bank +compare -vat -tax -salesTax -settings'], input: rates },
  { name: 'dashboard', tool: 'dashboard_get', words: ['dashboard +howMuch +@income +cash +compare'], bonus: () => 0.5 },
  { name: 'bank-accounts', tool: 'bank_accounts_list', words: ['bank +account +find -bankFile -create -exchangeRate -delete -generalLedger'], isWhole: true },
]
