import { type Attachment, packAttachments, unpackAttachments } from '../../core/files/attachment.ts'
import { decrypt, encrypt, joined } from '../../core/secrets/cipher.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Content } from './delivery.ts'

/**
 * What a message says, as it stands in a row until it is sent: sealed, since it may hold a link that lets its reader in
 * (INV-20). It opens in its own row and for its own recipient alone.
 */
export function sealMessage(secrets: Secrets, which: Which, { text, html, attachments = [] }: Said) {
  const { attachments: facts, contents } = packAttachments(attachments)
  const close = (part: string, bytes: Buffer) => encrypt(secrets.derived('mail'), bytes, contextOf(which, part))
  return {
    letter: close('letter', Buffer.from(JSON.stringify({ text, html }))),
    attachments: facts,
    contents: contents.length > 0 ? close('contents', contents) : contents,
  }
}

/** Undefined for anything but what `sealLetter` made for this delivery. */
export function openMessage(secrets: Secrets, row: Row): Required<Said> | undefined {
  const open = (part: string, bytes: Buffer) => decrypt(secrets.derived('mail'), bytes, contextOf(row, part))
  const letter = row.letter && open('letter', row.letter)
  const contents = row.contents.length > 0 ? open('contents', row.contents) : row.contents
  if (!letter || !contents) return undefined
  const { text, html } = JSON.parse(letter.toString()) as Pick<Content, 'text' | 'html'> // written by `sealLetter`
  return { text, html, attachments: unpackAttachments({ attachments: row.attachments, contents }) }
}

type Which = { id: string; to: string }
type Said = Pick<Content, 'text' | 'html'> & { attachments?: readonly Attachment[] }
type Row = Which & { letter: Buffer | null; attachments: unknown; contents: Buffer }

const contextOf = ({ id, to }: Which, part: string) => joined('kontor mail', part, id.toLowerCase(), to)
