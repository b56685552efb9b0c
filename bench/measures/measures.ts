import type { Request } from 'autocannon'
import type { Keys } from '../load.ts'
import type { Seed } from '../seed/seed.ts'
import { documentMeasures } from './document-measures.ts'
import { expenseMeasures } from './expense-measures.ts'
import { orderMeasures } from './order-measures.ts'
import { reportMeasures } from './report-measures.ts'

export type Measure = {
  name: string
  does: string
  raw: Request[]
  ours: Request[]
  /** Our throughput as a share of the raw server's. */
  bar?: { least: number; aim: number }
  keys?: Keys
  /** Both `raw` and `ours` are requests to our own server. */
  besideOurs?: true
  /** `ours` may do less work than `raw`, so that a higher throughput is possible. */
  mayBeFaster?: true
  /** A part of the body that only refusals have, for a protocol that refuses with status 200. */
  refusal?: string
  /** How many times as long as `raw` ours may take, by the median (LOAD-18). */
  slowestP50?: number
  /** The same by the 95th percentile (LOAD-03). */
  slowestP95?: number
  /** The number of connections, if it is not the usual one. */
  connections?: number
  /** Ours is measured for at least so many seconds, because of few answers a second. */
  secondsMin?: number
  /** Requests that four other connections send while `ours` is measured. */
  beside?: Request[]
}

export function measuresOf(seed: Seed): Measure[] {
  const { listed, filled, customerIds, documentId, keySecret, sessionSecret, books, documents, expenses } = seed
  const key = { authorization: `Bearer ${keySecret}` }
  const session = { cookie: `sid=${sessionSecret}` }
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...newCustomer, organizationId: filled })

  const rawGet = customerIds.map((id) => ({ path: `/customers/${id}` }))
  const get = (headers: Record<string, string>) => customerIds.map((id) => ({ path: `/api/customers/${id}`, headers }))
  const rawCreate = [{ method: 'POST', path: '/customers', headers: json, body }]
  const create = [{ method: 'POST', path: '/api/customers', headers: { ...json, ...key }, body }]
  const list = [{ path: `/api/customers?organizationId=${listed}&limit=25`, headers: key }]

  const dashboard = (organizationId: string) => [
    { path: `/api/dashboard?organizationId=${organizationId}`, headers: key },
  ]
  const pdf = { path: `/api/documents/${documentId}/pdf`, headers: key }

  const tool = (name: string, input: object) => toolCall(key, name, input)

  return [
    { name: 'get', does: 'GET one, API key', raw: rawGet, ours: get(key), bar: { least: 0.45, aim: 0.55 } },
    { name: 'list', does: 'List of 25', raw: [{ path: '/customers' }], ours: list, bar: { least: 0.4, aim: 0.5 } },
    { name: 'create', does: 'Create', raw: rawCreate, ours: create, bar: { least: 0.45, aim: 0.5 } },
    { name: 'get-session', does: 'GET one, session', raw: rawGet, ours: get(session) },
    { name: 'create-once', does: 'Create, Idempotency-Key', raw: rawCreate, ours: create, keys: 'fresh' },
    { name: 'replay', does: 'Replay of a create', raw: rawCreate, ours: create, keys: 'known', mayBeFaster: true },
    {
      name: 'mcp-get',
      does: 'GET one over MCP, against HTTP',
      raw: get(key),
      ours: customerIds.map((id) => tool('customers_get', { id })),
      besideOurs: true,
      refusal: refusedTool,
      slowestP50: 1.5,
    },
    {
      name: 'mcp-create',
      does: 'Create over MCP, against HTTP',
      raw: create,
      ours: [tool('customers_create', { ...newCustomer, organizationId: filled })],
      besideOurs: true,
      refusal: refusedTool,
      slowestP50: 1.5,
    },
    {
      name: 'dashboard',
      does: 'Dashboard of 100,000 documents, against GET one',
      raw: get(key),
      ours: dashboard(books.large),
      besideOurs: true,
      slowestP50: 60,
    },
    {
      name: 'dashboard-growth',
      does: 'Dashboard of 100,000 documents, against 10,000',
      raw: dashboard(books.small),
      ours: dashboard(books.large),
      besideOurs: true,
      slowestP50: 12,
    },
    ...documentMeasures(documents, { key, get: get(key) }),
    ...expenseMeasures(expenses, key),
    ...orderMeasures(expenses, key),
    ...reportMeasures({ books: books.large, expenses: expenses.large }, { key, get: get(key) }),
    // The raw side of the first is a plain GET and shows how busy the machine is; the limit is its own p50, at most 15 ms.
    { name: 'pdf', does: 'PDF of two lines', raw: get(key), ours: [pdf], besideOurs: true, connections: 1 },
    {
      name: 'get-beside-pdf',
      does: 'GET one while four print',
      raw: get(key),
      ours: get(key),
      besideOurs: true,
      beside: [pdf],
      slowestP95: 1.5,
    },
  ]
}

/** The names of all measures; they do not depend on the data. */
export const measureNames = () => measuresOf(noSeed).map(({ name }) => name)

const noSeed: Seed = {
  listed: '',
  filled: '',
  customerIds: [],
  documentId: '',
  keySecret: '',
  sessionSecret: '',
  books: { small: '', large: '' },
  documents: { small: '', paged: '', large: '', spread: [] },
  expenses: { small: '', large: '' },
}

/** Measures that read the books of a year. */
export const needsBooks = [
  ...['dashboard', 'dashboard-growth', 'receivables-aging'],
  ...['trial-balance', 'profit-and-loss', 'income-report', 'income-by-customer', 'tax-report'],
]

/** The server answers a refused tool call with status 200. */
const refusedTool = '"isError":true'

/** As a client of the newest protocol sends it. */
const toolCall = (key: Record<string, string>, name: string, input: object) => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    ...key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: input, _meta: envelope },
  }),
})

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const newCustomer = {
  name: 'Lim & Daughters', country: 'SG', kind: 'ORGANIZATION', defaultCurrencies: ['SGD', 'USD'],
  email: 'office@example.com', phone: '+65 6123 4567', address: '1 Orchard Road, Singapore',
  registrationNumber: '202612345K', notes: null,
} // biome-ignore format: a row
