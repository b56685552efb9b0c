import type { Attachment } from '../files/attachment.ts'

export type Message = {
  /** The basis of each Message-ID: the same in every attempt, so that a mailbox recognizes a duplicate (INV-14). */
  id: string
  /** The organization that sends it; null when the product itself writes to a person. */
  organizationId: string | null
  /** Each recipient gets a separate message and sees no other address. */
  to: readonly string[]
  /** The name of the organization, shown as the sender. The sender's address is always MAIL_FROM. */
  senderName: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  /** It quotes payroll data, so only people with payroll rights see it in the outbox. */
  holdsPayroll?: boolean
}

/** The outcome of the message to one recipient. `retry` says whether a later attempt may succeed. */
export type Outcome = Sent | Unsent
/** `kept` is a message that was only stored, since there is no mail server. */
export type Sent = { address: string; ok: true; messageId: string; kept?: true }
export type Unsent = { address: string; ok: false; reason: string; retry: boolean }

/** Sends mail. Returns one outcome per recipient, in their order, within a limited time. */
export type Mail = { send(message: Message): Promise<Outcome[]>; close(): void }
