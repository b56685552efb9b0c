import type { ImapCommand } from './imap-arguments.ts'
import type { Peer, ServerSettings } from './peer.ts'
import type { MailAccount, MailAccounts, MailFolder, StoredMessage } from './store.ts'

/** How the server behaves towards every client. */
export type ImapBehaviour = ServerSettings & {
  /** What the server does not offer, such as `SASL-IR`. */
  without?: readonly string[]
  /** The time zone of the server, in minutes east of UTC. */
  offsetMinutes?: number
  /** Called for each message with the item names of a FETCH. */
  onFetch?: (uid: number, items: readonly string[]) => void
}

/** A connection of a client. */
export type ImapConnection = {
  peer: Peer
  settings: ImapBehaviour
  accounts: MailAccounts
  account: MailAccount | undefined
  /** The open folder. Its messages stay as they are until the client is told of changes. */
  open: { folder: MailFolder; messages: StoredMessage[]; isReadOnly: boolean } | undefined
}

/** The end of an answer, after the tag: `OK`, `NO` or `BAD` and a text. */
export type Answer = string
export type Handler = (connection: ImapConnection, command: ImapCommand) => Promise<Answer>
