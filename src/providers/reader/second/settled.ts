import type { ReadOutcome } from '../../../core/outside/receipt-reader.ts'

/**
 * Whether a second reader could add nothing: an e-invoice is read exactly, and so is the text of a PDF whose figures add up. A
 * file that is damaged, encrypted or too large cannot be shown to a second reader either.
 */
export function isSettled(outcome: ReadOutcome): boolean {
  if (!('reading' in outcome)) return outcome.unread !== 'NO_TEXT'
  const { providerId, checks, fields } = outcome.reading
  if (providerId === 'kontor-einvoice') return true
  const addsUp = checks.length > 0 && checks.every(({ holds }) => holds)
  return providerId === 'kontor-pdf' && addsUp && fields.total !== undefined
}
