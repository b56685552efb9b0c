import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { type Input, type Output, read, useWrite } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import type { Search } from '../../search.ts'
import { Day, Due, Money, shownNumber, today } from '../../shown.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Name } from '../../ui/name.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { useRows } from '../../ui/rows.ts'
import { Status, statusOf } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { say as toast } from '../../ui/toast.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { Peek } from './peek.tsx'
import { typeWords } from './words.ts'

const said = words(
  {
    title: 'Documents',
    create: 'New invoice',
    search: 'Number, customer, notes',
    all: 'All',
    DRAFT: 'Drafts',
    UNSENT: 'To send',
    SENT: 'Open',
    PAID: 'Paid',
    disputed: 'In dispute',
    number: 'Number',
    customer: 'Customer',
    issued: 'Issued',
    due: 'Due',
    status: 'Status',
    amount: 'Amount',
    draft: 'Draft',
    none: 'No documents here',
    noneHint: 'Invoices, receipts and memos that match will stand here.',
    selected: (n: string) => `${n} selected`,
    send: 'Send',
    pdf: 'PDFs',
    clear: 'Clear',
    sent: 'Sent',
    failed: 'Not sent',
  },
  {
    title: 'מסמכים',
    create: 'חשבונית חדשה',
    search: 'מספר, לקוח, הערות',
    all: 'הכול',
    DRAFT: 'טיוטות',
    UNSENT: 'לשליחה',
    SENT: 'פתוחים',
    PAID: 'שולמו',
    disputed: 'במחלוקת',
    number: 'מספר',
    customer: 'לקוח',
    issued: 'הופק',
    due: 'לתשלום',
    status: 'מצב',
    amount: 'סכום',
    draft: 'טיוטה',
    none: 'אין כאן מסמכים',
    noneHint: 'חשבוניות, קבלות וזיכויים מתאימים יופיעו כאן.',
    selected: (n) => `${n} נבחרו`,
    send: 'שליחה',
    pdf: 'קובצי PDF',
    clear: 'ניקוי',
    sent: 'נשלח',
    failed: 'לא נשלח',
  },
)
type Row = Output<'invoices_list'>['invoices'][number]
type View = { key: 'all' | 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID' | 'disputed'; search: Search }
const views: readonly View[] = [
  { key: 'all', search: {} },
  { key: 'DRAFT', search: { status: 'DRAFT' } },
  { key: 'UNSENT', search: { status: 'UNSENT' } },
  { key: 'SENT', search: { status: 'SENT', by: 'dueDate', order: 'asc' } },
  { key: 'PAID', search: { status: 'PAID' } },
  { key: 'disputed', search: { disputed: 'true' } },
]

/** A credit takes away: it is shown as what it does to the sum. */
const signed = ({ documentType, total }: Row) => (documentType === 'CREDIT_MEMO' ? -total : total)

export function Documents() {
  const say = useWords(said)
  const lang = useLanguage()
  const types = useWords(typeWords)
  const { org } = useParams({ from: '/o/$org' })
  const { status, disputed, q = '', by = 'issueDate', order = 'desc', open } = useSearch({ from: '/o/$org/documents' })
  const navigate = useNavigate({ from: '/o/$org/documents' })
  const set = (more: Search) => void navigate({ search: (before) => ({ ...before, ...more }), replace: true })
  const narrow = useNarrow(open ? 1100 : 760)
  const search = useDeferredValue(q)
  const rows = useRows(
    'invoices_list',
    {
      organizationId: org,
      search,
      sortBy: by as 'issueDate',
      sortOrder: order,
      ...(status && { status }),
      ...(disputed && { disputed }),
    } as Input<'invoices_list'>,
    (page) => page.invoices,
    (page) => page.pagination.total,
  )
  const counts = useQueries({
    queries: views.map(({ search: { status: is, disputed: d } }) => ({
      ...read('invoices_list', {
        organizationId: org,
        limit: 1,
        ...(is && { status: is }),
        ...(d && { disputed: d }),
      } as Input<'invoices_list'>),
      staleTime: 60_000,
    })),
  })
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  useKeys({
    c: () => void navigate({ to: '/o/$org/documents/new', params: { org } }),
    ...(open && { escape: () => set({ open: undefined } as never) }),
  })
  const day = today()
  const columns: Column<Row>[] = [
    {
      key: 'number',
      head: say.number,
      width: 'minmax(6rem, 8rem)',
      sort: 'documentNumber',
      cell: (row) => (
        <span className="flex items-baseline gap-2">
          <bdi className="tabular-nums">{row.invoiceNumber ?? <span className="text-soft">{say.draft}</span>}</bdi>
        </span>
      ),
    },
    {
      key: 'customer',
      head: say.customer,
      width: 'minmax(7rem, 1fr)',
      sort: 'customerName',
      cell: (row) => (
        <span className="flex gap-2 min-w-0">
          <Name className="font-medium">{row.customer?.name}</Name>
          {row.documentType !== 'INVOICE' && !open && (
            <span className="text-soft truncate">
              {types[row.documentType as keyof typeof types] ?? row.documentType}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'issued',
      head: say.issued,
      width: '7rem',
      sort: 'issueDate',
      spare: true,
      cell: (row) => (
        <span className="text-soft">
          <Day at={row.invoiceDate} />
        </span>
      ),
    },
    {
      key: 'due',
      head: say.due,
      width: '9rem',
      sort: 'dueDate',
      cell: (row) => <Due at={row.dueDate} settled={row.status !== 'SENT'} />,
    },
    {
      key: 'status',
      head: say.status,
      quietHead: open !== undefined,
      width: open ? '2.5rem' : '8rem',
      sort: 'status',
      cell: (row) => <Status is={statusOf(row, day)} share={row.paidAmount / row.total} bare={open !== undefined} />,
    },
    {
      key: 'amount',
      head: say.amount,
      width: '8.5rem',
      end: true,
      sort: 'total',
      cell: (row) => <Money amount={signed(row)} currency={row.currency} />,
    },
  ]
  const brief = (row: Row) => (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <Name className="font-medium">{row.customer?.name}</Name>
      <span className="text-end">
        <Money amount={signed(row)} currency={row.currency} />
      </span>
      <span className="flex items-center gap-2 text-sm text-soft min-w-0">
        <Status is={statusOf(row, day)} share={row.paidAmount / row.total} bare />
        <bdi>{row.invoiceNumber ?? say.draft}</bdi>
      </span>
      <span className="text-sm text-end">
        <Due at={row.dueDate} settled={row.status !== 'SENT'} />
      </span>
    </div>
  )
  return (
    <div className="flex-1 min-h-0 flex">
      <section className="flex-1 min-w-0 flex flex-col">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 md:px-5 pt-4 pb-2">
          <h1 className="font-serif text-xl font-semibold flex-1">{say.title}</h1>
          <label className="relative max-sm:order-3 max-sm:w-full">
            <span className="sr-only">{say.search}</span>
            <Icon name="search" className="absolute start-2.5 top-2 pointer-coarse:top-3.5 text-soft" />
            <input
              type="search"
              value={q}
              placeholder={say.search}
              onChange={(event) => set({ q: event.target.value || undefined } as never)}
              className="h-8 pointer-coarse:h-11 w-full sm:w-60 ps-8 pe-2 rounded-md border border-rule bg-card pointer-coarse:text-md"
            />
          </label>
          <Button icon="filter" label={say.status} look="plain" />
          <ButtonLink to="/o/$org/documents/new" params={{ org }} look="primary" icon="plus">
            {say.create}
          </ButtonLink>
        </header>
        <nav
          aria-label={say.status}
          className="flex gap-1 px-3 md:px-4 border-b border-rule overflow-x-auto shrink-0 [scrollbar-width:none]"
        >
          {views.map(({ key, search: view }, at) => {
            const here = (view.status ?? '') === (status ?? '') && (view.disputed ?? '') === (disputed ?? '')
            const total = counts[at]?.data?.pagination.total
            return (
              <Link
                key={key}
                to="/o/$org/documents"
                params={{ org }}
                search={view}
                aria-current={here ? 'page' : undefined}
                className={`relative flex items-center gap-1.5 h-9 pointer-coarse:h-11 px-2 whitespace-nowrap ${here ? 'font-medium after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent' : 'text-soft hover:text-ink'}`}
              >
                {say[key]}
                <span className="text-xs text-soft tabular-nums">
                  {total === undefined ? '' : shownNumber(lang, total)}
                </span>
              </Link>
            )
          })}
        </nav>
        <Table
          label={say.title}
          columns={open ? columns.filter(({ spare }) => !spare) : columns}
          total={rows.total ?? 12}
          rowAt={rows.rowAt}
          idOf={({ id }) => id}
          onOpen={({ id }) => set({ open: id })}
          openId={open}
          sorting={{ by, order }}
          onSort={(next) => set(next)}
          brief={brief}
          narrow={narrow}
          selected={selected}
          onSelect={select}
          empty={<Empty title={say.none}>{say.noneHint}</Empty>}
        />
        {selected.size > 0 && <Bulk ids={selected} onDone={() => select(new Set())} />}
      </section>
      {open && <Peek id={open} onClose={() => set({ open: undefined } as never)} />}
    </div>
  )
}

/** What can be done with all that is selected; each is a request of its own, and each outcome is told. */
function Bulk({ ids, onDone }: { ids: ReadonlySet<string>; onDone: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const send = useWrite('invoices_send')
  async function sendAll() {
    const outcomes = await Promise.allSettled([...ids].map((id) => send.mutateAsync({ id })))
    const failed = outcomes.filter(({ status }) => status === 'rejected').length
    toast(`${say.sent}: ${ids.size - failed}`, failed > 0 ? { bad: true, description: `${say.failed}: ${failed}` } : {})
    onDone()
  }
  return (
    <div
      role="toolbar"
      aria-label={say.selected(shownNumber(lang, ids.size))}
      className="mx-auto mb-4 flex items-center gap-2 floating rounded-xl ps-4 pe-2 py-2"
    >
      <span className="tabular-nums me-2">{say.selected(shownNumber(lang, ids.size))}</span>
      <Button icon="send" busy={send.isPending} onPress={() => void sendAll()}>
        {say.send}
      </Button>
      <Button icon="download">{say.pdf}</Button>
      <Button look="quiet" icon="close" label={say.clear} onPress={onDone} />
    </div>
  )
}
