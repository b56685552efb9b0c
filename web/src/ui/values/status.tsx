import { useWords, words } from '../../words.ts'

export const statusWords = words(
  {
    DRAFT: 'Draft',
    UNSENT: 'To send',
    SENT: 'Open',
    PAID: 'Paid',
    LATE: 'Overdue',
    PART: 'Part paid',
    DISPUTE: 'In dispute',
    CANCELLED: 'Cancelled',
    DONE: 'Issued',
  },
  {
    DRAFT: 'טיוטה',
    UNSENT: 'לשליחה',
    SENT: 'פתוח',
    PAID: 'שולם',
    LATE: 'באיחור',
    PART: 'שולם חלקית',
    DISPUTE: 'במחלוקת',
    CANCELLED: 'בוטל',
    DONE: 'הופק',
  },
)
export type Status = keyof (typeof statusWords)['en']
const tones: Record<Status, string> = {
  DRAFT: 'text-soft',
  UNSENT: 'text-info',
  SENT: 'text-ink',
  PAID: 'text-accent',
  LATE: 'text-danger',
  PART: 'text-ink',
  DISPUTE: 'text-warn',
  CANCELLED: 'text-soft',
  DONE: 'text-soft',
}

type Doc = {
  documentType: string
  status: 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID'
  inDispute: boolean
  paidAmount: number
  total: number
  dueDate: string | null
  cancelledAt?: string | null
}
export function statusOf(doc: Doc, today: string): Status {
  if (doc.cancelledAt) return 'CANCELLED'
  if (doc.status === 'PAID' && (doc.documentType === 'RECEIPT' || doc.documentType === 'CREDIT_MEMO')) return 'DONE'
  if (doc.inDispute) return 'DISPUTE'
  if (doc.status === 'SENT' && doc.dueDate !== null && doc.dueDate < today) return 'LATE'
  if (doc.status === 'SENT' && doc.paidAmount > 0) return 'PART'
  return doc.status
}

/** A ring that fills as money comes in. Shape and word tell the state; color only repeats it. */
export function Status({ is, share = 0, bare = false }: { is: Status; share?: number; bare?: boolean }) {
  const say = useWords(statusWords)
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tones[is]}`}>
      <Ring is={is} share={share} />
      <span className={bare ? 'sr-only' : ''}>{say[is]}</span>
    </span>
  )
}

/** The ring for a state of something else than a document, with its own word. */
export const Ringed = ({ is, word }: { is: Status; word: string }) => (
  <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tones[is]}`}>
    <Ring is={is} share={is === 'PART' ? 0.5 : 0} />
    {word}
  </span>
)

function Ring({ is, share }: { is: Status; share: number }) {
  const full = 2 * Math.PI * 2.5
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden className="shrink-0">
      {is === 'PAID' || is === 'DONE' ? (
        <>
          <circle cx="7" cy="7" r="6.5" fill="currentColor" />
          <path
            d="m4.2 7.2 2 2 3.6-4"
            fill="none"
            stroke="var(--color-card)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      ) : is === 'DISPUTE' ? (
        <path
          d="M3.5 12.5v-10h7l-1.6 3 1.6 3h-7"
          fill="currentColor"
          fillOpacity=".2"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ) : (
        <>
          <circle
            cx="7"
            cy="7"
            r="5.75"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeDasharray={is === 'DRAFT' ? '2.2 2.3' : undefined}
            strokeOpacity={is === 'SENT' || is === 'PART' ? 0.55 : 1}
          />
          {(is === 'SENT' || is === 'PART') && (
            <circle
              cx="7"
              cy="7"
              r="2.5"
              fill="none"
              stroke="currentColor"
              strokeWidth="5"
              transform="rotate(-90 7 7)"
              strokeDasharray={`${Math.max(share, 0.001) * full} ${full}`}
            />
          )}
          {is === 'UNSENT' && <circle cx="7" cy="7" r="2" fill="currentColor" />}
          {is === 'LATE' && (
            <path d="M7 4v3.4l2 1.4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
          )}
          {is === 'CANCELLED' && (
            <path d="m4.8 4.8 4.4 4.4m0-4.4-4.4 4.4" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
          )}
        </>
      )}
    </svg>
  )
}
