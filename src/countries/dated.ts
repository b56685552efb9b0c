/** A row of a table that changes with the years: it holds from its day until a later row begins. */
type Dated = { since: string }

/** The row that holds on a day; undefined before the first. Rows may stand in any order. */
export const rowOn = <R extends Dated>(rows: readonly R[], day: string): R | undefined =>
  rows.filter(({ since }) => since <= day).reduce<R | undefined>((a, b) => (a && a.since > b.since ? a : b), undefined)
