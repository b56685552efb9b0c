import { shownInstant } from '../../shown.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { labelOf } from '../../ui/schema/schema-words.ts'
import { type Row, type Shown, Value, valueAt } from '../../ui/values/values.tsx'
import type { Language } from '../../words.ts'
import type { Area, AreaColumn } from './area.ts'

const widths: Partial<Record<Shown, string>> = {
  name: 'minmax(8rem, 1fr)',
  money: '9rem',
  count: '7rem',
  flag: '6rem',
  low: '4.5rem',
  day: '8rem',
  month: '9rem',
  instant: '9.5rem',
  state: '9.5rem',
}

export function columnOf<R extends Row>(column: AreaColumn, lang: Language, currency: string): Column<R> {
  const { field, shown = 'text', sort, head } = column
  return {
    key: field,
    head: head?.[lang] ?? labelOf(lang, field.split('.').at(-1) ?? field),
    width: /email/i.test(field) ? 'minmax(9rem, 1fr)' : (widths[shown] ?? 'minmax(6rem, 9rem)'),
    end: shown === 'money' || shown === 'count',
    ...(sort && { sort }),
    ...leavesOf(column),
    cell: (row) => <Cell of={row} column={column} lang={lang} currency={currency} />,
  }
}

/** What it is called and its amounts are always there; its state leaves last. */
function leavesOf({ spare, strong, shown }: AreaColumn): { leaves?: number } {
  if (spare) return { leaves: 1 }
  if (strong || shown === 'money') return {}
  return { leaves: shown === 'state' || shown === 'low' ? 3 : 2 }
}

/** What a record is called in its list. */
export function titleOf({ columns }: Area, row: Row, lang: Language): string {
  const column = columns.find(({ strong }) => strong)
  const value = column && valueIn(row, column, lang)
  return column?.shown === 'instant' && value ? shownInstant(lang, String(value)) : String(value ?? '')
}

/** On a phone the state matters most, then the number and the day. */
const rank = ({ shown = 'text', absent }: AreaColumn) =>
  shown === 'state' || shown === 'low' ? 0 : absent ? 1 : shown === 'day' || shown === 'month' ? 2 : 3

/** On a phone: what it is called and its amount, the rest of what matters below. */
export function briefOf({ columns }: Area, row: Row, lang: Language, currency: string) {
  const cell = (column: AreaColumn | undefined) =>
    column && <Cell of={row} column={column} lang={lang} currency={currency} />
  const title = columns.find(({ strong }) => strong) ?? columns[0]
  const end = columns.findLast(({ shown }) => shown === 'money' || shown === 'count')
  const below = columns
    .filter((each) => each !== title && each !== end && !/flag|money|count/.test(each.shown ?? ''))
    .filter((each) => valueIn(row, each, lang))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 2)
  return {
    title: cell(title),
    below: (
      <span className="flex gap-2" dir={lang === 'he' ? 'rtl' : 'ltr'}>
        {below.map((each) => (
          <span key={each.field} className="min-w-0 truncate">
            {cell(each)}
          </span>
        ))}
      </span>
    ),
    end: cell(end),
  }
}

export function valueIn(row: Row, { field, or, he, as, quietZero }: AreaColumn, lang: Language): unknown {
  const value = (lang === 'he' && he && valueAt(row, he)) || (valueAt(row, field) ?? (or && valueAt(row, or)))
  if (as) return as(value, row)
  return quietZero && value === 0 ? null : value
}

type CellProps = { of: Row; column: AreaColumn; lang: Language; currency: string }

function Cell({ of, column, lang, currency }: CellProps) {
  const { shown = 'text', strong, absent, currency: named = 'currency' } = column
  const value = valueIn(of, column, lang)
  if (absent && !value) return <span className="text-soft">{absent[lang]}</span>
  return (
    <span className={strong ? 'font-medium' : ''}>
      <Value value={value} shown={shown} currency={typeof of[named] === 'string' ? (of[named] as string) : currency} />
    </span>
  )
}
