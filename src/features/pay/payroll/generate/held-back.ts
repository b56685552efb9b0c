import type { Warning } from '../../../../core/define/schema.ts'
import { add, toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { grossOf, netOf } from '../../../../countries/payroll/computed.ts'
import type { PayLine } from '../../../../countries/payroll/payroll.ts'
import { toPayFacts } from '../stored-facts.ts'
import type { Arrears, MonthlyPay } from './compute.ts'
import { type Correction, withinSchemes } from './corrections.ts'

// What was paid too much for earlier months is taken from the pay as far as the country lets an advance be set off without
// consent. The rest is a difference again on the next payslip.

/** How much of a debt may be taken from a pay, and by which rule. */
export function deductible({ payroll }: Country, pay: MonthlyPay, debtMinor: bigint) {
  return payroll.setOff({
    netMinor: netOf(pay.lines),
    wagesMinor: grossOf(pay.lines.filter(({ kind }) => kind === 'EARNING')),
    monthlyWageMinor: BigInt(pay.wageMinor),
    advancesMinor: debtMinor,
    isFinal: pay.isFinal,
    hasConsent: false,
    finalAuthorized: false,
    facts: toPayFacts(pay.facts),
  })
}

/** So many of the cuts, the earliest month first, as come to the limit. */
export function cutsWithin(cuts: readonly Arrears[], limitMinor: bigint): Arrears[] {
  let left = limitMinor
  return cuts.flatMap((cut) => {
    const fits = -cut.amountMinor <= left
    const takenMinor = fits ? -cut.amountMinor : left
    left -= takenMinor
    return takenMinor > 0n ? [{ ...cut, amountMinor: -takenMinor }] : []
  })
}

const parts = 1024n

/** So large a part of the corrections that reduce the pay that no more than the limit is taken from it. */
export function correctionsWithin(own: readonly PayLine[], corrections: readonly Correction[], limitMinor: bigint) {
  const fits = (part: bigint) => taken(own, scaled(corrections, part)) <= limitMinor
  if (fits(parts)) return corrections
  let part = 0n
  for (let more = parts / 2n; more > 0n; more /= 2n) if (fits(part + more)) part += more
  return scaled(corrections, part)
}

/** By how much corrections reduce the net pay. */
export const taken = (own: readonly PayLine[], corrections: readonly Correction[]): bigint =>
  -netOf(withinSchemes(own, linesOf(corrections)))

export const linesOf = (corrections: readonly Correction[]) => corrections.flatMap(({ lines }) => lines)

const scaled = (corrections: readonly Correction[], part: bigint): Correction[] =>
  corrections.flatMap((correction) => {
    if (part === parts || netOf(correction.lines) >= 0n) return [correction]
    const lines = correction.lines.map((line) => ({
      ...line,
      amountMinor: (line.amountMinor * part) / parts,
      steps: [],
    }))
    const bases = Object.entries(correction.bases).map(([name, minor]) => [name, (minor * part) / parts] as const)
    return part === 0n
      ? []
      : [
          {
            ...correction,
            lines: lines.filter(({ amountMinor }) => amountMinor !== 0n),
            bases: Object.fromEntries(bases),
          },
        ]
  })

/** A warning about what was paid too much and is not taken from this pay. */
export function stillOwed(leftMinor: bigint, { rule, isFinal, currency }: StillOwed): Warning[] {
  if (leftMinor <= 0n) return []
  const rest = isFinal ? 'It stays owed.' : 'It stays owed, and follows on the next payslips.'
  const message = `${toMajor(leftMinor, currency)} ${currency} that was paid too much for earlier months is not taken from this pay (${rule}). ${rest}`
  return [{ code: 'DEDUCTION_HELD_BACK', path: 'lines', message }]
}

type StillOwed = { rule: string; isFinal: boolean; currency: string }

export const debtOf = (cuts: readonly Arrears[]): bigint => -add(cuts.map(({ amountMinor }) => amountMinor))
