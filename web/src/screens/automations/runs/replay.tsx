import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useWrite } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { useWords } from '../../../words.ts'
import { useFailed } from '../editor/switching.ts'
import { Json } from '../panels/json.tsx'
import { runWords } from './run-words.ts'

type ReplayProps = { id: string; runId: string; nameOf: (blockId: string) => string; onClose: () => void }

/** What a replay would do, before it does it: what is taken over, what runs with which input, and why. */
export function Replay({ id, runId, nameOf, onClose }: ReplayProps) {
  const say = useWords(runWords)
  const failed = useFailed()
  const replay = useWrite('automations_replay')
  const { data, error } = useQuery({ ...read('automations_replay_preview', { id, runId }), staleTime: 0 })
  const run = async () => {
    try {
      await replay.mutateAsync({ id, runId })
      tell(say.replaying)
    } catch (refused) {
      failed(refused)
    }
    onClose()
  }
  const named = ({ blockId, element }: { blockId: string; element?: number | null }) =>
    typeof element === 'number' ? `${nameOf(blockId)} · ${say.element(element + 1)}` : nameOf(blockId)
  return (
    <Dialog
      wide
      title={say.replayTitle}
      onClose={onClose}
      footer={
        <Button
          look="primary"
          icon="again"
          busy={replay.isPending}
          isDisabled={!data?.replayable}
          onPress={() => void run()}
        >
          {say.replayAct}
        </Button>
      }
    >
      {error && <Problem error={error} />}
      {!data && !error && <Skeleton className="h-40" />}
      {data && !data.replayable && <p className="text-danger">{data.problem ?? say.notReplayable}</p>}
      {data?.replayable && data.problem && (
        <p className="text-warn bg-warn-wash rounded-md px-3 py-2">{data.problem}</p>
      )}
      {data && (
        <>
          <Part
            title={say.next}
            of={data.next.map((each) => ({
              key: `${each.blockId} ${each.element}`,
              name: named(each),
              why: each.skipped ? say.skips : each.why && say.why[each.why.code],
              input: each.input,
            }))}
          />
          <Part
            title={say.later}
            of={data.later.map((each) => ({
              key: each.blockId,
              name: named(each),
              why: say.why[each.why.code],
              input: each.input,
            }))}
          />
          <Part
            title={say.reused}
            of={data.reused.map((each) => ({ key: `${each.blockId} ${each.element}`, name: named(each), why: null }))}
          />
          <Part
            title={say.gone}
            of={data.gone.map((each) => ({ key: `${each.blockId} ${each.element}`, name: named(each), why: null }))}
          />
        </>
      )}
    </Dialog>
  )
}

type Entry = { key: string; name: string; why: ReactNode; input?: unknown }

function Part({ title, of }: { title: string; of: readonly Entry[] }) {
  const say = useWords(runWords)
  if (of.length === 0) return null
  return (
    <section>
      <h3 className="text-sm text-soft pb-1">{title}</h3>
      <ul className="border border-rule rounded-md divide-y divide-rule">
        {of.slice(0, 50).map(({ key, name, why, input }) => (
          <li key={key} className="px-3 py-2">
            <bdi className="font-medium">{name}</bdi> {why && <span className="text-soft">· {why}</span>}
            {input !== undefined && input !== null && <Json label={say.input} value={input} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
