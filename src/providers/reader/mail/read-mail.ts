import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BodyBlock, MailContent, MailFile, MailReadOutcome } from '../../../core/outside/mail-reader.ts'
import { type Collected, collect, createCollected } from './collect.ts'
import { sha256 } from './content-hash.ts'
import { createBudget, messageMaxBytes, UnreadMail } from './limits.ts'
import { type Message, parseMessage } from './parse.ts'
import { isEnclosure, ranked } from './rank.ts'
import { reasonOf } from './reason.ts'

/** Reads a message and writes the files in it that may be receipts to the folder. */
export async function readMail({ path, folder }: { path: string; folder: string }): Promise<MailReadOutcome> {
  try {
    const { size } = await stat(path)
    // A larger one is not loaded at all; requireLimits() has the sentence.
    const message = await parseMessage(
      size > messageMaxBytes ? Buffer.alloc(messageMaxBytes + 1) : await readFile(path),
    )
    if (isNoMessage(message)) throw new UnreadMail('DAMAGED', 'The file is no mail message.')
    return { content: await contentOf(message, folder) }
  } catch (error) {
    if (error instanceof UnreadMail) return { unread: error.reason, message: error.message }
    if (error instanceof Error && 'syscall' in error) throw error // no fault of the message: the process ends
    return { unread: 'DAMAGED', message: 'The message is damaged and cannot be read.' }
  }
}

/** Every message has one of these. */
const isNoMessage = ({ messageId, subject, from, sentAt, header, parts, text, html }: Message) =>
  messageId === null &&
  subject === null &&
  from === null &&
  sentAt === null &&
  header('received') === undefined &&
  parts.length === 0 &&
  text === '' &&
  html === ''

async function contentOf(message: Message, folder: string): Promise<MailContent> {
  const all = createCollected()
  const contentHash = await collect(message, all, createBudget())
  const body = all.isReport ? undefined : all.bodies.find(({ facts }) => facts.isReceipt)
  const documents = await written(documentsOf(all, body !== undefined), folder)
  const { messageId, subject, from, sentAt } = message
  const isBody = documents.length === 0 && body !== undefined
  return {
    messageId,
    contentHash,
    subject,
    from,
    sentAt,
    documents,
    body: isBody ? bodyOf(body.blocks) : null,
    reason: documents.length > 0 || isBody ? null : reasonOf(all),
  }
}

/** Beside a text that is the receipt itself, pictures in it and terms of business are no documents. */
function documentsOf(all: Collected, isBodyReceipt: boolean) {
  const documents = ranked(all.documents)
  return isBodyReceipt ? documents.filter((found) => !found.isReferenced && !isEnclosure(found)) : documents
}

const written = (documents: ReturnType<typeof ranked>, folder: string): Promise<MailFile[]> =>
  Promise.all(
    documents.map(async ({ name, bytes, contentType, hash }, at) => {
      const path = join(folder, String(at + 1))
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
      return { path, name, contentType, size: bytes.length, hash }
    }),
  )

const blocksMax = 2_000
const textMax = 200_000

function bodyOf(blocks: readonly BodyBlock[]): NonNullable<MailContent['body']> {
  const kept: BodyBlock[] = []
  let length = 0
  for (const block of blocks.slice(0, blocksMax)) {
    length += (block.kind === 'row' ? block.cells.join('') : block.text).length
    if (length > textMax) break
    kept.push(block)
  }
  const text = kept.map((block) => (block.kind === 'row' ? block.cells.join(' ') : block.text)).join(' ')
  return { blocks: kept, hash: sha256(text.normalize('NFKC').replace(/\s+/g, ' ').trim()) }
}
