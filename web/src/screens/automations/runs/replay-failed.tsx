import { useState } from 'react'
import { type Output, useWrite } from '../../../api.ts'
import { addDays, today } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { useWords } from '../../../words.ts'
import { useFailed } from '../editor/switching.ts'
import { runWords } from './run-words.ts'

type Skipped = Output<'automations_replay_failed'>['skipped']
type ReplayFailedProps = { id: string; from?: string; to?: string; onClose: () => void }

/** Replays the failed runs of a period, the oldest first, a hundred in each call until none is left. */
export function ReplayFailed({ id, from: first, to: last, onClose }: ReplayFailedProps) {
  const say = useWords(runWords)
  const failed = useFailed()
  const replay = useWrite('automations_replay_failed')
  const [from, setFrom] = useState(first ?? addDays(today(), -7))
  const [to, setTo] = useState(last ?? today())
  const [skipped, setSkipped] = useState<Skipped>([])
  const run = async () => {
    let after: string | undefined
    let replayed = 0
    const left: Skipped = []
    try {
      do {
        const answer = await replay.mutateAsync({ id, from, to, ...(after && { after }) })
        replayed += answer.replayed
        left.push(...answer.skipped)
        after = answer.remaining > 0 ? (answer.lastRunId ?? undefined) : undefined
      } while (after)
    } catch (error) {
      failed(error)
    }
    tell(replayed + left.length === 0 ? say.noFailed : say.replayed(replayed))
    setSkipped(left)
    if (left.length === 0) onClose()
  }
  return (
    <Dialog
      title={say.replayFailedTitle}
      onClose={onClose}
      footer={
        <Button look="primary" busy={replay.isPending} onPress={() => void run()}>
          {say.replayFailedAct}
        </Button>
      }
    >
      <p className="text-soft">{say.replayFailedHint}</p>
      <div className="grid grid-cols-2 gap-3">
        <Field label={say.from}>
          <DayField value={from} onDay={setFrom} />
        </Field>
        <Field label={say.to}>
          <DayField value={to} onDay={setTo} />
        </Field>
      </div>
      {skipped.length > 0 && (
        <div role="status" className="grid gap-1">
          <p className="font-medium">{say.skippedRuns(skipped.length)}</p>
          <ul className="text-sm">
            {skipped.slice(0, 20).map(({ runId, reason }) => (
              <li key={runId}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
