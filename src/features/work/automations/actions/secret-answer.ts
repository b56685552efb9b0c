import type { WebhookResponse } from '../../../../core/outside/egress.ts'
import type { Secret } from '../../../../core/secrets/secret.ts'
import { decodings, withoutBegunEscape } from './secret-decodings.ts'
import { jsonOf } from './webhook-answer.ts'

const redacted = '[redacted]'
const textMax = 4_096
/** So many characters of a secret at the end of an answer that was cut off are taken for its beginning. */
const begunMin = 4
/** Encoded forms of fewer characters would be found by chance. */
const formMin = 8

/** An answer with `isHidden` repeated a secret in an encoded form, and its text is a sentence that says so. */
export type SafeResponse = WebhookResponse & { isHidden?: true }

const hiddenAnswer = 'The answer is not kept: it repeats a secret that was sent.'

/**
 * An answer without the secrets that were sent, also where it was cut off within one (INV-20). In JSON they are replaced in
 * the value, whatever its escapes. Other text that contains one in an encoded form is not kept at all.
 */
export function withoutSecrets(
  response: WebhookResponse,
  secrets: ReadonlyMap<string, Secret> | undefined,
): SafeResponse {
  if (!secrets || secrets.size === 0) return response
  const hidden = new HiddenSecrets([...secrets.values()].map((secret) => secret.reveal()))
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [hidden.inString(name), hidden.inString(value)]),
  )
  const text = hidden.inText(response)
  if (text === undefined) return { ...response, headers, text: hiddenAnswer, isCut: false, isHidden: true }
  return { ...response, headers, text: text.slice(0, textMax), isCut: response.isCut || text.length > textMax }
}

class HiddenSecrets {
  readonly #forms: readonly string[]
  readonly #pattern: RegExp

  constructor(values: readonly string[]) {
    this.#forms = [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length)
    this.#pattern = new RegExp(this.#forms.map((form) => form.replace(/[^\w\s]/g, '\\$&')).join('|'), 'gi')
  }

  /** The text of an answer without the secrets; undefined if they cannot be told from the rest. */
  inText(response: WebhookResponse): string | undefined {
    const json = response.isCut ? undefined : jsonOf(response)
    const shown = this.#replaced(json ? this.#inJson(response.text, json.value) : response.text)
    const text = response.isCut ? this.#withoutBegun(shown) : shown
    const isEncoded = response.isCut
      ? this.#isIn(text, true) || this.#isIn(withoutBegunEscape(text), true)
      : this.#isIn(text, false)
    return isEncoded ? undefined : text
  }

  inString(text: string): string {
    const shown = this.#replaced(text)
    return this.#isIn(shown, false) ? redacted : shown
  }

  #inJson(text: string, value: unknown): string {
    const shown = JSON.stringify(this.#inValue(value))
    return shown === JSON.stringify(value) ? text : shown
  }

  #inValue(value: unknown): unknown {
    if (typeof value === 'string') return this.inString(value)
    if (typeof value === 'number') return this.#replaced(String(value)) === String(value) ? value : redacted
    if (Array.isArray(value)) return value.map((each) => this.#inValue(each))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.inString(name), this.#inValue(each)] as const),
    )
  }

  #replaced = (text: string): string => text.replace(this.#pattern, redacted)

  /** Whether a text contains a secret once it is decoded, or ends within one. */
  #isIn(text: string, isCut: boolean): boolean {
    if (text.length < formMin && !isCut) return false
    for (const decoded of decodings(text)) {
      if (this.#replaced(decoded) !== decoded) return true
      if (isCut && this.#begunAt(decoded) !== undefined) return true
    }
    return false
  }

  #withoutBegun(text: string): string {
    const at = this.#begunAt(text)
    return at === undefined ? text : text.slice(0, at) + redacted
  }

  /** Where a secret begins that the end of the text cuts off. */
  #begunAt(text: string): number | undefined {
    const lower = text.toLowerCase()
    const found = this.#forms.flatMap((each) => {
      const form = each.toLowerCase()
      const first = form.slice(0, begunMin)
      let at = lower.indexOf(first, Math.max(0, lower.length - form.length))
      while (at >= 0 && !form.startsWith(lower.slice(at))) at = lower.indexOf(first, at + 1)
      return at >= 0 ? [at] : []
    })
    return found.length > 0 ? Math.min(...found) : undefined
  }
}

/** The forms in which a secret is replaced, without what surrounds it. */
const formsOf = (value: string): string[] => [
  value,
  ...[
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('hex'),
    ...[0, 1, 2].flatMap((before) => base64Within(value, before)),
  ].filter(({ length }) => length >= formMin),
]

/** The characters that a value has in the base64 of any text with this many bytes before it (modulo 3). */
function base64Within(value: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)]
}
