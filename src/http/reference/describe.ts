import { example } from '../../core/contract/example.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import type { Feature, Source } from '../../core/define/access.ts'
import type { Method, Operation } from '../../core/define/operation.ts'
import { type Part, partOf, toRequest } from '../../core/run/request.ts'

/** What the reference says about operations in words: the same words in OpenAPI and on the page. */

type FeatureWords = { title: string; about: string }

const features: Record<Feature, FeatureWords> = {
  organizations: {
    title: 'Organizations',
    about: 'The companies whose books are kept here. Everything else belongs to one of them.',
  },
  users: { title: 'People and API keys', about: 'Who may act, and the keys that programs and agents act with.' },
  settings: { title: 'Settings', about: 'How an organization numbers, taxes, sends and approves.' },
  customers: {
    title: 'Customers',
    about: 'Whom an organization sells to, and who of them receives documents by e-mail.',
  },
  invoices: { title: 'Documents', about: 'Invoices, receipts, payment requests and memos, from draft to paid.' },
  bank_accounts: { title: 'Bank accounts', about: 'The accounts that payment instructions on documents name.' },
  expenses: {
    title: 'Expenses',
    about: 'What an organization spends: entered, scanned or read from mail, then approved and paid.',
  },
  suppliers: { title: 'Suppliers', about: 'Whom an organization buys from.' },
  orders: { title: 'Orders', about: 'Sales and purchase orders, received into stock or turned into invoices.' },
  logistics: { title: 'Items and stock', about: 'The catalog of items, stock levels and movements.' },
  payroll: { title: 'Payroll', about: 'Employees, payslips, advances, net and statutory settlement.' },
  reports: { title: 'Reports', about: 'Income, expenses, aging, profit and loss, the journal, and exchange rates.' },
  automations: {
    title: 'Automations',
    about: 'Graphs of triggers, filters and actions that run when something happens.',
  },
  integrations: { title: 'Integrations', about: 'Tax authorities and mailboxes that an organization is connected to.' },
  companion: { title: 'Companion', about: 'Conversations with the assistant that works with the same operations.' },
}

/** The operations by feature, in the order above; features without operations are left out. */
export function byFeature(operations: readonly Operation[]) {
  return (Object.keys(features) as Feature[])
    .map((feature) => ({
      feature,
      ...features[feature],
      operations: inOrder(operations.filter((one) => one.feature === feature)),
    }))
    .filter((group) => group.operations.length > 0)
}

/** A collection before what is in it, reading before writing. */
const inOrder = (operations: Operation[]) =>
  operations.toSorted((a, b) => compare(a.path, b.path) || methods.indexOf(a.method) - methods.indexOf(b.method))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const fieldsIn = (operation: Operation, part: Part) =>
  Object.keys(operation.input.properties).filter((field) => partOf(operation, field) === part)

export const isRequired = ({ input }: Operation, field: string) => (input.required ?? []).includes(field)

/** Fields that mean the same wherever they stand. */
const meanings: Record<string, string> = {
  page: 'Which page, from 1.',
  limit: 'How many at most.',
  search: 'Words to look for; empty finds everything.',
  sortBy: 'What to sort by.',
  sortOrder: 'Ascending or descending.',
}

export function meaningOf(operation: Operation, field: string): string | undefined {
  if (field === 'organizationId' && operation.within === 'organizationId') {
    if (isRequired(operation, field)) return 'The organization.'
    return operation.reads
      ? 'The organization; every one you can reach if left out.'
      : 'The organization; your only one if left out.'
  }
  if (partOf(operation, field) === 'path') return field === 'id' ? `The id of ${nounIn(operation)}.` : undefined
  return ((operation.input.properties[field] as JsonSchema).description as string | undefined) ?? meanings[field]
}

/** `/api/bank-accounts/{id}` speaks of the bank account. */
function nounIn({ path }: Operation): string {
  const segment = /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? 'thing'
  return `the ${singular(segment).replaceAll('-', ' ').replace(/^api /, 'API ')}`
}

export const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(ss)$|s$/, '$1')

/** Who may call it, as one sentence. */
export function accessOf({ scope, role, sources, within, orSelf, link }: Operation): string {
  const alone = orSelf ? ', or to be the person concerned' : ''
  const asWhom = within === 'caller' ? '' : ` and the role ${role} or higher in the organization${alone}`
  const from =
    sources.length === allSources ? '' : ` Only from ${listed(sources.map((source) => sourceWords[source]))}.`
  const without = link ? ' Whoever holds a signed link needs neither.' : ''
  return `Needs the scope \`${scope}\`${asWhom}.${from}${without}`
}

export const sourceWords: Record<Source, string> = {
  SESSION: 'a browser session',
  API_KEY: 'an API key',
  OAUTH: 'an OAuth app',
  AUTOMATION: 'an automation',
  COMPANION: 'the companion',
}
const allSources = Object.keys(sourceWords).length

const listed = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join()

/** A call that somebody might make: what is required and, where that would change nothing, two fields more. */
export function sampleInput(operation: Operation): Record<string, unknown> {
  const needed = example(operation.input)
  const { body } = toRequest(operation, needed)
  if (operation.method === 'GET' || operation.method === 'DELETE' || Object.keys(body).length > 0) return needed
  const optional = Object.entries(example(operation.input, { optional: true })).filter(([field]) => !(field in needed))
  return { ...needed, ...Object.fromEntries(optional.slice(0, 2)) }
}

/** The errors that an operation may answer with (specification, part 1, Errors). */
export function errorsOf({ reads, path }: Operation): number[] {
  return [400, 401, 403, ...(path.includes('{') ? [404] : []), ...(reads ? [] : [409, 429]), 500]
}
