/** A job as it was ordered: with what, which try this is, and whose work wanted it. */
export type Order = {
  payload: object
  attempt: number
  /** Attempts lost with their connection, which say nothing about the job and are counted apart. */
  lost?: number | undefined
  traceparent?: string | undefined
}

/** How an order lies in the queue: the bare payload, or an envelope where there is more to say. */
export function toQueue({ payload, attempt, lost, traceparent }: Order): object {
  if (attempt === 1 && lost === undefined && traceparent === undefined) return payload
  return { $order: { payload, attempt, ...(lost && { lost }), ...(traceparent !== undefined && { traceparent }) } }
}

export const fromQueue = (given: unknown): Order =>
  given !== null && typeof given === 'object' && '$order' in given
    ? (given.$order as Order) // made by toQueue alone
    : { payload: given as object, attempt: 1 }
