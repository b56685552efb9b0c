import { createHash } from 'node:crypto'

/** An event of a document as the API shows it, as far as it is sealed (docs/decisions/0023-a-chain-anyone-can-check.md). */
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

/** What an export of events turned out to be: whole up to its last hash, or broken at the first event that does not fit. */
export type ChainVerdict = { whole: true; events: number; head: string | null } | { whole: false; why: string }

/**
 * Recomputes a chain without any database. What was cut off at its end leaves the rest whole: only who knows the last
 * hash from elsewhere, and gives it as `head`, can tell.
 */
export function checkChain(exported: unknown, head?: string): ChainVerdict {
  const events = inOrder(eventsOf(exported))
  for (const [at, event] of events.entries()) {
    const why = objectionTo(event, events[at - 1], at + 1)
    if (why) return { whole: false, why: `Event ${at + 1}: ${why}` }
  }
  const last = events.at(-1)?.hash ?? null
  if (head !== undefined && head !== last)
    return { whole: false, why: `After event ${events.length}: the chain goes on, or is another; its last hash is ${last}.` }
  return { whole: true, events: events.length, head: last }
} // biome-ignore format: a step a line

/** The seal of an event: over the hash before it and what it says. */
function hashOf({ documentId, sequence, type, actorUserId, payload, createdAt, previousHash }: ChainedEvent): string {
  const text = jsonText([documentId, sequence, type, actorUserId, payload, createdAt])
  return createHash('sha256').update(Buffer.from(previousHash ?? '', 'hex')).update(text, 'utf8').digest('hex')
} // biome-ignore format: a step a line

function objectionTo(event: ChainedEvent, before: ChainedEvent | undefined, place: number): string | undefined {
  if (event.sequence !== place) return `the one with sequence ${event.sequence} stands here; one is missing or they were reordered.`
  if (before && event.documentId !== before.documentId) return 'it belongs to another document.'
  if ((event.previousHash ?? null) !== (before?.hash ?? null)) return 'it was not sealed after the one before it.'
  if (event.hash !== hashOf(event)) return `what it says (${event.type}, ${event.createdAt}) is not what was sealed.`
  return undefined
} // biome-ignore format: a rule a line

/** An answer of the API, several pages of it, or the events alone. */
function eventsOf(exported: unknown): ChainedEvent[] {
  if (Array.isArray(exported)) return exported.flatMap((each) => (isEvent(each) ? [each] : eventsOf(each)))
  if (typeof exported === 'object' && exported !== null && 'events' in exported) return eventsOf(exported.events)
  throw new Error('This is no export of events: give what GET /api/documents/{id}/events answers.')
}

const isEvent = (each: unknown): each is ChainedEvent =>
  typeof each === 'object' &&
  each !== null &&
  ['documentId', 'sequence', 'type', 'hash'].every((field) => field in each)

/** The API shows the latest first, a chain begins with the first. */
const inOrder = (events: ChainedEvent[]) =>
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
