import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline as streamed } from 'node:stream/promises'
import { Failure } from '../../../../core/define/failure.ts'
import type { JobContext } from '../../../../core/define/job.ts'
import type { MailContent } from '../../../../core/outside/mail-reader.ts'
import { type ListedMessage, type Mailbox, MailboxFailure } from '../../../../core/outside/mailbox.ts'
import { renderBody } from '../body-document.ts'
import { filteredOut } from './filters.ts'
import { broughtBefore, type MailDocument, newDocuments, verdictOf } from './known-messages.ts'
import { quotaUsedUp, ReaderBusy, readDocuments, scanSettings } from './read-documents.ts'
import type { ClaimedRun } from './run-lease.ts'
import { messageKey, recordVerdict, type SeenMessage, type Verdict } from './verdict.ts'
import { NotWritten, type ReadMail, writeExpense } from './write-expense.ts'

const messageBytesMax = 25 * 1024 * 1024

/** Fetches a message, finds the receipt in it, makes an expense of that, and writes down what became of it. */
export async function readMessage(context: JobContext, run: ClaimedRun, mailbox: Mailbox, listed: ListedMessage) {
  const folder = context.storage.scratch()
  await mkdir(folder, { mode: 0o700 })
  try {
    const { message, result } = await examine(context, run, { mailbox, listed, folder })
    const verdict = 'chosen' in result ? await written(context, run, message, result) : result
    if (verdict) await context.tx((inside) => recordVerdict(inside, run, { message, verdict }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the expense. The verdict if none was made after all; what was made is recorded with it. */
async function written(context: JobContext, run: ClaimedRun, message: SeenMessage, mail: ReadMail) {
  try {
    await writeExpense(context, run, message, mail)
    return undefined
  } catch (error) {
    if (error instanceof NotWritten) return error.verdict
    if (isQuota(error)) return quotaUsedUp(mail.settings)
    if (error instanceof Failure && error.status < 500) return refusal(error)
    throw error
  }
}

const isQuota = (error: unknown) => error instanceof Failure && error.details.some(({ code }) => code === 'SCAN_QUOTA')

/** The books refused the expense, for example because its period is locked. */
const refusal = ({ message }: Failure): Verdict => ({
  outcome: 'FAILED',
  reason: `The expense could not be made: ${message}`,
  isDetected: true,
  retry: 'THREE_TIMES',
})

type Examined = { message: SeenMessage; result: Verdict | ReadMail }
type Fetching = { mailbox: Mailbox; listed: ListedMessage; folder: string }

/** Fetches and parses the message. */
async function examine(context: JobContext, run: ClaimedRun, fetching: Fetching): Promise<Examined> {
  const { mailbox, listed, folder } = fetching
  const { messageId, subject } = listed
  const path = join(folder, 'message')
  const fetched = await fetchMessage(mailbox, listed, path)
  if ('outcome' in fetched) {
    const key = messageKey(messageId, `unfetched ${listed.size} ${listed.subject} ${listed.receivedAt?.toISOString()}`)
    return { message: { key, messageId, subject, listed }, result: fetched }
  }
  const files = join(folder, 'files')
  await mkdir(files, { mode: 0o700 })
  const outcome = await context.receiptReader.readMail({ path, folder: files, organizationId: run.organizationId })
  if ('unread' in outcome) {
    if (outcome.unread === 'BUSY' || context.signal.aborted) throw new ReaderBusy()
    const key = messageKey(messageId, await hashOf(path))
    const isFinal = outcome.unread === 'TOO_LARGE' || outcome.unread === 'DAMAGED'
    const failed: Verdict = { outcome: 'FAILED', reason: outcome.message, isDetected: false }
    const result = isFinal ? failed : { ...failed, retry: 'THREE_TIMES' as const }
    return { message: { key, messageId, subject, listed }, result }
  }
  const { content } = outcome
  const message = {
    // a message without an id is known by its date too, because bodies repeat themselves
    key: messageKey(content.messageId ?? `sent ${content.sentAt}`, content.contentHash),
    messageId: content.messageId ?? messageId,
    subject: content.subject ?? subject,
    listed,
  }
  return { message, result: await judge(context, run, { message, content, folder }) }
}

async function fetchMessage(mailbox: Mailbox, { place, size }: ListedMessage, file: string): Promise<Verdict | object> {
  try {
    const fetched =
      size > messageBytesMax
        ? { size, isFetched: false }
        : await mailbox.fetch(place, { file, maxBytes: messageBytesMax })
    return fetched.isFetched ? {} : tooLarge(fetched.size)
  } catch (error) {
    if (error instanceof MailboxFailure && error.trouble === 'GONE') return gone
    throw error
  }
}

const tooLarge = (size: number): Verdict => ({
  outcome: 'FAILED',
  reason: `The message has ${Math.ceil(size / 1024 / 1024)} MiB; at most 25 MiB are read. Save its attachment and upload it.`,
  isDetected: false,
})

const gone: Verdict = {
  outcome: 'SKIPPED_NOT_EXPENSE',
  reason: 'The message was deleted or moved before it was read.',
  isDetected: false,
}

type Parsed = { message: SeenMessage; content: MailContent; folder: string }

/** Decides by the content of the message, and reads its documents. */
async function judge(context: JobContext, run: ClaimedRun, { message, content, folder }: Parsed) {
  const headers = { from: content.from?.address ?? message.listed.from, subject: message.subject }
  const left = filteredOut(run.connection, headers)
  if (left !== null) return notExpense(left)
  const known = await context.read((inside) => verdictOf(inside, message.key))
  if (known) return known
  if (content.documents.length === 0 && !content.body)
    return notExpense(content.reason ?? 'The message has no receipt or invoice.')
  const documents =
    content.documents.length > 0
      ? content.documents.map((file) => ({ ...file, key: file.hash }))
      : [await bodyDocument(context, run, { content, folder })]
  const { fresh, expenseId } = await context.read((inside) => newDocuments(inside, documents))
  if (fresh.length === 0) return broughtBefore(expenseId)
  const settings = await scanSettings(context)
  if (settings.isUsedUp) return quotaUsedUp(settings)
  return readDocuments(context, run, { documents: fresh, settings })
}

const notExpense = (reason: string): Verdict => ({ outcome: 'SKIPPED_NOT_EXPENSE', reason, isDetected: false })

/** The body of the message as a PDF, so that it can be read and seen like any other document. */
async function bodyDocument(
  { typesetter }: JobContext,
  { organizationId }: ClaimedRun,
  { content: { body, subject, from, sentAt }, folder }: Omit<Parsed, 'message'>,
): Promise<MailDocument> {
  const bytes = await renderBody(typesetter, { organizationId, subject, from, sentAt, blocks: body?.blocks ?? [] })
  const path = join(folder, 'body.pdf')
  await writeFile(path, bytes, { mode: 0o600 })
  // A body says the same every month, except on its date: two such messages are not one document.
  const key = `body:${sha256(`${sentAt}\n${body?.hash}`)}`
  const name = `${
    (subject ?? '')
      .replace(/[\p{C}\\/:*?"<>|]/gu, ' ')
      .trim()
      .slice(0, 100) || 'Message'
  }.pdf`
  return { path, name, contentType: 'application/pdf', size: bytes.length, hash: sha256(bytes), key }
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await streamed(createReadStream(path), hash)
  return hash.digest('hex')
}
