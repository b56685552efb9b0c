import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Statement } from '../src/db/batch.ts'
import { type Embedded, startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { resilientPool } from '../src/db/pool.ts'
import { automationsMeasure, benchAutomations, toFigureTable } from './automations.ts'
import { documentCreate, needsMany } from './document-measures.ts'
import { type Child, start } from './ipc.ts'
import { type Bench, measure, type Server, type Setting, sentBy } from './measure.ts'
import { type Measure, measuresOf } from './measures.ts'
import type { Raw } from './raw-server.ts'
import { keepReport, type Result, toReport, toTable } from './report.ts'
import { type Seed, seed } from './seed.ts'

const setting: Setting = {
  connections: 16,
  repeats: Number(process.env.BENCH_REPEATS ?? 5),
  seconds: Number(process.env.BENCH_SECONDS ?? 4),
  warmUpSeconds: 2,
}

/** Our API beside the limit of what Fastify, pg and PostgreSQL can do here, on a database of its own. */
export async function bench({ chosen, resultsFolder }: { chosen: string[]; resultsFolder: string }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const children: Child[] = []
  const postgres = await startEmbedded({ dataDir, say: console.log })
  try {
    const manyDocuments = chosen.length === 0 || chosen.some((name) => needsMany.includes(name))
    const seeded = await prepare(postgres, manyDocuments)
    const all = measuresOf(seeded)
    const measures = chosen.length > 0 ? all.filter(({ name }) => chosen.includes(name)) : all
    const ours = await startOurs({ postgres, dataDir, children })
    const raw = await startRaw({ postgres, seeded, children, statements: await ownStatements(ours, all) })
    const load = start('load')
    children.push(load)
    const engine = () => {
      console.log('Automations: from events to finished runs')
      const get = all.find(({ name }) => name === 'get')
      return benchAutomations({ database: postgres.config, env: envOf(dataDir), url: ours.url, load, get, setting })
    }
    const results = await runAll({ raw, ours, load, postmaster: postgres.pid, setting }, measures)
    const figures = chosen.length === 0 || chosen.includes(automationsMeasure) ? await engine() : []
    const report = { ...toReport(results, setting, await versionOf(postgres)), automations: figures }
    if (results.length > 0) console.log(`\n${toTable(report)}`)
    if (figures.length > 0) console.log(`\n${toFigureTable(figures)}`)
    if (chosen.length === 0) console.log(`\nKept in ${keepReport(report, resultsFolder)}`)
  } finally {
    for (const child of children) child.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare({ config }: Embedded, manyDocuments: boolean): Promise<Seed> {
  const pool = resilientPool({ ...config, max: 3 })
  await migrate(pool)
  await pool.end()
  if (manyDocuments) console.log('Making a million documents.')
  return seed(config, { manyDocuments })
}

type Starting = { postgres: Embedded; children: Child[] }

const envOf = (dataDir: string) => ({ LOG_LEVEL: 'info', RATE_LIMIT_SCALE: '100000', KONTOR_DATA: dataDir })

async function startOurs({ postgres, dataDir, children }: Starting & { dataDir: string }): Promise<Server> {
  const child = start('our-server', envOf(dataDir))
  children.push(child)
  return { child, url: await child.ask<string>('listen', postgres.config) }
}

/** The statements of our operations proper, for the raw server to run: what was sent to the tables themselves. */
async function ownStatements(ours: Server, all: Measure[]) {
  const toTables = async (name: string, tables: RegExp): Promise<Statement[]> => {
    const found = all.find((each) => each.name === name)
    if (!found) throw new Error(`There is no measure ${name}.`)
    return (await sentBy(ours, found)).statements.filter(({ text }) => tables.test(text))
  }
  const toCustomers = (name: string) => toTables(name, /"customers"/)
  const [[get], [list, count], [create]] = [
    await toCustomers('get'),
    await toCustomers('list'),
    await toCustomers('create'),
  ]
  if (!get || !list || !count || !create) throw new Error('An operation no longer speaks to the table of customers.')
  const [statements, again] = [await toTables(documentCreate, ofDocuments), await toTables(documentCreate, ofDocuments)]
  if (statements.length < 4) throw new Error('A document is no longer written as it was.')
  const kept = new Set(again.flatMap(({ values }) => values))
  const ids = statements.flatMap(({ values }) => values).filter((value) => isId(value) && !kept.has(value))
  return { get, list, count, create, createDocument: { statements, ids: ids.map(String) } }
}

const ofDocuments = /"documents"|document_lines|document_events/
const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

async function startRaw({ postgres, seeded, children, statements }: StartingRaw): Promise<Server> {
  const child = start('raw-server')
  children.push(child)
  const { listed, filled } = seeded
  const createDocument = {
    ...statements.createDocument,
    organizationId: seeded.documents.spread[0]?.organizationId ?? '',
  }
  const raw: Raw = { database: postgres.config, listed, filled, ...statements, createDocument }
  return { child, url: await child.ask<string>('listen', raw) }
}
type StartingRaw = Starting & { seeded: Seed; statements: Awaited<ReturnType<typeof ownStatements>> }

async function runAll(running: Bench, measures: Measure[]): Promise<Result[]> {
  const results: Result[] = []
  for (const each of measures) {
    console.log(`${each.does} (${each.name})`)
    results.push({ measure: each, sent: await sentBy(running.ours, each), measured: await measure(running, each) })
  }
  return results
}

async function versionOf({ config }: Embedded): Promise<string> {
  const client = new pg.Client(config)
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}
