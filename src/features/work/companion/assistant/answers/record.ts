import { toLine } from '../../../../../core/values/line.ts'
import type { Steps, Talk } from '../talk.ts'
import type { RecordKind } from '../understood.ts'
import { rowText } from './list.ts'
import { number, shownField, text } from './record-rows.ts'
import type { Data } from './rows.ts'
import { views } from './views.ts'

/** Any record: its name, amounts, days and status. */

/** The list whose rows look like the record of a tool. */
const likeList: readonly [RegExp, string][] = [
  [/^customers_(get|create|update)/, 'customers_list'],
  [/^suppliers_(get|create|update)/, 'suppliers_list'],
  [/^expenses_(get|create|status|update_p)/, 'expenses_list'],
  [/^logistics_items_(get|create|update)/, 'logistics_items_list'],
  [/^orders_(get|create|open|update)/, 'orders_list'],
  [/^payroll_employees_(get|create|update)/, 'payroll_employees_list'],
  [/^payroll_payslips_get/, 'payroll_payslips_list'],
  [/^automations_(get|create|update|enable|disable)/, 'automations_list'],
  [/^bank_accounts_(get|create|update)/, 'bank_accounts_list'],
  [/^invoices_payments_(create|allocate)/, 'invoices_payments_list'],
  [/^payroll_my_claims_create/, 'payroll_my_claims'],
]

/** Further fields that are told of a single record, with their names. */
const fields: readonly [field: string, en: string, he: string][] = [
  ['registrationNumber', 'Registration number', 'מספר רישום'],
  ['taxNumber', 'Tax number', 'מספר עוסק'],
  ['address', 'Address', 'כתובת'],
  ['country', 'Country', 'מדינה'],
  ['currency', 'Currency', 'מטבע'],
  ['sku', 'SKU', 'מק״ט'],
  ['documentNumber', 'Document number', 'מספר מסמך'],
  ['dueDate', 'Due', 'לתשלום עד'],
  ['expectedDate', 'Expected', 'צפוי'],
  ['statusReason', 'Reason', 'סיבה'],
  ['description', 'Description', 'תיאור'],
  ['notes', 'Notes', 'הערות'],
]

export async function* tellRecord(talk: Talk, tool: string, output: Data): Steps {
  if (output.success === true || Object.keys(output).length === 0) return
  const [, list] = likeList.find(([name]) => name.test(tool)) ?? []
  const view = list === undefined ? undefined : views[list]
  const row = view ? view.row(output, talk) : plainRow(output, talk)
  if (row.name !== '') yield* talk.line(rowText(talk, row))
  for (const [field, en, he] of fields) {
    if (field === 'country' && output[field] === talk.turn.organization.country) continue
    const said = field === 'country' ? countryName(talk, output[field]) : shownField(talk, output[field])
    if (
      said !== '' &&
      said !== talk.data(row.name) &&
      !(row.more ?? []).includes(said) &&
      !(field === 'currency' && row.currency)
    )
      yield* talk.line(`${talk.in(en, he)}: ${said}`)
  }
}

/** The name of a country for its code. */
const countryName = ({ language }: Talk, code: unknown): string =>
  /^[A-Z]{2}$/i.test(text(code))
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(text(code).toUpperCase()) ?? text(code))
    : ''

const nameFields = [
  'displayName',
  'name',
  'invoiceNumber',
  'title',
  'orderNumber',
  'vendor',
  'accountName',
  'subject',
  'text',
  'email',
  'description',
  'reference',
  'operation',
  'type',
  'code',
  'label',
  'fileName',
  'id',
]
const amountFields = ['total', 'amount', 'net', 'balance', 'value']
const dateFields = ['issueDate', 'invoiceDate', 'orderDate', 'paidAt', 'date', 'dueDate', 'createdAt', 'startedAt']

const isCode = (name: string) => /^[A-Z][A-Z0-9_]{3,}$/.test(name)

/** A row of any list. */
export function plainRow(
  data: Data,
  talk: Talk,
): { kind?: RecordKind; id?: string; name: string; amount?: number; currency?: string; date?: string; more: string[] } {
  const name = nameFields.map((field) => text(data[field])).find(Boolean) ?? ''
  const amountField = amountFields.find((field) => typeof data[field] === 'number')
  const date = dateFields.map((field) => text(data[field])).find(Boolean) ?? ''
  return {
    name: isCode(name) ? shownField(talk, name) : toLine(name, 80),
    ...(amountField && {
      amount: number(data[amountField]),
      ...(text(data.currency) !== '' && { currency: text(data.currency) }),
    }),
    date,
    more: [shownField(talk, date), shownField(talk, data.status)].filter(Boolean),
  }
}
