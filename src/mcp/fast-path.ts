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
import { findTool, type Toolbox } from './tool.ts'

/**
 * A plain tool call, the most common message, which is read and answered without the library: creating its protocol server
 * takes longer than the call itself (LOAD-18). Every other message is left to the library, which implements both generations
 * of the protocol. differential.test.ts shows for every operation that both paths answer alike.
 */
export type FastCall = { request: ToolRequest; toText(answer: ToolAnswer): string }

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const newestVersion = '2026-07-28'
const envelopePrefix = 'io.modelcontextprotocol/'

export function readFastCall(tools: Toolbox, headers: IncomingHttpHeaders, message: unknown): FastCall | undefined {
  if (!isObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isPlainId(id) || !isObject(params)) return undefined
  if (!hasOnly(params, ['name', 'arguments', '_meta']) || !acceptsJsonAndEvents(headers)) return undefined
  const { name, arguments: input = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isObject(input) || !isObject(meta)) return undefined
  const operation = findTool(tools, name)?.operation
  if (!operation || (operation.run.outside && meta.progressToken !== undefined)) return undefined
  const extras = resultExtras(headers, meta, name)
  if (!extras) return undefined
  return {
    request: { operation, input, meta },
    toText: (answer) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${toResultText(answer, extras)}}`,
  }
}

/** The fields that this protocol generation adds to a result; undefined if the message is not a plain call after all. */
function resultExtras(headers: IncomingHttpHeaders, meta: Json, name: string) {
  const claims = Object.keys(meta).filter((key) => key.startsWith(envelopePrefix))
  const version = headers['mcp-protocol-version']
  if (claims.length === 0) return version === undefined || isOlderVersion(version) ? {} : undefined
  const isPlain =
    claims.every((claim) => envelopeKeys.includes(claim)) &&
    meta[PROTOCOL_VERSION_META_KEY] === newestVersion &&
    isObject(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isClientInfo(meta[CLIENT_INFO_META_KEY]) &&
    version === newestVersion &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name
  return isPlain ? { resultType: 'complete', meta: { [SERVER_INFO_META_KEY]: serverInfo } } : undefined
}

const envelopeKeys = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

const isOlderVersion = (version: string | string[]) =>
  typeof version === 'string' && version !== newestVersion && SUPPORTED_PROTOCOL_VERSIONS.includes(version)

/** Client information is optional. */
const isClientInfo = (info: unknown) =>
  info === undefined ||
  (isObject(info) && typeof info.name === 'string' && typeof info.version === 'string' && hasOnly(info, clientInfoKeys))

const clientInfoKeys = ['name', 'version', 'title']

const isPlainId = (id: unknown) => (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)

const hasOnly = (object: Json, known: string[]) => Object.keys(object).every((key) => known.includes(key))

const acceptsJsonAndEvents = ({ accept = '', 'content-type': type = '' }: IncomingHttpHeaders) =>
  accept.includes('application/json') && accept.includes('text/event-stream') && isJsonContentType(type)
