import { plain } from '../core/contract/json-schema.ts'
import { Failure } from '../core/define/failure.ts'
import { defaulted, Type } from '../core/define/schema.ts'
import { check } from '../core/define/validate.ts'
import { searchOperations } from '../core/search/search-operations.ts'
import { firstSentence } from '../core/values/first-sentence.ts'
import type { ListedTool, Tool } from './tool.ts'

const SearchTools = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A few words about what you want to do, in English or Hebrew, or the name of a tool.',
  }),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 50, description: 'How many at most.' }), 10),
})

const SearchResult = Type.Object({
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.Optional(Type.String()),
      description: Type.String({ description: 'Whole where the input schema is given, otherwise its first sentence.' }),
      inputSchema: Type.Optional(
        Type.Unsafe<object>({
          type: 'object',
          description: 'Of the first three at most. Search for the name of another to see its input schema.',
        }),
      ),
    }),
  ),
  total: Type.Integer({ description: 'How many tools fit, listed here or not.' }),
})

export const searchName = 'search_tools'

/** A tool that finds other tools by keywords, for agents whose tool list is too long or incomplete. */
export const searchTool: ListedTool = {
  name: searchName,
  title: 'Search tools',
  description:
    'Finds the tools that fit a few words, among all that you may call: the best three with their input schemas, others in a sentence; search for a name to see its schema. Call what it finds by its name, whether or not the list showed it.',
  inputSchema: { ...plain(SearchTools), type: 'object', additionalProperties: false },
  outputSchema: { ...plain(SearchResult), type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

/** The best matches first, among the tools that the caller may call. */
export function search(tools: readonly Tool[], given: Record<string, unknown>) {
  const { query, limit } = readQuery(given)
  const byOperation = new Map(tools.map((tool) => [tool.operation, tool]))
  const found = searchOperations([...byOperation.keys()], query)
  const matches = found.flatMap((operation) => byOperation.get(operation) ?? [])
  return { tools: shown(matches.slice(0, limit)), total: matches.length }
}

/** How many tools are shown whole, and how long their input schemas may be together; the first is always whole. */
const wholeMax = { count: 3, characters: 11_000 }

/** The best with all that a call needs, the others in a sentence, so that an answer does not fill the room an agent has. */
function shown(matches: readonly Tool[]) {
  let room = wholeMax.characters
  return matches.map(({ listed: { name, title, description, inputSchema } }, n) => {
    const length = n < wholeMax.count ? JSON.stringify(inputSchema).length : Number.POSITIVE_INFINITY
    if (n > 0 && length > room) return { name, description: firstSentence(description) }
    room -= length
    return { name, title, description, inputSchema }
  })
}

function readQuery(given: Record<string, unknown>): { query: string; limit: number } {
  const input = { ...given }
  check(SearchTools, input)
  const { query, limit } = input
  if (typeof query !== 'string' || typeof limit !== 'number') throw new Failure('VALIDATION', 'A query is required.')
  return { query, limit }
}
