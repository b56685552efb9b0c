import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { startImapServer } from '../../src/simulators/mail/imap-server.ts'
import { newsletterMail, personalMail, receiptMail } from '../../src/test/mails/mails.ts'
import { start } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Api } from '../scan/scan.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// How much slower the API answers while a worker polls four mailboxes.

export const mailboxMeasure = 'mailboxes'

const [mailboxes, slowestP95] = [4, 2]
/** More than are read while it is measured; few have a receipt, as in real mailboxes. */
const messagesOfMailbox = 2_000

type Options = { api: Api; database: pg.PoolConfig; env: Record<string, string> }

export async function benchMailboxes({ api, database, env }: Options): Promise<Figure[]> {
  const worker = start('our-worker', env)
  try {
    await worker.ask('work', database)
    const fire = () =>
      api.load.ask<Fired>('fire', {
        url: api.url,
        connections: 2,
        seconds: api.setting.seconds,
        requests: api.get,
      } satisfies Partial<Fire>)
    await fire() // warms up
    const [ratios, read]: [number[], number[]] = [[], []]
    for (let n = 0; n < Math.min(3, api.setting.repeats); n++) {
      const idle = await fire()
      const polling = await poll(api, n)
      const before = await polling.scanned()
      const beside = await fire()
      read.push((await polling.scanned()) - before)
      await polling.stop()
      ratios.push(beside.p95Ms / idle.p95Ms)
    }
    return [figureOf(ratios, read)]
  } finally {
    await worker.stop()
  }
}

function figureOf(ratios: readonly number[], read: readonly number[]): Figure {
  const value = Math.min(...read) > 0 ? median(ratios) : Number.POSITIVE_INFINITY // without messages it says nothing
  const does = `p95 of GET beside ${mailboxes} polls (${read.join(', ')} messages read), against idle`
  return { name: 'mailboxes api p95', does, value, bar: `<= ${slowestP95}`, fits: value <= slowestP95 }
}

/** Starts to poll mailboxes, and waits until all of them are being read. */
async function poll(api: Api, repeat: number) {
  const servers = await Promise.all(Array.from({ length: mailboxes }, (_, at) => serve(`${repeat}-${at}`)))
  const runs = await Promise.all(servers.map(({ port }) => connected(api, port)))
  const state = async () => Promise.all(runs.map((id) => ask(api, 'GET', `/api/expenses/fetch-logs/${id}`)))
  while ((await state()).some(({ emailsScanned }) => emailsScanned === 0)) await sleep(50)
  return {
    async scanned() {
      const all = await state()
      if (all.some(({ status }) => status !== 'RUNNING')) throw new Error('A poll ended before the load did.')
      return all.reduce((sum, { emailsScanned }) => sum + Number(emailsScanned), 0)
    },
    async stop() {
      await Promise.all(runs.map((id) => ask(api, 'POST', `/api/expenses/fetch-logs/${id}/stop`, { id })))
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

const [username, password] = ['receipts@example.com', 'correct horse']

/** A mailbox in which every twentieth message has a receipt. */
function serve(name: string) {
  const messages = Array.from({ length: messagesOfMailbox }, (_, at) => {
    const id = `${name}-${at}`
    const source =
      at % 20 === 0 ? receiptMail({ id, number: id }) : at % 2 ? newsletterMail({ id }) : personalMail({ id })
    return {
      uid: at + 1,
      receivedAt: new Date(Date.now() - 3_600_000 + at),
      size: source.length,
      source: () => source,
      flags: new Set<string>(),
    }
  })
  const folders = [{ name: 'INBOX', uidValidity: 1, messages }]
  const accounts = () => ({ acceptsPassword: (given: string) => given === password, folders: () => folders })
  return startImapServer({ accounts, host: '127.0.0.1', port: 0 })
}

async function connected(api: Api, port: number): Promise<string> {
  const { organizationId } = api
  const server = { provider: 'IMAP', host: '127.0.0.1', port, useTls: false, username, password }
  const { id } = await ask(api, 'POST', '/api/expenses/email-settings', { organizationId, name: 'Bench', ...server })
  const { runId } = await ask(api, 'POST', '/api/expenses/email-poll', { organizationId, connectionId: id })
  return String(runId)
}

async function ask({ url, key }: Api, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { ...key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return JSON.parse(text)
}
