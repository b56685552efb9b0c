import type { SetOff } from '../../payroll/payroll.ts'
import { atLeastZero, smaller } from './steps.ts'

/**
 * Wage Protection Law, 1958, section 25: advances of at most three monthly wages may be taken back without a limit, more than
 * that only by a quarter of the wage of the period. The last wage bears the whole debt if that was authorized.
 */
export function setOff(asked: SetOff): { limitMinor: bigint; rule: string } {
  const { limit, rule } = allowed(asked)
  return { limitMinor: atLeastZero(smaller(limit, asked.netMinor)), rule }
}

function allowed(asked: SetOff): { limit: bigint; rule: string } {
  const { advancesMinor, monthlyWageMinor, wagesMinor, netMinor } = asked
  if (asked.hasConsent)
    return { limit: netMinor, rule: 'Wage Protection Law, section 25(a): up to the net pay with written consent' }
  if (asked.isFinal && asked.finalAuthorized)
    return { limit: netMinor, rule: 'Wage Protection Law, section 25(b): the whole debt from the last wage' }
  if (advancesMinor <= 3n * monthlyWageMinor)
    return { limit: netMinor, rule: 'Wage Protection Law, section 25(a): advances of up to three monthly wages' }
  return { limit: wagesMinor / 4n, rule: 'Wage Protection Law, section 25(a): a quarter of the wage' }
}
