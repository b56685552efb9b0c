import { type Faults, noFaults } from '../service/faults.ts'

/** What the simulator does wrong on purpose. Shares are from 0 (never) to 1 (always). */
export type Switches = Faults & {
  /** The share of documents that the tax authority refuses although they are right. The same document is always refused. */
  reject: number
  /** The share of documents whose delivery fails at first; sent again, they are accepted. */
  fail: number
  /** How long the tax authority takes for its acknowledgement. Until then a document is SUBMITTED. */
  decideMs: number
  /** Whether clients are refused. */
  withdrawn: boolean
  accessTokenSeconds: number
}

export const goodBehaviour: Switches = {
  ...noFaults,
  reject: 0,
  fail: 0,
  decideMs: 200,
  withdrawn: false,
  accessTokenSeconds: 600,
}
