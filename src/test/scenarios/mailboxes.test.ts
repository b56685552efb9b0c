import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '../../verify/verify.ts'
import { newsletterMail, personalMail, receiptMail } from '../mails/mails.ts'
import { connect, startMailbox } from '../polls.ts'
import { buildProgram, runProgram } from '../processes/program.ts'
import { newFolder } from '../temporary-folder.ts'
import { member, type Someone, theApp, theDatabase } from '../world.ts'

/** The long form is `npm run prove`. */
const long = process.env.KONTOR_PROVE === '1'
const [messageCount, receiptCount, kills] = long ? [10_000, 90, 25] : [500, 60, 5]

/** Receipts spread over other messages. */
const messages = () =>
  Array.from({ length: messageCount }, (_, n) => {
    const id = `message-${n}`
    const isReceipt =
      Math.floor((n * receiptCount) / messageCount) < Math.floor(((n + 1) * receiptCount) / messageCount)
    if (isReceipt) return receiptMail({ id, number: `A-${n}`, total: n + 1 })
    return n % 2 === 0 ? newsletterMail({ id }) : personalMail({ id, text: `Note ${n}` })
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

const statusOf = async (runId: string): Promise<string> =>
  (await theApp().system.raw.query('select status from ingestion_runs where id = $1', [runId])).rows[0]?.status

test('INV-16 FLT-15: a mailbox is read exactly once while its worker is killed at random, and again after it moved', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const sources = messages()
  const mailbox = await startMailbox(sources)
  const moved = await startMailbox(sources.toReversed())
  onTestFinished(() => Promise.all([mailbox.close(), moved.close()]).then(() => {}))
  const env = { DATABASE: JSON.stringify(theDatabase()), KONTOR_DATA: newFolder('mailboxes') }
  const program = await buildProgram('worker')
  let worker: ChildProcess = await runProgram(program, env)
  onTestFinished(() => void worker.kill('SIGKILL'))
  const { id: connectionId } = await connect(amy, mailbox)
  const { runId } = await amy.call('expenses_email_poll', { organizationId, connectionId })
  for (let killed = 0; killed < kills; killed++) {
    const before = (await counts(amy, runId)).scanned
    const most = Math.floor((messageCount - before) / (kills - killed + 1))
    const until = before + 1 + Math.floor(Math.random() * most)
    await vi.waitFor(async () => expect((await counts(amy, runId)).scanned).toBeGreaterThanOrEqual(until), { timeout: 300_000, interval: 20 })
    await sleep(Math.random() * 50)
    worker.kill('SIGKILL')
    worker = await runProgram(program, env)
  }
  await vi.waitFor(async () => {
    expect(await statusOf(runId)).toBe('DONE')
  }, { timeout: long ? 3_600_000 : 300_000, interval: 250 })
  const all = { scanned: messageCount, places: messageCount, created: receiptCount, expenses: receiptCount, messages: receiptCount }
  expect(await counts(amy, runId)).toEqual(all)
  const { id: second } = await connect(amy, moved)
  const { runId: again } = await amy.call('expenses_email_poll', { organizationId, connectionId: second })
  await vi.waitFor(async () => expect(await statusOf(again)).toBe('DONE'), { timeout: long ? 3_600_000 : 300_000, interval: 250 })
  expect(await counts(amy, again)).toEqual({ ...all, created: 0 })
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
}, 7_200_000) // biome-ignore format: a step a line
