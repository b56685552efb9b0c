import { plain } from '../core/contract/json-schema.ts'
import { Failure } from '../core/define/failure.ts'
import { defaulted, Type } from '../core/define/schema.ts'
import { check } from '../core/define/validate.ts'
import type { ListedTool, Tool } from './tool.ts'

const SearchTools = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 200, description: 'A few words about what you want to do.' }),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 50, description: 'How many at most.' }), 10),
})

const SearchResult = Type.Object({
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      description: Type.String(),
      inputSchema: Type.Unsafe<object>({ type: 'object' }),
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
    'Finds the tools that fit a few words, among all that you may call, with their input schemas. Call what it finds by its name, whether or not the list showed it.',
  inputSchema: { ...plain(SearchTools), type: 'object', additionalProperties: false },
  outputSchema: { ...plain(SearchResult), type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

/** The best matches first; equal ones in the order of the list. */
export function search(tools: readonly Tool[], given: Record<string, unknown>) {
  const { query, limit } = readQuery(given)
  const words = wordsOf(query)
  const matches = tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = matches.slice(0, limit).map(({ tool: { listed } }) => {
    const { name, title, description, inputSchema } = listed
    return { name, title, description, inputSchema }
  })
  return { tools: shown, total: matches.length }
}

function readQuery(given: Record<string, unknown>): { query: string; limit: number } {
  const input = { ...given }
  check(SearchTools, input)
  const { query, limit } = input
  if (typeof query !== 'string' || typeof limit !== 'number') throw new Failure('VALIDATION', 'A query is required.')
  return { query, limit }
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A word in the title weighs more than one in the description; a common prefix counts half. */
function scoreOf({ operation, listed }: Tool, words: string[]): number {
  const places = [
    { weight: 4, words: wordsOf(listed.title) },
    { weight: 2, words: wordsOf(`${operation.feature} ${operation.path}`.replaceAll(/[_-]/g, ' ')) },
    { weight: 1, words: wordsOf(listed.description) },
  ]
  const best = (word: string) => Math.max(...places.map(({ weight, words }) => weight * bestMatch(word, words)))
  return words.reduce((sum, word) => sum + best(word), 0)
}

const bestMatch = (word: string, among: string[]) =>
  Math.max(0, ...among.map((other) => (word === other ? 2 : isPrefixOfEither(word, other) ? 1 : 0)))

/** `invoice` finds `invoices`, and `invoices` finds `invoice`. */
const isPrefixOfEither = (word: string, other: string) =>
  word.length > 2 && other.length > 2 && (other.startsWith(word) || word.startsWith(other))
