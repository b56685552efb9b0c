import type { TSchema } from './schema.ts'

/** Something that happens in an organization. Automations can start on it. */
export type Event<P extends TSchema = TSchema> = { type: string; payload: P; label: string }

/** Declares an event once: `event('customer.created', CustomerEventPayload, 'A customer was added')`. */
export const event = <P extends TSchema>(type: `${string}.${string}`, payload: P, label: string): Event<P> => ({
  type,
  payload,
  label,
})

/** The request, person, key, run or turn that caused an event, and how many events are in between. */
export type Cause = {
  source: string
  requestId: string
  userId: string | null
  keyId: string | null
  runId?: string | undefined
  turnId?: string | undefined
  job?: string
  depth: number
}
