import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../app.ts'
import { testConfig, theApp } from '../test/world.ts'
import { companies } from './companies.ts'
import { demoAccess } from './demo.ts'

/** The app, whose power is cut after so many writes. */
function failingAfter(writes: number): App {
  let left = writes
  const { runner } = theApp()
  return {
    ...theApp(),
    runner: {
      ...runner,
      async run(operation, call) {
        if (!operation.reads && left-- === 0) throw new Error('power cut')
        return runner.run(operation, call)
      },
    },
  }
}

/** What there is, by name, in an order of its own. */
const made = () =>
  theApp().system.use(async (db) => ({
    organizations: (await db.selectFrom('organizations').select('name').execute()).map(({ name }) => name).sort(),
    accounts: (await db.selectFrom('bankAccounts').select('accountName').execute())
      .map((one) => one.accountName)
      .sort(),
    customers: (await db.selectFrom('customers').select('name').execute()).map(({ name }) => name).sort(),
    recipients: (await db.selectFrom('customerRecipients').select('email').execute()).map((one) => one.email).sort(),
  }))

const everyCustomer = companies.flatMap(({ customers }) => customers)
const everything = {
  organizations: companies.map(({ organization }) => organization.name).sort(),
  accounts: companies.flatMap(({ bankAccounts }) => bankAccounts.map(({ accountName }) => accountName)).sort(),
  customers: everyCustomer.map(({ name }) => name).sort(),
  recipients: everyCustomer.flatMap(({ recipients = [] }) => recipients).sort(),
}

test('a first start that is interrupted again and again still ends with the whole demo, and nothing twice', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = testConfig({ KONTOR_DATA: dataDir })
  const file = join(dataDir, 'demo.json')
  const start = (app: App) => demoAccess(config, app, () => {})

  let cuts = 0
  for (; cuts < 20; cuts++) {
    const access = await start(failingAfter(4)).catch(() => undefined)
    if (access) break
    expect(existsSync(file)).toBe(false)
  }
  expect(cuts).toBeGreaterThan(3)
  expect(await made()).toEqual(everything)

  const access = JSON.parse(readFileSync(file, 'utf8'))
  expect(await start(theApp())).toEqual(access)
  rmSync(file)
  expect(await start(theApp())).toMatchObject({ email: access.email })
  expect(await made()).toEqual(everything)
})
