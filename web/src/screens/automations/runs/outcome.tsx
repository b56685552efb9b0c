import { Circle, Cross, Tick, WithRing } from '../../../ui/values/ring.tsx'
import { useWords, words } from '../../../words.ts'

export const outcomeWords = words(
  {
    PENDING: 'Waiting',
    RUNNING: 'Running',
    SUCCEEDED: 'Succeeded',
    FAILED: 'Failed',
    SKIPPED: 'Skipped',
    CANCELLED: 'Cancelled',
  },
  {
    PENDING: 'ממתין',
    RUNNING: 'רץ',
    SUCCEEDED: 'הצליח',
    FAILED: 'נכשל',
    SKIPPED: 'דולג',
    CANCELLED: 'בוטל',
  },
)
export type OutcomeKind = keyof (typeof outcomeWords)['en']

const tones: Record<OutcomeKind, string> = {
  PENDING: 'text-soft',
  RUNNING: 'text-info',
  SUCCEEDED: 'text-accent',
  FAILED: 'text-danger',
  SKIPPED: 'text-soft',
  CANCELLED: 'text-soft',
}

/** The ring of a run or step. */
export function Outcome({ is, word, bare = false }: { is: OutcomeKind; word?: string; bare?: boolean }) {
  const say = useWords(outcomeWords)
  return (
    <WithRing tone={tones[is]} word={word ?? say[is]} bare={bare}>
      {is === 'SUCCEEDED' ? <Tick /> : <Circle dashes={is === 'PENDING' || is === 'SKIPPED' ? '2.2 2.3' : undefined} />}
      {is === 'RUNNING' && <path d="M7 1.25a5.75 5.75 0 0 1 0 11.5z" fill="currentColor" />}
      {(is === 'FAILED' || is === 'CANCELLED') && <Cross />}
      {is === 'SKIPPED' && <path d="M4.5 7h5" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />}
    </WithRing>
  )
}
