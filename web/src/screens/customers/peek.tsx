import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Panel } from '../../ui/overlays/panel.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Name } from '../../ui/values/name.tsx'
import { useWords } from '../../words.ts'
import { Open, type Row } from './balance.tsx'
import { Documents } from './documents.tsx'
import { CustomerFacts } from './facts.tsx'
import { useRemove } from './remove.ts'
import { customerWords } from './words.ts'

type PeekProps = { id: string; row: Row | undefined; onClose: () => void }

/** A customer beside the list: what is open, the latest documents, how to reach them. */
export function Peek({ id, row, onClose }: PeekProps) {
  const say = useWords(customerWords)
  const { id: org } = useOrganization()
  const may = useMay()
  const remove = useRemove()
  const { data: customer, error, refetch } = useQuery(read('customers_get', { id }))
  return (
    <Panel
      label={customer?.displayName ?? say.title}
      title={<Name strong>{customer?.displayName}</Name>}
      onClose={onClose}
      tools={
        customer &&
        may('customers_delete') && (
          <Button
            look="quiet"
            icon="trash"
            label={say.remove}
            onPress={() => {
              onClose()
              remove([customer])
            }}
          />
        )
      }
    >
      {error ? (
        <Problem error={error} onAgain={() => void refetch()} />
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/o/$org/customers/$id" params={{ org, id }} look="primary">
              {say.page}
            </ButtonLink>
            {may('invoices_create') && (
              <ButtonLink to="/o/$org/documents/new" params={{ org }} search={{ customer: id }} icon="plus">
                {say.newInvoice}
              </ButtonLink>
            )}
          </div>
          {row?.openBalances && row.openBalances.length > 0 && (
            <div>
              <h2 className="text-sm text-soft">{say.open}</h2>
              <div className="figure-text text-xl">
                <Open of={row.openBalances} />
              </div>
            </div>
          )}
          {customer ? <CustomerFacts customer={customer} /> : <Skeleton className="h-30" />}
          <Documents id={id} limit={6} />
        </>
      )}
    </Panel>
  )
}
