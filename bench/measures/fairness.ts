import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import pg from 'pg'
import { newId } from '../../src/core/values/id.ts'
import { newKeySecret } from '../../src/features/company/api-keys/api-key.ts'
import { type Child, start } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Server, Setting } from '../measure.ts'
import type { Noise, NoiseOutcome } from '../noise.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// LOAD-14: while one organization does something expensive as often as it may, the answers to another take at most twice as
// long as otherwise, and none fails. The server has the rate limits of production. Expensive operations are requested up to
// 50 times a second, which uses up their bursts while it is measured; cheap ones slightly above their sustained limit.

export const fairnessMeasure = 'fairness'

type Fairness = { database: pg.ClientConfig; ours: Server; load: Child; setting: Setting }

/** What the loud organization does, how often a second, and what the quiet ones do meanwhile. */
type Contest = { name: string; does: string; loud: Request[]; perSecond: number; quiet: Request[] }

type Repeat = { idle: Fired; beside: Fired; noise: NoiseOutcome }

const [slowestP95, quietConnections, loudConnections] = [2, 2, 16]

export async function benchFairness({ database, ours, load, setting }: Fairness): Promise<Figure[]> {
  const { url } = ours
  const contests = await seedContests(database, url)
  const noise = start('noise')
  const client = new pg.Client(database)
  await client.connect()
  const seconds = Math.min(3, setting.seconds)
  const fire = (requests: Request[]) =>
    load.ask<Fired>('fire', { url, connections: quietConnections, seconds, requests } satisfies Partial<Fire>)
  try {
    const figures: Figure[] = []
    for (const { loud, quiet, perSecond, ...named } of contests) {
      await fire(quiet) // warms up both
      const repeats: Repeat[] = []
      for (let n = 0; n < setting.repeats; n++) {
        await untilQuiet(client, ours.child)
        const idle = await fire(quiet)
        await noise.ask('begin', { url, connections: loudConnections, perSecond, requests: loud } satisfies Noise)
        const beside = await fire(quiet)
        repeats.push({ idle, beside, noise: await noise.ask<NoiseOutcome>('end') })
      }
      figures.push(figureOf(named, repeats))
    }
    return figures
  } finally {
    await client.end()
    await noise.stop()
  }
}

/** The work that the loud organization asked for may go on after its last request. */
async function untilQuiet(client: pg.Client, server: Child) {
  const usedUs = async () => {
    const { user, system } = await server.ask<NodeJS.CpuUsage>('cpu')
    return user + system
  }
  const others = `select from pg_stat_activity where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const before = await usedUs()
    await sleep(lookEveryMs)
    const isServerQuiet = (await usedUs()) - before < quietShare * lookEveryMs * 1_000
    if (isServerQuiet && (await client.query(others)).rowCount === 0) return
    if (performance.now() > giveUpAt) throw new Error('The server is still busy a minute after the last request.')
  }
}
const lookEveryMs = 200
const quietShare = 0.05

function figureOf({ name, does }: Pick<Contest, 'name' | 'does'>, repeats: readonly Repeat[]): Figure {
  const value = median(repeats.map(({ idle, beside }) => beside.p95Ms / idle.p95Ms))
  const { succeeded, refused, failed } = repeats.reduce(
    (sum, { noise }) => ({
      succeeded: sum.succeeded + noise.succeeded,
      refused: sum.refused + noise.refused,
      failed: sum.failed + noise.failed,
    }),
    { succeeded: 0, refused: 0, failed: 0 },
  )
  const idleMs = median(repeats.map(({ idle }) => idle.p95Ms)).toFixed(1)
  const loudness = `${succeeded} done, ${refused} refused, ${failed} failed; p95 alone ${idleMs} ms`
  return {
    name: `fair ${name}`,
    does: `${does} (${loudness})`,
    value,
    bar: `<= ${slowestP95}`,
    fits: value <= slowestP95 && succeeded > 0,
    better: 'lower',
  }
}

type Party = { organizationId: string; customerId: string; documentId: string; headers: Record<string, string> }

const [loudDocuments, loudLines] = [20_000, 1_000]

/** So many that none of them reaches a limit of its own. */
const quietCount = 20

async function seedContests(database: pg.ClientConfig, url: string): Promise<Contest[]> {
  const { quiet, loud } = await seedParties(database)
  const json = { ...loud.headers, 'content-type': 'application/json' }
  const post = (path: string, body: object) => ({ method: 'POST', path, headers: json, body: JSON.stringify(body) })
  const { organizationId, customerId } = loud
  const get = quiet.map((each) => ({ path: `/api/customers/${each.customerId}`, headers: each.headers }))
  const pdfOf = ({ documentId, headers }: Party) => ({ path: `/api/documents/${documentId}/pdf`, headers })
  const automation = await createAutomation(url, json, organizationId)
  const expensive = { perSecond: 50, quiet: get }
  return [
    {
      ...{ name: 'preview', does: 'GET beside previews of a sum over 20,000 documents with lines', ...expensive },
      loud: [post('/api/automations/filter/preview', { organizationId, spec })],
    },
    {
      ...{ name: 'dashboard', does: 'GET beside dashboards of 20,000 documents', ...expensive },
      loud: [{ path: `/api/dashboard?organizationId=${organizationId}`, headers: loud.headers }],
    },
    { ...{ name: 'pdf', does: 'GET beside PDFs of 1,000 lines', ...expensive }, loud: [pdfOf(loud)] },
    {
      ...{ name: 'pdf/pdf', does: 'PDF of 2 lines beside PDFs of 1,000 lines', ...expensive },
      ...{ loud: [pdfOf(loud)], quiet: quiet.map(pdfOf) },
    },
    {
      ...{ name: 'test', does: 'GET beside tests of an automation with that filter', ...expensive },
      loud: [post(`/api/automations/${automation}/test`, {})],
    },
    {
      ...{ name: 'list', does: 'GET beside lists of 100 documents', ...expensive },
      loud: [{ path: `/api/documents?organizationId=${organizationId}&limit=100&status=SENT`, headers: loud.headers }],
    },
    {
      ...{ name: 'create', does: 'GET beside new documents, 110 a second', perSecond: 110, quiet: get },
      loud: [post('/api/documents', { ...newDocument, organizationId, customerId })],
    },
  ]
}

async function seedParties(database: pg.ClientConfig): Promise<{ quiet: Party[]; loud: Party }> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query('begin')
    const quiet: Party[] = []
    for (let n = 0; n < quietCount; n++) quiet.push(await seedParty(client, 2))
    const loud = await seedParty(client, loudLines)
    await client.query('commit')
    await seedDocuments(client, loud)
    return { quiet, loud }
  } finally {
    await client.end()
  }
}

const spec = {
  root: 'Document',
  follows: [{ from: 'Document', name: 'lines' }],
  aggregateBy: ['Document.currency'],
  extract: [
    { as: 'currency', path: 'Document.currency' },
    { as: 'total', path: 'Document.total', fn: 'sum' },
    { as: 'amount', path: 'DocumentLine.amount', fn: 'sum' },
  ],
}

const newDocument = {
  currency: 'SGD', issueDate: '2026-11-15', dueDate: '2026-12-15', subtotal: 100, taxRate: 9, taxAmount: 9, total: 109,
  items: [{ id: '1', description: 'Consulting', quantity: 2, unitPrice: 50, amount: 100 }],
} // biome-ignore format: a row

async function createAutomation(url: string, headers: Record<string, string>, organizationId: string): Promise<string> {
  const blocks = [
    { id: 'start', kind: 'TRIGGER', ref: 'customer.created', config: {}, position: {} },
    { id: 'find', kind: 'FILTER', ref: null, config: { spec }, position: {} },
  ]
  const edges = [{ id: 'e', fromBlockId: 'start', toBlockId: 'find', cond: null, mode: 'ONCE', order: 0 }]
  const body = JSON.stringify({ organizationId, name: 'Sums', blocks, edges })
  const answer = await fetch(`${url}/api/automations`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`No automation could be created: ${answer.status} ${text}`)
  return JSON.parse(text).id
}

/** An organization with its owner, a key, a customer and a draft with this many lines. */
async function seedParty(client: pg.Client, lines: number): Promise<Party> {
  const [organizationId, person, customerId, documentId] = [newId(), newId(), newId(), newId()]
  const { secret, prefix, secretHash } = newKeySecret()
  const run = (text: string, ...values: unknown[]) => client.query(text, values)
  await run('insert into users (id, name, email) values ($1::uuid, $2, $1::text || $3)', person, 'Amy', '@example.com')
  await run(
    "insert into organizations (id, name, country, currency, timezone) values ($1, 'Acme', 'SG', 'SGD', 'Asia/Singapore')",
    organizationId,
  )
  await run("insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')", organizationId, person)
  await run(
    "insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, all_orgs) values ($1, $2, 'bench', $3, $4, '{*:*}', true)",
    ...[newId(), person, prefix, secretHash],
  )
  await run(
    "insert into customers (organization_id, id, name, kind, country, default_currencies) values ($1, $2, 'Lim', 'ORGANIZATION', 'SG', '{SGD}')",
    ...[organizationId, customerId],
  )
  await run(
    `insert into documents (organization_id, id, document_type, counterparty_id, currency, minor_digits, issue_date, subtotal_minor,
       tax_minor, total_minor, tax_rate, generator_version)
     values ($1, $2, 'INVOICE', $3, 'SGD', 2, '2026-01-31', $4::integer * 100, 0, $4 * 100, 0, 'bench')`,
    ...[organizationId, documentId, customerId, lines],
  )
  await run(
    `insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
     select $1, $2, n, n::text, 'Consulting on the matter of ' || n, 1, 1, 100 from generate_series(1, $3::integer) n`,
    ...[organizationId, documentId, lines],
  )
  return { organizationId, customerId, documentId, headers: { authorization: `Bearer ${secret}` } }
}

/** Documents with three lines each, without triggers: only sums over them are measured. */
async function seedDocuments(client: pg.Client, { organizationId, customerId }: Party) {
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `insert into documents (organization_id, id, document_type, status, sequence, number, issued_at, counterparty_id, counterparty_name,
       currency, minor_digits, exchange_rate, rate_currency, issue_date, due_date, subtotal_minor, tax_minor, total_minor, generator_version)
     select $1, gen_random_uuid(), 'INVOICE', 'SENT', n, n::text, now(), $2, 'Lim', 'SGD', 2, 1, 'SGD', '2026-01-01'::date + n % 300,
       '2026-12-31', 30000, 0, 30000, 'bench' from generate_series(1, $3::integer) n`,
    [organizationId, customerId, loudDocuments],
  )
  await client.query(
    `insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
     select organization_id, id, n, n::text, 'Consulting', 1, 100, 10000 from documents, generate_series(1, 3) n
     where organization_id = $1 and status = 'SENT'`,
    [organizationId],
  )
  await client.query('commit')
  await client.query('analyze')
}
