import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, Refused } from '../../../api.ts'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { useWords } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import type { Automation } from '../graph/graph.ts'
import { useFailed } from './switching.ts'
import type { Warning } from './warnings.tsx'

export type Draft = Pick<Automation, 'name' | 'description' | 'blocks' | 'edges'>

export const draftOf = ({ name, description, blocks, edges }: Automation): Draft => ({
  name,
  description,
  blocks,
  edges,
})

/** Saves the version that was opened. If somebody else was faster, the server says who changed what, and nothing is lost. */
export function useSaving(opened: Automation) {
  const say = useWords(canvasWords)
  const failed = useFailed()
  const queries = useQueryClient()
  const [saved, setSaved] = useState(opened)
  // as it was sent: the server stores fields in an order of its own
  const [clean, setClean] = useState(draftOf(opened))
  const [warnings, setWarnings] = useState<readonly Warning[]>(opened.warnings ?? [])
  const [conflict, setConflict] = useState<Refused | null>(null)
  const [busy, setBusy] = useState(false)
  const take = (automation: Automation) => {
    setSaved(automation)
    setWarnings(automation.warnings ?? [])
    queries.setQueryData(['automations_get', { id: automation.id }], automation)
    void queries.invalidateQueries({ queryKey: ['automations_list'] })
  }
  /** Answers whether it was saved. `over` saves although somebody else was faster. */
  const save = async (draft: Draft, over = false): Promise<boolean> => {
    setBusy(true)
    try {
      const headers = { 'if-match': over ? '*' : `"${saved.version}"` }
      take(await call('automations_update', { id: opened.id, ...draft }, { key: crypto.randomUUID(), headers }))
      setClean(draft)
      setConflict(null)
      tell(say.saved)
      return true
    } catch (error) {
      if (error instanceof Refused && error.code === 'VERSION_CONFLICT') setConflict(error)
      else failed(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const takeTheirs = (automation: Automation) => {
    take(automation)
    setClean(draftOf(automation))
    setConflict(null)
  }
  return {
    saved,
    clean,
    takeTheirs,
    warnings,
    setWarnings,
    conflict,
    busy,
    save,
    take,
    closeConflict: () => setConflict(null),
  }
}
