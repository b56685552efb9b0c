import { useWords, words } from '../../words.ts'
import { Circle, Cross, Tick, WithRing } from './ring.tsx'

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

/** A ring that fills as money comes in. */
export function Status({ is, share = 0, bare = false }: { is: Status; share?: number; bare?: boolean }) {
  const say = useWords(statusWords)
  return (
    <WithRing tone={tones[is]} word={say[is]} bare={bare}>
      <Ring is={is} share={share} />
    </WithRing>
  )
}

/** The ring for a state of something else than a document, with its own word. */
export const Ringed = ({ is, word }: { is: Status; word: string }) => (
  <WithRing tone={tones[is]} word={word}>
    <Ring is={is} share={is === 'PART' ? 0.5 : 0} />
  </WithRing>
)

function Ring({ is, share }: { is: Status; share: number }) {
  if (is === 'PAID' || is === 'DONE') return <Tick />
  if (is === 'DISPUTE') return <Flag />
  const isOpen = is === 'SENT' || is === 'PART'
  return (
    <>
      <Circle dashes={is === 'DRAFT' ? '2.2 2.3' : undefined} faint={isOpen} />
      {isOpen && <Share of={share} />}
      {is === 'UNSENT' && <circle cx="7" cy="7" r="2" fill="currentColor" />}
      {is === 'LATE' && (
        <path d="M7 4v3.4l2 1.4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
      {is === 'CANCELLED' && <Cross />}
    </>
  )
}

function Share({ of }: { of: number }) {
  const full = 2 * Math.PI * 2.5
  return (
    <circle
      cx="7"
      cy="7"
      r="2.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="5"
      transform="rotate(-90 7 7)"
      strokeDasharray={`${Math.max(of, 0.001) * full} ${full}`}
    />
  )
}

const Flag = () => (
  <path
    d="M3.5 12.5v-10h7l-1.6 3 1.6 3h-7"
    fill="currentColor"
    fillOpacity=".2"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinejoin="round"
    strokeLinecap="round"
  />
)
