import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { patiently } from '../patiently.ts'

/** While it is mounted, what others change in the organization is read again. What does it is loaded after the page. */
export function useLive(organizationId: string, allowed: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!allowed) return
    let stop: (() => void) | undefined
    let isGone = false
    void patiently(() => import('../live.ts')).then(({ follow }) => {
      if (!isGone) stop = follow(queries, organizationId)
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [queries, organizationId, allowed])
}
