import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'

const everyMs = 1000

/** A run as it goes: read every second until it has ended. The one place that decides how runs are followed. */
export const useLiveRun = (id: string, runId: string) =>
  useQuery({
    ...read('automations_run', { id, runId }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 'RUNNING' ? everyMs : false),
  })
