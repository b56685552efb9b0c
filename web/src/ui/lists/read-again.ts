import type { QueryClient } from '@tanstack/react-query'

/** Reads again what belongs to these features, and resolves when it is there. */
export async function readAgain(queries: QueryClient, features: RegExp): Promise<void> {
  const filters = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => features.test(String(queryKey[0])) }
  await queries.invalidateQueries(filters)
  // A change that the server reports meanwhile begins the reading anew, which ends the one above.
  if (queries.isFetching(filters) > 0)
    await queries.refetchQueries({ ...filters, type: 'active' }, { cancelRefetch: false })
}
