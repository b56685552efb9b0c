import { readSwitches as checked, type Faults, noFaults } from '../service/faults.ts'

/** What the simulator does wrong on purpose. Shares are from 0 (never) to 1 (always). */
export type Switches = Faults & {
  /** The share of documents that are refused although their data is right (code 460). The same document is always refused. */
  reject: number
  /** How a repeated request is answered: with the same number, with a new one, or with the number of another document. */
  repeated: 'same-number' | 'another-number' | 'number-of-another'
  /** Whether refresh tokens are refused, as after a person has withdrawn the authorization. */
  withdrawn: boolean
  accessTokenSeconds: number
}

export const goodBehaviour: Switches = {
  ...noFaults,
  reject: 0,
  repeated: 'same-number',
  withdrawn: false,
  accessTokenSeconds: 601, // as the authority says
}

/** The given switches, checked; a text says what is wrong with them. */
export function readSwitches(given: Record<string, unknown>): Partial<Switches> | string {
  const { repeated } = given
  if (repeated !== undefined && !['same-number', 'another-number', 'number-of-another'].includes(String(repeated)))
    return 'repeated is same-number, another-number or number-of-another.'
  return checked(given, goodBehaviour)
}
