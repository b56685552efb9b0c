import { invalid } from '../../../../core/define/failure.ts'
import { runLimits } from '../automation.ts'
import { type BindingScope, bindingsIn, boundValue, valuesAlong } from './bindings.ts'

const redacted = '[redacted]'
const secretName = /(password|passphrase|secret|token|api_?key|private_?key)$|^(authorization|cookie|credentials)$/i
const secretInUrl = /([?&](?:token|signature|sig|x-amz-[a-z-]+)=)[^&\s"']+/gi

const redactedInUrl = /[?&](?:token|signature|sig|x-amz-[a-z-]+)=\[redacted\]/i

export type StoredValue = { value: unknown; isTruncated: boolean }

/**
 * The form in which inputs and outputs of steps are stored: without secrets (INV-20) and limited in size. A value that is
 * too large is replaced by a marker, never cut off silently. The column `is_truncated` tells the marker from data that looks
 * like it.
 */
export function toStored(value: unknown): StoredValue {
  const redactedValue = redactSecrets(value, false)
  const bytes = Buffer.byteLength(JSON.stringify(redactedValue) ?? '')
  if (bytes <= runLimits.outputMaxBytes) return { value: redactedValue, isTruncated: false }
  const message = `Not stored: ${bytes} bytes exceed the limit of ${runLimits.outputMaxBytes}.`
  return { value: { truncated: true, bytes, message }, isTruncated: true }
}

/** Stands for an output that was too large to be stored. */
export class TruncatedOutput {}

export const isTruncated = (value: unknown): boolean => value instanceof TruncatedOutput

/** The id of a block that a value is bound to and whose output, or part of it, was too large to be stored. */
export function truncatedBlock(value: unknown, scope: Pick<BindingScope, 'blocks'>): string | undefined {
  for (const path of bindingsIn(value)) {
    const { blockId, values } = valuesAlong(path, scope) ?? { values: [] }
    const bound = values.at(-1)
    if (values.some(isTruncated) || (Array.isArray(bound) && bound.some(isTruncated))) return blockId
  }
  return undefined
}

/** Where a value is bound to a secret that was replaced before it was stored, and the path of the binding. */
export type RedactedBinding = { at: string; binding: string }

/** The first such binding. A text that the author of the graph typed is data, whatever it says. */
export function redactedBinding(value: unknown, scope: BindingScope, at: string): RedactedBinding | undefined {
  if (typeof value === 'string') {
    const binding = bindingsIn(value).find((path) => isRedacted(path, scope))
    return binding === undefined ? undefined : { at, binding }
  }
  if (value === null || typeof value !== 'object') return undefined
  for (const [name, each] of Object.entries(value)) {
    const found = redactedBinding(each, scope, `${at}.${name}`)
    if (found) return found
  }
  return undefined
}

/** The name that an element of a list had there is not known, so the element itself may be a secret. */
const isRedacted = (path: string, scope: BindingScope): boolean =>
  holdsRedacted(boundValue(path, scope), path === 'item' || path.split('.').some((name) => secretName.test(name)))

/** Looks where `redactSecrets` does. */
function holdsRedacted(value: unknown, secret: boolean): boolean {
  if (typeof value === 'string') return (secret && value === redacted) || redactedInUrl.test(value)
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, each]) => holdsRedacted(each, secret || secretName.test(name)))
}

export const secretNotStored = (blockId: string, { at, binding }: RedactedBinding) =>
  invalid(
    at,
    `The block ${blockId} cannot use {{${binding}}} in ${at}: it is a secret, and secrets in payloads and outputs are not stored.`,
    'SECRET_NOT_STORED',
  )

export const outputTooLarge = (path: string, blockId: string) =>
  invalid(path, `The output of ${blockId} was too large to be stored, so it cannot be used.`, 'LIMIT_EXCEEDED')

function redactSecrets(value: unknown, secret: boolean): unknown {
  if (typeof value === 'string') return secret && value !== '' ? redacted : toStoredText(value)
  if (Array.isArray(value)) return value.map((each) => redactSecrets(each, secret))
  if (value === null || typeof value !== 'object') return value ?? null
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      toStoredText(name),
      redactSecrets(each, secret || secretName.test(name)),
    ]),
  )
}

/** Most texts have none of the characters that are replaced below. */
const mayNeedChange = /[\0?&\ud800-\udfff]/

/** PostgreSQL accepts neither NUL in text nor unpaired surrogates in JSON. */
function toStoredText(text: string): string {
  if (!mayNeedChange.test(text)) return text
  return text
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(secretInUrl, `$1${redacted}`)
}
