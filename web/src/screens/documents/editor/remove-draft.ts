import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api.ts'
import { problemText, refusal } from '../../../refusals.ts'
import { readAgain } from '../../../ui/lists/read-again.ts'
import { deleteLater } from '../../../ui/overlays/later.ts'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { documentWords } from '../document/document-words.ts'
import { useHere } from '../here.ts'

/** Drafts leave at once and can be taken back; what has been issued meanwhile is refused by the server, and stays. */
export function useRemoveDrafts(): (ids: readonly string[]) => void {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const { id: organizationId } = useHere()
  const queries = useQueryClient()
  const notRemoved = (description: string) => toast(say.notRemoved, { bad: true, description })
  async function remove(ids: readonly string[], keepalive: boolean) {
    try {
      const { results } = await call('invoices_bulk_delete', { organizationId, ids: [...ids] }, { keepalive })
      const reasons = new Set(results.flatMap(({ error }) => (error ? [refusal(lang, error)] : [])))
      if (reasons.size > 0) notRemoved([...reasons].slice(0, 2).join(' '))
    } catch (error) {
      notRemoved(problemText(lang, error as Error))
    }
    await readAgain(queries, /^(invoices|dashboard)/)
  }
  return (ids) =>
    deleteLater({
      kind: 'documents',
      ids,
      title: say.removedDrafts(ids.length),
      undo: say.undo,
      send: (keepalive) => remove(ids, keepalive),
    })
}
