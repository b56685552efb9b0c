import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { type Output, Refused, read, useWrite } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { Day, Money, shownInstant, shownNumber, today } from '../../shown.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Name } from '../../ui/name.tsx'
import { Status, statusOf } from '../../ui/status.tsx'
import { say as toast } from '../../ui/toast.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { eventWords, typeWords } from './words.ts'

const said = words(
  {
    close: 'Close',
    edit: 'Edit',
    send: 'Send',
    sendAgain: 'Send again',
    pay: 'Record payment',
    pdf: 'PDF',
    more: 'More',
    for: 'For',
    issued: 'Issued',
    due: 'Due',
    paidOn: 'Paid on',
    subtotal: 'Subtotal',
    tax: 'Tax',
    total: 'Total',
    paid: 'Paid',
    open: 'To pay',
    what: 'Activity',
    by: 'by',
    duplicate: 'Duplicate',
    credit: 'Credit memo',
    link: 'Copy the customer’s link',
    comment: 'Comment',
    sentTo: (n: string) => `Sent to ${n}`,
    notSent: 'It could not be sent',
    unknown: 'the product',
  },
  {
    close: 'סגירה',
    edit: 'עריכה',
    send: 'שליחה',
    sendAgain: 'שליחה חוזרת',
    pay: 'רישום תשלום',
    pdf: 'PDF',
    more: 'עוד',
    for: 'עבור',
    issued: 'הופק',
    due: 'לתשלום עד',
    paidOn: 'שולם',
    subtotal: 'סכום ביניים',
    tax: 'מע״מ',
    total: 'סה״כ',
    paid: 'שולם',
    open: 'יתרה לתשלום',
    what: 'פעילות',
    by: 'מאת',
    duplicate: 'שכפול',
    credit: 'חשבונית זיכוי',
    link: 'העתקת הקישור ללקוח',
    comment: 'הערה',
    sentTo: (n) => `נשלח אל ${n}`,
    notSent: 'השליחה לא הצליחה',
    unknown: 'המערכת',
  },
)

/** A document beside the list: the arrows go on moving through the list, and this follows. */
export function Peek({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const types = useWords(typeWords)
  const { org } = useParams({ from: '/o/$org' })
  const { data: doc } = useQuery(read('invoices_get', { id }))
  const send = useWrite('invoices_send', ['invoices', 'dashboard'])
  const key = useRef(crypto.randomUUID())
  async function dispatch() {
    try {
      const { sent } = await send.mutateAsync({ id, key: key.current })
      toast(say.sentTo(shownNumber(lang, sent)))
    } catch (error) {
      toast(say.notSent, { bad: true, description: error instanceof Refused ? error.message : '' })
    }
  }
  useKeys({ e: () => location.assign(`/o/${org}/documents/${id}/edit`) })
  const open = doc ? doc.total - doc.paidAmount : 0
  return (
    <aside
      aria-label={doc?.invoiceNumber ?? types.INVOICE}
      className="fixed inset-0 z-20 lg:static lg:z-auto w-full lg:w-[29rem] shrink-0 flex flex-col bg-card lg:border-s border-rule overflow-hidden"
    >
      <header className="flex items-center gap-1 h-13 px-3 border-b border-rule shrink-0">
        <Button look="quiet" icon="close" label={say.close} onPress={onClose} />
        <span className="flex-1 truncate text-soft ps-1">
          {doc && (
            <>
              <span>{types[doc.documentType as keyof typeof types]}</span>{' '}
              <bdi className="text-ink font-medium tabular-nums">{doc.invoiceNumber}</bdi>
            </>
          )}
        </span>
        {doc?.status === 'DRAFT' && (
          <ButtonLink to="/o/$org/documents/$id/edit" params={{ org, id }} look="quiet" icon="edit" label={say.edit} />
        )}
        <Button look="quiet" icon="pdf" label={say.pdf} onPress={() => void open_(`/api/documents/${id}/pdf`)} />
        <Menu
          trigger={<Button look="quiet" icon="more" label={say.more} />}
          entries={[
            { label: say.duplicate, icon: 'copy', on: () => {} },
            { label: say.link, icon: 'link', on: () => {} },
            { label: say.comment, icon: 'comment', on: () => {} },
            'rule',
            { label: say.credit, icon: 'undo', danger: true, on: () => {} },
          ]}
        />
      </header>
      <div className="flex-1 overflow-y-auto">
        {!doc ? (
          <div className="p-6 grid gap-3">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-10 w-52" />
            <Skeleton className="h-40" />
          </div>
        ) : (
          <>
            <div className="px-6 pt-5 pb-4">
              <div className="flex items-center justify-between">
                <Status is={statusOf(doc, today())} share={doc.paidAmount / doc.total} />
                <span className="text-sm text-soft">
                  {open > 0 && doc.paidAmount > 0 && (
                    <>
                      {say.open} <Money amount={open} currency={doc.currency} quiet />
                    </>
                  )}
                </span>
              </div>
              <div className="figure-text text-2xl mt-2 mb-3">
                <Money amount={doc.documentType === 'CREDIT_MEMO' ? -doc.total : doc.total} currency={doc.currency} />
              </div>
              <div className="flex flex-wrap gap-2">
                {doc.status !== 'PAID' && (
                  <Button
                    look={doc.status === 'SENT' ? 'plain' : 'primary'}
                    icon="send"
                    busy={send.isPending}
                    onPress={() => void dispatch()}
                  >
                    {doc.status === 'SENT' ? say.sendAgain : say.send}
                  </Button>
                )}
                {(doc.status === 'SENT' || doc.status === 'UNSENT') && (
                  <Button look={doc.status === 'SENT' ? 'primary' : 'plain'} icon="payment">
                    {say.pay}
                  </Button>
                )}
              </div>
            </div>
            <dl className="mx-6 grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-6 py-3 border-t border-rule">
              <Fact name={say.for}>
                <Name className="font-medium">{doc.customer?.name}</Name>
              </Fact>
              <Fact name={say.issued}>
                <Day at={doc.issueDate} />
              </Fact>
              <Fact name={doc.paymentDate ? say.paidOn : say.due}>
                {doc.paymentDate ? <Day at={doc.paymentDate} /> : doc.dueDate ? <Day at={doc.dueDate} /> : '–'}
              </Fact>
            </dl>
            <Lines doc={doc} />
            <Activity id={id} />
          </>
        )}
      </div>
    </aside>
  )
}

const open_ = (url: string) => window.open(url, '_blank', 'noreferrer')

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5 content-start">
    <dt className="text-xs text-soft">{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Lines({ doc }: { doc: Output<'invoices_get'> }) {
  const say = useWords(said)
  const lang = useLanguage()
  const sums = [
    [say.subtotal, doc.subtotal],
    [`${say.tax} ${doc.taxRate === null ? '' : `${shownNumber(lang, doc.taxRate)}%`}`, doc.taxAmount],
  ] as const
  return (
    <div className="mx-6 border-t border-ink/80">
      <ul>
        {doc.items.map((line) => (
          <li key={line.id} className="grid grid-cols-[minmax(0,1fr)_7rem] gap-4 py-2.5 border-b border-rule">
            <span className="min-w-0">
              <bdi className="block on-line-start">{line.description}</bdi>
              <span className="text-sm text-soft tabular-nums" dir="ltr">
                {shownNumber(lang, line.quantity)} × {shownNumber(lang, line.unitPrice)}
              </span>
            </span>
            <span className="number">
              <Money amount={line.amount} currency={doc.currency} />
            </span>
          </li>
        ))}
      </ul>
      <dl className="ms-auto w-64 py-2">
        {sums.map(([name, amount]) => (
          <div key={name} className="grid grid-cols-[minmax(0,1fr)_7rem] py-0.5">
            <dt className="text-soft">{name}</dt>
            <dd className="number">
              <Money amount={amount} currency={doc.currency} quiet />
            </dd>
          </div>
        ))}
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] font-medium pt-1.5 mt-1 pb-2 double-rule">
          <dt>{say.total}</dt>
          <dd className="number">
            <Money amount={doc.total} currency={doc.currency} />
          </dd>
        </div>
      </dl>
    </div>
  )
}

function Activity({ id }: { id: string }) {
  const say = useWords(said)
  const lang = useLanguage()
  const events = useWords(eventWords)
  const { data } = useQuery(read('invoices_events', { id }))
  return (
    <section className="mx-6 pt-3 pb-8">
      <h2 className="text-sm font-medium pb-2">{say.what}</h2>
      <ol className="grid gap-3 border-s border-rule ms-[5px] ps-4">
        {data?.events.map((event) => (
          <li key={event.id} className="relative text-sm">
            <span
              aria-hidden
              className="absolute -start-[20.5px] top-1.5 size-2 rounded-full bg-card border-2 border-edge"
            />
            <span className="flex justify-between gap-3">
              <span>
                {events[event.type] ?? event.type}{' '}
                {event.actor && (
                  <span className="text-soft">
                    {say.by} <bdi>{event.actor.name}</bdi>
                  </span>
                )}
              </span>
              <time dateTime={event.createdAt} className="text-soft whitespace-nowrap">
                {shownInstant(lang, event.createdAt)}
              </time>
            </span>
            {typeof event.payload?.message === 'string' && (
              <bdi className="block on-line-start mt-1 rounded-md bg-tint px-2.5 py-1.5">{event.payload.message}</bdi>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
