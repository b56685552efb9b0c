import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Input, type Name, type Output, read } from '../../api.ts'

const limit = 100
const pagesKept = 10

/** The first page stays, because it counts; of the others those that were asked for last. */
const withPage = (pages: readonly number[], page: number): readonly number[] =>
  pages.includes(page) ? pages : [1, ...pages.slice(1).slice(2 - pagesKept), page]

/** A paged list by index: what comes into view is fetched, the rest is only counted. */
export function useRows<N extends Name, R>(
  name: N,
  input: Omit<Input<N>, 'page' | 'limit'>,
  rowsOf: (page: Output<N>) => readonly R[],
  countOf: (page: Output<N>) => number,
  /** For a list that answers everything at once and takes no page. */
  whole = false,
) {
  const [kept, setKept] = useState<{ of: string; pages: readonly number[] }>({ of: '', pages: [1] })
  const of = JSON.stringify(input)
  const pages = kept.of === of ? kept.pages : [1] // other rows begin with their first page
  const answers = useQueries({
    queries: pages.map((page) => ({
      ...read(name, { ...input, ...(!whole && { page, limit }) } as unknown as Input<N>),
      staleTime: 30_000,
      ...(page === 1 && { placeholderData: keepPreviousData }),
    })),
  })
  const first = answers[0]
  const total = first?.data ? countOf(first.data as Output<N>) : undefined
  const byPage = new Map(pages.map((page, at) => [page, answers[at]?.data as Output<N> | undefined]))
  const rowAt = useCallback(
    (index: number): R | undefined => {
      const page = whole ? 1 : Math.floor(index / limit) + 1
      const found = byPage.get(page)
      if (!found && index >= 0 && !byPage.has(page))
        queueMicrotask(() =>
          setKept((before) => ({ of, pages: withPage(before.of === of ? before.pages : [1], page) })),
        )
      return found ? rowsOf(found)[whole ? index : index % limit] : undefined
    },
    [answers, rowsOf, of],
  )
  /** Among the rows that are on the page already. */
  const find = (fits: (row: R) => boolean): R | undefined =>
    [...byPage.values()].flatMap((page) => (page ? rowsOf(page) : [])).find(fits)
  return {
    total,
    /** What the server answered, page by page. */
    answers: [...byPage.values()].filter((page) => page !== undefined),
    find,
    rowAt,
    failed: first?.error ?? null,
    again: () => void first?.refetch(),
    stale: first?.isPlaceholderData ?? false,
  }
}
