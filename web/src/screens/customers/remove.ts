import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { readAgain } from '../../ui/lists/read-again.ts'
import { deleteLater } from '../../ui/overlays/later.ts'
import { say as toast } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { customerWords } from './words.ts'

type Leaving = { id: string; displayName: string }

/** Customers leave at once and can be taken back; those with documents are refused by the server, and stay. */
export function useRemove(): (customers: readonly Leaving[]) => void {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const queries = useQueryClient()
  const remove = ({ id, displayName }: Leaving, keepalive: boolean) =>
    call('customers_delete', { id }, { keepalive }).catch((error) =>
      toast(say.notRemoved(displayName), { bad: true, description: problemText(lang, error) }),
    )
  return (customers) => {
    const [first] = customers
    if (!first) return
    deleteLater({
      kind: 'customers',
      ids: customers.map(({ id }) => id),
      title: customers.length === 1 ? say.removed(first.displayName) : say.removedMany(customers.length),
      undo: say.undo,
      send: async (keepalive) => {
        if (keepalive) await Promise.all(customers.map((each) => remove(each, true)))
        else for (const each of customers) await remove(each, false)
        await readAgain(queries, /^(customers|dashboard)/)
      },
    })
  }
}
