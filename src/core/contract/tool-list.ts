import type { Role, Scope, Source } from '../define/access.ts'
import type { Method, Operation } from '../define/operation.ts'
import { closed, type JsonSchema, plain } from './json-schema.ts'

export type Tool = {
  name: string
  description: string
  method: Method
  path: string
  feature: string
  verb: string
  scope: Scope
  /** The least role in the organization; null where the operation is inside none. */
  role: Role | null
  sources: readonly Source[]
  /** The union of path, query and body; it admits no field that it does not name. */
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  /** Other names that it is called by. */
  aliases?: readonly string[]
}

/** The version of the contract that OpenAPI and MCP tell. */
export const apiVersion = '1.0.0'

export type ToolList = { version: 1; generatedAt: string; tools: Tool[] }

/** The catalog of tools as agents read it: one for each operation. */
export function toolList(operations: readonly Operation[], generatedAt: Date): ToolList {
  return { version: 1, generatedAt: generatedAt.toISOString(), tools: operations.map(toTool) }
}

function toTool(operation: Operation): Tool {
  const { name, does, method, path, feature, verb, scope, sources, input, output, aliases } = operation
  return {
    name, description: does, method, path, feature, verb, scope, role: roleOf(operation), sources,
    inputSchema: closed(plain(input)),
    outputSchema: plain(output),
    ...(aliases.length > 0 && { aliases }),
  } // biome-ignore format: a list of words
}

/** Wherever a tool is named, dots are read as underscores: `invoices.send` is `invoices_send`. */
export const answersTo = ({ name, aliases }: Pick<Operation, 'name' | 'aliases'>, called: string): boolean =>
  [name, ...aliases].includes(called.replaceAll('.', '_'))

/** What the caller does in their own name needs no role anywhere. */
export const roleOf = ({ role, within }: Operation): Role | null => (within === 'caller' ? null : role)
