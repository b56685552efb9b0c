import { useQuery } from '@tanstack/react-query'
import { type Output, read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Due, Money } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/forms/number-field.tsx'
import { useWords } from '../../words.ts'
import { oldestFirst, remainder } from './propose.ts'
import { paymentWords } from './words.ts'

type Document = Output<'invoices_list'>['invoices'][number]
export type Shares = Readonly<Record<string, number>>

/** What a customer owes, the oldest first. */
export function useOpenDocuments(customerId: string | null): readonly Document[] | undefined {
  const { id: organizationId } = useOrganization()
  const { data } = useQuery({
    ...read('invoices_list', {
      organizationId,
      customerId: customerId ?? '',
      view: 'open',
      sortBy: 'dueDate',
      sortOrder: 'asc',
      lines: false,
      limit: 100,
    }),
    enabled: customerId !== null,
  })
  return data && oldestFirst(data.invoices)
}
type SharesProps = {
  amount: number
  currency: string
  documents: readonly Document[]
  shares: Shares
  onShares: (shares: Shares) => void
  /** Takes back what was typed. */
  onPropose: () => void
}

/** How an amount is spread over open documents; each share can be changed, and what is left is always in view. */
export function ShareTable({ amount, currency, documents, shares, onShares, onPropose }: SharesProps) {
  const say = useWords(paymentWords)
  const left = remainder(amount, shares, currency)
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base font-medium">{say.documents}</h2>
        <Button look="quiet" icon="sort" onPress={onPropose}>
          {say.again}
        </Button>
      </div>
      <ul className="border-t border-ink/80">
        {documents.map((each) => (
          <li
            key={each.id}
            className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-x-4 py-2 border-b border-rule"
          >
            <span className="min-w-0">
              <span className="flex flex-wrap items-baseline gap-x-3">
                <bdi className="font-medium tabular-nums">{each.invoiceNumber}</bdi>
                <span className="text-sm">
                  <Due at={each.dueDate} settled={false} />
                </span>
              </span>
              <span className="text-sm text-soft">
                {say.open} <Money amount={each.openBalance} currency={currency} quiet />
              </span>
            </span>
            <NumberField
              label={say.shareOf(each.invoiceNumber ?? '')}
              value={shares[each.id] ?? 0}
              digits={2}
              onNumber={(share) => onShares({ ...shares, [each.id]: share })}
              className="w-full"
            />
          </li>
        ))}
      </ul>
      <p
        role="status"
        className={`flex justify-between gap-3 font-medium pb-2 double-rule ${left < 0 ? 'text-danger' : ''}`}
      >
        <span>{left < 0 ? say.over : left === 0 ? say.settles : say.stays}</span>
        <Money amount={Math.abs(left)} currency={currency} />
      </p>
    </div>
  )
}

/** As the operations take them. */
export const toAllocations = (shares: Shares) =>
  Object.entries(shares)
    .filter(([, amount]) => amount > 0)
    .map(([documentId, amount]) => ({ documentId, amount }))
