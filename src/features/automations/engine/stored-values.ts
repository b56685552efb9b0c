import { invalid } from '../../../core/define/failure.ts'
import { runLimits } from '../automation.ts'
import { type BindingScope, bindingsIn, valuesAlong } from './bindings.ts'

const redacted = '[redacted]'
const secretName = /(password|passphrase|secret|token|api_?key|private_?key)$|^(authorization|cookie|credentials)$/i
const secretInUrl = /([?&](?:token|signature|sig|x-amz-[a-z-]+)=)[^&\s"']+/gi

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
