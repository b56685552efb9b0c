import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SignedIn } from '../../src/features/people/person.ts'
import { hrefOf, session, whenReachable } from './api.ts'
import { affected, type Resource } from './live-queries.ts'

/** How long changes are collected before anything is read again. */
const collectMs = 300
const firstDelayMs = 1_000
const longestDelayMs = 300_000

/** While it is mounted, what others change in the organization is read again. */
export function useLive(organizationId: string, allowed: boolean) {
  const queries = useQueryClient()
  useEffect(() => (allowed ? follow(queries, organizationId) : undefined), [queries, organizationId, allowed])
}

/**
 * Follows the changes of an organization, in the visible tab only: a hidden one gives its connection back, and goes on from
 * the last event when it is shown again. Whether there is still something to follow, the session says: when the stream
 * ends, the session is read, and a session with the organization opens it again.
 */
function follow(queries: QueryClient, organizationId: string): () => void {
  const changed = collector(queries)
  let source: EventSource | undefined
  let lastEventId: string | undefined
  let wasOpen = false
  let delayMs = firstDelayMs
  let timer: ReturnType<typeof setTimeout> | undefined

  function open() {
    if (source || document.hidden) return
    clearTimeout(timer)
    source = new EventSource(hrefOf('changes_stream', { organizationId, ...(lastEventId && { lastEventId }) }))
    source.onopen = () => onlineManager.setOnline(true)
    source.addEventListener('ready', (event) => {
      note(event)
      if (wasOpen) changed.everything()
      wasOpen = true
    })
    source.addEventListener('reset', (event) => {
      note(event)
      changed.everything()
    })
    source.addEventListener('change', (event) => {
      note(event)
      changed.by(JSON.parse(event.data).resource as Resource)
    })
    source.addEventListener('error', (event) => {
      const saysWhy = event instanceof MessageEvent // otherwise the connection broke, and the browser makes a new one
      if (saysWhy || source?.readyState === EventSource.CLOSED) askAgain()
      else void whenReachable() // a broken stream alone is not offline: a proxy may end it
    })
  }
  function note(event: MessageEvent) {
    if (event.lastEventId) lastEventId = event.lastEventId
    delayMs = firstDelayMs
  }
  function close() {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }
  function askAgain() {
    close()
    timer = setTimeout(() => {
      askAgain()
      void whenReachable().then(() => queries.fetchQuery({ ...session, staleTime: 0 }).catch(() => undefined))
    }, delayMs)
    delayMs = Math.min(delayMs * 2, longestDelayMs)
  }
  const onVisible = () => (document.hidden ? close() : open())
  const unsubscribe = queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== 'session') return
    const { organizations } = event.query.state.data as SignedIn
    if (organizations.some(({ id }) => id === organizationId)) open()
    else close()
  })
  document.addEventListener('visibilitychange', onVisible)
  open()
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', onVisible)
    changed.stop()
    close()
  }
}

/** Reads again what changed: what comes within a moment together, and nothing more before that was read. */
function collector(queries: QueryClient) {
  let waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false
  async function readAgain() {
    timer = undefined
    if (busy || document.hidden) return begin()
    const names = waiting
    waiting = new Set()
    busy = true
    const isAffected = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
      names.has('') || [...names].some((each) => String(name).startsWith(each))
    await queries.invalidateQueries({ predicate: isAffected }).catch(() => undefined)
    busy = false
  }
  function begin() {
    timer ??= setTimeout(() => void readAgain(), collectMs)
  }
  return {
    by(resource: Resource) {
      for (const name of affected[resource] ?? ['']) waiting.add(name)
      begin()
    },
    everything() {
      waiting.add('')
      begin()
    },
    stop: () => clearTimeout(timer),
  }
}
