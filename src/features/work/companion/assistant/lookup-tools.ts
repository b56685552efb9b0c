import { type Fit, fitOfWords, plainName } from '../../../../core/names/names.ts'
import type { RecordKind, ShownRecord } from './understood.ts'

type Row = Record<string, unknown>

/** With which tool records of a kind are found by name. */
type Lookup = {
  list: string
  /** The field of the answer with the rows. */
  rows: string
  /** Whether the tool searches; otherwise the rows of its first page are compared. */
  search: boolean
  input?: Row
  toRecord(row: Row): ShownRecord
  compare?(words: string, name: string, row: Row): Fit
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const named =
  (kind: RecordKind, ...fields: string[]) =>
  (row: Row): ShownRecord => ({
    kind,
    id: text(row.id) || text(row.userId),
    name: fields.map((field) => text(row[field])).find(Boolean) ?? '',
  })

/** A number fits if its digits do: 12 is INV-0012. */
const numbered =
  (field: string) =>
  (words: string, name: string, row: Row): Fit => {
    const number = text(row[field])
    if (number !== '' && number.toLowerCase() === words.trim().toLowerCase()) return 'same'
    const [digits] = /\d+$/.exec(number) ?? []
    const [wanted] = /\d+$/.exec(words.trim()) ?? []
    if (digits && wanted && Number(digits) === Number(wanted)) return 'same'
    return wanted ? 'other' : fitOfWords(words, name)
  }

const list: Record<Exclude<RecordKind, 'organization'>, Lookup> = {
  customer: {
    list: 'customers_list',
    rows: 'customers',
    search: true,
    toRecord: named('customer', 'displayName', 'name'),
  },
  supplier: {
    list: 'suppliers_list',
    rows: 'suppliers',
    search: true,
    toRecord: named('supplier', 'displayName', 'name'),
  },
  document: {
    list: 'invoices_list',
    rows: 'invoices',
    search: true,
    toRecord: (row) => ({ kind: 'document', id: text(row.id), name: documentName(row) }),
    compare: numbered('invoiceNumber'),
  },
  payment: {
    list: 'invoices_payments_list',
    rows: 'payments',
    search: false,
    input: { limit: 100 },
    toRecord: named('payment', 'reference', 'paidAt'),
  },
  expense: {
    list: 'expenses_list',
    rows: 'expenses',
    search: true,
    toRecord: (row) => ({
      kind: 'expense',
      id: text(row.id),
      name: [text(row.vendor) || text(row.description), text(row.date).slice(0, 10)].filter(Boolean).join(', '),
    }),
    compare: (words, _, row) => best([fitOfWords(words, text(row.vendor)), fitOfWords(words, text(row.description))]),
  },
  item: {
    list: 'logistics_items_list',
    rows: 'items',
    search: true,
    toRecord: named('item', 'name'),
    compare: (words, name, row) =>
      text(row.sku).toLowerCase() === words.trim().toLowerCase() ? 'same' : fitOfWords(words, name),
  },
  order: {
    list: 'orders_list',
    rows: 'orders',
    search: true,
    toRecord: (row) => ({
      kind: 'order',
      id: text(row.id),
      name: [text(row.orderNumber), partyOf(row)].filter(Boolean).join(', '),
    }),
    compare: numbered('orderNumber'),
  },
  employee: { list: 'payroll_employees_list', rows: 'employees', search: true, toRecord: named('employee', 'name') },
  payslip: {
    list: 'payroll_payslips_list',
    rows: 'payslips',
    search: false,
    input: { limit: 100 },
    toRecord: (row) => ({ kind: 'payslip', id: text(row.id), name: `${text(row.employeeName)}, ${text(row.month)}` }),
    compare: (words, _, row) => fitOfWords(words, text(row.employeeName)),
  },
  automation: {
    list: 'automations_list',
    rows: 'automations',
    search: false,
    input: { limit: 100 },
    toRecord: named('automation', 'name'),
  },
  run: {
    list: 'automations_runs',
    rows: 'runs',
    search: false,
    input: { limit: 20 },
    toRecord: named('run', 'startedAt'),
  },
  category: {
    list: 'expense_categories_list',
    rows: 'categories',
    search: false,
    toRecord: named('category', 'name'),
    compare: compareCategories,
  },
  account: {
    list: 'reports_accounts',
    rows: 'accounts',
    search: false,
    toRecord: named('account', 'name'),
    compare: (words, name, row) =>
      text(row.code) === words.trim() ? 'same' : best([fitOfWords(words, name), fitOfWords(words, text(row.nameHe))]),
  },
  connection: {
    list: 'integrations_email_settings',
    rows: 'connections',
    search: false,
    toRecord: named('connection', 'name'),
  },
  member: {
    list: 'users_members',
    rows: 'members',
    search: false,
    toRecord: named('member', 'name', 'email'),
    compare: (words, name, row) =>
      text(row.email).toLowerCase() === words.trim().toLowerCase() ? 'same' : fitOfWords(words, name),
  },
}

// the organization of the session is not looked up
const organizations: Lookup = {
  list: 'organizations_list',
  rows: 'organizations',
  search: false,
  toRecord: named('organization', 'name'),
}

const bankAccounts: Lookup = {
  list: 'bank_accounts_list',
  rows: 'bankAccounts',
  search: false,
  toRecord: named('account', 'accountName', 'bankName'),
  compare: (words, name, row) => best([fitOfWords(words, name), fitOfWords(words, text(row.bankName))]),
}

/** How a record is looked up; an account is one of the bank for tools of bank accounts and payments. */
export const lookups = (kind: RecordKind, tool: string): Lookup =>
  kind === 'organization'
    ? organizations
    : kind === 'account' && !tool.startsWith('reports_')
      ? bankAccounts
      : list[kind]

/** Words for the same kind of expense in both languages. */
const sameCategory: readonly (readonly string[])[] = [
  ['fuel', 'gas', 'gasoline', 'petrol', 'דלק', 'בנזין', 'סולר'],
  ['travel', 'trips', 'flights', 'transport', 'taxi', 'נסיעות', 'נסיעה', 'טיסות', 'תחבורה', 'מוניות'],
  ['meals', 'food', 'restaurants', 'lunch', 'ארוחות', 'אוכל', 'מזון', 'מסעדות'],
  ['office', 'office supplies', 'stationery', 'משרד', 'ציוד משרדי', 'משרדיות'],
  ['rent', 'rent and utilities', 'utilities', 'electricity', 'שכירות', 'שכר דירה', 'חשמל', 'שכירות ואחזקה'],
  ['software', 'subscriptions', 'תוכנה', 'תוכנות', 'מנויים'],
  ['marketing', 'advertising', 'ads', 'שיווק', 'פרסום'],
  ['equipment', 'hardware', 'ציוד', 'מחשבים'],
  [
    'professional services',
    'lawyer',
    'accountant',
    'consulting',
    'שירותים מקצועיים',
    'עורך דין',
    'רואה חשבון',
    'ייעוץ',
  ],
  ['phone', 'telephone', 'internet', 'communications', 'טלפון', 'אינטרנט', 'תקשורת'],
  ['insurance', 'ביטוח', 'ביטוחים'],
  ['vehicles', 'vehicle', 'car', 'cars', 'truck', 'van', 'רכב', 'רכבים', 'כלי רכב', 'משאית'],
  ['other', 'אחר', 'שונות'],
]

function compareCategories(words: string, name: string): Fit {
  const [wanted, given] = [plainName(words), plainName(name)]
  const isSame = sameCategory.some((group) => group.includes(wanted) && group.includes(given))
  return isSame ? 'same' : fitOfWords(words, name)
}

const order: readonly Fit[] = ['same', 'part', 'close', 'near', 'other']
const best = (fits: readonly Fit[]): Fit => order.find((fit) => fits.includes(fit)) ?? 'other'

/** `INV-0012, Globex`; of a draft the customer alone. */
function documentName(row: Row): string {
  const customer = row.customer as { name?: string | null } | null
  return [text(row.invoiceNumber), customer?.name ?? ''].filter(Boolean).join(', ')
}

function partyOf(row: Row): string {
  const party = (row.customer ?? row.supplier) as { name?: string | null } | null
  return party?.name ?? ''
}

/** What tells records of the same name apart: an address, a number, or an amount and a day. */
export function detailOf(row: Row): string {
  const [detail] = ['email', 'phone', 'registrationNumber', 'taxNumber', 'sku', 'documentNumber', 'address']
    .map((field) => text(row[field]))
    .filter(Boolean)
  const amount = row.total ?? row.amount ?? row.net
  const sum = typeof amount === 'number' ? `${amount} ${text(row.currency)}`.trim() : ''
  const day = [row.issueDate, row.invoiceDate, row.orderDate, row.date, row.paidAt, row.createdAt]
    .map(text)
    .find(Boolean)
  return detail ?? [sum, day?.slice(0, 10) ?? ''].filter(Boolean).join(', ')
}
