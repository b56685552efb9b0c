import type { Attachment } from '../files/attachment.ts'

export type Message = {
  /** What each Message-ID is made from: constant over attempts, so that a mailbox knows a second copy (INV-14). */
  id: string
  /** Whose mail it is; null when the product itself writes to a person. */
  organizationId: string | null
  /** Each gets a message of their own and sees nobody else's address. */
  to: readonly string[]
  /** The organization's name: what people see as the sender. The address of the sender is MAIL_FROM, always. */
  senderName: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
}

/** What became of the message to one recipient. `retry` says whether the same message may do better later. */
export type Outcome = Sent | Unsent
export type Sent = { address: string; ok: true; messageId: string }
export type Unsent = { address: string; ok: false; reason: string; retry: boolean }

/** Mail as features know it. Answers one outcome per recipient, in their order, and within a bounded time. */
export type Mail = { send(message: Message): Promise<Outcome[]>; close(): void }
