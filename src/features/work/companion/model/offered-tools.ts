import { compactInput } from '../../../../core/contract/compact-input.ts'
import { describedInput } from '../../../../core/contract/input-schema.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import type { OfferedTool } from '../../../../core/outside/conversation.ts'
import { everydayTools } from '../../../../core/search/everyday-tools.ts'
import { searchOperations } from '../../../../core/search/search-operations.ts'
import { firstSentence } from '../../../../core/values/first-sentence.ts'
import { memoize } from '../../../../core/values/memoize.ts'

/** How many tools the model is offered at a time, beside the two of its own, and how many a search finds. */
const [offeredMax, foundMax, fittingMax] = [40, 10, 10]

export const [searchName, readOnName] = ['search_tools', 'read_on']

const ownTools: readonly OfferedTool[] = [
  {
    name: searchName,
    description:
      'Finds tools that fit a few words, in English or Hebrew, among all that the person may use. What it finds can be called afterwards.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  {
    name: readOnName,
    description: 'Shows more of a result that was too long to be shown whole.',
    inputSchema: {
      type: 'object',
      properties: { result: { type: 'string' }, from: { type: 'integer' } },
      required: ['result', 'from'],
    },
  },
]

/** The tools of a turn: of about 200 those that were found, those that fit the message, and the everyday ones. */
export type Tools = {
  offered(): OfferedTool[]
  find(query: string): { tools: { name: string; does: string }[]; total: number }
  /** Offers a tool that was called without being offered; false if there is none of this name. */
  findByName(name: string): boolean
}

/** `all` are the tools that the person may use; nothing else is ever found or offered. */
export function createTools(all: readonly Operation[], text: string): Tools {
  const fitting = searchOperations(all, text.slice(0, textMax)).slice(0, fittingMax)
  const everyday = everydayNames.flatMap((name) => all.find((operation) => operation.name === name) ?? [])
  let found: Operation[] = []
  const remember = (operations: readonly Operation[]) => {
    found = [...new Set([...operations, ...found])].slice(0, offeredMax)
  }
  return {
    offered: () => [...ownTools, ...firstOf([...found, ...fitting, ...everyday], offeredMax).map(toOffered)],
    find(query) {
      const matches = searchOperations(all, query.slice(0, textMax))
      remember(matches.slice(0, foundMax))
      const tools = matches.slice(0, foundMax).map(({ name, does }) => ({ name, does: firstSentence(does) }))
      return { tools, total: matches.length }
    },
    findByName(name) {
      const operations = all.filter((operation) => operation.name === name)
      remember(operations)
      return operations.length > 0
    },
  }
}

const textMax = 500

const everydayNames = Object.values(everydayTools).flat()

const firstOf = (operations: readonly Operation[], count: number) => [...new Set(operations)].slice(0, count)

/** Without the organization: a turn works in that of its session alone, and the loop fills it in. */
const toOffered = memoize((operation: Operation): OfferedTool => {
  const { properties, required, ...schema } = compactInput(operation.name, describedInput(operation))
  const fields = Object.entries((properties ?? {}) as object).filter(([field]) => field !== 'organizationId')
  const needed = ((required ?? []) as string[]).filter((field) => field !== 'organizationId')
  return {
    name: operation.name,
    description: firstSentence(operation.does),
    inputSchema: { ...schema, properties: Object.fromEntries(fields), ...(needed.length > 0 && { required: needed }) },
  }
})
