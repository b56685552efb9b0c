/** What the tabs of a browser tell each other. */
type Told =
  | { kind: 'event'; name: EventName; data: string; id: string }
  /** The connection broke, and is made again. */
  | { kind: 'broken' }
  /** The server ended the stream, or refused it. */
  | { kind: 'ended' }
  /** Asks whoever has the stream where it is, and makes it go on if it has ended. */
  | { kind: 'where' }
  | { kind: 'open' }
  | { kind: 'here'; id: string }

type EventName = 'ready' | 'reset' | 'change'
const eventNames: readonly EventName[] = ['ready', 'reset', 'change']

type Heard = {
  onEvent: (name: EventName, data: string) => void
  onBroken: () => void
  onEnded: () => void
  /** Something may have happened that this tab was not told of. */
  onMissed: () => void
}

/**
 * One stream for all tabs of a browser that follow the same. A visible tab holds the lock of this name and has the
 * connection; it tells the others. When it is closed or hidden, the next visible one goes on after the last event.
 */
export function sharedStream(
  name: string,
  addressAfter: (lastId: string | undefined) => string,
  { onEvent, onBroken, onEnded, onMissed }: Heard,
) {
  const tabs = new BroadcastChannel(name)
  let source: EventSource | undefined
  let lastId: string | undefined
  let isLeading = false
  let giveUp: (() => void) | undefined

  function tell(told: Told) {
    tabs.postMessage(told)
    hear(told)
  }
  function hear(told: Told) {
    if (told.kind === 'event') {
      if (told.name === 'ready' && lastId !== undefined) onMissed()
      if (told.id) lastId = told.id
      onEvent(told.name, told.data)
    } else if (told.kind === 'here') {
      if (lastId !== undefined && lastId !== told.id) onMissed()
      lastId = told.id
    } else if (told.kind === 'broken') onBroken()
    else if (told.kind === 'ended') onEnded()
    else if (isLeading) answer(told.kind)
  }
  function answer(asked: 'where' | 'open') {
    if (asked === 'open') connect()
    else if (lastId !== undefined) tabs.postMessage({ kind: 'here', id: lastId } satisfies Told)
  }
  tabs.onmessage = ({ data }) => hear(data as Told)

  function connect() {
    if (source) return
    source = new EventSource(addressAfter(lastId))
    for (const each of eventNames)
      source.addEventListener(each, (event) =>
        tell({ kind: 'event', name: each, data: event.data, id: event.lastEventId }),
      )
    source.addEventListener('error', (event) => {
      const saysWhy = event instanceof MessageEvent // otherwise the connection broke, and the browser makes a new one
      if (!saysWhy && source?.readyState !== EventSource.CLOSED) return tell({ kind: 'broken' })
      disconnect()
      tell({ kind: 'ended' })
    })
  }
  function disconnect() {
    source?.close()
    source = undefined
  }

  /** Waits for its turn to have the connection. */
  function lead() {
    if (giveUp) return
    const waiting = new AbortController()
    let release = () => {}
    giveUp = () => {
      giveUp = undefined
      isLeading = false
      disconnect()
      waiting.abort()
      release()
    }
    const hold = () =>
      new Promise<void>((resolve) => {
        release = resolve
        isLeading = true
        connect()
      })
    navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => undefined) // given up while it waited
  }
  const onVisible = () => {
    if (document.hidden) return giveUp?.()
    tabs.postMessage({ kind: 'where' } satisfies Told)
    lead()
  }
  document.addEventListener('visibilitychange', onVisible)
  onVisible()
  return {
    /** Makes the stream go on after it has ended. */
    open: () => tell({ kind: 'open' }),
    stop() {
      document.removeEventListener('visibilitychange', onVisible)
      giveUp?.()
      tabs.close()
    },
  }
}
