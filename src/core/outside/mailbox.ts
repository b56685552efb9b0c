/** How a mailbox is opened. A password or token is never sent in the clear to another machine. */
export type MailboxAccess = {
  organizationId: string
  protocol: 'IMAP' | 'POP3'
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS (STLS for POP3). */
  tls: boolean
  /**
   * True: a server on this machine is used without TLS. False: none is. Unless given, one on this machine is if it offers
   * none. One on another machine never is.
   */
  withoutTls?: boolean
  username: string
  /** An access token is used with XOAUTH2. */
  login: { password: string } | { accessToken: string }
  /** The folder or label; null for INBOX. POP3 has one folder. */
  folder: string | null
}

/** From the first instant, which is included, to the last, which is not. */
export type MailWindow = { from: Date; to: Date }

/**
 * A message as the server lists it. `place` says where it is: it saves fetching what is known, and never identifies the
 * message, because servers may renumber a folder and people move messages.
 */
export type ListedMessage = {
  place: string
  /** In bytes, as the server says. */
  size: number
  receivedAt: Date | null
  messageId: string | null
  /** The address of the sender; the text of the header if there is no address in it. */
  from: string | null
  subject: string | null
}

/** An open mailbox. One thing is done at a time. Everything throws MailboxFailure, also when the server is silent too long. */
export type Mailbox = {
  /**
   * The messages of the window in pages of at most 200, oldest first. `isKnown` is asked before anything of a message is
   * read but its place; the others that are known come with their place alone (size 0, nulls).
   */
  list(
    window: MailWindow,
    isKnown: (places: readonly string[]) => Promise<ReadonlySet<string>>,
  ): AsyncIterable<ListedMessage[]>
  /** Writes the message as it was received to a new file. A message of more bytes is not fetched: the answer is its size. */
  fetch: (place: string, target: { file: string; maxBytes: number }) => Promise<{ size: number; isFetched: boolean }>
  close(): Promise<void>
}

/**
 * Opens mailboxes for reading only: nothing is marked as read, moved or deleted. The signal ends everything that is done with
 * the mailbox, also later; its reason is thrown then.
 */
export type MailboxClient = {
  open(access: MailboxAccess, signal: AbortSignal): Promise<Mailbox>
}

/** Why a mailbox could not be read. */
export type MailboxTrouble =
  /** The server's name has no address, or one that may not be called. */
  | 'NAME'
  | 'REFUSED'
  | 'SILENT'
  /** No TLS, or a certificate that is not valid for the host. */
  | 'CERTIFICATE'
  | 'LOGIN'
  | 'FOLDER'
  /** The server closed the connection. */
  | 'CLOSED'
  /** The server said what its protocol does not allow. */
  | 'GARBAGE'
  /** The message is gone. */
  | 'GONE'
  /** The server asks to try later. */
  | 'UNAVAILABLE'
  /** A person has switched the connection off, or has not completed it. */
  | 'DISABLED'

export class MailboxFailure extends Error {
  readonly trouble: MailboxTrouble

  /** The message is a sentence for the person who set the mailbox up; it says what to do. */
  constructor(trouble: MailboxTrouble, message: string) {
    super(message)
    this.trouble = trouble
  }

  /** The server or the way to it failed, and may work again in a moment. */
  get isOfServer(): boolean {
    return ['REFUSED', 'SILENT', 'CLOSED', 'GARBAGE', 'UNAVAILABLE'].includes(this.trouble)
  }

  /** A person has to do something first: trying again without that does not help. */
  get needsPerson(): boolean {
    return this.trouble === 'LOGIN' || this.trouble === 'FOLDER' || this.trouble === 'CERTIFICATE'
  }
}
