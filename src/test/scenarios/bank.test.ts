import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFailed, onTestFinished, test, vi } from 'vitest'
import { type ApiProcess, startApi } from '../api-process.ts'
import { expectBooks, expectJournal, expectNumbers, expectWhole } from '../bank/books.ts'
import { found } from '../bank/branch.ts'
import { type Entry, settle, startClients } from '../bank/clients.ts'
import { type Random, randomOf } from '../bank/random.ts'
import { urlOf } from '../database.ts'
import { ownPostgres } from '../fakes/own-postgres.ts'
import { kontor } from '../kontor.ts'

const long = process.env.KONTOR_PROVE === '1'
const clients = 16
const organizations = 3
/** How often something is killed, how many answers come between, and how long a client rests at most. */
const [rounds, answersBetween, pauseMaxMs] = long ? [60, 400, 20] : [4, 40, 200]

type Server = Awaited<ReturnType<typeof ownPostgres>>

test('INV-03 INV-04 INV-05 INV-06 INV-22 FLT-01 FLT-04: sixteen clients keep the books of three organizations while the API and PostgreSQL are killed, and everything adds up', async () => {
  const seed = Number(process.env.KONTOR_SEED ?? Date.now() % 1_000_000)
  onTestFailed(() => void process.stderr.write(`The bank test failed. To make the same choices again: KONTOR_SEED=${seed}\n`))
  const server = await ownPostgres()
  onTestFinished(() => server.close())
  const apis = await Promise.all([begin(server), begin(server)])
  onTestFinished(() => Promise.all(apis.map((api) => api.kill('SIGKILL'))).then(() => {}))
  const url = () => apis[0]?.url ?? ''
  const branches = []
  for (let n = 0; n < organizations; n++) branches.push(await found(url(), `branch-${n}`))

  const bank = startClients({ apis, branches, seed, pauseMaxMs }, clients)
  const random = randomOf(seed)
  for (let round = 0; round < rounds; round++) {
    await untilAnswered(bank, answersBetween)
    await sleep(random.below(300))
    await strike(random, { server, apis, round })
  }
  await untilAnswered(bank, answersBetween)
  await bank.stop()

  const open = bank.journal.filter(({ status }) => status === undefined)
  expect(bank.wrong).toEqual([])
  await expectWhole(server.system, open)
  // Nobody is at anything any more: what killed processes had claimed of their keys has run out (IDEM-5).
  await server.system.raw.query('update idempotency_keys set locked_until = now() where status is null')
  const asking = Array.from({ length: clients }, (_, n) => open.filter((__, at) => at % clients === n))
  await Promise.all(asking.map((mine) => askAgain(mine, url(), bank.wrong)))
  expect(bank.wrong).toEqual([])
  await expectWhole(server.system, bank.journal)
  await expectJournal(server.system, bank.journal)
  await expectNumbers(server.system)
  for (const branch of branches) await expectBooks(server.system, url(), branch)
  expect(await kontor(['verify'], { DATABASE_URL: urlOf(server.config) })).toMatchObject({ status: 0, stdout: expect.stringContaining('All rules hold.') })
  const done = bank.journal.filter(({ status = 500 }) => status < 300)
  const kinds = new Set(done.map(({ move }) => move.kind))
  expect(kinds.size).toBe(10) // nothing was left out
}, long ? 3_600_000 : 300_000) // biome-ignore format: a step a line

/** Asks for what nobody knows of with the same key until it is answered, one after the other. */
async function askAgain(entries: Entry[], url: string, wrong: unknown[]) {
  for (const entry of entries) {
    await vi.waitFor(() => settle(entry, url, wrong).then(() => expect(entry.status).toBeDefined()), 30_000)
  }
}

const begin = (server: Server) => startApi(server.config, { RATE_LIMIT_SCALE: '1000' })

/** Kills an API process and starts another in its place, or PostgreSQL, which is started again by who watches over it. */
async function strike(random: Random, { server, apis, round }: { server: Server; apis: ApiProcess[]; round: number }) {
  if (round % 2) return server.kill(random.pick(['SIGQUIT', 'SIGKILL'] as const) ?? 'SIGKILL')
  const at = random.below(apis.length)
  await apis[at]?.kill('SIGKILL')
  apis[at] = await begin(server)
}

async function untilAnswered({ acknowledged }: { acknowledged(): number }, more: number) {
  const enough = acknowledged() + more
  await vi.waitFor(() => expect(acknowledged()).toBeGreaterThanOrEqual(enough), { timeout: 60_000, interval: 20 })
}
