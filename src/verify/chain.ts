import { createHash } from 'node:crypto'

/** The hashed fields of a document event, as the API shows them (docs/decisions/0023-a-chain-anyone-can-check.md). */
export type ChainedEvent = {
  documentId: string
  sequence: number
  type: string
  actorUserId: string | null
  payload: unknown
  createdAt: string
  previousHash: string | null
  hash: string
}

/** The result of a check: valid up to its last hash, or the reason why the first broken event is wrong. */
export type ChainResult = { isValid: true; events: number; head: string | null } | { isValid: false; reason: string }

/**
 * Recomputes a hash chain without a database. Missing events at the end are detected only if the last hash is known from
 * elsewhere and given as `head`: the remaining chain is valid by itself.
 */
export function checkChain(exported: unknown, head?: string): ChainResult {
  const events = oldestFirst(eventsOf(exported))
  for (const [at, event] of events.entries()) {
    const reason = problemOf(event, events[at - 1], at + 1)
    if (reason) return { isValid: false, reason: `Event ${at + 1}: ${reason}` }
  }
  const last = events.at(-1)?.hash ?? null
  if (head !== undefined && head !== last)
    return {
      isValid: false,
      reason: `After event ${events.length}: the last hash is ${last}, not the given one. Events are missing at the end, or this is another chain.`,
    }
  return { isValid: true, events: events.length, head: last }
}

/** The hash of an event: over the hash of the previous event and the content of this one. */
function hashOf({ documentId, sequence, type, actorUserId, payload, createdAt, previousHash }: ChainedEvent): string {
  const text = jsonText([documentId, sequence, type, actorUserId, payload, createdAt])
  return createHash('sha256')
    .update(Buffer.from(previousHash ?? '', 'hex'))
    .update(text, 'utf8')
    .digest('hex')
}

function problemOf(event: ChainedEvent, previous: ChainedEvent | undefined, position: number): string | undefined {
  if (event.sequence !== position)
    return `its sequence is ${event.sequence}, not ${position}. An event is missing, or the order was changed.`
  if (previous && event.documentId !== previous.documentId) return 'it belongs to another document.'
  if ((event.previousHash ?? null) !== (previous?.hash ?? null))
    return 'its previousHash is not the hash of the event before it.'
  if (event.hash !== hashOf(event)) return `its content (${event.type}, ${event.createdAt}) does not match its hash.`
  return undefined
}

/** The events in an answer of the API, in several pages of it, or in a plain list. */
function eventsOf(exported: unknown): ChainedEvent[] {
  if (Array.isArray(exported)) return exported.flatMap((each) => (isEvent(each) ? [each] : eventsOf(each)))
  if (typeof exported === 'object' && exported !== null && 'events' in exported) return eventsOf(exported.events)
  throw new Error('This is not an export of events. Use the answer of GET /api/documents/{id}/events.')
}

const isEvent = (each: unknown): each is ChainedEvent =>
  typeof each === 'object' &&
  each !== null &&
  ['documentId', 'sequence', 'type', 'hash'].every((field) => field in each)

/** The API shows the newest event first; a chain begins with the oldest. */
const oldestFirst = (events: ChainedEvent[]) =>
  (events[0]?.sequence ?? 0) > (events.at(-1)?.sequence ?? 0) ? events.toReversed() : events

/** JSON as PostgreSQL writes jsonb: a space after each colon and comma, shorter keys first, numbers without exponents. */
function jsonText(value: unknown): string {
  if (typeof value === 'number') return decimal(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => byLength(Buffer.from(a), Buffer.from(b)))
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}: ${jsonText(each)}`).join(', ')}}`
}

const byLength = (a: Buffer, b: Buffer) => a.length - b.length || Buffer.compare(a, b)

function decimal(value: number): string {
  const [, sign = '', whole = '', fraction = '', power] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? []
  if (power === undefined) return String(value)
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
