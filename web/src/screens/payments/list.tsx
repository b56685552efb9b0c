import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type Output, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Day, Money } from '../../shown.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { ListPage, useList } from '../../ui/lists/list-page.tsx'
import { shownMethodWords } from '../../ui/values/payment-methods.ts'
import { useWords } from '../../words.ts'
import { paymentWords } from './words.ts'

const Peek = lazily(() => import('./peek.tsx'), 'Peek')

type Payment = Output<'invoices_payments_list'>['payments'][number]
const views = ['all', 'unallocated'] as const

/** Money that came in, and what of it waits for a document. */
export function Payments() {
  const say = useWords(paymentWords)
  const { id: org } = useOrganization()
  const may = useMay()
  const how = useHow()
  const { view: named } = useSearch({ strict: false }) as Search
  const view = views.find((each) => each === named)
  const list = useList(
    'invoices_payments_list',
    { by: 'paidAt', order: 'desc' },
    ({ payments }) => payments,
    { ...(view && { view }) },
    { sorts: false },
  )
  const { data } = useQuery(read('invoices_payments_list', { organizationId: org, limit: 1, counts: true }))
  return (
    <ListPage
      list={list}
      title={say.title}
      {...(may('invoices_payments_create') && { create: { label: say.create, to: '/o/$org/payments/new' } })}
      to="/o/$org/payments"
      views={views.map((key) => ({ key, label: say.views[key] ?? key, count: data?.counts?.[key] }))}
      columns={() => [
        { key: 'day', head: say.day, width: '8rem', leaves: 2, cell: (row) => <Day at={row.paidAt} /> },
        { key: 'customer', head: say.customer, width: 'minmax(8rem, 1fr)', cell: (row) => <Payer of={row} /> },
        { key: 'method', head: say.method, width: '9rem', leaves: 1, cell: (row) => how(row) },
        { key: 'left', head: say.left, width: '9rem', end: true, cell: (row) => <Left of={row} /> },
        { key: 'amount', head: say.amount, width: '9rem', end: true, cell: (row) => <Sum of={row} /> },
      ]}
      brief={(row) => ({
        title: row.customerName ?? say.unknown,
        below: (
          <>
            <Day at={row.paidAt} short /> · {how(row)}
          </>
        ),
        end: <Sum of={row} />,
      })}
      empty={
        view === 'unallocated'
          ? { title: say.noneHere, hint: say.noneHereHint }
          : {
              title: say.none,
              hint: say.hint,
              action: may('invoices_payments_create') && (
                <ButtonLink to="/o/$org/payments/new" params={{ org }} look="primary" icon="plus">
                  {say.create}
                </ButtonLink>
              ),
            }
      }
      peek={(id, close) => <Peek id={id} onClose={close} />}
    />
  )
}

const Payer = ({ of }: { of: Payment }) => {
  const say = useWords(paymentWords)
  return of.customerName ? (
    <bdi className="block truncate font-medium on-line-start">{of.customerName}</bdi>
  ) : (
    <span className="text-soft">{say.unknown}</span>
  )
}

/** What happened to it, else how it was paid. */
function useHow() {
  const say = useWords(paymentWords)
  const methods = useWords(shownMethodWords)
  return ({ voidedAt, refundOf, source, method }: Payment) => {
    if (voidedAt) return say.voided
    if (refundOf) return say.refund
    if (source === 'CREDIT_MEMO') return say.credit
    return method ? (methods[method] ?? method) : '–'
  }
}

const Left = ({ of }: { of: Payment }) =>
  of.openRemainder > 0 && !of.voidedAt && !of.refundOf ? (
    <span className="text-warn">
      <Money amount={of.openRemainder} currency={of.currency} />
    </span>
  ) : (
    <span className="text-soft">–</span>
  )

/** Money that went back is shown as what it does to the sum. */
const Sum = ({ of }: { of: Payment }) => (
  <span className={of.voidedAt ? 'line-through text-soft' : ''}>
    <Money amount={of.refundOf ? -of.amount : of.amount} currency={of.currency} quiet={of.voidedAt !== null} />
  </span>
)
