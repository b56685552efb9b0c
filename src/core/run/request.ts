import type { Operation } from '../define/operation.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { sha256 } from '../values/id.ts'
import { jsonProblem } from '../values/json-limits.ts'
import type { Version } from './call.ts'

/** The parts of an HTTP request that carry an operation's input. */
export type Part = 'path' | 'query' | 'body'
export type Request = Record<Part, Record<string, unknown>>

export function partOf({ method, path }: Operation, field: string): Part {
  if (path.includes(`{${field}}`)) return 'path'
  return method === 'GET' || method === 'DELETE' ? 'query' : 'body'
}

/** Converts text from a query or form to the type of the field. Text that does not fit is kept, so that validation names the field. */
export function fromText(type: string | string[] | undefined, text: string | string[]): unknown {
  const is = (name: string) => type === name || (Array.isArray(type) && type.includes(name))
  if (is('array')) return [text].flat()
  const last = Array.isArray(text) ? text.at(-1) : text
  if ((is('integer') || is('number')) && /^-?\d+(\.\d+)?$/.test(last ?? '')) return Number(last)
  if (is('boolean') && (last === 'true' || last === 'false')) return last === 'true'
  if (is('object') && last?.trimStart().startsWith('{')) return parsed(last)
  return last
}

function parsed(text: string): unknown {
  if (jsonProblem(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Distributes an input over path, query and body. */
export function toRequest(operation: Operation, input: Record<string, unknown>): Request {
  const request: Request = { path: {}, query: {}, body: {} }
  for (const [field, value] of Object.entries(input)) request[partOf(operation, field)][field] = value
  return request
}

/** The path with the ids of a call filled in. */
export const filledPath = ({ path }: Operation, input: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))

/** A hash of the content of a request, independent of the order of its fields (IDEM-3): a retry must have the same. */
export function fingerprintOf(
  { method, path }: Operation,
  { params, query, bodyText, fileHash, expectedVersion }: Sent,
): Buffer {
  const body = bodyText.trim() === '' ? '{}' : canonicalJson(bodyText)
  const file = fileHash === undefined ? [] : [fileHash]
  const version = expectedVersion === undefined ? [] : [{ expectedVersion }]
  return sha256(JSON.stringify([method, path, sorted(params), sorted(query), body, ...file, ...version]))
}

/** For an upload, `bodyText` lacks the bytes of the file and `fileHash` is their hash. */
type Sent = {
  params: object
  query: object
  bodyText: string
  fileHash?: string | undefined
  expectedVersion?: Version | undefined
}

/** The fingerprint of the HTTP request with this input, so that a retry may use another surface. */
export function inputFingerprint(
  operation: Operation,
  input: Record<string, unknown>,
  expectedVersion?: Version | undefined,
): Buffer {
  const { path, query, body } = toRequest(operation, input)
  const sent = { params: asText(path), query: asText(query), bodyText: JSON.stringify(body), expectedVersion }
  return fingerprintOf(operation, sent)
}

/** Path and query carry text; a list with one entry looks like that entry. */
const asText = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const texts = [value].flat().map(String)
      return [name, texts.length === 1 ? texts[0] : texts]
    }),
  )

const sorted = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
