import { type Attachment, packAttachments, unpackAttachments } from '../../../core/files/attachment.ts'
import { decrypt, encrypt, joined } from '../../../core/secrets/cipher.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Content } from './delivery.ts'

/**
 * Encrypts the content of a queued message, because it may contain a link that signs its reader in (INV-20). It can only be
 * decrypted for its own row and recipient.
 */
export function sealMessage(secrets: Secrets, delivery: MessageRef, { text, html, attachments = [] }: MessageContent) {
  const { attachments: facts, contents } = packAttachments(attachments)
  const close = (part: string, bytes: Buffer) => encrypt(secrets.derived('mail'), bytes, contextOf(delivery, part))
  return {
    letter: close('letter', Buffer.from(JSON.stringify({ text, html }))),
    attachments: facts,
    contents: contents.length > 0 ? close('contents', contents) : contents,
  }
}

/** Decrypts the content of a delivery; undefined if it was not written by `sealMessage` for this delivery. */
export function openMessage(secrets: Secrets, row: Row): Required<MessageContent> | undefined {
  const open = (part: string, bytes: Buffer) => decrypt(secrets.derived('mail'), bytes, contextOf(row, part))
  const letter = row.letter && open('letter', row.letter)
  const contents = row.contents.length > 0 ? open('contents', row.contents) : row.contents
  if (!letter || !contents) return undefined
  const { text, html } = JSON.parse(letter.toString()) as Pick<Content, 'text' | 'html'> // written by `sealMessage`
  return { text, html, attachments: unpackAttachments({ attachments: row.attachments, contents }) }
}

type MessageRef = { id: string; to: string }
type MessageContent = Pick<Content, 'text' | 'html'> & { attachments?: readonly Attachment[] }
type Row = MessageRef & { letter: Buffer | null; attachments: unknown; contents: Buffer }

const contextOf = ({ id, to }: MessageRef, part: string) => joined('kontor mail', part, id.toLowerCase(), to)
