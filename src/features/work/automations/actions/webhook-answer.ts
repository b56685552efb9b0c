import type { Warning } from '../../../../core/define/schema.ts'
import type { WebhookResponse } from '../../../../core/outside/egress.ts'
import { jsonProblem } from '../../../../core/values/json-limits.ts'

type Answer = { body: unknown; warnings: Warning[] }
type AnswerText = Pick<WebhookResponse, 'text' | 'headers'>

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i

/**
 * The answer to a webhook as the output of its step: the value of JSON, otherwise the text. JSON that is too large, or outside
 * the limits for JSON that the product reads, stays text, with a warning. So does the sentence instead of a hidden answer.
 */
export function readAnswer(response: AnswerText & { isCut: boolean; isHidden?: true }): Answer {
  const { text, isCut, isHidden } = response
  if (isHidden)
    return asText(text, `${text} Use a target that does not, or read what you need from its headers.`, 'ANSWER_HIDDEN')
  if (!mayBeJson(response)) return { body: text, warnings: [] }
  if (isCut) return asText(text, 'The answer is larger than 4 KiB, so its first 4 KiB are kept as text, not as JSON.')
  const problem = jsonProblem(text)
  if (problem) return asText(text, `The answer is kept as text, not as JSON. ${problem}`)
  const json = jsonOf(response)
  if (json) return { body: json.value, warnings: [] }
  return isDeclared(response)
    ? asText(text, 'The answer is kept as text, because it is not valid JSON.')
    : { body: text, warnings: [] }
}

/** The value of an answer that is JSON within the limits; undefined for any other. */
export function jsonOf(response: AnswerText): { value: unknown } | undefined {
  if (!mayBeJson(response) || jsonProblem(response.text)) return undefined
  try {
    return { value: JSON.parse(response.text) }
  } catch {
    return undefined
  }
}

const isDeclared = ({ headers }: AnswerText) => jsonType.test(headers['content-type'] ?? '')

const mayBeJson = (response: AnswerText) =>
  response.text.trim() !== '' && (isDeclared(response) || /^\s*[[{]/.test(response.text))

const asText = (body: string, message: string, code = 'ANSWER_AS_TEXT'): Answer => ({
  body,
  warnings: [{ code, message, path: 'output.body' }],
})
