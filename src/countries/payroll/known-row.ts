/** A row of a dated table that may have been published after the day from which it is valid. */
type Published = { since: string; published?: string }

/**
 * The row that is valid on a day among those that were published by `knownOn`. Of rows that are valid from the same day, the
 * one that was published last replaces the others. A row without a day of publication was known when it became valid.
 */
export const knownRowOn = <R extends Published>(rows: readonly R[], day: string, knownOn: string): R | undefined =>
  rows
    .filter(({ since, published = since }) => since <= day && published <= knownOn)
    .reduce<R | undefined>((best, row) => (best && order(best) > order(row) ? best : row), undefined)

const order = ({ since, published = since }: Published): string => `${since} ${published}`
