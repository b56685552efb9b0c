/** What a simulated service does wrong on purpose. Shares are from 0 (never) to 1 (always). */
export type Faults = {
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
}

export const noFaults: Faults = { outage: 0, delayMs: 0, silence: 0, lostResponses: 0, html: 0, truncated: 0 }

export const isHit = (share: number) => share > 0 && Math.random() < share

/** The given switches, checked against the usual ones; a text says what is wrong with them. */
export function readSwitches<S extends object>(given: Record<string, unknown>, usual: S): Partial<S> | string {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(usual, name)) return `There is no switch ${name}.`
    const type = typeof usual[name as keyof S]
    if (typeof value !== type) return `The switch ${name} is a ${type}.`
    if (typeof value === 'number' && !(value >= 0)) return `The switch ${name} is not negative.`
  }
  return given as Partial<S>
}
