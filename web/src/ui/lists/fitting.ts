import type { Column } from './table.tsx'

const rem = 16
/** With less room than this a row is two lines, as on a phone. */
const leastRoom = 26 * rem

/** The pixels that a column needs: the first measure of its track. A reader who made it smaller wants it so. */
function needs<R>({ key, width }: Column<R>, chosen: Readonly<Record<string, number>>): number {
  const own = Number(/[\d.]+(?=rem)/.exec(width)?.[0] ?? 0) * rem
  return Math.min(own, chosen[key] ?? own)
}

/** The columns that fit side by side. What matters least leaves first; nothing, where those that stay do not fit either. */
export function fitting<R>(
  columns: readonly Column<R>[],
  room: number,
  chosen: Readonly<Record<string, number>> = {},
): readonly Column<R>[] | undefined {
  const kept = new Set(columns)
  const isTooWide = () => [...kept].reduce((sum, column) => sum + needs(column, chosen), 0) > room
  const leaving = columns
    .filter(({ leaves }) => leaves !== undefined)
    .sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0) || columns.indexOf(b) - columns.indexOf(a))
  for (const column of leaving) if (isTooWide()) kept.delete(column)
  return room < leastRoom || isTooWide() ? undefined : columns.filter((column) => kept.has(column))
}
