import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useOrganization } from '../../session.ts'
import { Due, Money } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { Name } from '../../ui/values/name.tsx'
import { useWords } from '../../words.ts'
import type { Sums } from './figures.tsx'
import { dashboardWords } from './words.ts'

const PayDialog = lazily(() => import('./pay.tsx'), 'PayDialog')
const RemindDialog = lazily(() => import('./remind.tsx'), 'RemindDialog')

export type Pending = Sums['pendingPaymentsList'][number]
type Act = { what: 'pay' | 'remind'; document: Pending }

/** Who owes, those due first; paid or reminded without leaving the page. */
export function Waiting({ sums }: { sums: Sums | undefined }) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const [act, setAct] = useState<Act>()
  const done = () => setAct(undefined)
  const pending = sums?.pendingPaymentsList
  return (
    <Card
      title={say.waiting}
      action={
        <Link
          to="/o/$org/documents"
          params={{ org }}
          search={{ view: 'open' }}
          className="text-sm text-accent hover:underline"
        >
          {say.all}
        </Link>
      }
    >
      {pending === undefined && <Skeleton className="m-4 h-40" />}
      {pending?.length === 0 && (
        <p className="px-4 pb-4 pt-1 text-soft">{sums?.openBalance ? say.nothingOpenOfYear : say.nothingOpen}</p>
      )}
      <ul className="pb-2 @container">
        {pending?.slice(0, 6).map((each) => (
          <Row key={each.id} document={each} onAct={(what) => setAct({ what, document: each })} />
        ))}
      </ul>
      {act?.what === 'pay' && <PayDialog document={act.document} onClose={done} />}
      {act?.what === 'remind' && <RemindDialog document={act.document} onClose={done} />}
    </Card>
  )
}

function Row({ document, onAct }: { document: Pending; onAct: (what: Act['what']) => void }) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const may = useMay()
  const { id, invoiceNumber, customerName, dueDate, openBalance, currency } = document
  const what = invoiceNumber ?? customerName
  return (
    <li className="flex items-center gap-1 pe-2 hover:bg-tint">
      <Link
        to="/o/$org/documents"
        params={{ org }}
        search={{ view: 'open', open: id }}
        className="flex-1 min-w-0 grid grid-cols-[minmax(0,1fr)_auto] @[30rem]:grid-cols-[5.5rem_minmax(0,1fr)_7.5rem_6.5rem] items-center gap-x-4 ps-4 pe-2 py-2"
      >
        <Name className="text-soft tabular-nums @max-[30rem]:order-2">{invoiceNumber}</Name>
        <Name className="font-medium @max-[30rem]:order-1">{customerName}</Name>
        <span className="@max-[30rem]:order-4 text-end @[30rem]:text-start">
          <Due at={dueDate} settled={false} />
        </span>
        <span className="text-end @max-[30rem]:order-3 @max-[30rem]:row-start-1 @max-[30rem]:col-start-2">
          <Money amount={openBalance} currency={currency} />
        </span>
      </Link>
      {may('invoices_send') && (
        <Button look="quiet" icon="mail" label={`${say.remind}: ${what}`} onPress={() => onAct('remind')} />
      )}
      {may('invoices_payments') && (
        <Button look="quiet" icon="payment" label={`${say.pay}: ${what}`} onPress={() => onAct('pay')} />
      )}
    </li>
  )
}
