import type { Operation } from '../define/operation.ts'
import { memoize } from '../values/memoize.ts'
import { meansAutomation } from './automation-meant.ts'
import { type Entry, searchEntries } from './search.ts'
import { searchTerms } from './search-terms.ts'

/** The operations that fit a few words in English or Hebrew, the best first; the name of one finds it first. */
export function searchOperations(operations: readonly Operation[], query: string): Operation[] {
  const first = meansAutomation(query) ? 'automations_create' : query.trim().replaceAll('.', '_')
  const leading = operations.filter(({ name }) => name === first)
  const found = searchEntries(operations.map(entryOf), query).map(({ operation }) => operation)
  return [...new Set([...leading, ...found])]
}

/** The texts that an operation is found by: a word of its name or of what else people call it counts most. */
const entryOf = memoize((operation: Operation): Entry & { operation: Operation } => {
  const { name, method, feature, path, does } = operation
  return {
    operation,
    texts: [
      [`${name} ${methodWords[method] ?? ''}`, 4],
      [searchTerms[name] ?? '', 3],
      [`${feature} ${path}`, 2],
      [does, 1.5],
    ],
  }
})

/** What a method says that a name may leave out. */
const methodWords: Record<string, string> = { POST: 'create', PATCH: 'update', DELETE: 'delete' }
