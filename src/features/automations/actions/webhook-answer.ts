import type { Warning } from '../../../core/define/schema.ts'
import type { WebhookResponse } from '../../../core/outside/egress.ts'
import { jsonProblem } from '../../../core/values/json-limits.ts'

type Answer = { body: unknown; warnings: Warning[] }

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i

/**
 * The answer to a webhook as the output of its step: the value of JSON, otherwise the text. JSON that is too large, or outside
 * the limits for JSON that the product reads, stays text, with a warning.
 */
export function readAnswer({ text, isCut, headers }: Pick<WebhookResponse, 'text' | 'isCut' | 'headers'>): Answer {
  const isDeclared = jsonType.test(headers['content-type'] ?? '')
  const mayBeJson = isDeclared || /^\s*[[{]/.test(text)
  if (!mayBeJson || text.trim() === '') return { body: text, warnings: [] }
  if (isCut) return asText(text, 'The answer is larger than 4 KiB, so its first 4 KiB are kept as text, not as JSON.')
  const problem = jsonProblem(text)
  if (problem) return asText(text, `The answer is kept as text, not as JSON. ${problem}`)
  try {
    return { body: JSON.parse(text), warnings: [] }
  } catch {
    return isDeclared
      ? asText(text, 'The answer is kept as text, because it is not valid JSON.')
      : { body: text, warnings: [] }
  }
}

const asText = (body: string, message: string): Answer => ({
  body,
  warnings: [{ code: 'ANSWER_AS_TEXT', message, path: 'output.body' }],
})
