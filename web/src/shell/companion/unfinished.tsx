import { useQuery } from '@tanstack/react-query'
import { read, useWrite } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { useWords } from '../../words.ts'
import type { Talk } from './talk.ts'
import { companionWords } from './words.ts'

/** If the last turn failed or was stopped: why, and the same message once more. */
export function Unfinished({ talk }: { talk: Talk }) {
  const say = useWords(companionWords)
  const asked = talk.messages.findLast(({ role }) => role === 'user')
  const turn = talk.messages.findLast(({ turnRunId }) => turnRunId !== null)?.turnRunId ?? ''
  const afterSeq = Number.MAX_SAFE_INTEGER // what was said is in the talk
  const { data } = useQuery({ ...read('companion_read_turn', { id: turn, afterSeq }), enabled: turn !== '' })
  const ask = useWrite('companion_write_messages', ['companion'])
  if (!asked?.text || (data?.status !== 'FAILED' && data?.status !== 'CANCELLED')) return null
  const { text } = asked
  return (
    <div role="status" className="flex flex-wrap items-center gap-2">
      <p className="flex-1 text-soft">{data.status === 'FAILED' ? say.failed : say.cancelled}</p>
      <Button icon="again" busy={ask.isPending} onPress={() => ask.mutate({ id: talk.id, text })}>
        {say.again}
      </Button>
    </div>
  )
}
