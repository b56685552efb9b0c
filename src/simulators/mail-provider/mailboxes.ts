import type { KeyObject } from 'node:crypto'
import type { MailboxClient } from '../../core/outside/mailbox.ts'
import { type SimulatedMailbox, simulatedMailHost } from '../../core/outside/simulated-mailbox.ts'
import { startImapServer } from '../mail/imap-server.ts'
import type { RunningServer } from '../mail/peer.ts'
import type { MailAccount, StoredMessage } from '../mail/store.ts'
import { readToken } from './tokens.ts'

type Settings = { mailboxes: readonly SimulatedMailbox[]; key: KeyObject; now?: () => Date }

export type SimulatedMailboxes = {
  /** A client that opens the simulated mailboxes too. Their server listens on this machine from the first use on. */
  client: MailboxClient
  close(): Promise<void>
}

/** Serves the simulated mailboxes over IMAP, to this process. They accept their password and the tokens of the provider simulator. */
export function simulateMailboxes(
  client: MailboxClient,
  { mailboxes, key, now = () => new Date() }: Settings,
): SimulatedMailboxes {
  const accounts = new Map(mailboxes.map((mailbox) => [mailbox.address, accountOf(mailbox, { key, now })]))
  let started: Promise<RunningServer> | undefined
  const start = () => {
    started ??= startImapServer({
      host: '127.0.0.1',
      port: 0,
      accounts: (username) => accounts.get(username.toLowerCase()),
    }).catch((error) => {
      started = undefined
      throw error
    })
    return started
  }
  return {
    client: {
      async open(access, signal) {
        if (access.host !== simulatedMailHost || access.protocol !== 'IMAP') return client.open(access, signal)
        const { port } = await start()
        return client.open({ ...access, host: '127.0.0.1', port, tls: false, withoutTls: true }, signal)
      },
    },
    async close() {
      await (await started)?.close()
    },
  }
}

function accountOf(
  { address, password, messages }: SimulatedMailbox,
  { key, now }: { key: KeyObject; now: () => Date },
): MailAccount {
  const known = new Map<number, StoredMessage>()
  return {
    acceptsPassword: (given) => given === password,
    acceptsToken: (token) => readToken({ key, now }, 'access', token)?.address === address,
    folders: () => {
      const listed = messages(now()).map(({ uid, receivedAt, source }) => {
        const stored = known.get(uid) ?? toStored(uid, receivedAt, source())
        known.set(uid, stored)
        return stored
      })
      return [{ name: 'INBOX', uidValidity: 1, messages: listed }]
    },
  }
}

const toStored = (uid: number, receivedAt: Date, source: Buffer): StoredMessage => ({
  uid,
  receivedAt,
  size: source.length,
  source: () => source,
  flags: new Set(),
})
