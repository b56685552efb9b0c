import { useState } from 'react'
import { Refused } from '../src/api.ts'
import { Count, Day, Due, Money, Percent } from '../src/shown.tsx'
import { Button } from '../src/ui/button.tsx'
import { Empty, Skeleton } from '../src/ui/card.tsx'
import { type Sorting, Table } from '../src/ui/lists/table.tsx'
import { useNarrow } from '../src/ui/narrow.ts'
import { Problem } from '../src/ui/problem.tsx'
import { AllValues } from '../src/ui/values/all-values.tsx'
import { Bars } from '../src/ui/values/bars.tsx'
import { Facts } from '../src/ui/values/facts.tsx'
import { Name } from '../src/ui/values/name.tsx'
import { Status } from '../src/ui/values/status.tsx'
import { ViewTabs } from '../src/ui/views/view-tabs.tsx'
import { useWords } from '../src/words.ts'
import { Part, Row, Sheet } from './sheet.tsx'
import { kitWords } from './words.ts'

export function Lists() {
  const say = useWords(kitWords)
  return (
    <Sheet title={say.lists}>
      <Documents />
      <Sums />
      <Part title={say.revenue}>
        <Revenue />
      </Part>
      <Part title={say.values}>
        <AllValues of={expense} currency="SGD" leaveOut={['amount']} />
      </Part>
      <Part title={say.empty}>
        <Empty title={say.empty} action={<Button look="primary">{say.save}</Button>}>
          {say.emptyHint}
        </Empty>
      </Part>
      <Part title={say.problem}>
        <Problem
          error={new Refused(503, { code: 'UNAVAILABLE', message: 'Later.', requestId: 'request-1' })}
          onAgain={() => {}}
        />
        <Skeleton className="h-10" />
      </Part>
    </Sheet>
  )
}

const expense = {
  id: '01a1e94f-489c-7db7-93e5-93a835364317',
  amount: 94.2,
  currency: 'SGD',
  vendor: 'Beltline Fuel',
  date: '2026-03-09',
  status: 'PENDING_REVIEW',
  paymentMethod: 'CREDIT_CARD',
  category: { id: '01a1e94f-489c-7db7-93e5-93a835364318', name: 'Travel' },
  lines: [{ description: 'Diesel', quantity: 3, unitPrice: 31.4, amount: 94.2 }],
}

type Listed = { id: string; number: string; name: string; day: string; amount: number; is: Status }
const states = ['DRAFT', 'UNSENT', 'SENT', 'PART', 'PAID', 'LATE', 'DISPUTE', 'CANCELLED', 'DONE'] as const

function Documents() {
  const say = useWords(kitWords)
  const [sorting, setSorting] = useState<Sorting>({ by: 'number', order: 'desc' })
  const [selected, select] = useState<ReadonlySet<string>>(new Set(['2']))
  const [open, setOpen] = useState('')
  const narrow = useNarrow(760)
  const rows: Listed[] = states.map((is, at) => ({
    id: String(at),
    number: `INV-00${40 + at}`,
    name: say.customers[at % 3] ?? '',
    day: `2026-03-0${at + 1}`,
    amount: 1000 * (at + 1) + at * 0.11,
    is,
  }))
  return (
    <Part title={say.views}>
      <ViewTabs
        label={say.views}
        to="."
        params={{}}
        views={[
          { key: 'all', label: say.all, search: {}, here: true, count: 9 },
          { key: 'open', label: say.open, search: { view: 'open' }, here: false, count: 3 },
        ]}
      />
      <div className="h-96 flex">
        <Table<Listed>
          label={say.lists}
          columns={[
            { key: 'number', head: say.number, width: '6rem', sort: 'number', cell: (row) => row.number },
            {
              key: 'name',
              head: say.customer,
              width: 'minmax(6rem, 1fr)',
              cell: (row) => <Name strong>{row.name}</Name>,
            },
            { key: 'state', head: say.state, width: '8rem', cell: (row) => <Status is={row.is} share={0.4} /> },
            {
              key: 'amount',
              head: say.amount,
              width: '8rem',
              end: true,
              cell: (row) => <Money amount={row.amount} currency="SGD" />,
            },
          ]}
          brief={(row) => <Name strong>{row.name}</Name>}
          narrow={narrow}
          total={rows.length + 1}
          rowAt={(index) => rows[index]}
          idOf={({ id }) => id}
          onOpen={({ id }) => setOpen(id)}
          openId={open || undefined}
          sorting={sorting}
          onSort={setSorting}
          selection={{ ids: selected, onSelect: select }}
          empty={null}
        />
      </div>
      <p className="sr-only" data-testid="list">
        {`${[...selected].join(' ')}|${open}|${sorting.by} ${sorting.order}`}
      </p>
    </Part>
  )
}

function Sums() {
  const say = useWords(kitWords)
  return (
    <Part title={say.sums}>
      <Row>
        <span className="figure-text text-xl">
          <Money amount={477470.58} currency="SGD" />
        </span>
        <Money amount={-63.22} currency="USD" />
        <Money amount={10262.81} currency="ILS" />
        <Money amount={120000} currency="SGD" compact quiet />
      </Row>
      <Row>
        <Day at="2026-03-16" />
        <Due at="2026-03-21" settled={false} />
        <Due at="2026-03-08" settled={false} />
        <Due at="2026-03-08" settled />
        <Percent of={3} />
        <Count of={12345} />
      </Row>
      <Facts
        of={[
          [say.name, <Name key="name">{say.customers[2]}</Name>],
          [say.day, <Day key="day" at="2026-03-31" />],
          [say.notes, null],
        ]}
      />
      <Row>
        {states.map((is) => (
          <Status key={is} is={is} share={0.4} />
        ))}
      </Row>
    </Part>
  )
}

function Revenue() {
  const say = useWords(kitWords)
  const months = Array.from({ length: 12 }, (_, at) => ({
    month: `2026-${String(at + 1).padStart(2, '0')}`,
    paid: (at * 37_000) % 90_000,
    sent: at > 7 ? 20_000 : 0,
  }))
  return (
    <Bars
      label={say.revenue}
      months={months}
      currency="SGD"
      series={[
        { key: 'paid', label: say.paid, color: 'var(--color-accent)' },
        { key: 'sent', label: say.sent, color: 'var(--color-edge)' },
      ]}
      compared={{ label: say.before, amounts: months.map(({ paid }) => paid * 0.8) }}
    />
  )
}
