import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
import { apiVersion } from '../core/contract/tool-list.ts'
import type { Caller } from '../core/run/call.ts'
import { type Capabilities, mayCall } from '../core/run/capabilities.ts'
import { toFailure } from '../core/run/errors.ts'
import { type CallDependencies, callTool } from './call.ts'
import { fromFailure, toResult } from './result.ts'
import { search, searchName, searchTool } from './search.ts'
import { type Tool, type Toolbox, toolNamed } from './tool.ts'

/** Who a server is for. */
export type Visitor = { caller: Caller; standing: Capabilities }

export const serverInfo = { name: 'kontor', title: 'Kontor', version: apiVersion }

const instructions =
  'Books of small companies: customers, documents, expenses, payroll. Begin with organizations_list: most tools take an organizationId. Amounts are numbers in major units, days are YYYY-MM-DD. Give a write `_meta.idempotencyKey` and a retry has one effect. A refusal is a result with isError: error.code and error.details say what to change, retry whether the same call may work later.'

/** More than this and the list is cut into pages. */
const pageMax = 250
const listTtlMs = 60_000

/** A server for one request of one caller, made afresh so that nothing of another can be in it (THR-04). */
export function freshServer(desk: CallDependencies, tools: Toolbox, { caller, standing }: Visitor): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
  })
  const allowed = () => [...tools.values()].filter(({ operation }) => mayCall(standing, caller, operation))
  server.setRequestHandler('tools/list', ({ params }) => pageOf(allowed(), params?.cursor))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params
    const tool = toolNamed(tools, name)
    if (tool) {
      const progress = progressOf(context)
      const order = { operation: tool.operation, input, meta: context.mcpReq._meta, ...(progress && { progress }) }
      return toResult(await callTool(desk, caller, order))
    }
    if (name.replaceAll('.', '_') === searchName) return found(allowed(), input, caller)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named ${name.slice(0, 100)}.`)
  })
  return server
}

/** Everything the caller may call, in the order of the list; the search stands first. */
function pageOf(allowed: Tool[], cursor: string | undefined) {
  const listed = [searchTool, ...allowed.map((tool) => tool.listed)]
  const from = cursor === undefined ? 0 : Number(/^\d{1,6}$/.exec(cursor)?.[0] ?? Number.NaN)
  if (Number.isNaN(from)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of this list.')
  const next = from + pageMax
  return { tools: listed.slice(from, next), ...(next < listed.length && { nextCursor: String(next) }) }
}

function found(allowed: Tool[], input: Record<string, unknown>, { requestId }: Caller) {
  try {
    return toResult({ structured: JSON.stringify(search(allowed, input)), isError: false, replayed: false })
  } catch (error) {
    return toResult(fromFailure(toFailure(error), { requestId, again: true }))
  }
}

/** Tells the client how far it is, if it asked to be told. */
function progressOf({ mcpReq }: ServerContext): ((step: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return (message) => {
    progress += 1
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {})
  }
}
