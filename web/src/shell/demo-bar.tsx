import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { demo, session } from '../api.ts'
import { useWords, words } from '../words.ts'

const said = words(
  { filling: 'Being filled with two years of books, which takes a minute or two:' },
  { filling: 'בהכנה, עם ספרים של שנתיים; זה לוקח דקה או שתיים:' },
)

/** Names the demo companies that are not complete yet. When one is, the list of organizations is read again. */
export function DemoBar() {
  const say = useWords(said)
  const queries = useQueryClient()
  const { data } = useQuery(demo)
  const names = data?.beingFilled ?? []
  const before = useRef(0)
  const left = names.length
  useEffect(() => {
    if (left !== before.current) void queries.invalidateQueries({ queryKey: session.queryKey })
    before.current = left
  }, [left, queries])
  return (
    <div role="status">
      {left > 0 && (
        <p className="px-4 py-2 bg-tint text-soft border-b border-rule">
          {say.filling} <bdi>{names.join(', ')}</bdi>
        </p>
      )}
    </div>
  )
}
