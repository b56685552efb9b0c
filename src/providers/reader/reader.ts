import { constants } from 'node:os'
import { Failure } from '../../core/define/failure.ts'
import { bundledFile } from '../../core/files/bundled-file.ts'
import type { MailReader, MailReadOutcome } from '../../core/outside/mail-reader.ts'
import type { DrawFileRequest, DrawOutcome, ReadRequest, UnreadReason } from '../../core/outside/receipt-reader.ts'
import { createFairQueue } from '../../core/share/fair-queue.ts'
import { organizationSubject } from '../../core/share/organization-holder.ts'
import { type OfflineOutcome, openReaderProcess, type ProcessLimits, unread } from './reader-process.ts'

export type ReaderLimits = ProcessLimits & {
  /** How long a file may wait and be read in total. */
  answerMs: number
  /** Files that wait, of all organizations and of one; more are refused. */
  waitingMax: number
  waitingPerOrganizationMax: number
  /** How long a page may wait and be drawn in total, and how much memory the process that draws may have. */
  drawMs: number
  drawMemoryMax: number
}

const defaultLimits: ReaderLimits = {
  answerMs: 50_000,
  waitingMax: 200,
  waitingPerOrganizationMax: 50,
  drawMs: 25_000,
  drawMemoryMax: 512 * 1024 * 1024,
  fileMs: 40_000,
  startMs: 10_000,
  memoryMax: 1024 * 1024 * 1024,
  idleMs: 30_000,
  niceness: constants.priority.PRIORITY_LOW,
}

/** The built-in reader. It can be used alone, or with a second one (second/second-reader.ts), which needs the pictures. */
export type OfflineReader = MailReader & {
  read(request: ReadRequest & { withPictures?: boolean }): Promise<OfflineOutcome>
  drawPage(request: DrawFileRequest): Promise<DrawOutcome>
  close(): Promise<void>
}

/**
 * `file` is the bundled child.ts. One file is read at a time, because reading uses every processor; organizations take turns. Pages
 * to look at are drawn in a second process, which never loads the models.
 */
export function openReceiptReader(given: Partial<ReaderLimits> = {}, file: URL = childFile): OfflineReader {
  const limits = { ...defaultLimits, ...given }
  const child = openReaderProcess(file, limits)
  const drawing = openReaderProcess(file, {
    ...limits,
    fileMs: limits.drawMs,
    memoryMax: limits.drawMemoryMax,
    niceness: constants.priority.PRIORITY_BELOW_NORMAL, // somebody waits in front of the screen
  })
  const scans = createTurns('scans of this organization', limits.answerMs, limits)
  const pages = createTurns('pages of this organization', limits.drawMs, limits)
  return {
    read: ({ organizationId, ...request }) => scans.run(organizationId, (until) => child.read(request, until)),
    readMail: async ({ organizationId, ...request }) =>
      toMailOutcome(await scans.run(organizationId, (until) => child.readMail(request, until))),
    drawPage: async ({ organizationId, ...request }) =>
      toDrawOutcome(await pages.run(organizationId, (until) => drawing.drawPage(request, until))),
    async close() {
      scans.close()
      pages.close()
      await Promise.all([child.end(), drawing.end()])
    },
  }
}

/** One request after the other, answered within `answerMs`; a request that gets no turn in that time is unread. */
function createTurns(called: string, answerMs: number, limits: ReaderLimits) {
  const queue = createFairQueue({
    called,
    runningMax: 1,
    perSubjectMax: 1,
    waitingMax: limits.waitingMax,
    waitingPerSubjectMax: limits.waitingPerOrganizationMax,
    waitMs: answerMs,
    overloaded: () => new Busy(),
    waitedTooLong: () => new Busy(),
  })
  return {
    async run<T>(organizationId: string, work: (until: number) => Promise<T>) {
      const until = performance.now() + answerMs
      try {
        return await queue.run([organizationSubject(organizationId)], async () =>
          until - performance.now() < leastMs ? unread('BUSY') : work(until),
        )
      } catch (error) {
        if (error instanceof Busy) return unread('BUSY')
        throw error
      }
    },
    close: () => queue.close(() => new Busy()),
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

/** What happened to the process, in words about a page. What the file itself is refused for has its own words. */
function toDrawOutcome(outcome: DrawOutcome): DrawOutcome {
  if (!('unread' in outcome)) return outcome
  const { unread: reason, message } = outcome
  return { unread: reason, message: drawMessages[reason] ?? message }
}

const drawMessages: Partial<Record<UnreadReason, string>> = {
  TOOK_TOO_LONG: 'Drawing the page took too long, so it was given up.',
  OUT_OF_MEMORY: 'Drawing the page needs too much memory.',
  CRASHED: 'The page could not be drawn.',
  BUSY: 'Too many pages are being drawn just now.',
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
