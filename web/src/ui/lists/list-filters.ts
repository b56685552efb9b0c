import type { Name } from '../../api.ts'
import type { Search } from '../../search.ts'
import { words } from '../../words.ts'
import { paymentMethods } from '../values/payment-methods.ts'

/**
 * What a list can be narrowed by, as its operation takes it. In the address a filter has its own name (`keys`), on the server the
 * name in `fields`; a range has two of each.
 */
export type Filter = {
  name: keyof (typeof filterWords)['en']
  kind: 'choice' | 'days' | 'amounts' | 'customer' | 'person' | 'operation' | 'thing'
  keys: readonly string[]
  fields: readonly string[]
  values?: readonly string[]
}

export const filterWords = words(
  {
    customer: 'Customer', type: 'Type', status: 'Status', issued: 'Issued', due: 'Due', paid: 'Paid', day: 'Date', amount: 'Amount',
    kind: 'Kind', source: 'Source', method: 'Paid by', active: 'Active', low: 'Low', employed: 'Employed',
    person: 'Person', operation: 'What was done', thing: 'About',
  },
  {
    customer: 'לקוח', type: 'סוג', status: 'מצב', issued: 'הופק', due: 'לתשלום', paid: 'שולם', day: 'תאריך', amount: 'סכום',
    kind: 'סוג', source: 'מקור', method: 'אמצעי', active: 'פעיל', low: 'מלאי נמוך', employed: 'מועסק',
    person: 'אדם', operation: 'מה נעשה', thing: 'בנושא',
  },
) // biome-ignore format: a list of words

const choice = (name: Filter['name'], values: readonly string[], field: string = name): Filter => ({
  name,
  kind: 'choice',
  keys: [name],
  fields: [field],
  values,
})
const days = (name: Filter['name'], ...keys: readonly [string, string]): Filter => ({
  name,
  kind: 'days',
  keys,
  fields: keys,
})
const customer: Filter = { name: 'customer', kind: 'customer', keys: ['customer'], fields: ['customerId'] }
const amount: Filter = {
  name: 'amount',
  kind: 'amounts',
  keys: ['minAmount', 'maxAmount'],
  fields: ['minAmount', 'maxAmount'],
}
const oneOf = (kind: 'person' | 'operation' | 'thing', field: string): Filter => ({
  name: kind,
  kind,
  keys: [kind],
  fields: [field],
})
const yesNo = ['true', 'false']
const parties = choice('kind', ['ORGANIZATION', 'INDIVIDUAL'])
const documentTypes = ['INVOICE', 'INVOICE_RECEIPT', 'RECEIPT', 'PAYMENT_REQUEST', 'CREDIT_MEMO', 'DEBIT_MEMO']

const filters: Partial<Record<Name, readonly Filter[]>> = {
  invoices_list: [
    customer,
    choice('type', documentTypes, 'documentType'),
    choice('status', ['DRAFT', 'UNSENT', 'SENT', 'PAID']),
    { name: 'issued', kind: 'days', keys: ['from', 'to'], fields: ['issuedFrom', 'issuedTo'] },
    days('due', 'dueFrom', 'dueTo'),
    amount,
  ],
  customers_list: [parties],
  invoices_payments_list: [customer, days('paid', 'paidFrom', 'paidTo'), amount, choice('method', paymentMethods)],
  expenses_list: [
    choice('status', ['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'REJECTED']),
    choice('source', ['MANUAL', 'SCAN', 'EMAIL']),
    days('day', 'dateFrom', 'dateTo'),
    amount,
  ],
  suppliers_list: [parties, choice('status', ['PENDING', 'ACTIVE', 'INACTIVE'])],
  orders_list: [
    choice('kind', ['SALES', 'PURCHASE']),
    choice('status', ['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED']),
    days('day', 'dateFrom', 'dateTo'),
  ],
  logistics_items_list: [choice('kind', ['GOODS', 'SERVICE']), choice('active', yesNo), choice('low', yesNo)],
  organizations_audit: [
    oneOf('person', 'userId'),
    oneOf('operation', 'operation'),
    oneOf('thing', 'objectId'),
    days('day', 'from', 'to'),
  ],
  payroll_employees_list: [choice('employed', yesNo)],
  payroll_payslips_list: [choice('status', ['DRAFT', 'APPROVED', 'PAID', 'VOID'])],
}

export const filtersFor = (name: Name): readonly Filter[] => filters[name] ?? []

/** What somebody typed into the address and no filter has is left out. */
const isPossible = (kind: Filter['kind'], value: string) => {
  if (kind === 'days') return !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().slice(0, 10) === value
  return kind !== 'amounts' || Number.isFinite(Number(value))
}

/** The values of a filter in the address; nothing if it is off. */
export const valuesOf = ({ keys, kind }: Filter, address: Search): readonly (string | undefined)[] | undefined => {
  const values = keys.map((key) => {
    const value = address[key]
    if (value === undefined || value === '' || typeof value === 'object') return undefined
    return isPossible(kind, String(value)) ? String(value) : undefined
  })
  return values.some((value) => value !== undefined) ? values : undefined
}

/** The filters of the address as the operation takes them. */
export const filterInput = (name: Name, address: Search): Record<string, string> =>
  Object.fromEntries(
    filtersFor(name).flatMap((filter) =>
      (valuesOf(filter, address) ?? []).flatMap((value, at) =>
        value === undefined ? [] : [[filter.fields[at] ?? '', value] as const],
      ),
    ),
  )

/** The address without filters. */
export const cleared = (name: Name): Search =>
  Object.fromEntries(filtersFor(name).flatMap(({ keys }) => keys.map((key) => [key, undefined])))
