import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { useMay } from '../../session.ts'
import { Money } from '../../shown.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWayBack } from '../../ui/lists/left.ts'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/title.ts'
import { useWords } from '../../words.ts'
import { Ages } from './balance.tsx'
import { Documents } from './documents.tsx'
import { type Customer, FactsCard } from './facts.tsx'
import { PaymentsOf } from './payments.tsx'
import { Recipients } from './recipients.tsx'
import { useRemove } from './remove.ts'
import { Statement } from './statement.tsx'
import { customerWords } from './words.ts'

/** One customer: what is open and how old it is, their documents and payments, how to reach them. */
export function CustomerPage() {
  const say = useWords(customerWords)
  const { org, id } = useParams({ from: '/o/$org/customers/$id' })
  const { data: customer, error, refetch } = useQuery(read('customers_get', { id }))
  const [statement, setStatement] = useState(false)
  const way = useWayBack(`/o/${org}/customers`)
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/o/$org/customers', params: { org }, ...way })
  useKeys({ escape: toList })
  useTitle(customer?.displayName ?? say.title)
  if (error && !customer) return <Problem error={error} onAgain={() => void refetch()} />
  return (
    <div className="flex-1 overflow-y-auto @container">
      <div className="mx-auto max-w-[76rem] p-4 md:px-8 md:py-6 grid gap-4 md:gap-5">
        <Link
          to="/o/$org/customers"
          params={{ org }}
          {...way}
          className="justify-self-start flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="back" />
          {say.title}
        </Link>
        {customer ? (
          <Head customer={customer} onGone={toList} onStatement={() => setStatement(true)} />
        ) : (
          <Skeleton className="h-9 w-72" />
        )}
        <div className="grid @[53rem]:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] gap-4 md:gap-5 items-start">
          <div className="grid gap-4 md:gap-5">
            <Documents id={id} limit={20} />
            <PaymentsOf id={id} />
          </div>
          <div className="grid gap-4 md:gap-5">
            <Balance id={id} customer={customer} />
            {customer ? <FactsCard customer={customer} /> : <Skeleton className="h-40 rounded-lg" />}
            {customer && <Recipients customer={customer} />}
          </div>
        </div>
      </div>
      {statement && customer && <Statement customer={customer} onClose={() => setStatement(false)} />}
    </div>
  )
}

type HeadProps = { customer: Customer; onStatement: () => void; onGone: () => void }

function Head({ customer, onStatement, onGone }: HeadProps) {
  const say = useWords(customerWords)
  const { org } = useParams({ from: '/o/$org' })
  const may = useMay()
  const remove = useRemove()
  const { id } = customer
  function leave() {
    onGone()
    remove([customer])
  }
  return (
    <header className="flex flex-wrap items-center gap-2">
      <h1 className="font-serif text-xl font-semibold flex-1 min-w-full @[40rem]:min-w-48">
        <bdi className="break-words">{customer.displayName}</bdi>
      </h1>
      {may('customers_delete') && <Button look="quiet" icon="trash" label={say.remove} onPress={leave} />}
      <Button icon="table" onPress={onStatement}>
        {say.statement}
      </Button>
      {may('invoices_payments_create') && (
        <ButtonLink to="/o/$org/payments/new" params={{ org }} search={{ customer: id }} icon="payment">
          {say.pay}
        </ButtonLink>
      )}
      {may('invoices_create') && (
        <ButtonLink to="/o/$org/documents/new" params={{ org }} search={{ customer: id }} look="primary" icon="plus">
          {say.newInvoice}
        </ButtonLink>
      )}
    </header>
  )
}

/** The age of what is open comes with the statement, and so agrees with it. */
function Balance({ id, customer }: { id: string; customer: Customer | undefined }) {
  const say = useWords(customerWords)
  const { data } = useQuery({ ...read('reports_customer_statement', { id }), staleTime: 60_000 })
  const open = data?.currencies.filter(({ aging }) => Object.values(aging).some((amount) => amount !== 0)) ?? []
  return (
    <Card title={say.balance}>
      <div className="p-4 pt-1 grid gap-5">
        {!data ? (
          <Skeleton className="h-24" />
        ) : open.length === 0 ? (
          <p className="text-soft">{say.settled}</p>
        ) : (
          open.map(({ currency, aging }) => <Ages key={currency} aging={aging} currency={currency} />)
        )}
        {customer?.openCredits?.map(({ currency, amount }) => (
          <p key={currency} className="flex justify-between gap-3 border-t border-rule pt-3">
            <span className="text-soft">{say.credit}</span>
            <Money amount={amount} currency={currency} />
          </p>
        ))}
      </div>
    </Card>
  )
}
