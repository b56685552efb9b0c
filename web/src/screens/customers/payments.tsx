import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Day, Money } from '../../shown.tsx'
import { Card } from '../../ui/card.tsx'
import { shownMethodWords } from '../../ui/values/payment-methods.ts'
import { useWords } from '../../words.ts'
import { customerWords } from './words.ts'

/** What a customer paid, the latest first; each opens in the list of payments. */
export function PaymentsOf({ id }: { id: string }) {
  const say = useWords(customerWords)
  const methods = useWords(shownMethodWords)
  const { id: org } = useOrganization()
  const { data } = useQuery(read('invoices_payments_list', { organizationId: org, customerId: id, limit: 10 }))
  return (
    <Card title={say.payments}>
      {data?.payments.length === 0 && <p className="px-4 pb-4 pt-1 text-soft">{say.noPayments}</p>}
      <ul className="pb-2">
        {data?.payments.map((each) => (
          <li key={each.id}>
            <Link
              to="/o/$org/payments"
              params={{ org }}
              search={{ customer: id, open: each.id }}
              className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-2 hover:bg-tint ${each.voidedAt ? 'line-through text-soft' : ''}`}
            >
              <span>
                <Day at={each.paidAt} />{' '}
                <span className="text-sm text-soft">{each.method && (methods[each.method] ?? each.method)}</span>
              </span>
              <Money
                amount={each.refundOf ? -each.amount : each.amount}
                currency={each.currency}
                quiet={each.voidedAt !== null}
              />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
