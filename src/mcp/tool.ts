import { type JsonSchema, plain } from '../core/contract/json-schema.ts'
import { answersTo, toolList } from '../core/contract/tool-list.ts'
import type { Operation } from '../core/define/operation.ts'
import { isFile } from '../core/files/file.ts'
import { FileFacts } from './file-content.ts'
import { structuredSchema } from './result.ts'

/** A tool as `tools/list` shows it. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema: JsonSchema & { type: 'object' }
  annotations: Annotations
}

type Annotations = { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }

export type Tool = { operation: Operation; listed: ListedTool }

/** One tool for each operation, by name and in the order of the list. */
export type Toolbox = ReadonlyMap<string, Tool>

/** Made once: what a tool looks like depends on nobody. */
export function toolboxOf(operations: readonly Operation[]): Toolbox {
  const { tools } = toolList(operations, new Date())
  return new Map(
    tools.map(({ name, description, inputSchema, outputSchema }, index) => {
      const operation = operations[index] as Operation
      const listed: ListedTool = {
        name,
        title: titleOf(name),
        description,
        inputSchema: { ...inputSchema, type: 'object' },
        outputSchema: structuredSchema(isFile(operation.output) ? plain(FileFacts) : outputSchema),
        annotations: annotationsOf(operation),
      }
      return [name, { operation, listed }]
    }),
  )
}

/** By its name, in either spelling, or by another one that it goes by. */
export const toolNamed = (tools: Toolbox, name: string): Tool | undefined =>
  tools.get(name.replaceAll('.', '_')) ?? [...tools.values()].find(({ operation }) => answersTo(operation, name))

/** `bank_accounts_list` is "Bank accounts list" to people. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^api /, 'API ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * What a client may tell its person before a call. Whatever is not a plain addition counts as destructive, since it may
 * overwrite; doing it twice leaves things as doing it once, unless it adds.
 */
function annotationsOf({ method, reads, name, run }: Operation): Annotations {
  const adds = method === 'POST'
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && (!adds || undoing.test(name)),
    idempotentHint: reads || !adds,
    openWorldHint: run.outside,
  }
}

/** A POST that takes something back. */
const undoing = /(^|_)(void|revoke|delete|cancel|unapply)(_|$)/
