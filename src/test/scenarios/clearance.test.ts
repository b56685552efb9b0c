import '../own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AccessPointSimulator, startAccessPointSimulator } from '../../simulators/access-point/simulator.ts'
import { type Simulator, startTaxAuthoritySimulator } from '../../simulators/tax-authority/simulator.ts'
import { reportedInvoice, reportingCompany } from '../access-point.ts'
import { clearingCompany, largeInvoice } from '../clearance.ts'
import { buildProgram } from '../processes/bundle.ts'
import { runProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves } from '../prove.ts'
import { changeJobs, findJobs } from '../queue.ts'
import { expectSoundBooks } from '../violations.ts'
import { theApp, theDatabase } from '../world.ts'
import { randomOf, seedOf } from './bank/random.ts'

/**
 * How many documents, workers and kills. In `npm test` the worker is this process, which nobody kills: fault-points.test.ts kills one while it
 * submits. The fewer documents, the more of them meet a fault, so that each fault is met.
 */
const [documentCount, workerCount, kills] = inProof([16, 1, 0], [500, 4, 30])
const [reject, lostResponses] = inProof([0.4, 0.4], [0.2, 0.15])
const patienceMs = inProof(150_000, 500_000)

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** The condition for jobs that were refused and wait for their next attempt. */
const waiting = "key ~ '^(clear-document|receive-einvoices):' and run_at > now() and locked_at is null"

/** Jobs are due at once, and claims of processes that were killed seconds ago have expired: the waiting is not tested here. */
async function hurry() {
  await changeJobs('run_at = now()', waiting)
  await ask(
    "update clearances set claimed_until = now() where claimed_until between now() and now() + interval '80 seconds'",
  )
  await ask(
    "update tax_authority_connections set refreshing_until = now() where refreshing_until between now() and now() + interval '20 seconds'",
  )
}

type Workers = { replace(victim: number): Promise<void>; stop(): Promise<unknown> }

/** Workers that are killed and replaced. */
async function startWorkers(env: Record<string, string>): Promise<Workers> {
  if (!proves) return workerHere(env)
  const start = async () => {
    const worker = await runProgram(await buildProgram('worker'), { DATABASE: JSON.stringify(theDatabase()), ...env })
    onTestFinished(() => void worker.kill('SIGKILL'))
    return worker
  }
  const workers = await Promise.all(Array.from({ length: workerCount }, start))
  return {
    async replace(victim: number) {
      workers[victim]?.kill('SIGKILL')
      workers[victim] = await start()
    },
    stop: () =>
      Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM')))),
  }
}

async function workerHere(env: Record<string, string>): Promise<Workers> {
  const stop = await startWorkerHere(env)
  onTestFinished(stop)
  return { replace: async () => {}, stop }
}

const open = async () =>
  Number((await ask("select count(*) as open from clearances where status in ('PENDING', 'ERROR')"))[0]?.open)
const started = async () => Number((await ask('select count(*) as started from clearances'))[0]?.started)

const faults = proves ? 'outages, lost answers and killed workers' : 'outages and lost answers'

test(`FLT-18: with ${faults} every document gets exactly one number, and every rejection has its reasons`, async () => {
  const random = randomOf(seedOf('The submission to the tax authority'))
  const simulator = await startTaxAuthoritySimulator({
    reject, outage: 0.1, lostResponses, html: 0.05, truncated: 0.05, delayMs: 30, accessTokenSeconds: 40,
  }) // biome-ignore format: a list of switches
  onTestFinished(() => simulator.close())
  const ids = await issue()
  const workers = await startWorkers({ TAX_AUTHORITY_IL_SANDBOX_URL: simulator.url })
  for (let killed = 0; killed < kills; killed++) {
    await sleep(random.between(200, 800))
    simulator.switches.outage = killed % 3 === 0 ? 1 : 0.1
    await workers.replace(random.below(workerCount))
    await hurry()
  }
  if (kills === 0) {
    simulator.switches.outage = 1
    await vi.waitFor(async () => expect(await findJobs(waiting)).not.toEqual([]), { timeout: patienceMs })
  }
  simulator.switches.outage = 0.1
  await vi.waitFor(
    async () => {
      await hurry()
      expect([await started(), await open()]).toEqual([documentCount, 0])
    },
    { timeout: patienceMs, interval: 250 },
  )
  await workers.stop()
  await expectOneNumberEach(simulator, ids)
  await expectSoundBooks()
}, 600_000)

test(`FLT-18: through an access point with ${faults} every document is delivered once, and what is received makes one expense`, async () => {
  const random = randomOf(seedOf('The submission through an access point'))
  const simulator = await startAccessPointSimulator({
    reject: 0.15, fail: 0.2, outage: 0.1, lostResponses: 0.15, html: 0.05, truncated: 0.05, delayMs: 20, decideMs: 300, accessTokenSeconds: 40,
  }) // biome-ignore format: a list of switches
  onTestFinished(() => simulator.close())
  const seller = await reportingCompany({ clearOnIssue: true })
  const [count, buyerCount] = inProof([10, 1], [200, 3]) // a buyer can have 100 documents read in a month
  const buyers = await Promise.all(Array.from({ length: buyerCount }, () => reportingCompany()))
  const ids: string[] = []
  while (ids.length < count) {
    const peppolId = buyers[ids.length % buyerCount]?.participantId
    ids.push((await reportedInvoice(seller, { countrySpecificData: { peppolId } })).id)
  }
  const workers = await startWorkers({ TAX_AUTHORITY_SG_SANDBOX_URL: simulator.url })
  const receive = () => ask('select start_receiving()')
  for (let killed = 0; killed < kills; killed++) {
    await receive()
    await sleep(random.between(300, 1_200))
    await workers.replace(random.below(workerCount))
    await hurry()
  }
  const buyerIds = buyers.map(({ organizationId }) => String(organizationId))
  const counted = async (text: string, value: unknown) => Number((await ask(text, [value]))[0]?.n)
  const undecided = () =>
    counted(
      "select count(*) as n from clearances where organization_id = $1 and status in ('PENDING', 'ERROR')",
      seller.organizationId,
    )
  const received = () =>
    counted('select count(*) as n from received_einvoices where organization_id = any ($1::uuid[])', buyerIds)
  await vi.waitFor(
    async () => {
      await receive()
      await hurry()
      const delivered = [...simulator.sent.values()].filter(({ deliveries }) => deliveries > 0).length
      expect([simulator.sent.size, await undecided(), await received()]).toEqual([count, 0, delivered])
    },
    { timeout: patienceMs, interval: 250 },
  )
  await workers.stop()
  await expectDeliveredOnce(simulator, { ids, sellerId: String(seller.organizationId), buyerIds })
  await expectSoundBooks()
}, 600_000)

type Parties = { ids: string[]; sellerId: string; buyerIds: string[] }

async function expectDeliveredOnce(simulator: AccessPointSimulator, { ids, sellerId, buyerIds }: Parties) {
  expect([...simulator.sent.keys()].toSorted()).toEqual(ids.toSorted())
  const rows = await ask<{
    id: string
    status: string
    number: string | null
    onDocument: string | null
    reasons: object[]
  }>(
    `select c.document_id as id, c.status, c.number, d.vat_allocation_number as "onDocument", c.reasons
    from clearances c join documents d on d.organization_id = c.organization_id and d.id = c.document_id where c.organization_id = $1`,
    [sellerId],
  )
  for (const { id, status, number, onDocument, reasons } of rows) {
    const isDelivered = simulator.sent.get(id)?.deliveries === 1
    expect([id, status, number, reasons.length > 0]).toEqual([
      id,
      isDelivered ? 'APPROVED' : 'REJECTED',
      onDocument,
      !isDelivered,
    ])
  }
  const approved = rows.filter(({ status }) => status === 'APPROVED')
  expect(new Set(approved.map(({ number }) => number)).size).toBe(approved.length)
  expect(approved.length).toBeGreaterThan(ids.length * inProof(0, 0.5))
  const taken = await ask<{ outcome: string; received: number }>(
    'select outcome, count(*)::int as received from received_einvoices where organization_id = any ($1::uuid[]) group by 1',
    [buyerIds],
  )
  expect(taken).toEqual([{ outcome: 'CREATED', received: approved.length }])
  const [made] = await ask('select count(*)::int as expenses from expenses where organization_id = any ($1::uuid[])', [
    buyerIds,
  ])
  expect(made).toEqual({ expenses: approved.length })
}

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
  expect(approved.length).toBeGreaterThan(documentCount * inProof(0, 0.5))
  expect(approved.length).toBeLessThan(documentCount)
  expect(new Set(approved.map(({ number }) => number)).size).toBe(approved.length)
  const asked = [...decided.values()].reduce((sum, { times }) => sum + times, 0)
  expect(asked).toBeGreaterThan(documentCount) // answers were lost and asked for again
}
