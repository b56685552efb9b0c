import { useSyncExternalStore } from 'react'
import { whenReachable } from './api.ts'

// A tab may stay open while the server is updated. Then its page names other scripts than this one was loaded with.

let isNew = false
let isLoading = false
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** Whether the server has another version of the app than this page. */
export const useNewVersion = () => useSyncExternalStore(subscribe, () => isNew)

/** Whether the page is being loaded again on purpose, so that nobody is asked whether to leave it: what is typed is kept. */
export const isLoadingAgain = () => isLoading

export function loadAgain() {
  isLoading = true
  location.reload()
}

const ownScript = () => {
  const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')
  return script && new URL(script.href).pathname
}

const pauseMs = 60_000
let returned = 0

/** A tab that was in the background is compared when somebody comes back to it. */
document.addEventListener('visibilitychange', () => {
  if (document.hidden || performance.now() - returned < pauseMs) return
  returned = performance.now()
  void lookForNewVersion()
})

let asking: Promise<void> | undefined

/** Asks the server for its page, after it was away or somebody comes back to the tab. */
export function lookForNewVersion(): Promise<void> {
  asking ??= look().finally(() => {
    asking = undefined
  })
  return asking
}

async function look() {
  const script = ownScript()
  if (isNew || !script) return
  await whenReachable()
  const answer = await fetch('/app', { cache: 'no-store' }).catch(() => undefined)
  if (!answer?.ok || answer.redirected) return // without a session there is no page to compare with
  if ((await answer.text()).includes(script)) return
  isNew = true
  for (const each of listeners) each()
}
