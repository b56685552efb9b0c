import '../own-world.ts'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFileRestore } from '../../backup/files.ts'
import { load } from '../../backup/load.ts'
import { checkBackup } from '../../backup/restore.ts'
import { withSession } from '../../backup/session.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { jobs } from '../../catalog/jobs.ts'
import { openKeyring } from '../../core/secrets/keyring.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { productVersion } from '../../core/values/product-version.ts'
import { appliedTo, migrate, migrationFiles } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { type App, createApp } from '../../program/app.ts'
import { verify } from '../../verify/verify.ts'
import { startWorker } from '../../worker/worker.ts'
import { asSuperuser, dropDatabase, emptyDatabase, testSecretsKey } from '../database.ts'
import { proves } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'
import { backdate } from '../upgrade/backdate.ts'
import { writeEveryTable } from '../upgrade/every-table.ts'
import { fixtureKey, fixtureNames, writeBooks } from '../upgrade/old-books.ts'
import { rowCounts } from '../upgrade/row-counts.ts'
import { addressed, operationNamed, testConfig, theApp, theDatabase } from '../world.ts'

/**
 * Databases of earlier versions are upgraded to this one. A fixture is a backup that was taken with the version that its
 * name says, or whose newest migration it says before 0.1.0; it is never written again. That of a released version has rows
 * in every table. `npm run upgrade-fixture` adds one for the current version.
 */
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const files = readdirSync(fixtures).filter((name) => /^(migrated-to|released)-[\d.]+\.tar\.gz$/.test(name))
const released = (version: string) => `released-${version}.tar.gz`

/** Tables whose number of rows a migration changes on purpose, with the fixtures up to which it does and the reason. */
const changedByMigrations: { table: string; in: string[]; why: string }[] = []

/** The test server gives durability up for speed, which `verify` reports as INV-22. */
const violationsOf = async (system: App['system'], storage: App['providers']['storage']) =>
  (await verify({ system, storage })).filter(({ id }) => id !== 'INV-22')

/** A fixture in a database of its own: first at the version that it was taken with, then upgraded. */
async function upgraded(file: string) {
  const { manifest } = await checkBackup(file, openKeyring(new Secret(testSecretsKey)))
  const database = await emptyDatabase()
  const dataDir = newFolder('upgraded')
  const pool = resilientPool({ ...database, max: 3 })
  const only = new Set(manifest.migrations.map(({ name }) => name))
  await migrate(pool, () => {}, { only })
  const files = createFileRestore(join(dataDir, 'files'))
  await withSession(database, (client) => load(client, { file, manifest, files }))
  const before = await appliedTo(pool)
  await migrate(pool)
  const counts = await rowCounts(database)
  const app = await createApp(testConfig({ KONTOR_DATA: dataDir }), database)
  await app.server.ready()
  return {
    app,
    manifest,
    counts,
    before: [...before.keys()].sort(),
    after: [...(await appliedTo(pool)).keys()].sort(),
    pool,
    async close() {
      await app.close()
      await pool.end()
      await dropDatabase(database)
    },
  }
}

test('the fixture of the first version with frozen migrations is there', () => {
  expect(files).toContain('migrated-to-0021.tar.gz')
})

/** In `npm test` those of releases: src/db/baseline.test.ts applies the migrations one by one. */
describe.each(files.filter((name) => proves || name.startsWith('released')))('%s', (name) => {
  let upgrade: Awaited<ReturnType<typeof upgraded>>
  beforeAll(async () => {
    upgrade = await upgraded(join(fixtures, name))
  })
  afterAll(() => upgrade?.close())

  /** Calls an operation with the key of the fixture. */
  async function call<T = Record<string, unknown>>(operation: string, input: Record<string, unknown> = {}): Promise<T> {
    const { method } = operationNamed(operation)
    const { url, body } = addressed(operationNamed(operation), input)
    const answer = await upgrade.app.server.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${fixtureKey}` },
      ...(body && { payload: body }),
    })
    expect([operation, answer.statusCode, answer.statusCode < 400 || answer.body]).toEqual([
      operation,
      expect.any(Number),
      true,
    ])
    return answer.json() as T
  }

  const organization = async () => {
    const { organizations } = await call<{ organizations: { id: string; name: string }[] }>('organizations_list')
    const found = organizations.find((each) => each.name === fixtureNames.organization)
    return { organizationId: found?.id ?? '' }
  }
  const clean = async () => {
    const { system, providers } = upgrade.app
    expect(await violationsOf(system, providers.storage)).toEqual([])
  }

  test('FLT-16: a database of this version is upgraded to the newest migration, and verify finds nothing', async () => {
    const newest = migrationFiles().map((migration) => migration.name)
    const { version } = upgrade.manifest
    expect([released(version), `migrated-to-${upgrade.before.at(-1)?.slice(0, 4)}.tar.gz`]).toContain(name)
    expect(upgrade.after).toEqual(newest)
    await clean()
  })

  test.runIf(name.startsWith('released'))('every table has the rows that it had, and none had none', () => {
    const changed = changedByMigrations.filter((each) => each.in.includes(name)).map(({ table }) => `tables/${table}`)
    const had = Object.entries(upgrade.manifest.parts).filter(([part]) => !changed.includes(part))
    const counted = had.map(([part, { rows }]) => [part, rows])
    expect(had.map(([part]) => [part, upgrade.counts[part]])).toEqual(counted)
    expect(counted.filter(([, rows]) => rows === 0)).toEqual([])
  })

  test('the documents, payments, people and files of the earlier version are there', async () => {
    const home = await organization()
    const { invoices } = await call<{ invoices: Invoice[] }>('invoices_list', { ...home, limit: 100 })
    const count = (type: string) => invoices.filter(({ documentType }) => documentType === type).length
    expect(invoices.map(({ status }) => status)).toEqual(expect.arrayContaining(['DRAFT', 'UNSENT', 'SENT', 'PAID']))
    expect([count('CREDIT_MEMO'), count('DEBIT_MEMO'), count('RECEIPT')]).toEqual([3, 1, expect.any(Number)])
    expect(count('RECEIPT')).toBeGreaterThan(0)
    // The credit of a memo is no longer a payment, and an invoice that was only credited is no longer PAID.
    const credited = invoices.filter(({ creditedAmount }) => creditedAmount > 0)
    expect(
      credited
        .map(({ status, paidAmount, creditedAmount, openBalance }) => [status, paidAmount, creditedAmount, openBalance])
        .sort(),
    ).toEqual([
      ['SENT', 0, 109, 0],
      ['SENT', 0, 21.8, 87.2],
    ])
    const { payments } = await call<{ payments: Payment[] }>('invoices_payments_list', { ...home, limit: 100 })
    expect(payments.filter(({ voidedAt }) => voidedAt)).not.toEqual([])
    expect(payments.filter(({ openRemainder }) => openRemainder > 0)).not.toEqual([])
    const { members } = await call<{ members: { role: string }[] }>('users_members', { id: home.organizationId })
    expect(new Set(members.map(({ role }) => role)).size).toBe(5)
    const attachment = invoices.flatMap(({ attachments }) => attachments)[0]
    const { pathname, search } = new URL(attachment?.storageUrl ?? '')
    expect((await upgrade.app.server.inject(`${pathname}${search}`)).body).toBe('Contents of hours.txt')
  })

  test('a payment is recorded and a document is issued, numbered after the last one', async () => {
    const home = await organization()
    const { invoices } = await call<{ invoices: Invoice[] }>('invoices_list', { ...home, limit: 100 })
    const open = invoices.find(
      (each) => each.status === 'SENT' && each.documentType === 'INVOICE' && each.openBalance === each.total,
    )
    expect(open).toBeDefined()
    const { id = '', currency, total } = open ?? {}
    await call('invoices_payments', { id, amount: total, paidAt: '2025-01-10' })
    expect(await call('invoices_get', { id })).toMatchObject({ status: 'PAID', currency, paidAmount: total })
    const last = Math.max(
      ...invoices.filter((each) => each.documentType === 'INVOICE').map((each) => Number(each.invoiceNumber)),
    )
    const { customers } = await call<{ customers: { id: string; name: string }[] }>('customers_list', {
      ...home,
      limit: 100,
    })
    const customerId = customers.find((customer) => customer.name === fixtureNames.customer)?.id
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 100, amount: 100 }]
    const sums = { subtotal: 100, taxRate: 0, taxAmount: 0, total: 100 }
    const issued = { ...home, customerId, currency: 'SGD', status: 'SENT', items, ...sums }
    expect(await call('invoices_create', issued)).toMatchObject({ invoiceNumber: String(last + 1) })
  })

  test('a worker finishes the run and sends the mail that were waiting', async () => {
    const { app, pool } = upgrade
    const waiting = async () => {
      const { rows } =
        await pool.query(`select (select count(*)::int from automation_runs where status = 'RUNNING') as runs,
        (select count(*)::int from mail_deliveries where status = 'QUEUED') as mail`)
      return rows[0]
    }
    const { runs: waitingRuns, mail: waitingMail } = await waiting()
    expect([waitingRuns > 0, waitingMail > 0]).toEqual([true, true])
    const queue = resilientPool({ ...pool.options, max: 8 })
    const complaints: unknown[] = []
    const logError = (error: unknown) => complaints.push(error)
    const worker = await startWorker(queue, { ...app, jobs, subscriberJobs: () => [], logError })
    await vi.waitFor(async () => expect(await waiting()).toEqual({ runs: 0, mail: 0 }), 20_000)
    await worker.stop()
    await queue.end()
    expect(complaints).toEqual([])
    const home = await organization()
    const { automations } = await call<{ automations: { id: string; name: string }[] }>('automations_list', home)
    const id = automations.find((each) => each.name === fixtureNames.automation)?.id ?? ''
    const { runs } = await call<{ runs: { status: string }[] }>('automations_runs', { id })
    expect(runs.length).toBeGreaterThan(1)
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']))
    await clean()
  })
})

type Invoice = {
  id: string
  documentType: string
  status: string
  invoiceNumber: string | null
  currency: string
  total: number
  paidAmount: number
  creditedAmount: number
  openBalance: number
  attachments: { storageUrl: string }[]
}
type Payment = { voidedAt: string | null; openRemainder: number }

if (process.env.KONTOR_UPGRADE_FIXTURE)
  test('writes the fixture of the current version', { timeout: 600_000 }, async () => {
    const file = join(fixtures, released(productVersion))
    expect(existsSync(file), `${file} exists already and stays as it is.`).toBe(false)
    await writeBooks()
    await writeEveryTable()
    const parts = Object.entries(await rowCounts(theDatabase()))
    const empty = parts.filter(([, rows]) => rows === 0).map(([part]) => part)
    const advice = `No rows: ${empty.join(', ')}. Add a function that writes some to src/test/upgrade/every-table.ts.`
    expect(empty, advice).toEqual([])
    await backdate(asSuperuser(theDatabase()))
    expect(await violationsOf(theApp().system, theApp().providers.storage)).toEqual([])
    const filesDir = join(testConfig().dataDir, 'files')
    await takeBackup({ database: theDatabase(), file, filesDir, version: productVersion })
  })
