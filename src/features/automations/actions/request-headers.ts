import type { Detail } from '../../../core/define/failure.ts'
import { invalid } from '../../../core/define/failure.ts'
import { defaulted, Type } from '../../../core/define/schema.ts'
import type { WebhookResponse } from '../../../core/outside/egress.ts'
import type { Secret } from '../../../core/secrets/secret.ts'
import type { Block } from '../automation.ts'
import { type BindingScope, bindingsIn, isSecret, textParts } from '../engine/bindings.ts'
import { isRecord } from '../engine/elements.ts'
import { secretNamePattern } from './secret.ts'

const headersMax = 20
const valueMax = 8_000

export const RequestHeaders = defaulted(
  Type.Record(Type.String(), Type.Union([Type.String({ maxLength: valueMax }), Type.Number(), Type.Boolean()]), {
    description: `Up to ${headersMax} headers of the request. Only here, {{secrets.NAME}} is a secret of the organization.`,
  }),
  {},
)

/** Parts of the value of a header. A secret is inserted when the request is sent, and stored nowhere. */
export type HeaderPart = string | { secret: string }
export type HeaderTemplate = readonly { name: string; parts: readonly HeaderPart[] }[]

/** The headers of a block with the bindings resolved, except the secrets. Bound values are never read as secrets (THR-12). */
export function headerTemplate({ ref, config }: Block, scope: BindingScope): HeaderTemplate {
  const { headers } = isRecord(config.input) ? config.input : {}
  if (ref !== 'webhook.post' || !isRecord(headers)) return []
  return Object.entries(headers).map(([name, value]) => ({
    name,
    parts: textParts(String(value ?? ''), scope).map((part) => ('path' in part ? toPart(part) : part.text)),
  }))
}

const toPart = ({ path, text }: { path: string; text: string }): HeaderPart =>
  isSecret(path) ? { secret: path.split('.').slice(1).join('.').trim() } : text

export const secretNames = (headers: HeaderTemplate): string[] => [
  ...new Set(headers.flatMap(({ parts }) => parts.flatMap((part) => (typeof part === 'string' ? [] : [part.secret])))),
]

/** Whether a block sends secrets. */
export const usesSecrets = ({ config }: Pick<Block, 'config'>): boolean => bindingsIn(config).some(isSecret)

/** Problems of a value with bindings to secrets, which are allowed in the headers of webhook.post only. */
export function secretProblems(value: unknown, path: string): Detail[] {
  const [found] = bindingsIn(value).filter(isSecret)
  if (found === undefined) return []
  const message = `${path} must not contain {{${found}}}: secrets can only be used in the headers of webhook.post.`
  return [{ path, message, code: 'BINDING' }]
}

/** The same for a block, where the headers are left out, and names that no secret can have. */
export function secretProblemsOfBlock({ kind, ref, config }: Block, path: string): Detail[] {
  const input = isRecord(config.input) ? config.input : {}
  if (kind !== 'ACTION' || ref !== 'webhook.post' || !isRecord(input.headers)) return secretProblems(config, path)
  const { headers, ...others } = input
  const values = Object.entries(headers).flatMap(([name, value]) => {
    const at = `${path}.input.headers.${name}`
    if (typeof value !== 'string') return secretProblems(value, at)
    const wrong = bindingsIn(value).find((each) => isSecret(each) && !wholeName.test(each))
    const message = `${at} contains {{${wrong}}}: the name of a secret has capital letters, digits and underscores.`
    return wrong === undefined ? [] : [{ path: at, message, code: 'BINDING' as const }]
  })
  const names = secretProblems(Object.keys(headers), `${path}.input.headers`)
  return [...secretProblems({ ...config, input: others }, path), ...names, ...values]
}

const wholeName = new RegExp(`^secrets\\.${secretNamePattern.slice(1)}`)

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const refusedName =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|accept-encoding|webhook-.*|idempotency-key|set-cookie)$/

/** The headers of a request with the secrets, by names in lower case. 400 for those that cannot be sent. */
export function requestHeaders(
  template: HeaderTemplate,
  secrets: ReadonlyMap<string, Secret> | undefined,
): Record<string, string> {
  if (template.length > headersMax)
    throw invalid('headers', `A webhook can have at most ${headersMax} headers.`, 'LIMIT_EXCEEDED')
  const headers: Record<string, string> = {}
  for (const { name, parts } of template) {
    const lower = name.toLowerCase()
    const refuse = (problem: string) =>
      invalid('headers', `The header ${JSON.stringify(name.slice(0, 100))} ${problem}.`, 'HEADER')
    if (!headerName.test(lower)) throw refuse('has a name that HTTP does not allow')
    if (refusedName.test(lower)) throw refuse('cannot be set: Kontor sets it itself')
    if (Object.hasOwn(headers, lower)) throw refuse('is given twice')
    const value = parts
      .map((part) => (typeof part === 'string' ? part : (secrets?.get(part.secret)?.reveal() ?? '')))
      .join('')
    if (!/^[\x20-\x7e]*$/.test(value)) throw refuse('has a value with characters other than visible ASCII and spaces')
    if (value.length > valueMax) throw refuse(`has more than ${valueMax} characters`)
    headers[lower] = value
  }
  return headers
}

const redacted = '[redacted]'
const textMax = 4_096

/** An answer without the secrets that were sent, also where it was cut off within one (INV-20). */
export function withoutSecrets(
  response: WebhookResponse,
  secrets: ReadonlyMap<string, Secret> | undefined,
): WebhookResponse {
  if (!secrets || secrets.size === 0) return response
  const values = [...secrets.values()].flatMap((secret) => formsOf(secret.reveal())).sort((a, b) => b.length - a.length)
  const hide = (text: string) => values.reduce((rest, value) => rest.replaceAll(value, redacted), text)
  const text = hide(response.text)
  const shown = response.isCut ? withoutBegunSecret(text, values) : text
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, hide(value)]))
  return { ...response, headers, text: shown.slice(0, textMax), isCut: response.isCut || shown.length > textMax }
}

/** The forms in which an answer may repeat a secret. */
const formsOf = (value: string): string[] => [
  ...new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
  ]),
]

function withoutBegunSecret(text: string, values: readonly string[]): string {
  for (const value of values)
    for (let length = value.length - 1; length >= 4; length--)
      if (text.endsWith(value.slice(0, length))) return text.slice(0, -length) + redacted
  return text
}
