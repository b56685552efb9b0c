import type { Detail } from '../../../../core/define/failure.ts'
import { invalid } from '../../../../core/define/failure.ts'
import { defaulted, Type } from '../../../../core/define/schema.ts'
import type { Secret } from '../../../../core/secrets/secret.ts'
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
  if (ref !== 'webhook.post' || headers === undefined || headers === null) return []
  if (!isRecord(headers)) throw headersNotWrittenOut()
  return Object.entries(headers).map(([name, value]) => ({
    name,
    parts: textParts(String(value ?? ''), scope).map((part) => ('path' in part ? toPart(part) : part.text)),
  }))
}

/** Which headers are sent, and where secrets are in them, must be known from the graph. */
export const headersNotWrittenOut = () =>
  invalid(
    'headers',
    'headers must be written out as an object, whose values may hold bindings: they cannot be bound as a whole.',
    'HEADER',
  )

const toPart = ({ path, text }: { path: string; text: string }): HeaderPart =>
  isSecret(path) ? { secret: path.split('.').slice(1).join('.').trim() } : text

export const secretNames = (headers: HeaderTemplate): string[] => [
  ...new Set(headers.flatMap(({ parts }) => parts.flatMap((part) => (typeof part === 'string' ? [] : [part.secret])))),
]

/** Whether a block sends secrets. */
export const usesSecrets = ({ config }: Pick<Block, 'config'>): boolean => bindingsIn(config).some(isSecret)

/** Problems of a value with bindings to secrets, which are allowed in the headers of webhook.post only. */
function secretProblems(value: unknown, path: string): Detail[] {
  const [found] = bindingsIn([value, namesIn(value)]).filter(isSecret)
  if (found === undefined) return []
  const message = `${path} must not contain {{${found}}}: secrets can only be used in the headers of webhook.post.`
  return [{ path, message, code: 'BINDING' }]
}

const namesIn = (value: unknown): string[] =>
  value === null || typeof value !== 'object' ? [] : [...Object.keys(value), ...Object.values(value).flatMap(namesIn)]

/** The same for every field of a block or an edge. */
export const secretProblemsOfFields = (element: object, path: string): Detail[] =>
  Object.entries(element).flatMap(([name, value]) => secretProblems(value, `${path}.${name}`))

/** The same for a block, where the headers are left out, and names that no secret can have. */
export function secretProblemsOfBlock(block: Block, path: string): Detail[] {
  const { kind, ref, config } = block
  const input = isRecord(config.input) ? config.input : {}
  if (kind !== 'ACTION' || ref !== 'webhook.post' || !isRecord(input.headers))
    return secretProblemsOfFields(block, path)
  const { headers, ...others } = input
  const at = `${path}.config.input.headers`
  const values = Object.entries(headers).flatMap(([name, value]) => secretProblemsOfHeader(value, `${at}.${name}`))
  const names = secretProblems(Object.keys(headers), at)
  return [...secretProblemsOfFields({ ...block, config: { ...config, input: others } }, path), ...names, ...values]
}

function secretProblemsOfHeader(value: unknown, path: string): Detail[] {
  if (typeof value !== 'string') return secretProblems(value, path)
  const wrong = bindingsIn(value).find((each) => isSecret(each) && !wholeName.test(each))
  const message = `${path} contains {{${wrong}}}: the name of a secret has capital letters, digits and underscores.`
  return wrong === undefined ? [] : [{ path, message, code: 'BINDING' }]
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
