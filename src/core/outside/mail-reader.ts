/** A file that came with a message, written to the folder of the request. */
export type MailFile = {
  path: string
  name: string
  /** By its content, not by what the message says. */
  contentType: string
  size: number
  /** SHA-256 of the content, hexadecimal. */
  hash: string
}

/** A part of the body of a message, in reading order: what remains of HTML without styles, links and pictures. */
export type BodyBlock = { kind: 'heading' | 'text'; text: string } | { kind: 'row'; cells: readonly string[] }

/**
 * What a message holds. `documents` may be receipts or invoices, the most likely one first; if there are none, `body` may be
 * one; if that is null too, `reason` says why the message is none (newsletter, invitation, nothing but logos, links only).
 */
export type MailContent = {
  messageId: string | null
  /** Of the content alone: the same in every copy of the message, whatever the servers on its way added. SHA-256, hexadecimal. */
  contentHash: string
  subject: string | null
  from: { address: string; name: string | null } | null
  sentAt: string | null
  documents: readonly MailFile[]
  body: { blocks: readonly BodyBlock[]; hash: string } | null
  reason: string | null
}

export type MailReadOutcome =
  | { content: MailContent }
  | { unread: 'TOO_LARGE' | 'DAMAGED' | 'TOOK_TOO_LONG' | 'OUT_OF_MEMORY' | 'CRASHED' | 'BUSY'; message: string }

/** A message on the local disk (RFC 5322), and an empty folder for its files. */
export type MailReadRequest = { path: string; folder: string; organizationId: string }

/** Parses messages of strangers, in the process that also reads receipts, with the same limits: a ReceiptReader is one. */
export type MailReader = {
  readMail(request: MailReadRequest): Promise<MailReadOutcome>
}
