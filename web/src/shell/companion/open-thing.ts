import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { choiceOf } from '../../ui/schema/schema-words.ts'
import { useLanguage, useWords } from '../../words.ts'
import { companionWords } from './words.ts'

/** The document or customer that is shown on the page, in the words in which one would ask about it. */
export function useOpenThing(): string | undefined {
  const say = useWords(companionWords)
  const lang = useLanguage()
  const [place, id] = useRouterState({ select: ({ location }) => opened(location.pathname, location.search as Search) })
  const isDocument = place === 'documents' && id !== ''
  const { data: document } = useQuery({ ...read('invoices_get', { id }), enabled: isDocument })
  const isCustomer = place === 'customers' && id !== ''
  const { data: customer } = useQuery({ ...read('customers_get', { id }), enabled: isCustomer })
  if (isDocument && document?.invoiceNumber)
    return `${choiceOf(lang, document.documentType).toLowerCase()} ${document.invoiceNumber}`
  if (isDocument && document?.customer?.name) return say.draftFor(document.customer.name)
  return isCustomer && customer ? say.customer(customer.displayName) : undefined
}

/** `/o/{org}/documents/{id}` and `/o/{org}/documents?open={id}` show the same. */
function opened(path: string, { open, draft }: Search): readonly [place: string, id: string] {
  const [, , , place = '', id] = path.split('/')
  return [place, String((id === 'new' ? draft : id) ?? open ?? '')]
}
