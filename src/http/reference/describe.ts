import { example } from '../../core/contract/example.ts'
import { meaningOfId } from '../../core/contract/input-schema.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import type { Feature, Source } from '../../core/define/access.ts'
import type { Method, Operation } from '../../core/define/operation.ts'
import { type Part, partOf, toRequest } from '../../core/run/request.ts'

/** Texts about operations that OpenAPI and the reference page share. */

type FeatureText = { title: string; about: string }

const features: Record<Feature, FeatureText> = {
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

/** Groups the operations by feature, in the order above; features without operations are left out. */
export function byFeature(operations: readonly Operation[]) {
  return (Object.keys(features) as Feature[])
    .map((feature) => ({
      feature,
      ...features[feature],
      operations: sortOperations(operations.filter((one) => one.feature === feature)),
    }))
    .filter((group) => group.operations.length > 0)
}

/** By path, so a collection comes before its members; then reads before writes. */
const sortOperations = (operations: Operation[]) =>
  operations.toSorted((a, b) => compare(a.path, b.path) || methods.indexOf(a.method) - methods.indexOf(b.method))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const fieldsIn = (operation: Operation, part: Part) =>
  Object.keys(operation.input.properties).filter((field) => partOf(operation, field) === part)

export const isRequired = ({ input }: Operation, field: string) => (input.required ?? []).includes(field)

/** Fields that mean the same in every operation. */
const commonMeanings: Record<string, string> = {
  page: 'Which page, from 1.',
  limit: 'How many at most.',
  search: 'Words to look for; empty finds everything.',
  sortBy: 'What to sort by.',
  sortOrder: 'Ascending or descending.',
}

export function meaningOf(operation: Operation, field: string): string | undefined {
  const schema = operation.input.properties[field] as JsonSchema
  return meaningOfId(operation, field, schema) ?? (schema.description as string | undefined) ?? commonMeanings[field]
}

/** Who may call the operation, as a sentence. */
export function accessOf({ scope, role, sources, within, orSelf, link }: Operation): string {
  const self = orSelf ? ', or to be the person concerned' : ''
  const neededRole = within === 'caller' ? '' : ` and the role ${role} or higher in the organization${self}`
  const from =
    sources.length === allSources ? '' : ` Only from ${joinWithOr(sources.map((source) => sourceWords[source]))}.`
  const linkNote = link ? ' Whoever holds a signed link needs neither.' : ''
  return `Needs the scope \`${scope}\`${neededRole}.${from}${linkNote}`
}

export const sourceWords: Record<Source, string> = {
  SESSION: 'a browser session',
  API_KEY: 'an API key',
  OAUTH: 'a connected app',
  AUTOMATION: 'an automation',
  COMPANION: 'the companion',
}
const allSources = Object.keys(sourceWords).length

const joinWithOr = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join()

/** A realistic call: the required fields, and two optional ones if the body would otherwise be empty. */
export function sampleInput(operation: Operation): Record<string, unknown> {
  const required = example(operation.input)
  const { body } = toRequest(operation, required)
  if (operation.method === 'GET' || operation.method === 'DELETE' || Object.keys(body).length > 0) return required
  const optional = Object.entries(example(operation.input, { optional: true })).filter(
    ([field]) => !(field in required),
  )
  return { ...required, ...Object.fromEntries(optional.slice(0, 2)) }
}

/** The errors that an operation may answer with (specification, part 1, Errors). */
export function errorsOf({ reads, path }: Operation): number[] {
  return [400, 401, 403, ...(path.includes('{') ? [404] : []), ...(reads ? [] : [409, 429]), 500]
}
