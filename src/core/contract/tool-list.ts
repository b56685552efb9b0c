import type { Role, Scope, Source } from '../define/access.ts'
import type { Method, Operation } from '../define/operation.ts'
import { describedInput } from './input-schema.ts'
import { closed, type JsonSchema, plain } from './json-schema.ts'

export type Tool = {
  name: string
  description: string
  method: Method
  path: string
  feature: string
  verb: string
  scope: Scope
  /** The least role in the organization; null if the operation runs in none. */
  role: Role | null
  sources: readonly Source[]
  /** Path, query and body fields together; unknown fields are refused. */
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  /** Other names of the tool. */
  aliases?: readonly string[]
}

/** The version of the contract in OpenAPI and MCP. */
export const apiVersion = '1.0.0'

export type ToolList = { version: 1; generatedAt: string; tools: Tool[] }

/** The list of tools for agents, one for each operation. */
export function toolList(operations: readonly Operation[], generatedAt: Date): ToolList {
  return { version: 1, generatedAt: generatedAt.toISOString(), tools: operations.map(toTool) }
}

function toTool(operation: Operation): Tool {
  const { name, does, method, path, feature, verb, scope, sources, output, aliases } = operation
  return {
    name,
    description: does,
    method,
    path,
    feature,
    verb,
    scope,
    role: roleOf(operation),
    sources,
    inputSchema: closed(describedInput(operation)),
    outputSchema: plain(output),
    ...(aliases.length > 0 && { aliases }),
  }
}

/** Whether a tool has this name; dots count as underscores: `invoices.send` is `invoices_send`. */
export const answersTo = ({ name, aliases }: Pick<Operation, 'name' | 'aliases'>, called: string): boolean =>
  [name, ...aliases].includes(called.replaceAll('.', '_'))

/** An operation of the caller alone needs no role. */
export const roleOf = ({ role, within }: Operation): Role | null => (within === 'caller' ? null : role)
