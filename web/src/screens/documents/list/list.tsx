import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type Output, read } from '../../../api.ts'
import type { Search } from '../../../search.ts'
import { useMay } from '../../../session.ts'
import { Day, Due, Money } from '../../../shown.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { ListPage, useList } from '../../../ui/lists/list-page.tsx'
import type { Column } from '../../../ui/lists/table.tsx'
import { useDeleted } from '../../../ui/overlays/later.ts'
import { Name } from '../../../ui/values/name.tsx'
import { Status, statusOf } from '../../../ui/values/status.tsx'
import { useWords } from '../../../words.ts'
import { signed } from '../document/signed.ts'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'
import { listWords } from './list-words.ts'

const Bulk = lazily(() => import('./bulk.tsx'), 'Bulk')
const Peek = lazily(() => import('./peek.tsx'), 'Peek')

type Row = Output<'invoices_list'>['invoices'][number]
const views = ['all', 'drafts', 'toSend', 'open', 'overdue', 'paid', 'inDispute'] as const
type View = (typeof views)[number]

export function Documents() {
  const say = useWords(listWords)
  const { id: org } = useHere()
  const may = useMay()
  const address = useSearch({ strict: false }) as Search
  const view = views.find((each) => each === address.view)
  const leaving = useDeleted('documents')
  const asked = { lines: false, ...(view && view !== 'all' && { view: view as View }) }
  const rows = useList(
    'invoices_list',
    view === 'overdue' || view === 'open' ? { by: 'dueDate', order: 'asc' } : { by: 'issueDate', order: 'desc' },
    ({ invoices }) => (leaving.size > 0 ? invoices.filter(({ id }) => !leaving.has(id)) : invoices),
    asked,
  )
  // Those that the server still counts.
  const hidden = rows.answers.flatMap(({ invoices }) => invoices).filter(({ id }) => leaving.has(id)).length
  const list = { ...rows, total: rows.total === undefined ? undefined : Math.max(0, rows.total - hidden) }
  const { data: counted } = useQuery(
    read('invoices_list', { organizationId: org, limit: 1, lines: false, counts: true }),
  )
  const columns = useColumns(rows.open !== undefined)
  const brief = useBrief()
  return (
    <ListPage
      list={list}
      title={say.title}
      search={say.search}
      {...(may('invoices_create') && { create: { label: say.create, to: '/o/$org/documents/new' } })}
      to="/o/$org/documents"
      views={views.map((key) => ({ key, label: say.views[key] ?? key, count: counted?.counts?.[key] }))}
      columns={() => columns}
      brief={brief}
      empty={
        view
          ? { title: say.noneHere, hint: say.noneHereHint }
          : {
              title: say.none,
              hint: say.noneHint,
              action: may('invoices_create') && (
                <ButtonLink to="/o/$org/documents/new" params={{ org }} look="primary" icon="plus">
                  {say.first}
                </ButtonLink>
              ),
            }
      }
      bulk={{
        acts: (chosen) => <Bulk chosen={chosen} />,
        amounts: (row) => [{ amount: signed(row), currency: row.currency }],
      }}
      peek={(id, close) => <Peek id={id} onClose={close} />}
    />
  )
}

const isSettled = (row: Row) =>
  row.status === 'PAID' || row.status === 'DRAFT' || row.cancelledAt !== null || row.convertedToId !== null
const share = (row: Row) => (row.total > 0 ? (row.paidAmount + row.creditedAmount) / row.total : 0)

/** Beside an open document the state is its ring alone. */
function useColumns(compact: boolean): readonly Column<Row>[] {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const { today } = useHere()
  return [
    {
      key: 'number',
      head: say.number,
      width: 'minmax(5rem, 7.5rem)',
      leaves: 2,
      sort: 'documentNumber',
      cell: (row) =>
        row.invoiceNumber ? (
          <bdi className="tabular-nums">{row.invoiceNumber}</bdi>
        ) : (
          <span className="text-soft">{say.draft}</span>
        ),
    },
    {
      key: 'customer',
      head: say.customer,
      width: 'minmax(8rem, 1fr)',
      sort: 'customerName',
      cell: (row) => (
        <span className="flex items-baseline gap-2 min-w-0">
          <span className="min-w-0">
            <Name strong>{row.customer?.name}</Name>
          </span>
          {row.documentType !== 'INVOICE' && (
            <span className="text-soft whitespace-nowrap">{types[row.documentType]}</span>
          )}
        </span>
      ),
    },
    {
      key: 'issued',
      head: say.issued,
      width: '7rem',
      sort: 'issueDate',
      leaves: 1,
      cell: (row) => (
        <span className="text-soft">
          <Day at={row.invoiceDate} />
        </span>
      ),
    },
    {
      key: 'due',
      head: say.due,
      width: '8.5rem',
      leaves: 3,
      sort: 'dueDate',
      cell: (row) => <Due at={row.dueDate} settled={isSettled(row)} />,
    },
    {
      key: 'status',
      head: say.status,
      width: compact ? '2.5rem' : '8rem',
      leaves: 4,
      sort: 'status',
      quietHead: compact,
      cell: (row) => <Status is={statusOf(row, today)} share={share(row)} bare={compact} />,
    },
    {
      key: 'amount',
      head: say.amount,
      width: 'minmax(8rem, 9rem)',
      end: true,
      sort: 'total',
      cell: (row) => <Money amount={signed(row)} currency={row.currency} />,
    },
  ]
}

/** The row on a phone. */
function useBrief() {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const { today } = useHere()
  return (row: Row) => ({
    title: row.customer?.name,
    below: `${row.invoiceNumber ?? say.draft}${row.documentType === 'INVOICE' ? '' : ` · ${types[row.documentType]}`}`,
    end: (
      <span className="grid justify-items-end">
        <Money amount={signed(row)} currency={row.currency} />
        <span className="flex items-center gap-1.5 text-sm">
          <Due at={row.dueDate} settled={isSettled(row)} />
          <Status is={statusOf(row, today)} share={share(row)} bare />
        </span>
      </span>
    ),
  })
}
