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

/** The ring of a run or step; shape and word say it, color repeats it. */
export function Outcome({ is, word, bare = false }: { is: OutcomeKind; word?: string; bare?: boolean }) {
  const say = useWords(outcomeWords)
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tones[is]}`}>
      <Ring is={is} />
      <span className={bare ? 'sr-only' : ''}>{word ?? say[is]}</span>
    </span>
  )
}

const Ring = ({ is }: { is: OutcomeKind }) => (
  <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden className="shrink-0">
    {is === 'SUCCEEDED' ? (
      <>
        <circle cx="7" cy="7" r="6.5" fill="currentColor" />
        <path d="m4.2 7.2 2 2 3.6-4" fill="none" stroke="var(--color-card)" strokeWidth="1.6" strokeLinecap="round" />
      </>
    ) : (
      <circle
        cx="7"
        cy="7"
        r="5.75"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={is === 'PENDING' || is === 'SKIPPED' ? '2.2 2.3' : undefined}
      />
    )}
    {is === 'RUNNING' && <path d="M7 1.25a5.75 5.75 0 0 1 0 11.5z" fill="currentColor" />}
    {(is === 'FAILED' || is === 'CANCELLED') && (
      <path d="m4.8 4.8 4.4 4.4m0-4.4-4.4 4.4" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
    )}
    {is === 'SKIPPED' && <path d="M4.5 7h5" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />}
  </svg>
)
