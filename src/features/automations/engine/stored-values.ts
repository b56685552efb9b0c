import { invalid } from '../../../core/define/failure.ts'
import { limits } from '../automation.ts'
import { type BindingScope, bindingsIn, wayOf } from './bindings.ts'

const redacted = '[redacted]'
const secretName = /(password|passphrase|secret|token|api_?key|private_?key)$|^(authorization|cookie|credentials)$/i
const secretInAddress = /([?&](?:token|signature|sig|x-amz-[a-z-]+)=)[^&\s"']+/gi

/**
 * What is kept of what went into a step or came out of it: without secrets (INV-20) and within bounds. What is too large
 * is replaced by a note that says so; nothing is cut off silently.
 */
export function toStored(value: unknown): unknown {
  const clean = withoutSecrets(value, false)
  const bytes = Buffer.byteLength(JSON.stringify(clean) ?? '')
  if (bytes <= limits.outputMaxBytes) return clean
  return {
    truncated: true,
    bytes,
    message: `Left out: ${bytes} bytes are more than the ${limits.outputMaxBytes} kept.`,
  }
}

/** Whether something stands for what was too large to be kept. */
export const isTruncated = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'truncated' in value && value.truncated === true && 'bytes' in value

/** A block that a value names and whose output, or that of an element which is meant too, was too large to be kept. */
export function truncatedIn(value: unknown, scope: Pick<BindingScope, 'blocks'>): string | undefined {
  for (const path of bindingsIn(value)) {
    const { blockId, values } = wayOf(path, scope) ?? { values: [] }
    const meant = values.at(-1)
    if (values.some(isTruncated) || (Array.isArray(meant) && meant.some(isTruncated))) return blockId
  }
  return undefined
}

export const tooLarge = (path: string, blockId: string) =>
  invalid(path, `What ${blockId} came to was too large to be kept and used.`, 'LIMIT_EXCEEDED')

function withoutSecrets(value: unknown, secret: boolean): unknown {
  if (typeof value === 'string') return secret && value !== '' ? redacted : shown(value)
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secret))
  if (value === null || typeof value !== 'object') return value ?? null
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [shown(name), withoutSecrets(each, secret || secretName.test(name))]),
  )
}

/** PostgreSQL keeps no NUL in text, and no half of a character in JSON. */
const shown = (text: string) =>
  text
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(secretInAddress, `$1${redacted}`)
