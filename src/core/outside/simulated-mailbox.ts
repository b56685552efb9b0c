/**
 * The mail server of the simulated mailboxes of local mode. No name server knows it: a process that opens a mailbox there
 * serves it itself, so that the API and any number of workers need no common port.
 */
export const simulatedMailHost = 'mailbox.simulator.localhost'

/** A mailbox that local mode simulates, for trying mailboxes out without an account anywhere. */
export type SimulatedMailbox = {
  address: string
  /** Whose mailbox it is, for the page on which people choose one. */
  name: string
  password: string
  /** The messages at a moment, the oldest first. The same message always has the same number and the same bytes. */
  messages(now: Date): SimulatedMessage[]
}

export type SimulatedMessage = { uid: number; receivedAt: Date; source(): Buffer }
