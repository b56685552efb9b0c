import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { ToolRequest } from './call.ts'
import { type ToolAnswer, toResultText } from './result.ts'
import { serverInfo } from './server.ts'
import { type Toolbox, toolNamed } from './tool.ts'

/**
 * The common message, a plain tool call, read and answered without a protocol server of its own: that costs more than the
 * call itself (LOAD-18). Whatever is not exactly that, in either generation of the protocol, is left to the library, which
 * knows all the rules; that both say the same is shown for every operation.
 */
export type FastCall = { order: ToolRequest; toText(answer: ToolAnswer): string }

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const newestVersion = '2026-07-28'
const envelope = 'io.modelcontextprotocol/'

export function readFastCall(tools: Toolbox, headers: IncomingHttpHeaders, message: unknown): FastCall | undefined {
  if (!isObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isPlainId(id) || !isObject(params)) return undefined
  if (!hasOnly(params, ['name', 'arguments', '_meta']) || !takesBoth(headers)) return undefined
  const { name, arguments: input = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isObject(input) || !isObject(meta)) return undefined
  const operation = toolNamed(tools, name)?.operation
  if (!operation || (operation.run.outside && meta.progressToken !== undefined)) return undefined
  const generation = generationOf(headers, meta, name)
  if (!generation) return undefined
  return {
    order: { operation, input, meta },
    toText: (answer) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${toResultText(answer, generation)}}`,
  }
}

/** What this generation adds to a result; undefined if there is anything to say about how it was asked. */
function generationOf(headers: IncomingHttpHeaders, meta: Json, name: string) {
  const claims = Object.keys(meta).filter((key) => key.startsWith(envelope))
  const version = headers['mcp-protocol-version']
  if (claims.length === 0) return version === undefined || isOlder(version) ? {} : undefined
  const usual =
    claims.every((claim) => envelopeKeys.includes(claim)) &&
    meta[PROTOCOL_VERSION_META_KEY] === newestVersion &&
    isObject(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isInfo(meta[CLIENT_INFO_META_KEY]) &&
    version === newestVersion &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name
  return usual ? { resultType: 'complete', meta: { [SERVER_INFO_META_KEY]: serverInfo } } : undefined
}

const envelopeKeys = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

const isOlder = (version: string | string[]) =>
  typeof version === 'string' && version !== newestVersion && SUPPORTED_PROTOCOL_VERSIONS.includes(version)

/** The client may leave out who it is. */
const isInfo = (info: unknown) =>
  info === undefined ||
  (isObject(info) && typeof info.name === 'string' && typeof info.version === 'string' && hasOnly(info, plainInfo))

const plainInfo = ['name', 'version', 'title']

const isPlainId = (id: unknown) => (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)

const hasOnly = (object: Json, known: string[]) => Object.keys(object).every((key) => known.includes(key))

const takesBoth = ({ accept = '', 'content-type': type = '' }: IncomingHttpHeaders) =>
  accept.includes('application/json') && accept.includes('text/event-stream') && isJsonContentType(type)
