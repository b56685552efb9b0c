import '../test/own-world.ts'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { storeBundledRates } from '../features/books/exchange-rates/bundled.ts'
import type { App } from '../program/app.ts'
import { analyzeGrownTables } from '../test/database.ts'
import { everything, made, statusOf } from '../test/demo/contents.ts'
import { expectEInvoices } from '../test/demo/e-invoices.ts'
import { expectStatutoryFiles } from '../test/demo/statutory-files.ts'
import { inProof, proves, sample } from '../test/prove.ts'
import { changeJobs, lockJobs } from '../test/queue.ts'
import { Someone, testConfig, theApp } from '../test/world.ts'
import { verify } from '../verify/verify.ts'
import { createExecutor } from '../worker/execute.ts'
import { companies } from './companies.ts'
import type { Company } from './company.ts'
import { demoAccess } from './demo.ts'
import { companiesBeingFilled, fillDemoCompanies } from './fill-companies.ts'

/** In npm test the company of Singapore is left out, because filling takes longest: its job is the same as that of the second one. */
const filled = inProof<readonly Company[]>(companies.slice(0, 2), companies)

/** The app, whose power is cut after so many writes, and stays off. */
function failingAfter(writes: number): App {
  let left = writes
  const { runner } = theApp()
  return {
    ...theApp(),
    runner: {
      ...runner,
      async run(operation, call) {
        if (!operation.reads && left-- <= 0) throw new Error('power cut')
        return runner.run(operation, call)
      },
    },
  }
}

test('every company has orders in every status, low stock, and a company that is both customer and supplier', () => {
  for (const { trade, customers } of companies) {
    const statuses = ['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED']
    expect(new Set(trade.purchases.map(statusOf))).toEqual(new Set(statuses))
    expect(trade.sales.some((order) => order.invoice === 'SENT' && statusOf(order) === 'PARTIALLY_RECEIVED')).toBe(true)
    expect(trade.purchases.some(({ of }) => customers.some(({ name }) => name === of))).toBe(true)
    const skus = trade.items.map(({ sku }) => sku)
    expect([...trade.purchases, ...trade.sales].flatMap(({ lines }) => lines.map(([sku]) => sku))).toEqual(
      expect.arrayContaining(skus),
    )
  }
})

test('KONTOR_DEMO=0 leaves an empty database empty', async () => {
  const config = testConfig({ KONTOR_DEMO: '0' })
  expect(await demoAccess(config, theApp(), () => {})).toBe(undefined)
  expect(await theApp().system.use((db) => db.selectFrom('users').select('id').execute())).toEqual([])
})

/** The job in the queue that fills the next company, run as a worker does; `around` gets the means to stop that worker. */
async function fillNext(around: (run: App['runner']['run'], stop: () => void) => App['runner']['run'] = (run) => run) {
  const [queued, ...others] = await lockJobs('job = $1', [fillDemoCompanies.name])
  expect(others).toEqual([])
  if (!queued) throw new Error('No company waits to be filled.')
  const { runner, providers } = theApp()
  const run = around(runner.run, () => executor.windDown())
  const executor = createExecutor(
    { ...theApp(), providers: { ...providers, run }, jobs: [], subscriberJobs: () => [], logError: () => {} },
    8,
  )
  const fetched = { id: queued.id, attempts: queued.attempts, locked_by: 'test', flags: null }
  await executor.execute(fillDemoCompanies, queued.payload, fetched)
}

const beingFilled = () => companiesBeingFilled(theApp().system)
const namesOf = (list: readonly Company[]) => list.map(({ organization }) => organization.name)

/** The key of the demo, with which the tests after the first ones read it. It is recorded once, because that takes longest. */
let authorization: string

test('a seed that is interrupted repeatedly still ends with the complete demo and no duplicates', async () => {
  await theApp().system.use((db) => storeBundledRates(db)) // as the program does at its start
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = testConfig({ KONTOR_DATA: dataDir })
  const file = join(dataDir, 'demo.json')
  const start = (app: App) => demoAccess(config, app, () => {})

  let cuts = 0
  for (; cuts < 40; cuts++) {
    const access = await start(failingAfter(4 + 8 * cuts)).catch(() => undefined)
    if (access) break
    expect(existsSync(file)).toBe(false)
  }
  expect(cuts).toBeGreaterThan(5)

  // The first company is complete, and nothing of the others is there before their job runs.
  const [first, ...others] = companies
  expect(await made()).toEqual(await everything([first]))
  expect(await beingFilled()).toEqual(namesOf(others))

  // A worker that is stopped, or whose work fails, leaves the rest to the next attempt.
  let attempts = 0
  for (; (await beingFilled()).length > companies.length - filled.length; attempts++) {
    const before = await beingFilled()
    let writes = 4 + 40 * attempts
    const fails = attempts % 2 === 0
    await fillNext((run, stop) => async (operation, call) => {
      if (!operation.reads && writes-- <= 0) {
        if (fails) throw new Error('power cut')
        stop()
      }
      return run(operation, call)
    })
    const after = await beingFilled()
    expect([before, before.slice(1)]).toContainEqual(after)
    // A failed attempt is repeated later, at most five times: here it counts as new and is due at once.
    await changeJobs("payload = payload::jsonb #> '{$order,payload}', run_at = now()", "payload::jsonb ? '$order'")
  }
  expect(attempts).toBeGreaterThan(6)
  expect(await made()).toEqual(await everything(filled))

  const access = JSON.parse(readFileSync(file, 'utf8'))
  const complete = { ...access, organizationId: expect.any(String) }
  expect(await start(theApp())).toEqual(complete)
  rmSync(file) // as after a restore: the same password and key are found again
  expect(await start(theApp())).toEqual(complete)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(access)
  await theApp().system.use((db) => db.updateTable('apiKeys').set({ revokedAt: sql`now()` }).execute())
  rmSync(file) // a revoked key is not given out again
  const renewed = await demoAccess(config, theApp(), () => {}, { whole: proves }) // as kontor seed: it leaves nothing to a worker
  expect(renewed?.apiKey).not.toBe(access.apiKey)
  expect(await made()).toEqual(await everything(filled))
  if (proves) while ((await beingFilled()).length > 0) await fillNext() // it finds nothing to add
  expect(await made()).toEqual(await everything(filled))
  authorization = `Bearer ${renewed?.apiKey}`
}, 600_000)

test('the demo passes verify and sends no mail', async () => {
  const { system, providers } = theApp()
  await system.raw.query(analyzeGrownTables) // as autovacuum does: the rules would take three times as long without
  const broken = await verify({ system, storage: providers.storage })
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // a server for tests keeps nothing over a power cut
  const low = await system.use((db) =>
    db
      .selectFrom('items as i')
      .innerJoin('stockLevels as l', (join) =>
        join.onRef('l.organizationId', '=', 'i.organizationId').onRef('l.itemId', '=', 'i.id'),
      )
      .select('i.organizationId')
      .distinct()
      .whereRef('l.quantity', '<=', 'i.lowStockThreshold')
      .where('l.quantity', '>=', '0')
      .execute(),
  )
  expect(low).toHaveLength(filled.length)
  const both = await system.use((db) =>
    db.selectFrom('customers').select('name').where('isCustomer', '=', true).where('isSupplier', '=', true).execute(),
  )
  expect(both.map(({ name }) => name).toSorted()).toEqual([
    'Badger Ridge Builders LLC',
    ...(proves ? ['Jurong Robotics Pte. Ltd.'] : []),
    'רשת מאפיות דגן',
  ])
  expect(await system.use((db) => db.selectFrom('mailDeliveries').select('id').execute())).toEqual([])
})

test.each(sample(['IL', 'SG'], 2))(
  'the company of %s is connected with the simulator: its recent documents have their numbers, and later ones get theirs',
  async (country) => {
    const { rows } = await theApp().system.raw.query(
      `select c.status, c.number, c.environment, c.error, d.vat_allocation_number as "onDocument" from clearances c
     join documents d on d.id = c.document_id join organizations o on o.id = c.organization_id where o.country = $1`,
      [country],
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { status, number, environment, onDocument, error } of rows)
      expect([status, environment, onDocument, error]).toEqual(['APPROVED', 'sandbox', number, null])
    const { rows: settings } = await theApp().system.raw.query(
      `select o.country, s.clear_on_issue as "clearOnIssue" from organization_settings s join organizations o on o.id = s.organization_id order by 1`,
    )
    expect(settings.filter(({ clearOnIssue }) => clearOnIssue)).toContainEqual({ country, clearOnIssue: true })
    expect(settings.map(({ country: of }) => of)).not.toContain('US')
  },
)

async function galil(): Promise<Someone> {
  const { organizationId, userId } = await theApp().system.use((db) =>
    db
      .selectFrom('organizations')
      .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
      .select(['organizations.id as organizationId', 'memberships.userId'])
      .where('country', '=', 'IL')
      .where('role', '=', 'OWNER')
      .executeTakeFirstOrThrow(),
  )
  return new Someone(userId, { authorization }, organizationId)
}

test('the statutory files of the Israeli company fit its journal and its tax report', async () => {
  await expectStatutoryFiles(await galil())
}, 600_000)

test('invoices and memos of the demo are e-invoices that pass the checks and read back with the same figures', async () => {
  await expectEInvoices(authorization)
}, 600_000)
