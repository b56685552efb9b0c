import type { TSchema } from './schema.ts'

/** Something that happens in an organization. Automations can start on it. */
export type Event<P extends TSchema = TSchema> = { type: string; payload: P; label: string }

/** Declares an event once: `event('customer.created', CustomerEventPayload, 'A customer was added')`. */
export const event = <P extends TSchema>(type: `${string}.${string}`, payload: P, label: string): Event<P> => ({
  type,
  payload,
  label,
})
