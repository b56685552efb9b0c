/** What the simulator does wrong on purpose. Shares are from 0 (never) to 1 (always). */
export type Switches = {
  /** The share of documents that are refused although their data is right (code 460). The same document is always refused. */
  reject: number
  /** The share of calls that are answered with 503. */
  outage: number
  /** How long each answer takes. */
  delayMs: number
  /** The share of calls that get no answer at all. */
  silence: number
  /** The share of calls that are executed, but whose answer is lost: the connection breaks. */
  lostResponses: number
  /** The share of calls that are executed and answered with a web page. */
  html: number
  /** The share of calls that are executed and answered with half of the JSON. */
  truncated: number
  /** How a repeated request is answered: with the same number, with a new one, or with the number of another document. */
  repeated: 'same-number' | 'another-number' | 'number-of-another'
  /** Whether refresh tokens are refused, as after a person has withdrawn the authorization. */
  withdrawn: boolean
  accessTokenSeconds: number
}

export const goodBehaviour: Switches = {
  reject: 0,
  outage: 0,
  delayMs: 0,
  silence: 0,
  lostResponses: 0,
  html: 0,
  truncated: 0,
  repeated: 'same-number',
  withdrawn: false,
  accessTokenSeconds: 601, // as the authority says
}

/** The given switches, checked; a text says what is wrong with them. */
export function readSwitches(given: Record<string, unknown>): Partial<Switches> | string {
  for (const [name, value] of Object.entries(given)) {
    const usual = goodBehaviour[name as keyof Switches]
    if (!Object.hasOwn(goodBehaviour, name)) return `There is no switch ${name}.`
    if (typeof value !== typeof usual) return `The switch ${name} is a ${typeof usual}.`
    if (name === 'repeated' && !['same-number', 'another-number', 'number-of-another'].includes(String(value)))
      return 'repeated is same-number, another-number or number-of-another.'
    if (typeof value === 'number' && !(value >= 0)) return `The switch ${name} is not negative.`
  }
  return given as Partial<Switches>
}
