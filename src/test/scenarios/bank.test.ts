import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '../../verify/verify.ts'
import { type ApiProcess, startApi } from '../processes/api-process.ts'
import { ownPostgres } from '../processes/own-postgres.ts'
import { inProof, proves } from '../prove.ts'
import { expectBooks, expectJournal, expectNumbers, expectWhole } from './bank/books.ts'
import { createBranch } from './bank/branch.ts'
import { type Entry, sendAndRecord, startClients } from './bank/clients.ts'
import { kinds } from './bank/moves.ts'
import { type Random, randomOf, seedOf } from './bank/random.ts'

const clients = inProof(6, 16)
const organizations = 3
/** How many kills, how many answers between them, and the longest pause of a client. */
const [rounds, answersBetween, pauseMaxMs] = inProof([2, 30, 200], [60, 400, 20])

type Server = Awaited<ReturnType<typeof ownPostgres>>

test(
  'INV-03 INV-04 INV-05 INV-06 INV-22 FLT-01 FLT-04: several clients keep the books of three organizations while the API and PostgreSQL are killed, and the books balance',
  async () => {
    const seed = seedOf('The bank test')
    const server = await ownPostgres()
    onTestFinished(() => server.close())
    const apis = await Promise.all([begin(server), begin(server)])
    onTestFinished(() => Promise.all(apis.map((api) => api.kill('SIGKILL'))).then(() => {}))
    const url = () => apis[0]?.url ?? ''
    const branches = []
    for (let n = 0; n < organizations; n++) branches.push(await createBranch(url(), `branch-${n}`))

    const bank = startClients({ apis, branches, seed, pauseMaxMs }, clients)
    const random = randomOf(seed)
    for (let round = 0; round < rounds; round++) {
      await untilAnswered(bank, answersBetween)
      await sleep(random.below(300))
      await killSomething(random, { server, apis, round })
    }
    await untilAnswered(bank, answersBetween)
    if (proves) await untilEveryKindSucceeded(bank)
    await bank.stop()

    const open = bank.journal.filter(({ status }) => status === undefined)
    expect(bank.wrong).toEqual([])
    await expectWhole(server.system, open)
    // No process is working any more: the claims of killed processes on their keys expire (IDEM-5).
    await server.system.raw.query('update idempotency_keys set locked_until = now() where status is null')
    const asking = Array.from({ length: clients }, (_, n) => open.filter((__, at) => at % clients === n))
    await Promise.all(asking.map((mine) => askAgain(mine, url(), bank.wrong)))
    expect(bank.wrong).toEqual([])
    await expectWhole(server.system, bank.journal)
    await expectJournal(server.system, bank.journal)
    await expectNumbers(server.system)
    for (const branch of branches) await expectBooks(server.system, url(), branch)
    expect(await verify({ system: server.system })).toEqual([])
  },
  proves ? 3_600_000 : 300_000,
)

/** Repeats requests without an answer, with the same key, until they are answered. */
async function askAgain(entries: Entry[], url: string, wrong: unknown[]) {
  for (const entry of entries) {
    await vi.waitFor(() => sendAndRecord(entry, url, wrong).then(() => expect(entry.status).toBeDefined()), 30_000)
  }
}

const begin = (server: Server) => startApi(server.config, { RATE_LIMIT_SCALE: '1000' })

/** Kills an API process and starts another, or kills PostgreSQL, which its supervisor restarts. */
async function killSomething(
  random: Random,
  { server, apis, round }: { server: Server; apis: ApiProcess[]; round: number },
) {
  if (round % 2) return server.kill(random.pick(['SIGQUIT', 'SIGKILL'] as const) ?? 'SIGKILL')
  const at = random.below(apis.length)
  await apis[at]?.kill('SIGKILL')
  apis[at] = await begin(server)
}

/** Some kinds of requests are possible only after others: in `npm run prove` clients go on until each kind has succeeded. */
async function untilEveryKindSucceeded({ journal }: { journal: readonly Entry[] }) {
  const missing = () => {
    const done = journal.filter(({ status = 500 }) => status < 300)
    const succeeded = new Set(done.map(({ move }) => move.kind))
    return [...new Set(kinds)].filter((kind) => !succeeded.has(kind))
  }
  await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 120_000, interval: 100 })
}

async function untilAnswered({ acknowledged }: { acknowledged(): number }, more: number) {
  const enough = acknowledged() + more
  await vi.waitFor(() => expect(acknowledged()).toBeGreaterThanOrEqual(enough), { timeout: 60_000, interval: 20 })
}
