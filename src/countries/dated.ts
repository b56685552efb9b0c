/** A row of a dated table: it is valid from its day until the next row begins. */
type Dated = { since: string }

/** The row that is valid on a day; undefined before the first one. Rows may be in any order. */
export const rowOn = <R extends Dated>(rows: readonly R[], day: string): R | undefined =>
  rows.filter(({ since }) => since <= day).reduce<R | undefined>((a, b) => (a && a.since > b.since ? a : b), undefined)

/** A document dated more than a year back is likely a mistake, where the law names no other limit. */
export const usualBackdatedDays = 365
