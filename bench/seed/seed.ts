import pg from 'pg'
import { base62, newId, sha256 } from '../../src/core/values/id.ts'
import { newKeySecret } from '../../src/features/company/api-keys/api-key.ts'
import { type Books, seedBooks } from './seed-books.ts'
import { type DocumentSeed, seedDocuments } from './seed-documents.ts'
import { type ExpenseSeed, seedExpenses } from './seed-expenses.ts'

export type Seed = {
  /** An organization with a thousand customers, and one where customers are created. */
  listed: string
  filled: string
  customerIds: string[]
  /** A draft with two lines, to print. */
  documentId: string
  keySecret: string
  sessionSecret: string
  books: Books
  documents: DocumentSeed
  expenses: ExpenseSeed
}

/** The parts that take long and that only some measures need. */
export type SeedSize = { manyDocuments: boolean; withBooks: boolean; manyExpenses: boolean }

const customersCount = 1_000

/** A person with a session and an API key, who owns two organizations for customers, and others for documents. */
export async function seed(
  database: pg.ClientConfig,
  { manyDocuments, withBooks, manyExpenses }: SeedSize,
): Promise<Seed> {
  const client = new pg.Client(database)
  await client.connect()
  const [person, listed, filled] = [newId(), newId(), newId()]
  const { secret: keySecret, prefix, secretHash } = newKeySecret()
  const sessionSecret = base62(43)
  const customerIds = Array.from({ length: customersCount }, newId)
  const insert = (table: string, row: Record<string, unknown>) => {
    const places = Object.keys(row).map((_, index) => `$${index + 1}`)
    return client.query(`insert into ${table} (${Object.keys(row)}) values (${places})`, Object.values(row))
  }

  await client.query('begin')
  await insert('users', { id: person, name: 'Amy', email: 'amy@example.com' })
  for (const id of [listed, filled]) {
    await insert('organizations', { id, name: 'Acme', country: 'SG', currency: 'SGD', timezone: 'Asia/Singapore' })
    await insert('memberships', { organization_id: id, user_id: person, role: 'OWNER' })
  }
  const key = { id: newId(), user_id: person, name: 'bench', prefix, secret_hash: secretHash }
  await insert('api_keys', { ...key, scopes: ['*:*'], all_orgs: true })
  const session = { id: newId(), user_id: person, secret_hash: sha256(sessionSecret) }
  await insert('sessions', { ...session, ends_at: new Date(Date.now() + 86_400_000) })
  await client.query(
    `insert into customers (organization_id, id, name, kind, email, country, default_currencies, address, registration_number)
     select $1, c.id, 'Customer ' || c.n, 'ORGANIZATION', 'office' || c.n || '@example.com', 'SG', '{SGD,USD}',
       c.n || ' Orchard Road, Singapore', '2026' || c.n
     from unnest($2::uuid[]) with ordinality as c (id, n)`,
    [listed, customerIds],
  )
  const documentId = newId()
  await insert('documents', draft({ organization_id: listed, id: documentId, counterparty_id: customerIds[0] }))
  for (const position of [1, 2])
    await insert('document_lines', line({ organization_id: listed, document_id: documentId, position }))
  await client.query('commit')
  const books = withBooks ? await seedBooks(client, person) : { small: newId(), large: newId() }
  // before the documents, whose seed creates the indexes last
  const expenses = manyExpenses ? await seedExpenses(client, person) : { small: newId(), large: newId() }
  await client.query('analyze users, sessions, organizations, memberships, api_keys, customers')
  await client.end()
  const documents = await seedDocuments(database, { person, many: manyDocuments })
  return { listed, filled, customerIds, documentId, keySecret, sessionSecret, books, documents, expenses }
}

const draft = (ids: Record<string, unknown>) => ({
  ...ids, document_type: 'INVOICE', currency: 'SGD', minor_digits: 2, issue_date: '2026-01-31', subtotal_minor: 20_000,
  tax_minor: 1_800, total_minor: 21_800, tax_rate: 9, generator_version: 'bench',
}) // biome-ignore format: a row

const line = (ids: Record<string, unknown> & { position: number }) => ({
  ...ids, id: String(ids.position), description: 'Consulting', quantity: 2, unit_price: 50, amount_minor: 10_000,
}) // biome-ignore format: a row
