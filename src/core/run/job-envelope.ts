/** A queued job: its payload, the number of the attempt, and the trace it belongs to. */
export type QueuedJob = {
  payload: object
  attempt: number
  /** Attempts that ended with a lost connection; they are counted separately, because the job did not cause them. */
  lost?: number | undefined
  traceparent?: string | undefined
}

/** The JSON in the queue: the bare payload, or an envelope if there is more to store than the payload. */
export function toEnvelope({ payload, attempt, lost, traceparent }: QueuedJob): object {
  if (attempt === 1 && lost === undefined && traceparent === undefined) return payload
  return { $order: { payload, attempt, ...(lost && { lost }), ...(traceparent !== undefined && { traceparent }) } }
}

export const fromEnvelope = (given: unknown): QueuedJob =>
  given !== null && typeof given === 'object' && '$order' in given
    ? (given.$order as QueuedJob) // only toEnvelope writes it
    : { payload: given as object, attempt: 1 }
