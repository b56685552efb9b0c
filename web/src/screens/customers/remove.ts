import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call, Refused } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { say as toast } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { customerWords } from './words.ts'

const undoMs = 8_000

/** Customers that are gone from the screen and not yet from the server, and how each is deleted. */
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

/** A customer leaves at once and can be taken back for eight seconds; then it is deleted on the server. */
export function useRemove(): (customer: { id: string; displayName: string }) => void {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const queries = useQueryClient()
  async function remove(id: string, name: string) {
    try {
      await call('customers_delete', { id }, { keepalive: true })
    } catch (error) {
      toast(say.notRemoved(name), { bad: true, ...(error instanceof Refused && { description: refusal(lang, error) }) })
    }
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('customers_list') })
    stays(id)
  }
  return ({ id, displayName }) => {
    const work = () => void remove(id, displayName)
    const timer = setTimeout(work, undoMs)
    change(new Map([...leaving, [id, work]]))
    const back = () => {
      clearTimeout(timer)
      stays(id)
    }
    toast(say.removed(displayName), { undo: { label: say.undo, on: back } })
  }
}
