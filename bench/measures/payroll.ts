import type { Request } from 'autocannon'
import pg from 'pg'
import { newId } from '../../src/core/values/id.ts'
import { queueTables } from '../../src/db/queue.ts'
import type { Child } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Server, Setting } from '../measure.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// The payslips of a thousand employees take at most six times as long as bare inserts of the same rows, without the rules of the
// database. The summary of that month takes at most sixty times as long as GET one.

export const payrollMeasure = 'payroll'

type Payroll = {
  ours: Server
  load: Child
  database: pg.ClientConfig
  setting: Setting
  get: Request[]
  key: Record<string, string>
}

const [people, slowestGenerate, slowestSummary, month] = [1_000, 6, 60, '2026-03']

export async function benchPayroll({ ours, load, database, setting, get, key }: Payroll): Promise<Figure[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const shape = await seedCompany(client)
    await generateOnce(ours.url, shape, key)
    const tables = await rowsOf(client, shape)
    await insertOnce(client, tables, shape) // warms up both
    await analyze(client)
    const repeats = []
    for (let n = 0; n < setting.repeats; n++) {
      const bareMs = await insertOnce(client, tables, shape)
      repeats.push({ bareMs, generateMs: await generateOnce(ours.url, await seedCompany(client), key) })
    }
    await analyze(client)
    const path = `/api/payroll/summary?organizationId=${shape}&month=${month}`
    const summary = await fireInTurn({ ours, load, setting, get, summary: [{ path, headers: key }] })
    const bareMs = median(repeats.map((each) => each.bareMs)).toFixed(0)
    const rows = tables.reduce((sum, each) => sum + each.count, 0)
    return [
      figure('payroll generate', {
        does: `Payslips of ${people} employees, against bare inserts of the same ${rows} rows (${bareMs} ms)`,
        value: median(repeats.map((each) => each.generateMs / each.bareMs)),
        slowest: slowestGenerate,
      }),
      figure('payroll summary', {
        does: `Summary of ${people} employees, against GET one (p50 ${summary.getMs.toFixed(1)} ms)`,
        value: summary.ratio,
        slowest: slowestSummary,
      }),
    ]
  } finally {
    await client.end()
  }
}

/** As PostgreSQL does by itself within a minute. */
const analyze = (client: pg.Client) =>
  client.query('analyze documents, document_lines, payslips, payslip_lines, document_events, events')

const figure = (name: string, { does, value, slowest }: { does: string; value: number; slowest: number }): Figure => ({
  ...{ name, does, value, bar: `<= ${slowest}`, fits: value <= slowest, better: 'lower' },
})

type Fires = { ours: Server; load: Child; setting: Setting; get: Request[]; summary: Request[] }

async function fireInTurn({ ours, load, setting: { repeats, seconds }, get, summary }: Fires) {
  const fire = (requests: Request[]) =>
    load.ask<Fired>('fire', { url: ours.url, connections: 1, seconds, requests } satisfies Partial<Fire>)
  await fire(get)
  await fire(summary)
  const shots = []
  for (let n = 0; n < repeats; n++) shots.push({ get: await fire(get), summary: await fire(summary) })
  return {
    ratio: median(shots.map((each) => each.summary.p50Ms / each.get.p50Ms)),
    getMs: median(shots.map((each) => each.get.p50Ms)),
  }
}

/** A company of the owner of the key, with a thousand employees who have no payslip. */
async function seedCompany(client: pg.Client): Promise<string> {
  const id = newId()
  await client.query('begin')
  await client.query(
    `insert into organizations (id, name, country, currency, timezone) values ($1, 'Acme', 'SG', 'SGD', 'Asia/Singapore')`,
    [id],
  )
  await client.query(
    `insert into memberships (organization_id, user_id, role) select $1, user_id, 'OWNER' from api_keys where name = 'bench'`,
    [id],
  )
  const ids = Array.from({ length: people }, newId)
  await client.query(
    `insert into customers (organization_id, id, name, kind, default_currencies, is_customer)
      select $1, p.id, 'Person ' || p.n, 'INDIVIDUAL', '{SGD}', false from unnest($2::uuid[]) with ordinality p (id, n)`,
    [id, ids],
  )
  await client.query(
    `insert into employees (organization_id, id, start_date, currency) select $1, p, '2025-01-01', 'SGD' from unnest($2::uuid[]) p`,
    [id, ids],
  )
  await client.query(
    `insert into employee_terms (organization_id, employee_id, since, wage_minor, facts)
      select $1, p.id, '2025-01-01', 300000 + p.n * 100, '{"birthDate": "1990-05-17", "raceFund": "CDAC"}'
      from unnest($2::uuid[]) with ordinality p (id, n)`,
    [id, ids],
  )
  await client.query('commit')
  await client.query('analyze customers, employees, employee_terms, organizations, memberships')
  return id
}

/** Refusals and months with fewer payslips would measure nothing. */
async function generateOnce(url: string, organizationId: string, key: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ organizationId, month })
  const started = performance.now()
  const answer = await fetch(`${url}/api/payroll/generate`, {
    ...{ method: 'POST', body, headers: { ...key, 'content-type': 'application/json' } },
  })
  const made = (await answer.json()) as { generated?: number }
  const tookMs = performance.now() - started
  if (made.generated !== people) throw new Error(`The month was not generated: ${JSON.stringify(made).slice(0, 500)}`)
  return tookMs
}

type Table = { name: string; columns: string; rows: string; count: number }

/** The rows that one call wrote, of every table. */
async function rowsOf(client: pg.Client, organizationId: string): Promise<Table[]> {
  const jobs = `t.flags ? ('organization:' || '${organizationId}')`
  const own = `t.organization_id = '${organizationId}'`
  const written: [string, string][] = [
    ...['documents', 'document_lines', 'payslips', 'payslip_lines', 'document_events', 'events', 'audit_log'].map(
      (name): [string, string] => [`public.${name}`, own],
    ),
    [queueTables.jobs, jobs],
  ]
  const tables: Table[] = []
  for (const [name, isOwn] of written) {
    const { rows: columns } = await client.query(
      `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attidentity = ''`,
      [name],
    )
    const { rows } = await client.query(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows, count(*)::int as count from ${name} t where ${isOwn}`,
    )
    tables.push({ name, columns: columns.map((column) => column.name).join(', '), ...rows[0] })
  }
  return tables.filter(({ count }) => count > 0)
}

/** The same rows for another organization, a statement for each table, in one transaction and without triggers. */
async function insertOnce(client: pg.Client, tables: readonly Table[], organizationId: string): Promise<number> {
  const other = newId()
  const own = tables.map((table) => ({ ...table, rows: table.rows.replaceAll(organizationId, other) }))
  const started = performance.now()
  await client.query('begin; set local session_replication_role = replica')
  for (const { name, columns, rows } of own)
    await client.query(
      `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [rows],
    )
  await client.query('commit')
  return performance.now() - started
}
