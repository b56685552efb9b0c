import { queryOptions } from '@tanstack/react-query'
import { call, type Output, read } from './api.ts'
import { preparedPercent } from './preparing.ts'

type Sums = Output<'dashboard_get'>

/**
 * A year with its figures without tax. They are of the journal: while that is added up for the first time the year comes without
 * them, and is read again until they are there.
 */
export const dashboardOf = (organizationId: string, year: number) => {
  const input = { organizationId, year, explain: true }
  return queryOptions({
    ...read('dashboard_get', input),
    queryFn: ({ signal }): Promise<Sums> =>
      call('dashboard_get', input, { signal }).catch((error) => {
        if (preparedPercent(error) === undefined) throw error
        return call('dashboard_get', { organizationId, year }, { signal })
      }),
    refetchInterval: ({ state }) => (state.data && !state.data.netOfTax ? preparingMs : false),
  })
}
const preparingMs = 4_000
