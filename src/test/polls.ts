import { pollMailbox } from '../features/buying/mailboxes/poll/poll-mailbox.ts'
import { startImapServer } from '../simulators/mail/imap-server.ts'
import type { StoredMessage } from '../simulators/mail/store.ts'
import { startPop3Server } from './fakes/pop3-server.ts'
import { doJob, type JobOptions } from './job.ts'
import { findJobs, removeJobs } from './queue.ts'
import type { Someone } from './world.ts'

/** A mailbox on a server of the tests. `messages` and `folders` may be changed while it runs. */
export async function startMailbox(initial: readonly Buffer[] = [], provider: 'IMAP' | 'POP3' = 'IMAP') {
  const folders: { name: string; uidValidity: number; messages: StoredMessage[] }[] = [
    { name: 'INBOX', uidValidity: 1, messages: [] },
  ]
  let fetched = 0
  const login = { username: 'receipts@example.com', password: 'correct horse' }
  const settings = {
    host: '127.0.0.1' as const,
    port: 0,
    accounts: (username: string) =>
      username === login.username
        ? { acceptsPassword: (password: string) => password === login.password, folders: () => folders }
        : undefined,
    onFetch: (_: unknown, items: readonly string[]) => {
      if (items.some((item) => /^BODY(\.PEEK)?\[\]/i.test(item))) fetched++
    },
    onCommand: (line: string) => {
      if (/^RETR /i.test(line)) fetched++
    },
  }
  const server = await (provider === 'IMAP' ? startImapServer(settings) : startPop3Server(settings))
  const add = (...sources: Buffer[]) => {
    for (const source of sources) folders[0]?.messages.push(stored(source, folders[0].messages.length + 1))
  }
  add(...initial)
  return {
    ...login,
    provider,
    port: server.port,
    folders,
    add,
    /** How many messages were fetched whole. */
    fetched: () => fetched,
    close: () => server.close(),
  }
}

/** Received one second after the other from an hour ago on, and all that are left a minute ago: a poll reads up to now. */
export const stored = (source: Buffer, uid: number): StoredMessage => ({
  uid,
  receivedAt: new Date(began - 3_600_000 + Math.min(uid, 3_540) * 1_000),
  size: source.length,
  source: () => source,
  flags: new Set(),
})
const began = Date.now()

type TestMailbox = Awaited<ReturnType<typeof startMailbox>>

/** Connects a mailbox of the tests. */
export const connect = (amy: Someone, { provider, port, username, password }: TestMailbox, more: object = {}) =>
  amy.call('integrations_email_settings_post', {
    organizationId: String(amy.organizationId), name: 'Receipts', provider, host: '127.0.0.1', port, useTls: false, username, password,
    ...more,
  }) // biome-ignore format: a list of words

/** Queues a poll, lets the queued jobs of its organization run as a worker does, and reads the run. */
export async function poll(amy: Someone, connectionId: string, more: JobOptions & { dates?: object } = {}) {
  const { dates, ...options } = more
  const organizationId = String(amy.organizationId)
  const { runId } = await amy.call('expenses_email_poll', { organizationId, connectionId, ...dates })
  await doPolls(amy, options)
  return amy.call('integrations_fetch_log_get', { id: runId })
}

/** Runs the queued polls of an organization one after the other, and those that they queue, also for later. */
export async function doPolls({ organizationId }: Someone, more: JobOptions = {}, jobsMax = 50): Promise<number> {
  const flag = `organization:${organizationId}`
  for (let done = 0; ; done++) {
    const isNext = 'job = $1 and flags ? $2 and attempts < max_attempts'
    const [next] = await findJobs(isNext, [pollMailbox.name, flag])
    if (next) await removeJobs('id = $1', [next.id])
    if (!next || done >= jobsMax) return done
    await doJob(pollMailbox, next.payload, { flags: { [flag]: true }, ...more })
  }
}
