import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { resilientPool } from '../src/db/pool.ts'
import type { Statement } from '../src/db/wire/batch.ts'
import { type Child, start } from './ipc.ts'
import { type Bench, measure, type Server, type Setting, sentBy } from './measure.ts'
import {
  type AutomationDependencies,
  automationsMeasure,
  benchAutomations,
  benchOneAction,
  figuresOf,
  oneActionFigures,
  oneActionMeasure,
  toFigureTable,
} from './measures/automations.ts'
import { benchCompanion, companionMeasure } from './measures/companion.ts'
import { documentCreate, needsMany } from './measures/document-measures.ts'
import { benchExport, exportMeasure } from './measures/expense-export.ts'
import { needsExpenses } from './measures/expense-measures.ts'
import { benchFairness, fairnessMeasure } from './measures/fairness.ts'
import { benchImport, importMeasure } from './measures/import.ts'
import { benchMailboxes, mailboxMeasure } from './measures/mailboxes.ts'
import { type Measure, measureNames, measuresOf, needsBooks } from './measures/measures.ts'
import { benchPages, pagesMeasure } from './measures/pages.ts'
import { benchPayroll, payrollMeasure } from './measures/payroll.ts'
import { impossibleAutomations, impossibleOneAction, impossibleResults } from './plausibility.ts'
import type { Raw } from './raw-server.ts'
import { type Report, type Result, saveResult, toReport, toTable, writeReport } from './report.ts'
import { benchScan, scanMeasure } from './scan/scan.ts'
import { type Seed, type SeedSize, seed } from './seed/seed.ts'

type Options = {
  /** The names of the measures; all without any. */
  chosen: string[]
  setting: Pick<Setting, 'repeats' | 'seconds' | 'runs'>
  resultsFolder: string
  /** A folder of pictures with labels.json, for the measure of scans; it generates receipts without one. */
  scanFolder: string | undefined
  /** Where to write the report as JSON, if anywhere. */
  jsonFile: string | undefined
}

/** The measures that can be chosen. */
export const names = () => [
  ...measureNames(),
  exportMeasure,
  importMeasure,
  automationsMeasure,
  oneActionMeasure,
  payrollMeasure,
  fairnessMeasure,
  mailboxMeasure,
  companionMeasure,
  pagesMeasure,
  scanMeasure,
]

/** The hot paths, in at most six minutes. */
export const quick = {
  measures: ['get', 'list', 'create', documentCreate, 'document-list-small', 'pdf', 'get-beside-pdf', oneActionMeasure],
  setting: { repeats: 3, seconds: 3, runs: 1200 },
}

/** Measures our API beside a server with Fastify, pg and PostgreSQL alone, on a new database. */
export async function bench({ chosen, setting: given, resultsFolder, scanFolder, jsonFile }: Options): Promise<Report> {
  // After two seconds V8 was still compiling our code, of which there is more than of the raw server's.
  const setting: Setting = { ...given, connections: 16, warmUpSeconds: 5 }
  const report = await withServers(chosen, setting, (servers) => measureAll(servers, chosen, scanFolder))
  if (report.measures.length > 0) console.log(`\n${toTable(report)}`)
  if (report.automations.length > 0) console.log(`\n${toFigureTable(report.automations)}`)
  if (jsonFile) writeReport(report, jsonFile)
  const isFull = chosen.length === 0 && report.impossible.length === 0
  if (isFull && !jsonFile) console.log(`\nSaved as ${saveResult(report, resultsFolder)}`)
  return report
}

type Servers = Bench & { postgres: Embedded; env: Record<string, string>; all: Measure[]; seeded: Seed }

async function withServers<T>(chosen: string[], setting: Setting, work: (servers: Servers) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const children: Child[] = []
  const postgres = await startEmbedded({ dataDir, say: console.log })
  try {
    const isNeeded = (names: string[]) => chosen.length === 0 || chosen.some((name) => names.includes(name))
    const size = {
      manyDocuments: isNeeded(needsMany),
      withBooks: isNeeded(needsBooks),
      manyExpenses: isNeeded(needsExpenses),
    }
    const seeded = await prepare(postgres, size)
    const all = measuresOf(seeded)
    const env = envOf(dataDir)
    const ours = await startOurs({ postgres, env, children })
    const raw = await startRaw({ postgres, seeded, children, statements: await ownStatements(ours, all) })
    const load = start('load')
    children.push(load)
    return await work({ raw, ours, load, postmaster: postgres.pid, setting, postgres, env, all, seeded })
  } finally {
    await Promise.all(children.map((child) => child.stop()))
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAll(servers: Servers, chosen: string[], scanFolder: string | undefined): Promise<Report> {
  const { setting, postgres, all } = servers
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
  const { results, refused } = await measureRequests(
    servers,
    all.filter(({ name }) => isChosen(name)),
  )
  const automations = isChosen(automationsMeasure) ? await measureAutomations(servers, benchAutomations) : undefined
  // Its figure is the first of all automations too.
  const oneAction = chosen.includes(oneActionMeasure) ? await measureAutomations(servers, benchOneAction) : undefined
  const exporting = isChosen(exportMeasure) ? await measureExport(servers) : []
  const importing = isChosen(importMeasure) ? await measureImport(servers) : []
  const payroll = isChosen(payrollMeasure) ? await measurePayroll(servers) : []
  const fairness = isChosen(fairnessMeasure) ? await measureFairness(servers) : []
  const polling = isChosen(mailboxMeasure) ? await measureMailboxes(servers) : []
  const talking = isChosen(companionMeasure) ? await measureCompanion(servers) : []
  // It needs a browser, so it is only measured by name.
  const pages = chosen.includes(pagesMeasure) ? await measurePages(servers) : []
  // It takes as long as all others together, so it is only measured by name.
  const scanning = chosen.includes(scanMeasure) ? await measureScan(servers, scanFolder) : []
  return toReport({
    results,
    refused,
    figures: [
      ...(automations ? figuresOf(automations) : []),
      ...(oneAction ? oneActionFigures(oneAction) : []),
      ...exporting,
      ...importing,
      ...talking,
      ...payroll,
      ...fairness,
      ...polling,
      ...pages,
      ...scanning,
    ],
    impossible: [
      ...impossibleResults(results, setting),
      ...(automations ? impossibleAutomations(automations, setting) : []),
      ...(oneAction ? impossibleOneAction(oneAction, setting) : []),
    ],
    setting,
    postgres: await versionOf(postgres),
  })
}

/** A measure whose requests are refused or fail has missed its bar; the others are measured all the same. */
async function measureRequests(servers: Servers, measures: readonly Measure[]) {
  const results: Result[] = []
  const refused: string[] = []
  for (const each of measures) {
    console.log(`${each.does} (${each.name})`)
    try {
      results.push({ measure: each, sent: await sentBy(servers.ours, each), measured: await measure(servers, each) })
    } catch (error) {
      const sentence = error instanceof Error ? error.message.split('\n')[0] : String(error)
      refused.push(`${each.name}: ${sentence}`)
      console.log(`  ${sentence}`)
    }
  }
  return { results, refused }
}

function measureAutomations<T>(
  { postgres: { config: database }, postmaster, env, ours: { url }, load, all, setting }: Servers,
  work: (dependencies: AutomationDependencies) => Promise<T>,
): Promise<T> {
  console.log('Automations: from events to finished runs')
  const get = all.find(({ name }) => name === 'get')
  return work({ database, postmaster, env, url, load, get, setting })
}

function measureExport({ ours, load, setting, all, seeded }: Servers) {
  console.log(`Export of expenses (${exportMeasure})`)
  const get = all.find(({ name }) => name === 'get')?.ours ?? []
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  return benchExport({ ours, load, setting, get, key, organizationId: seeded.expenses.large })
}

function measureImport({ ours, setting, postgres, seeded }: Servers) {
  console.log(`Import of customers (${importMeasure})`)
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  return benchImport({ ours, setting, key, database: postgres.superuser, organizationId: seeded.filled })
}

function measurePayroll({ ours, load, setting, all, postgres, seeded }: Servers) {
  console.log(`A month of payroll (${payrollMeasure})`)
  const get = all.find(({ name }) => name === 'get')?.ours ?? []
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  return benchPayroll({ ours, load, setting, get, key, database: postgres.superuser })
}

function measureScan({ ours, load, setting, all, seeded }: Servers, folder: string | undefined) {
  console.log(`Receipts are read (${scanMeasure})`)
  const get = all.find(({ name }) => name === 'get')?.ours ?? []
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  return benchScan({ folder, api: { url: ours.url, load, setting, get, key, organizationId: seeded.filled } })
}

function measureCompanion({ ours, load, setting, all, seeded, postgres, env }: Servers) {
  console.log(`The companion answers (${companionMeasure})`)
  const get = all.find(({ name }) => name === 'get')?.ours ?? []
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  const api = { url: ours.url, load, setting, get, key, organizationId: seeded.filled }
  return benchCompanion({ api, database: postgres.config, env })
}

function measureMailboxes({ ours, load, setting, all, seeded, postgres, env }: Servers) {
  console.log(`Mailboxes are polled (${mailboxMeasure})`)
  const get = all.find(({ name }) => name === 'get')?.ours ?? []
  const key = { authorization: `Bearer ${seeded.keySecret}` }
  const api = { url: ours.url, load, setting, get, key, organizationId: seeded.filled }
  return benchMailboxes({ api, database: postgres.config, env })
}

function measurePages({ ours: { url }, setting: { repeats }, seeded: { documents, sessionSecret } }: Servers) {
  console.log(`The web app in a browser (${pagesMeasure})`)
  return benchPages({ url, organizationId: documents.paged, sessionSecret, repeats })
}

/** On a server of its own, with the rate limits of production. */
async function measureFairness({ postgres, env, load, setting }: Servers) {
  console.log('Fairness: one organization beside another that does expensive things')
  const children: Child[] = []
  try {
    const ours = await startOurs({ postgres, env: { ...env, RATE_LIMIT_SCALE: '1' }, children })
    return await benchFairness({ database: postgres.superuser, ours, load, setting })
  } finally {
    await Promise.all(children.map((child) => child.stop()))
  }
}

async function prepare({ config, superuser }: Embedded, size: SeedSize): Promise<Seed> {
  const pool = resilientPool({ ...config, max: 3 })
  await migrate(pool)
  await pool.end()
  if (size.manyDocuments) console.log('Making a million documents.')
  return seed(superuser, size) // without triggers, which would take long
}

type Starting = { postgres: Embedded; children: Child[] }

const envOf = (dataDir: string) => ({ LOG_LEVEL: 'info', RATE_LIMIT_SCALE: '100000', KONTOR_DATA: dataDir })

async function startOurs({ postgres, env, children }: Starting & { env: Record<string, string> }): Promise<Server> {
  const child = start('our-server', env)
  children.push(child)
  return { child, url: await child.ask<string>('listen', postgres.config) }
}

/** The statements that our operations send to their own tables, for the raw server to run. */
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
  if (!get || !list || !count || !create) throw new Error('An operation no longer queries the table of customers.')
  const [statements, again] = [await toTables(documentCreate, ofDocuments), await toTables(documentCreate, ofDocuments)]
  if (statements.length < 4) throw new Error('Creating a document sends fewer statements than expected.')
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
  const raw: Raw = { database: postgres.superuser, listed, filled, ...statements, createDocument }
  return { child, url: await child.ask<string>('listen', raw) }
}
type StartingRaw = Starting & { seeded: Seed; statements: Awaited<ReturnType<typeof ownStatements>> }

async function versionOf({ config }: Embedded): Promise<string> {
  const client = new pg.Client(config)
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}
