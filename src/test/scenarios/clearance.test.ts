import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Simulator, startTaxAuthoritySimulator } from '../../simulators/tax-authority/simulator.ts'
import { verify } from '../../verify/verify.ts'
import { clearingCompany, largeInvoice } from '../clearance.ts'
import { buildProgram, runProgram } from '../processes/program.ts'
import { theApp, theDatabase } from '../world.ts'

/** The long form is `npm run prove`. */
const long = process.env.KONTOR_PROVE === '1'
const [documentCount, workerCount, kills] = long ? [500, 4, 30] : [60, 2, 4]

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** Jobs are due at once, and claims of processes that were killed seconds ago have expired: the waiting is not tested here. */
async function hurry() {
  await ask(
    "update graphile_worker._private_jobs set run_at = now() where key like 'clear-document:%' and run_at > now() and locked_at is null",
  )
  await ask(
    "update clearances set claimed_until = now() where claimed_until between now() and now() + interval '80 seconds'",
  )
  await ask(
    "update tax_authority_connections set refreshing_until = now() where refreshing_until between now() and now() + interval '20 seconds'",
  )
}

const open = async () =>
  Number((await ask("select count(*) as open from clearances where status in ('PENDING', 'ERROR')"))[0]?.open)
const started = async () => Number((await ask('select count(*) as started from clearances'))[0]?.started)

test('FLT-18: with outages, lost answers and killed workers every document gets exactly one number, and every rejection has its reasons', async () => {
  const simulator = await startTaxAuthoritySimulator({
    reject: 0.2, outage: 0.1, lostResponses: 0.15, html: 0.05, truncated: 0.05, delayMs: 30, accessTokenSeconds: 40,
  }) // biome-ignore format: a list of switches
  onTestFinished(() => simulator.close())
  const ids = await issue()
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()), TAX_AUTHORITY_IL_SANDBOX_URL: simulator.url }
  const workers: ChildProcess[] = await Promise.all(Array.from({ length: workerCount }, () => runProgram(program, env)))
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  for (let killed = 0; killed < kills; killed++) {
    await sleep(200 + Math.random() * 600)
    simulator.switches.outage = killed % 3 === 1 ? 1 : 0.1
    const victim = Math.floor(Math.random() * workers.length)
    workers[victim]?.kill('SIGKILL')
    workers[victim] = await runProgram(program, env)
    await hurry()
  }
  simulator.switches.outage = 0.1
  await vi.waitFor(
    async () => {
      await hurry()
      expect([await started(), await open()]).toEqual([documentCount, 0])
    },
    { timeout: long ? 500_000 : 150_000, interval: 1_000 },
  )
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
  await expectOneNumberEach(simulator, ids)
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
}, 600_000)

/** Issues the documents, in three companies that submit them when they are issued. */
async function issue(): Promise<string[]> {
  const companies = await Promise.all([1, 2, 3].map(() => clearingCompany({ clearOnIssue: true })))
  const ids: string[] = []
  while (ids.length < documentCount)
    for (const amy of companies.slice(0, documentCount - ids.length)) ids.push((await largeInvoice(amy)).id)
  return ids
}

type Row = {
  id: string
  status: string
  number: string
  onDocument: string
  reasons: { code: number }[]
  error: string
  told: number
  emitted: number
}

async function expectOneNumberEach(simulator: Simulator, ids: string[]) {
  const rows = await ask<Row>(`
    select c.document_id as id, c.status, c.number, d.vat_allocation_number as "onDocument", c.reasons, c.error,
      (select count(*)::int from document_events e where e.document_id = d.id and e.type in ('CLEARANCE_APPROVED', 'CLEARANCE_REJECTED')) as told,
      (select count(*)::int from events e where e.type in ('invoice.cleared', 'invoice.clearance_rejected') and e.payload ->> 'id' = d.id::text) as emitted
    from clearances c join documents d on d.organization_id = c.organization_id and d.id = c.document_id`)
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const decided = new Map([...simulator.decided].map(([key, value]) => [key.split(' ')[1], value]))
  expect(decided.size).toBe(documentCount) // one request id for each document
  for (const { id, status, number, onDocument, reasons, error, told, emitted } of rows) {
    const { number: allocated } = decided.get(id) ?? {}
    expect([id, status, number, onDocument, told, emitted]).toEqual([
      id, allocated === null ? 'REJECTED' : 'APPROVED', allocated, allocated, 1, 1,
    ]) // biome-ignore format: a row
    if (allocated === null)
      expect([[460, 461].includes(reasons[0]?.code ?? 0), error]).toEqual([true, expect.stringContaining('refused')])
  }
  const approved = rows.filter(({ status }) => status === 'APPROVED')
  expect(approved.length).toBeGreaterThan(documentCount / 2)
  expect(approved.length).toBeLessThan(documentCount)
  expect(new Set(approved.map(({ number }) => number)).size).toBe(approved.length)
  const asked = [...decided.values()].reduce((sum, { times }) => sum + times, 0)
  expect(asked).toBeGreaterThan(documentCount) // answers were lost and asked for again
}
