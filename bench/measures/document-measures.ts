import type { Request } from 'autocannon'
import type { DocumentSeed } from '../seed/seed-documents.ts'
import type { Measure } from './measures.ts'

type Requests = { key: Record<string, string>; get: Request[] }

/** The measure whose statements the raw server sends too. */
export const documentCreate = 'document-create'

/** Measures that need a million documents. */
export const needsMany = ['document-list', 'document-list-last', 'document-list-search']

/** Sales documents: to create them (LOAD-04, LOAD-05), and to list them among a million (LOAD-02, LOAD-03). */
export function documentMeasures({ small, large, spread }: DocumentSeed, { key, get }: Requests): Measure[] {
  const headers = { ...key, 'content-type': 'application/json' }
  const creating = (places: typeof spread, more: object) =>
    places.map((place) => ({
      method: 'POST',
      path: '/api/documents',
      headers,
      body: JSON.stringify({ ...newDocument(2), ...place, ...more }),
    }))
  const list = (organizationId: string, more = '') => [
    { path: `/api/documents?organizationId=${organizationId}&limit=25${more}`, headers: key },
  ]
  const besideOurs = true
  return [
    {
      name: documentCreate,
      does: 'Create a document of 2 lines',
      raw: [
        {
          method: 'POST',
          path: '/documents',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(newDocument(2)),
        },
      ],
      ours: creating(spread, {}),
      bar: { least: 0.35, aim: 0.4 },
    },
    {
      name: 'document-create-5',
      does: 'Create a document of 5 lines, against GET one',
      raw: get,
      ours: creating(spread, newDocument(5)),
      besideOurs,
      slowestP50: 8,
    },
    {
      name: 'document-numbering',
      does: 'Issue at once in 1 organization, against drafts',
      raw: creating(spread, {}),
      ours: creating(spread.slice(0, 1), { status: 'UNSENT' }),
      besideOurs,
      bar: { least: 0.1, aim: 0.14 },
    },
    {
      name: 'document-numbering-50',
      does: 'Issue at once in 50 organizations, against drafts',
      raw: creating(spread, {}),
      ours: creating(spread, { status: 'UNSENT' }),
      besideOurs,
      bar: { least: 0.45, aim: 0.54 },
    },
    {
      name: 'document-list-small',
      does: 'List of 25 of 1,000 documents, against GET one',
      raw: get,
      ours: list(small),
      besideOurs,
      slowestP50: 5,
    },
    {
      name: 'document-list',
      does: 'List of 25 of 100,000 documents, against 1,000',
      raw: list(small),
      ours: list(large),
      besideOurs,
      slowestP95: 2,
    },
    {
      name: 'document-list-last',
      does: 'Last page of 100,000, against the first of 1,000',
      raw: list(small),
      ours: list(large, '&page=4000'),
      besideOurs,
      slowestP95: 10,
    },
    {
      name: 'document-list-search',
      does: 'Search in 100,000, against the list of 1,000',
      raw: list(small),
      ours: searches.flatMap((text) => list(large, `&search=${encodeURIComponent(text)}`)),
      besideOurs,
      mayBeFaster: true, // a search may find fewer than 25
      slowestP95: 10,
    },
  ]
}

/** A number, a customer, a word of an order, notes; in both scripts, and one without a match. */
const searches = ['Globex 4217', '77123', 'lim & daughters 31', 'הזמנה 4711', 'פרחי השרון 250', 'order 4f', 'nobody']

const newDocument = (lines: number) => ({
  currency: 'SGD',
  issueDate: '2026-11-15',
  dueDate: '2026-12-15',
  notes: 'Thank you for your business.',
  items: Array.from({ length: lines }, (_, n) => ({
    id: String(n),
    description: 'Consulting',
    quantity: 2,
    unitPrice: 50,
    amount: 100,
  })),
  subtotal: lines * 100,
  taxRate: 9,
  taxAmount: lines * 9,
  total: lines * 109,
})
