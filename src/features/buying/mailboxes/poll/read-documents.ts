import type { JobContext } from '../../../../core/define/job.ts'
import type { ReadOutcome } from '../../../../core/outside/receipt-reader.ts'
import { readSettings } from '../../scans/expense-of-files.ts'
import { hintsOf } from '../../scans/scan.ts'
import type { MailDocument } from './known-messages.ts'
import { type ClaimedRun, hold } from './run-lease.ts'
import type { Verdict } from './verdict.ts'
import type { ReadMail } from './write-expense.ts'

/** The reader has no time for this organization now; the run goes on later. */
export class ReaderBusy extends Error {}

/** Documents of a message that are read to find one with a total; the others are attached unread. */
const documentsReadMax = 5

/** What has to be known to read documents, and whether the month has no scan left. */
export const scanSettings = (context: JobContext) => context.read(readSettings)

export const quotaUsedUp = ({ allowance }: ReadMail['settings']): Verdict => ({
  outcome: 'FAILED',
  reason: `All ${allowance.limit} scans of ${allowance.period} are used (scan quota). The next poll tries this message again.`,
  isDetected: true,
  retry: 'ALWAYS',
})

/** Reads the documents of a message, the most likely one first, until one has a total. */
export async function readDocuments(
  context: JobContext,
  run: ClaimedRun,
  { documents, settings }: { documents: readonly MailDocument[]; settings: ReadMail['settings'] },
): Promise<ReadMail | Verdict> {
  const hints = hintsOf(settings.organization, new Date())
  const unread: { file: MailDocument; outcome: ReadOutcome }[] = []
  for (const chosen of documents.slice(0, documentsReadMax)) {
    await context.tx((inside) => hold(inside, run))
    const began = performance.now()
    const { path, contentType } = chosen
    const outcome = await context.receiptReader.read({ path, contentType, hints, organizationId: run.organizationId })
    if ('unread' in outcome && (outcome.unread === 'BUSY' || context.signal.aborted)) throw new ReaderBusy()
    const processingTimeMs = Math.round(performance.now() - began)
    if (hasTotal(outcome)) return { files: documents, chosen, outcome, processingTimeMs, settings }
    unread.push({ file: chosen, outcome })
  }
  return nothingRead(unread)
}

const hasTotal = (outcome: ReadOutcome) => 'reading' in outcome && Number(outcome.reading.fields.total?.value ?? 0) > 0

/** Reasons that are no fault of the file: it may be read another time. */
const passing = new Set(['TOOK_TOO_LONG', 'OUT_OF_MEMORY', 'CRASHED'])

function nothingRead(unread: readonly { file: MailDocument; outcome: ReadOutcome }[]): Verdict {
  const reason = unread.map(({ file, outcome }) => `${file.name}: ${sentenceOf(outcome)}`).join(' ')
  const isPassing = unread.some(({ outcome }) => 'unread' in outcome && passing.has(outcome.unread))
  return isPassing
    ? { outcome: 'FAILED', reason, isDetected: true, retry: 'THREE_TIMES' }
    : { outcome: 'DROPPED_NO_DATA', reason, isDetected: true }
}

function sentenceOf(outcome: ReadOutcome): string {
  if ('unread' in outcome) return outcome.message
  const { total } = outcome.reading.fields
  return total && Number(total.value) < 0
    ? 'It is a credit note. Record it as a credit of the expense that it corrects.'
    : 'No total was found in it.'
}
