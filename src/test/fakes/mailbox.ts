import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Egress } from '../../core/outside/egress.ts'
import {
  type ListedMessage,
  type Mailbox,
  type MailboxAccess,
  MailboxFailure,
  type MailWindow,
} from '../../core/outside/mailbox.ts'
import { type Connect, connectTo } from '../../providers/egress/connect.ts'
import { createEgress } from '../../providers/egress/egress.ts'
import { type MailboxLimits, openMailboxClient } from '../../providers/mailbox/mailbox.ts'
import type { MailAccounts, MailFolder, StoredMessage } from '../../simulators/mail/store.ts'

/** A message of the tests. */
export function mail({
  uid,
  at = '2026-03-10T09:00:00Z',
  subject = `Receipt ${uid}`,
  body = 'Thank you.\r\n.\r\n..two dots\r\n',
}: {
  uid: number
  at?: string
  subject?: string
  body?: string
}): StoredMessage {
  const date = new Date(at)
  const source = Buffer.from(
    `Received: from shop.test by mail.test; ${date.toUTCString()}\r\n` +
      `Message-ID: <${uid}@shop.test>\r\nFrom: "Shop, Ltd" <bills@shop.test>\r\nTo: amy@example.com\r\n` +
      `Date: ${date.toUTCString()}\r\nSubject: ${subject}\r\n\r\n${body}`,
  )
  return { uid, receivedAt: date, size: source.length, source: () => source, flags: new Set() }
}

export const inbox = (...messages: StoredMessage[]): MailFolder => ({ name: 'INBOX', uidValidity: 7, messages })

export const username = 'amy@example.com'
export const password = 'p"ss\\ word'
export const accessToken = 'ya29.good'

/** One account, with a password and an access token. */
export const accountOf =
  (folders: readonly MailFolder[], more: { username?: string; password?: string } = {}): MailAccounts =>
  (name) =>
    name === (more.username ?? username)
      ? {
          acceptsPassword: (said) => said === (more.password ?? password),
          acceptsToken: (said) => said === accessToken,
          folders: () => folders,
        }
      : undefined

export const everything: MailWindow = { from: new Date('2000-01-01'), to: new Date('2100-01-01') }

type ClientSettings = {
  /** A certificate that is trusted. */
  ca?: string
  limits?: Partial<MailboxLimits>
  /** The port of a server on this machine that seems to be on another one. */
  elsewhere?: number
}

/** A client of the tests. */
export function createMailboxClient({ ca, limits, elsewhere }: ClientSettings = {}) {
  const connect: Connect = async ({ address, port, signal }) => {
    const socket = await connectTo({ address: '127.0.0.1', port: elsewhere ?? port, signal })
    return Object.defineProperties(socket, { remoteAddress: { value: address }, remotePort: { value: port } })
  }
  const egress = createEgress({
    mode: 'local',
    allow: [],
    allowHttp: false,
    ...(ca && { ca }),
    ...(elsewhere && { connect }),
    limits: { failureStepMs: 1 },
  })
  const sockets: Socket[] = []
  const watched: Pick<Egress, 'socket' | 'startTls'> = {
    socket: async (server) => {
      const socket = await egress.socket(server)
      sockets.push(socket)
      return socket
    },
    startTls: async (plain, host) => {
      const socket = await egress.startTls(plain, host)
      sockets.push(socket)
      return socket
    },
  }
  const client = openMailboxClient({ egress: watched, limits: { silenceMs: 2_000, goodbyeMs: 300, ...limits } })
  const open = (
    port: number,
    access: Partial<MailboxAccess> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Mailbox> =>
    client.open(
      {
        organizationId: '0190f3c4-0000-7000-8000-000000000001',
        protocol: 'IMAP',
        host: '127.0.0.1',
        port,
        tls: false,
        username,
        login: { password },
        folder: null,
        ...access,
      },
      signal,
    )
  return { open, sockets }
}

/** All messages of a window. */
export async function listed(
  mailbox: Mailbox,
  window = everything,
  isKnown: (place: string) => boolean = () => false,
): Promise<ListedMessage[]> {
  const all: ListedMessage[] = []
  for await (const page of mailbox.list(window, async (places) => new Set(places.filter(isKnown)))) all.push(...page)
  return all
}

/** A folder for fetched messages, removed by `close`. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'mailbox-'))
  let count = 0
  return {
    path,
    file: () => {
      count += 1
      return join(path, `${count}.eml`)
    },
    close: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** The failure of something that must fail. */
export async function mailboxFailureOf(work: Promise<unknown>): Promise<MailboxFailure> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof MailboxFailure)) throw new Error('There was no failure of the mailbox.', { cause: outcome })
  return outcome
}
