import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../../api.ts'
import { Money } from '../../../shown.tsx'
import { Status, statusOf } from '../../../ui/values/status.tsx'
import { useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'
import { type Doc, Part } from './content.tsx'
import { documentWords } from './document-words.ts'
import { type Entry, relatedIds } from './history.ts'
import { signed } from './signed.ts'

/** Receipts, memos, and the chain from a payment request to its invoice. */
export function Related({ doc, events }: { doc: Doc; events: readonly Entry[] }) {
  const say = useWords(documentWords)
  const types = useWords(typeWords)
  const here = useHere()
  const chained = [doc.convertedFromId, doc.convertedToId].filter((id) => id !== null)
  const ids = [...new Set([...chained, ...relatedIds(events, doc.id)])]
  const found = useQueries({ queries: ids.map((id) => ({ ...read('invoices_get', { id }), retry: false })) })
  const documents = found.flatMap(({ data }) => (data ? [data] : []))
  if (documents.length === 0) return null
  return (
    <Part title={say.related}>
      <ul className="grid">
        {documents.map((each) => (
          <li key={each.id} className="border-b border-rule last:border-0">
            <Link
              to="/o/$org/documents/$id"
              params={{ org: here.id, id: each.id }}
              className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-3 items-center py-1.5 hover:underline"
            >
              <span>
                {types[each.documentType]} <bdi className="tabular-nums">{each.invoiceNumber ?? say.draft}</bdi>
              </span>
              <Status is={statusOf(each, here.today)} bare />
              <Money amount={signed(each)} currency={each.currency} />
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}
