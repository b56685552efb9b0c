import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newsletterMail, personalMail, receiptMail } from '../mails/mails.ts'
import { connect, startMailbox } from '../polls.ts'
import { buildProgram } from '../processes/bundle.ts'
import { runProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'
import { expectSoundBooks } from '../violations.ts'
import { member, type Someone, theApp, theDatabase } from '../world.ts'
import { randomOf, seedOf } from './bank/random.ts'
import { expectFlat, pollingCosts } from './mailboxes/costs.ts'

const patienceMs = inProof(300_000, 3_600_000)

type Form = { provider: 'IMAP' | 'POP3'; messageCount: number; receiptCount: number; kills: number }
const forms: Form[] = [
  {
    provider: 'IMAP',
    ...inProof({ messageCount: 30, receiptCount: 4, kills: 1 }, { messageCount: 500, receiptCount: 60, kills: 5 }),
  },
  {
    provider: 'POP3',
    ...inProof({ messageCount: 12, receiptCount: 2, kills: 0 }, { messageCount: 500, receiptCount: 60, kills: 5 }),
  },
  ...(proves ? [{ provider: 'IMAP' as const, messageCount: 10_000, receiptCount: 90, kills: 25 }] : []),
]

let program: string
const env = () => ({ DATABASE: JSON.stringify(theDatabase()), KONTOR_DATA: newFolder('mailboxes') })
beforeAll(async () => {
  program = await buildProgram('worker')
})

/** Receipts spread over other messages. */
const messages = ({ messageCount, receiptCount }: Form) =>
  Array.from({ length: messageCount }, (_, n) => {
    const fields = { id: `message-${n}`, date: new Date() }
    const isReceipt =
      Math.floor((n * receiptCount) / messageCount) < Math.floor(((n + 1) * receiptCount) / messageCount)
    if (isReceipt) return receiptMail({ ...fields, number: `A-${n}`, total: n + 1 })
    return n % 2 === 0 ? newsletterMail(fields) : personalMail({ ...fields, text: `Note ${n}` })
  })

type Counts = Record<'scanned' | 'places' | 'created' | 'expenses' | 'messages', number>

async function counts({ organizationId }: Someone, runId: string): Promise<Counts> {
  const { rows } = await theApp().system.raw.query(
    `select r.emails_scanned as scanned, r.expenses_created as created,
      (select count(distinct m.place)::int from ingestion_messages m where m.run_id = r.id) as places,
      (select count(distinct e.email_message_id)::int from expenses e where e.organization_id = $1 and e.source = 'EMAIL') as messages,
      (select count(*)::int from expenses e where e.organization_id = $1 and e.source = 'EMAIL') as expenses
    from ingestion_runs r where r.id = $2`,
    [organizationId, runId],
  )
  return rows[0]
}

/** When every message has an outcome, and every receipt an expense. */
const complete = ({ messageCount, receiptCount }: Form): Counts => ({
  scanned: messageCount,
  places: messageCount,
  created: receiptCount,
  expenses: receiptCount,
  messages: receiptCount,
})

const statusOf = async (runId: string): Promise<string> =>
  (await theApp().system.raw.query('select status from ingestion_runs where id = $1', [runId])).rows[0]?.status

const ended = (runId: string) =>
  vi.waitFor(async () => expect(await statusOf(runId)).toBe('DONE'), { timeout: patienceMs, interval: 250 })

/** Connects a mailbox with these messages, and begins to poll it. */
async function startPoll(amy: Someone, sources: readonly Buffer[], { provider }: Form): Promise<string> {
  const mailbox = await startMailbox(sources, provider)
  onTestFinished(() => mailbox.close())
  const { id: connectionId } = await connect(amy, mailbox)
  const organizationId = String(amy.organizationId)
  return (await amy.call('expenses_email_poll', { organizationId, connectionId })).runId
}

/** In `npm test` a worker that nobody will kill is this process. */
async function startWorker(given: ReturnType<typeof env>, killsLeft: number): Promise<ChildProcess | undefined> {
  if (!proves && killsLeft === 0) {
    onTestFinished(await startWorkerHere({ KONTOR_DATA: given.KONTOR_DATA }))
    return undefined
  }
  const worker = await runProgram(program, given)
  onTestFinished(() => void worker.kill('SIGKILL'))
  return worker
}

test.each(forms)(
  'INV-16 FLT-15: over $provider a mailbox of $messageCount messages is read exactly once while its worker is killed $kills times, and again after it moved',
  async (form) => {
    const { messageCount, kills } = form
    const random = randomOf(seedOf(`The poll of ${messageCount} messages over ${form.provider}`))
    const amy = await member('OWNER')
    const sources = messages(form)
    const given = env()
    let worker = await startWorker(given, kills)
    const runId = await startPoll(amy, sources, form)
    for (let killed = 0; killed < kills; killed++) {
      const before = (await counts(amy, runId)).scanned
      const until = before + random.between(1, Math.floor((messageCount - before) / (kills - killed + 1)))
      await vi.waitFor(async () => expect((await counts(amy, runId)).scanned).toBeGreaterThanOrEqual(until), {
        timeout: patienceMs,
        interval: 20,
      })
      await sleep(random.below(50))
      worker?.kill('SIGKILL')
      worker = await startWorker(given, kills - killed - 1)
    }
    await ended(runId)
    expect(await counts(amy, runId)).toEqual(complete(form))
    const again = await startPoll(amy, sources.toReversed(), form)
    await ended(again)
    expect(await counts(amy, again)).toEqual({ ...complete(form), created: 0 })
    await expectSoundBooks()
  },
  2 * patienceMs,
)

test.runIf(proves)(
  'INV-16: a worker that reads 10,000 messages takes as long for the last ones as for the first, and no more memory',
  async () => {
    const form: Form = { provider: 'IMAP', messageCount: 10_000, receiptCount: 90, kills: 0 }
    const amy = await member('OWNER')
    const sources = messages(form)
    const worker = await runProgram(program, env())
    onTestFinished(() => void worker.kill('SIGKILL'))
    for (const [what, order, created] of [
      ['new', sources, form.receiptCount],
      ['known', sources.toReversed(), 0],
    ] as const) {
      const runId = await startPoll(amy, order, form)
      const costs = await pollingCosts(worker, { runId, ended: ended(runId) })
      expect(await counts(amy, runId)).toEqual({ ...complete(form), created })
      expectFlat(`${form.messageCount} ${what} messages`, costs)
    }
    await expectSoundBooks()
  },
  2 * patienceMs,
)
