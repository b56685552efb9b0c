import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hrefOf, type Output, read } from '../../api.ts'

export type Talk = Output<'companion_read_session'>
export type Step = Talk['steps'][number]

/** A talk and what happens in it: words as they are said, and everything else read again when a step or turn changes. */
export function useTalk(id: string | undefined) {
  const queries = useQueryClient()
  const [saying, setSaying] = useState<{ turn: string; text: string }>()
  const { data, error, refetch } = useQuery({
    ...read('companion_read_session', { id: id ?? '' }),
    enabled: id !== undefined,
  })
  const isThere = data !== undefined
  useEffect(() => {
    if (id === undefined || !isThere) return
    setSaying(undefined)
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: ['companion_read_session', { id }] })
      }, 150)
    }
    const source = new EventSource(hrefOf('companion_read_stream', { id }))
    source.addEventListener('token', (event) => {
      const { turnRunId: turn, delta } = JSON.parse(event.data) as { turnRunId: string; delta: string }
      setSaying((before) => ({ turn, text: (before?.turn === turn ? before.text : '') + delta }))
    })
    source.addEventListener('step', readAgain)
    source.addEventListener('turn', readAgain)
    source.addEventListener('error', (event) => event instanceof MessageEvent && source.close())
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [queries, id, isThere])
  return { talk: id === undefined ? undefined : data, saying, error, again: () => void refetch() }
}
