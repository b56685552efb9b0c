import { compactInput } from '../core/contract/compact-input.ts'
import { firstSentence } from '../core/values/first-sentence.ts'
import type { ListedTool } from './tool.ts'

/** A tool as `/mcp?tools=compact` lists it: enough to choose and call it. `search_tools` shows the complete description and input. */
export type CompactTool = Pick<ListedTool, 'name' | 'description' | 'inputSchema'> & {
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export function compactTool({ name, description, inputSchema, annotations }: ListedTool): CompactTool {
  const { readOnlyHint, destructiveHint } = annotations
  // Without a hint a client assumes the worst: a tool that writes and may overwrite.
  const hints = readOnlyHint ? { readOnlyHint } : destructiveHint ? undefined : { destructiveHint }
  return {
    name,
    description: firstSentence(description),
    inputSchema: compactInput(name, inputSchema),
    ...(hints && { annotations: hints }),
  }
}
