import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read } from '../../../api.ts'
import { Skeleton } from '../../../ui/card.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Editor } from '../editor/editor.tsx'

/** An automation as a graph that one can change. */
export function Canvas() {
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read('automations_get', { id }))
  if (error && !data) return <Problem error={error} onAgain={() => void refetch()} />
  if (!data)
    return (
      <div className="flex-1 p-5 grid gap-4 content-start">
        <Skeleton className="h-8 w-72" />
        <Skeleton className="h-96" />
      </div>
    )
  return <Editor key={data.id} automation={data} />
}
