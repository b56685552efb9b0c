import type { Output } from '../../../api.ts'

export type Entry = Output<'invoices_events'>['events'][number]

export type Chain = 'whole' | 'part' | 'broken'

/** Whether each entry names the hash of the one before it; `part` if the first entries are not among them. Latest first. */
export function chainOf(events: readonly Entry[]): Chain {
  const linked = events.every((event, at) => {
    const before = events[at + 1]
    if (!before) return event.sequence !== 1 || event.previousHash === null
    return event.previousHash === before.hash && event.sequence === before.sequence + 1
  })
  if (!linked) return 'broken'
  return events.at(-1)?.sequence === 1 ? 'whole' : 'part'
}

/** Other documents that the history names: memos, receipts, what it was issued from or for. */
export function relatedIds(events: readonly Entry[], own: string): string[] {
  const ids = events.flatMap(({ payload }) =>
    ['memoId', 'receiptId', 'of', 'documentId'].flatMap((field) => {
      const id = payload?.[field]
      return typeof id === 'string' && id !== own ? [id] : []
    }),
  )
  return [...new Set(ids)]
}

const spoken = ['COMMENTED', 'DISPUTED', 'DISPUTE_COUNTERED', 'DISPUTE_RESOLVED']

/** What was said about a document, the first first. */
export const threadOf = (events: readonly Entry[]) =>
  events.filter(({ type, payload }) => spoken.includes(type) && (type !== 'COMMENTED' || payload?.message)).toReversed()

export type Letter = {
  id: string
  at: string
  to: string[]
  reasons: string[]
  retrying: number
  ok: boolean
  kept: boolean
}

/** Each attempt to mail the document, with who got it and why others did not. */
export const lettersOf = (events: readonly Entry[]): Letter[] =>
  events
    .filter(({ type }) => type === 'SENT' || type === 'SEND_FAILED')
    .map(({ id, type, payload, createdAt }) => ({
      id,
      at: createdAt,
      to: texts(payload?.to),
      reasons: texts(payload?.reasons),
      retrying: Number(payload?.retrying ?? 0),
      ok: type === 'SENT',
      kept: isKept(payload),
    }))

/** Nobody got the letter: the outbox of a server without mail kept it. */
export const isKept = (payload: Entry['payload']): boolean => Number(payload?.kept ?? 0) > 0

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
