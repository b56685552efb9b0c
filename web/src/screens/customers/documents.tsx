import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Output, read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Day, Money, today } from '../../shown.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { choiceOf } from '../../ui/schema/schema-words.ts'
import { Status, statusOf } from '../../ui/values/status.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { customerWords } from './words.ts'

type Document = Output<'invoices_list'>['invoices'][number]
/** A credit takes away: it is shown as what it does to the sum. */
const signed = ({ documentType, total }: Document) => (documentType === 'CREDIT_MEMO' ? -total : total)

/** The latest documents of a customer; each opens in the list of documents. */
export function Documents({ id, limit }: { id: string; limit: number }) {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const { id: org } = useOrganization()
  const { data } = useQuery(
    read('invoices_list', {
      organizationId: org,
      customerId: id,
      sortBy: 'issueDate',
      sortOrder: 'desc',
      limit,
      lines: false,
    }),
  )
  return (
    <Card
      title={say.documentsOf}
      action={
        data &&
        data.pagination.total > 0 && (
          <Link
            to="/o/$org/documents"
            params={{ org }}
            search={{ customer: id }}
            className="text-sm text-accent hover:underline"
          >
            {say.all} ({data.pagination.total})
          </Link>
        )
      }
    >
      {data === undefined ? (
        <div className="p-4">
          <Skeleton className="h-30" />
        </div>
      ) : data.invoices.length === 0 ? (
        <p className="px-4 pb-4 pt-1 text-soft">{say.noDocuments}</p>
      ) : (
        <ul className="pb-2">
          {data.invoices.map((each) => (
            <li key={each.id}>
              <Link
                to="/o/$org/documents"
                params={{ org }}
                search={{ customer: id, open: each.id }}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 hover:bg-tint"
              >
                <span className="flex items-baseline gap-3 min-w-0">
                  <span className="truncate">
                    {choiceOf(lang, each.documentType)}{' '}
                    <bdi className="tabular-nums">{each.invoiceNumber ?? say.draft}</bdi>
                  </span>
                  <span className="text-sm text-soft">
                    <Day at={each.invoiceDate.slice(0, 10)} />
                  </span>
                </span>
                <span className="row-span-2 text-end">
                  <Money amount={signed(each)} currency={each.currency} />
                </span>
                <span className="text-sm">
                  <Status is={statusOf(each, today())} share={each.total > 0 ? each.paidAmount / each.total : 0} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
