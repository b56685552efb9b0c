import { type JsonSchema, plain } from '../core/contract/json-schema.ts'
import { answersTo, toolList } from '../core/contract/tool-list.ts'
import type { Operation } from '../core/define/operation.ts'
import { fileTypesOf, isFile } from '../core/files/file.ts'
import { FileDescription } from './file-content.ts'
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

/** The tools by name, in the order of the operations. */
export type Toolbox = ReadonlyMap<string, Tool>

/** Made once, since tools are the same for every caller. */
export function createToolbox(operations: readonly Operation[]): Toolbox {
  const { tools } = toolList(operations, new Date())
  return new Map(
    tools.map(({ name, description, inputSchema, outputSchema }, index) => {
      const operation = operations[index] as Operation
      const listed: ListedTool = {
        name,
        title: titleOf(name),
        description,
        inputSchema: { ...inputSchema, type: 'object' },
        outputSchema: structuredSchema(answerSchema(operation, outputSchema)),
        annotations: annotationsOf(operation),
      }
      return [name, { operation, listed }]
    }),
  )
}

/** A file is described; an operation that answers a file in some formats has both schemas. */
function answerSchema({ output }: Operation, outputSchema: JsonSchema): JsonSchema {
  if (isFile(output)) return plain(FileDescription)
  return fileTypesOf(output).length > 0 ? { anyOf: [outputSchema, plain(FileDescription)] } : outputSchema
}

/** Finds a tool by its name, with underscores or dots, or by an alias. */
export const findTool = (tools: Toolbox, name: string): Tool | undefined =>
  tools.get(name.replaceAll('.', '_')) ?? [...tools.values()].find(({ operation }) => answersTo(operation, name))

/** The title of `bank_accounts_list` is "Bank accounts list". */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^api /, 'API ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Hints that a client may show before a call. Every write except a plain addition counts as destructive, since it may
 * overwrite. Additions are the only operations that have a further effect when repeated.
 */
function annotationsOf({ method, reads, name, run }: Operation): Annotations {
  const adds = method === 'POST'
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && (!adds || undoingName.test(name)),
    idempotentHint: reads || !adds,
    openWorldHint: run.outside,
  }
}

/** Names of POST operations that undo or delete something. */
const undoingName = /(^|_)(void|revoke|delete|cancel|unapply)(_|$)/
