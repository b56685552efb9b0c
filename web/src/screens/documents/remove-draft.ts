import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call, Refused } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { say as toast } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { documentWords } from './document-words.ts'

const undoMs = 8_000

/** Drafts that are gone from the screen and not yet from the server. */
let leaving: ReadonlyMap<string, () => void> = new Map()
const listeners = new Set<() => void>()
function change(next: ReadonlyMap<string, () => void>) {
  leaving = next
  for (const each of listeners) each()
}
const stays = (id: string) => change(new Map([...leaving].filter(([each]) => each !== id)))

/** When the page is closed, what was deleted is deleted at once. */
addEventListener('pagehide', () => {
  for (const remove of leaving.values()) remove()
})

export const useLeaving = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => leaving,
  )

/** Drafts leave at once and can be taken back for eight seconds; then they are deleted on the server. */
export function useRemoveDrafts(): (ids: readonly string[]) => void {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const queries = useQueryClient()
  const changed = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => /^(invoices|dashboard)/.test(String(queryKey[0])) })
  async function remove(id: string) {
    try {
      await call('invoices_delete', { id }, { keepalive: true })
    } catch (error) {
      toast(say.notRemoved, { bad: true, ...(error instanceof Refused && { description: refusal(lang, error) }) })
    }
    await changed()
    stays(id)
  }
  return (ids) => {
    const timers = ids.map((id) => setTimeout(() => void remove(id), undoMs))
    change(new Map([...leaving, ...ids.map((id) => [id, () => void remove(id)] as const)]))
    const back = () => {
      for (const timer of timers) clearTimeout(timer)
      for (const id of ids) stays(id)
    }
    toast(say.removedDrafts(ids.length), { undo: { label: say.undo, on: back } })
  }
}
