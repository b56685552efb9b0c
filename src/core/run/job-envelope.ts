/** A job as it was ordered: with what, which try this is, and whose work wanted it. */
export type QueuedJob = {
  payload: object
  attempt: number
  /** Attempts lost with their connection, which say nothing about the job and are counted apart. */
  lost?: number | undefined
  traceparent?: string | undefined
}

/** How an order lies in the queue: the bare payload, or an envelope where there is more to say. */
export function toEnvelope({ payload, attempt, lost, traceparent }: QueuedJob): object {
  if (attempt === 1 && lost === undefined && traceparent === undefined) return payload
  return { $order: { payload, attempt, ...(lost && { lost }), ...(traceparent !== undefined && { traceparent }) } }
}

export const fromEnvelope = (given: unknown): QueuedJob =>
  given !== null && typeof given === 'object' && '$order' in given
    ? (given.$order as QueuedJob) // made by toQueue alone
    : { payload: given as object, attempt: 1 }
