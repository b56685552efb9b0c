import type { QueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../../src/features/company/people/person.ts'
import { hrefOf, session, whenReachable } from './api.ts'
import { affected, type Resource } from './live-queries.ts'
import { lookForNewVersion } from './new-version.ts'
import { sharedStream } from './shared-stream.ts'

/** How long changes are collected before anything is read again. */
const collectMs = 300
const firstDelayMs = 1_000
const longestDelayMs = 300_000

/**
 * Follows the changes of an organization. Whether there is still something to follow, the session says: when the stream
 * ends, the session is read, and a session with the organization opens it again.
 */
export function follow(queries: QueryClient, organizationId: string): () => void {
  const changed = collector(queries)
  let delayMs = firstDelayMs
  let timer: ReturnType<typeof setTimeout> | undefined

  const address = (lastEventId: string | undefined) =>
    hrefOf('changes_stream', { organizationId, ...(lastEventId && { lastEventId }) })
  const stream = sharedStream(`changes ${organizationId}`, address, {
    onEvent(name, data) {
      delayMs = firstDelayMs
      clearTimeout(timer)
      if (name === 'reset') changed.everything()
      if (name === 'change') changed.by(JSON.parse(data).resource as Resource)
    },
    onBroken: () => void lookForNewVersion(), // a broken stream alone is not offline: a proxy may end it
    onEnded: askAgain,
    onMissed: () => changed.everything(),
  })
  function askAgain() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      askAgain()
      void lookForNewVersion()
      void whenReachable().then(() => queries.fetchQuery({ ...session, staleTime: 0 }).catch(() => undefined))
    }, delayMs)
    delayMs = Math.min(delayMs * 2, longestDelayMs)
  }
  const unsubscribe = queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== 'session') return
    const { organizations } = event.query.state.data as SignedIn
    clearTimeout(timer)
    if (organizations.some(({ id }) => id === organizationId)) stream.open()
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
    changed.stop()
    stream.stop()
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
