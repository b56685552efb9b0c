import type { Warning } from '../../../core/define/schema.ts'
import type { Hints, ReadOutcome, ReceiptReader } from '../../../core/outside/receipt-reader.ts'
import { TargetFailure } from '../../../core/outside/target-failure.ts'
import type { Model, ModelId } from '../../model/model.ts'
import type { OfflineReader } from '../reader.ts'
import { ask } from './ask.ts'
import { mergeReadings, modelReading } from './merge.ts'
import { isSettled } from './settled.ts'
import { validValues } from './valid-values.ts'

export type SecondReaderLimits = {
  /** How long the model may take. */
  askMs: number
  /** How long both readers may take together. */
  answerMs: number
}

const defaultLimits: SecondReaderLimits = { askMs: 20_000, answerMs: 50_000 }

/**
 * The built-in reader with a model as the second one. The model is shown the picture after the built-in reader is done, if it
 * could add something. Whatever happens to the model, the result of the built-in reader stands, with a warning.
 */
export function withSecondReader(
  offline: OfflineReader,
  model: Model,
  { askMs, answerMs }: SecondReaderLimits = defaultLimits,
): ReceiptReader {
  return {
    async read(request) {
      const until = performance.now() + answerMs
      const { pictures = [], ...outcome } = await offline.read({ ...request, withPictures: true })
      if (pictures.length === 0) return isSettled(outcome) ? outcome : withWarning(outcome, model.id, reasons.noPicture)
      const { hints, organizationId } = request
      const ms = Math.min(askMs, until - performance.now() - reserveMs)
      if (ms < leastMs) return withWarning(outcome, model.id, reasons.noTime)
      try {
        const opened = await model.open({ organizationId, ms })
        const answer = await withinTime(ms, (signal) => ask(opened, { pictures, hints, signal }))
        return combined(outcome, answer, { hints, model: model.id })
      } catch (error) {
        return withWarning(outcome, model.id, await reasonOf(error))
      }
    },
    readMail: (request) => offline.readMail(request),
    drawPage: (request) => offline.drawPage(request),
    close: () => offline.close(),
  }
}

/** Kept for writing the result, and the least time that is worth beginning. */
const [reserveMs, leastMs] = [500, 1_000]

/** Ends at the time even if the SDK does not react to the signal. */
async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController()
  const late = new DOMException('The model took too long.', 'TimeoutError')
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      end.abort(late)
      reject(late)
    }, ms)
  })
  try {
    return await Promise.race([work(end.signal), expired])
  } finally {
    clearTimeout(timer)
  }
}

function combined(
  outcome: ReadOutcome,
  answer: unknown,
  { hints, model }: { hints: Hints; model: ModelId },
): ReadOutcome {
  const values = validValues(answer, hints)
  if (Object.keys(values).length === 0) return withWarning(outcome, model, reasons.unusable)
  if ('reading' in outcome) return { reading: mergeReadings(outcome.reading, values, model) }
  return values.total === undefined ? outcome : { reading: modelReading(values, model) }
}

const reasons = {
  noPicture: 'was not asked, because no picture of the file could be made',
  noTime: 'was not asked, because reading the file had taken too long already',
  late: 'did not answer in time',
  limited: 'accepts no more requests at the moment',
  key: 'does not accept the key of this installation',
  failed: 'could not be reached or failed',
  unusable: 'gave no answer that can be used',
}

const withWarning = (outcome: ReadOutcome, model: ModelId, reason: string): ReadOutcome => ({
  ...outcome,
  warnings: [warning(`The model ${model} ${reason}, so the built-in reader alone has read the file.`)],
})
const warning = (message: string): Warning => ({ code: 'MODEL_UNAVAILABLE', message, path: '' })

/** Why the model did not help. What the provider wrote is not repeated: it is for the operator and may name the account. */
async function reasonOf(error: unknown): Promise<string> {
  const { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } = await import('ai')
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) return reasons.unusable
  const cause = APICallError.isInstance(error) ? error.cause : error
  if (cause instanceof TargetFailure) return cause.reason === 'silent' ? reasons.late : reasons.failed
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  if (status === 401 || status === 403) return reasons.key
  if (status === 429 || status === 529) return reasons.limited
  if (status !== undefined && status < 300) return reasons.unusable
  return error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name) ? reasons.late : reasons.failed
}
