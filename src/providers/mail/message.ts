import { createHash } from 'node:crypto'
import { type Attachment, attachmentsProblem, enclosuresMaxBytes } from '../../core/files/attachment.ts'
import type { Message, Unsent } from '../../core/outside/mail.ts'
import { toAddress } from '../../core/values/address.ts'
import { toLine } from '../../core/values/line.ts'

const recipientsMax = 50

/** A message to one recipient. Its fields contain nothing that could add another header (THR-18). */
export type MailMessage = {
  to: string
  from: { name: string; address: string }
  replyTo: { name: string; address: string } | null
  messageId: string
  subject: string
  text: string
  html: string
  attachments: Attachment[]
  holdsPayroll: boolean
}

/** One message per recipient, or the reason why there is none. */
export function messagesFor(message: Message, from: string): (MailMessage | Unsent)[] {
  const refused = refusalOf(message)
  return message.to.map((recipient) => {
    const to = toAddress(recipient)
    const reason = refused ?? (to ? undefined : 'Mail cannot be sent to this address.')
    return to && !reason
      ? messageTo(to, message, from)
      : { address: recipient, ok: false, reason: reason ?? '', retry: false }
  })
}

const refusalOf = ({ to, attachments }: Message): string | undefined =>
  to.length > recipientsMax
    ? `A message goes to at most ${recipientsMax} recipients.`
    : attachmentsProblem(attachments, enclosuresMaxBytes)

function messageTo(to: string, message: Message, from: string): MailMessage {
  const name = toLine(message.senderName)
  const replyTo = message.replyTo ? toAddress(message.replyTo) : undefined
  return {
    to,
    from: { name, address: from },
    replyTo: replyTo ? { name, address: replyTo } : null,
    messageId: messageIdOf({ id: message.id, to, from }),
    subject: toLine(message.subject, 300),
    text: message.text,
    html: message.html,
    holdsPayroll: message.holdsPayroll ?? false,
    attachments: message.attachments.map(({ fileName, contentType, content }) => ({
      fileName: toLine(fileName).replace(/[/\\]/g, '_') || 'attachment',
      contentType: mediaType.test(contentType) ? contentType : 'application/octet-stream',
      content,
    })),
  }
}

const mediaType = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/i

/** The Message-ID depends on the recipient, so that it stays the same when only some recipients are retried. */
function messageIdOf({ id, to, from }: { id: string; to: string; from: string }): string {
  const digest = createHash('sha256').update(`${id}\n${to.toLowerCase()}`).digest('hex')
  return `<${digest.slice(0, 40)}@${from.slice(from.lastIndexOf('@') + 1)}>`
}
