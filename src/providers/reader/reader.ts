import { Failure } from '../../core/define/failure.ts'
import { bundledFile } from '../../core/files/bundled-file.ts'
import type { MailReader, MailReadOutcome } from '../../core/outside/mail-reader.ts'
import type { ReadRequest, UnreadReason } from '../../core/outside/receipt-reader.ts'
import { createFairQueue } from '../../core/share/fair-queue.ts'
import { organizationSubject } from '../../core/share/organization-holder.ts'
import { type OfflineOutcome, openReaderProcess, type ProcessLimits, unread } from './reader-process.ts'

export type ReaderLimits = ProcessLimits & {
  /** How long a file may wait and be read in total. */
  answerMs: number
  /** Files that wait, of all organizations and of one; more are refused. */
  waitingMax: number
  waitingPerOrganizationMax: number
}

const defaultLimits: ReaderLimits = {
  answerMs: 50_000,
  waitingMax: 200,
  waitingPerOrganizationMax: 50,
  fileMs: 40_000,
  startMs: 10_000,
  memoryMax: 1024 * 1024 * 1024,
  idleMs: 30_000,
}

/** The built-in reader. It can be used alone, or with a second one (second/second-reader.ts), which needs the pictures. */
export type OfflineReader = MailReader & {
  read(request: ReadRequest & { withPictures?: boolean }): Promise<OfflineOutcome>
  close(): Promise<void>
}

/** `file` is the bundled child.ts. One file is read at a time, because reading uses every processor; organizations take turns. */
export function openReceiptReader(given: Partial<ReaderLimits> = {}, file: URL = childFile): OfflineReader {
  const limits = { ...defaultLimits, ...given }
  const child = openReaderProcess(file, limits)
  const queue = createFairQueue({
    called: 'scans of this organization',
    runningMax: 1,
    perSubjectMax: 1,
    waitingMax: limits.waitingMax,
    waitingPerSubjectMax: limits.waitingPerOrganizationMax,
    waitMs: limits.answerMs,
    overloaded: () => new Busy(),
    waitedTooLong: () => new Busy(),
  })

  async function inTurn<T>(organizationId: string, work: (until: number) => Promise<T>) {
    const until = performance.now() + limits.answerMs
    try {
      return await queue.run([organizationSubject(organizationId)], async () =>
        until - performance.now() < leastMs ? unread('BUSY') : work(until),
      )
    } catch (error) {
      if (error instanceof Busy) return unread('BUSY')
      throw error
    }
  }

  return {
    read: ({ organizationId, ...request }) => inTurn(organizationId, (until) => child.read(request, until)),
    readMail: async ({ organizationId, ...request }) =>
      toMailOutcome(await inTurn(organizationId, (until) => child.readMail(request, until))),
    async close() {
      queue.close(() => new Busy())
      await child.end()
    },
  }
}

/** What happened to the process, in words about a message. What the message itself is refused for has its own words. */
function toMailOutcome(outcome: MailReadOutcome | { unread: UnreadReason; message: string }): MailReadOutcome {
  if ('content' in outcome) return outcome
  switch (outcome.unread) {
    case 'TOOK_TOO_LONG':
      return { unread: 'TOOK_TOO_LONG', message: 'Reading the message took too long, so it was given up.' }
    case 'OUT_OF_MEMORY':
      return { unread: 'OUT_OF_MEMORY', message: 'Reading the message needs too much memory.' }
    case 'BUSY':
      return { unread: 'BUSY', message: 'Too many files and messages are being read just now.' }
    case 'TOO_LARGE':
    case 'DAMAGED':
      return { unread: outcome.unread, message: outcome.message }
    default:
      return { unread: 'CRASHED', message: 'The reader stopped at this message.' }
  }
}

/** Less time than this is not worth beginning. */
const leastMs = 100

/** No place in the queue within the time. */
class Busy extends Failure {
  constructor() {
    super('INTERNAL', 'Too many files are being read just now.')
  }
}

const childFile = bundledFile('receipt-reader')
