import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Output, read } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Day, Money } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { Panel } from '../../ui/overlays/panel.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Facts } from '../../ui/values/facts.tsx'
import { shownMethodWords } from '../../ui/values/payment-methods.ts'
import { useWords } from '../../words.ts'
import { paymentWords } from './words.ts'

const AllocateDialog = lazily(() => import('./allocate.tsx'), 'AllocateDialog')
const acts = () => import('./acts.tsx')
const ReceiptDialog = lazily(acts, 'ReceiptDialog')
const RefundDialog = lazily(acts, 'RefundDialog')
const TakeOffDialog = lazily(acts, 'TakeOffDialog')
const VoidDialog = lazily(acts, 'VoidDialog')

export type Payment = Output<'invoices_payments_list'>['payments'][number]
type Act = 'allocate' | 'receipt' | 'refund' | 'void' | { takeOff: Payment['allocations'][number] }

/** A payment beside the list: what it paid, what is left of it, and what can be done with it. */
export function Peek({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useWords(paymentWords)
  const { id: organizationId } = useOrganization()
  const { data, error } = useQuery(read('invoices_payments_list', { organizationId, paymentId: id }))
  const payment = data?.payments[0]
  const [act, setAct] = useState<Act>()
  const done = () => setAct(undefined)
  return (
    <Panel
      label={say.title}
      title={<bdi className="font-medium">{payment?.customerName ?? (payment && say.unknown)}</bdi>}
      onClose={onClose}
    >
      {error ? (
        <Problem error={error} />
      ) : !payment ? (
        <Skeleton className="h-40" />
      ) : (
        <>
          <Head payment={payment} onAct={setAct} />
          <Details payment={payment} />
          <PaidFor payment={payment} onTakeOff={(takeOff) => setAct({ takeOff })} />
          {act === 'allocate' && <AllocateDialog payment={payment} onClose={done} />}
          {act === 'receipt' && <ReceiptDialog payment={payment} onClose={done} />}
          {act === 'refund' && <RefundDialog payment={payment} onClose={done} />}
          {act === 'void' && <VoidDialog payment={payment} onClose={done} />}
          {typeof act === 'object' && <TakeOffDialog payment={payment} allocation={act.takeOff} onClose={done} />}
        </>
      )}
    </Panel>
  )
}

function Head({ payment, onAct }: { payment: Payment; onAct: (act: Act) => void }) {
  const say = useWords(paymentWords)
  const may = useMay()
  const { amount, currency, openRemainder, voidedAt, refundOf, customerId, source } = payment
  const lives = !voidedAt && !refundOf
  const isMoney = lives && source !== 'CREDIT_MEMO'
  return (
    <div className="grid gap-3">
      <div className={`figure-text text-2xl ${voidedAt ? 'line-through text-soft' : ''}`}>
        <Money amount={refundOf ? -amount : amount} currency={currency} quiet={voidedAt !== null} />
      </div>
      {voidedAt && <p className="text-danger">{say.voided}</p>}
      {lives && openRemainder > 0 && (
        <p className="text-warn">
          {say.left}: <Money amount={openRemainder} currency={currency} />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {lives && openRemainder > 0 && customerId && may('invoices_payments_allocate') && (
          <Button look="primary" icon="merge" onPress={() => onAct('allocate')}>
            {say.allocate}
          </Button>
        )}
        {isMoney && customerId && may('invoices_payments_receipt') && (
          <Button icon="document" onPress={() => onAct('receipt')}>
            {say.receipt}
          </Button>
        )}
        {lives && openRemainder > 0 && may('invoices_payments_refund') && (
          <Button icon="undo" onPress={() => onAct('refund')}>
            {say.refundAct}
          </Button>
        )}
        {!voidedAt && source !== 'CREDIT_MEMO' && may('invoices_payments_void') && (
          <Button look="danger" icon="close" onPress={() => onAct('void')}>
            {say.voidAct}
          </Button>
        )}
      </div>
    </div>
  )
}

function Details({ payment }: { payment: Payment }) {
  const say = useWords(paymentWords)
  const methods = useWords(shownMethodWords)
  const { id: org } = useOrganization()
  const { method, customerId, customerName, currency } = payment
  const isCredit = payment.source === 'CREDIT_MEMO'
  return (
    <Facts
      of={[
        [say.day, <Day key="day" at={payment.paidAt} />],
        [
          say.customer,
          customerId && (
            <Link to="/o/$org/customers/$id" params={{ org, id: customerId }} className="text-accent hover:underline">
              <bdi>{customerName}</bdi>
            </Link>
          ),
        ],
        [say.method, isCredit ? say.credit : method && (methods[method] ?? <bdi>{method}</bdi>)],
        [say.reference, payment.reference && <bdi>{payment.reference}</bdi>],
        [
          say.withheld,
          payment.withheldAmount > 0 && <Money key="withheld" amount={payment.withheldAmount} currency={currency} />,
        ],
        [
          say.refund,
          payment.refundedTotal > 0 && <Money key="refunded" amount={payment.refundedTotal} currency={currency} />,
        ],
        [say.reason, payment.voidReason && <bdi>{payment.voidReason}</bdi>],
      ]}
    />
  )
}

type PaidForProps = { payment: Payment; onTakeOff: (allocation: Payment['allocations'][number]) => void }

function PaidFor({ payment, onTakeOff }: PaidForProps) {
  const say = useWords(paymentWords)
  const may = useMay()
  const { id: org } = useOrganization()
  if (payment.refundOf) return null
  const isOwnCredit = payment.source === 'CREDIT_MEMO' && payment.allocations.length === 1 // of the memo to its document
  const mayTakeOff = !payment.voidedAt && !isOwnCredit && may('invoices_payments_unallocate')
  return (
    <section className="grid gap-1">
      <h2 className="text-sm font-medium">{say.paidFor}</h2>
      {payment.allocations.length === 0 && <p className="text-soft">{say.nothing}</p>}
      <ul className="border-t border-rule">
        {payment.allocations.map((each) => (
          <li key={each.id} className="flex items-center gap-2 min-h-10 border-b border-rule">
            <Link
              to="/o/$org/documents"
              params={{ org }}
              search={{ open: each.documentId }}
              className="flex-1 text-accent hover:underline tabular-nums"
            >
              <bdi>{each.invoiceNumber ?? say.document}</bdi>
            </Link>
            <Money amount={each.amount} currency={payment.currency} />
            {mayTakeOff && (
              <Button
                look="quiet"
                icon="close"
                label={say.takeOff(each.invoiceNumber ?? '')}
                onPress={() => onTakeOff(each)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
