import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api.ts'

/** In case a change was missed. */
const everyMs = 15_000

/** A run as it goes: its steps come with the changes of the organization. The one place that decides how runs are followed. */
export const useLiveRun = (id: string, runId: string) =>
  useQuery({
    ...read('automations_run', { id, runId }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 'RUNNING' ? everyMs : false),
  })
