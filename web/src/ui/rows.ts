import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Input, type Name, type Output, read } from '../api.ts'

const limit = 100

/** A paged list by index: what comes into view is fetched, the rest is only counted. */
export function useRows<N extends Name, R>(
  name: N,
  input: Omit<Input<N>, 'page' | 'limit'>,
  rowsOf: (page: Output<N>) => readonly R[],
  countOf: (page: Output<N>) => number,
  /** For a list that answers everything at once and takes no page. */
  whole = false,
) {
  const [pages, setPages] = useState<readonly number[]>([1])
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
          setPages((before) => (before.includes(page) ? before : [...before.slice(-9), page].sort((a, b) => a - b))),
        )
      return found ? rowsOf(found)[whole ? index : index % limit] : undefined
    },
    [answers],
  )
  /** Among the rows that are on the page already. */
  const find = (fits: (row: R) => boolean): R | undefined =>
    [...byPage.values()].flatMap((page) => (page ? rowsOf(page) : [])).find(fits)
  return {
    total,
    find,
    rowAt,
    failed: first?.error ?? null,
    again: () => void first?.refetch(),
    stale: first?.isPlaceholderData ?? false,
  }
}
