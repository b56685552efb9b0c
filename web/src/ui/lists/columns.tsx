import { Count, Day, Money } from '../../shown.tsx'
import { Name } from '../values/name.tsx'
import type { Column } from './table.tsx'

type More = { sort?: string; width?: string; leaves?: number }
type Of<R, V, M = More> = (key: string, head: string, of: (row: R) => V, more?: M) => Column<R>

/** The usual columns of a list: `of.text('name', say.name, (row) => row.displayName, { sort: 'name', strong: true })`. */
export type Columns<R> = {
  text: Of<R, string | null, More & { strong?: boolean; quiet?: boolean }>
  count: Of<R, number>
  day: Of<R, string | null>
  money: Of<R, { amount: number; currency: string }>
}

export const columnsOf = <R,>(): Columns<R> => ({
  text: (key, head, of, { strong = false, quiet = false, ...more } = {}) => ({
    key,
    head,
    width: 'minmax(8rem, 1fr)',
    ...more,
    cell: (row) => (
      <Name strong={strong} quiet={quiet}>
        {of(row)}
      </Name>
    ),
  }),
  count: (key, head, of, more) => ({
    key,
    head,
    width: '7rem',
    end: true,
    ...more,
    cell: (row) => <Count of={of(row)} />,
  }),
  day: (key, head, of, more) => ({ key, head, width: '7rem', ...more, cell: (row) => <Shown day={of(row)} /> }),
  money: (key, head, of, more) => ({
    key,
    head,
    width: '8.5rem',
    end: true,
    ...more,
    cell: (row) => <Money {...of(row)} />,
  }),
})

const Shown = ({ day }: { day: string | null }) => (day ? <Day at={day} /> : <span className="text-soft">–</span>)
