import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
import { apiVersion } from '../core/contract/tool-list.ts'
import type { Caller } from '../core/run/call.ts'
import { type Capabilities, mayCall } from '../core/run/capabilities.ts'
import { toFailure } from '../core/run/errors.ts'
import { isEveryday } from '../core/search/everyday-tools.ts'
import { type CallDependencies, callTool } from './call.ts'
import { compactTool } from './compact.ts'
import { fromFailure, toResult } from './result.ts'
import { search, searchName, searchTool } from './search.ts'
import { findTool, type Tool, type Toolbox } from './tool.ts'

/** The caller of a request, what it may do, and which list of tools it wants to see. */
export type AuthorizedCaller = { caller: Caller; capabilities: Capabilities; mode: ToolMode }

/** `full`: every tool with all that is known of it. `compact`: the everyday tools in few words, for agents with little room. */
export const toolModes = ['full', 'compact'] as const
export type ToolMode = (typeof toolModes)[number]

export const serverInfo = { name: 'kontor', title: 'Kontor', version: apiVersion }

const instructions =
  'Books of small companies: customers, documents, expenses, payroll. Begin with organizations_list: most tools take an organizationId. Amounts are numbers in major units, days are YYYY-MM-DD. Arguments are checked as over HTTP: a read (GET) takes numbers and booleans also as text, and null, empty text and unknown fields count as left out; a write takes values of the type in its schema only, and refuses unknown fields. Give a write `_meta.idempotencyKey` and a retry has one effect. A refusal is a result with isError: error.code and error.details say what to change, retry whether the same call may work later.'

const compactInstructions = `${instructions} The list shows only the everyday tools. search_tools finds every other by a few words, in English or Hebrew: call it by name although it is not listed. Search for the name of a listed tool to see its whole description, input and limits. To build an automation, find its parts in automations_catalog by kind and query, then read their schemas by names.`

/** The number of tools on one page of the list. */
const pageMax = 250
const listTtlMs = 60_000

/** Creates the protocol server for one request, so that no state is shared between callers (THR-04). */
export function createRequestServer(
  dependencies: CallDependencies,
  tools: Toolbox,
  { caller, capabilities, mode }: AuthorizedCaller,
): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: mode === 'compact' ? compactInstructions : instructions,
    cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
  })
  const allowed = () => [...tools.values()].filter(({ operation }) => mayCall(capabilities, caller, operation))
  server.setRequestHandler('tools/list', ({ params }) => toolPage(listedTools(allowed(), mode), params?.cursor))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params
    const tool = findTool(tools, name)
    if (tool) {
      const progress = progressReporter(context)
      const request = { operation: tool.operation, input, meta: context.mcpReq._meta, ...(progress && { progress }) }
      return toResult(await callTool(dependencies, caller, request))
    }
    if (name.replaceAll('.', '_') === searchName) return searchResult(allowed(), input, caller)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named ${name.slice(0, 100)}.`)
  })
  return server
}

/** The search tool, then the operations that the caller may call in the order of the list. */
function listedTools(allowed: Tool[], mode: ToolMode) {
  const all = [searchTool, ...allowed.map((tool) => tool.listed)]
  return mode === 'full' ? all : all.filter(({ name }) => name === searchName || isEveryday(name)).map(compactTool)
}

function toolPage(listed: ReturnType<typeof listedTools>, cursor: string | undefined) {
  const from = cursor === undefined ? 0 : Number(/^\d{1,6}$/.exec(cursor)?.[0] ?? Number.NaN)
  if (Number.isNaN(from))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor does not belong to this list.')
  const next = from + pageMax
  return { tools: listed.slice(from, next), ...(next < listed.length && { nextCursor: String(next) }) }
}

function searchResult(allowed: Tool[], input: Record<string, unknown>, { requestId }: Caller) {
  try {
    return toResult({ structured: JSON.stringify(search(allowed, input)), isError: false, replayed: false })
  } catch (error) {
    return toResult(fromFailure(toFailure(error), { requestId, repeatable: true }))
  }
}

/** Sends progress notifications, if the client asked for them. */
function progressReporter({ mcpReq }: ServerContext): ((step: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return (message) => {
    progress += 1
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {})
  }
}
