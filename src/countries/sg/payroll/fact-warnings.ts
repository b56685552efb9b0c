import type { Warning } from '../../../core/define/schema.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { Employment } from '../../payroll/payroll.ts'
import { isLiable } from './levies.ts'
import { isForeignerOn, statusOf } from './residency.ts'

/** Facts that are missing, or that do not go together. The employment has no bearing on them. */
export function factWarnings(facts: PayFacts, _employment: Employment, day: string): Warning[] {
  return isForeignerOn(day, facts) ? ofForeigner(facts) : ofResident(facts)
}

function ofResident(facts: PayFacts): Warning[] {
  const isPermanentResident = statusOf(facts) === 'PERMANENT_RESIDENT'
  return [
    ...warning(!facts.birthDate, 'birthDate', 'Without a birth date CPF is computed at the rates up to the age of 55.'),
    ...warning(
      isPermanentResident && !facts.residencySince,
      'residencySince',
      'Without the day of becoming a permanent resident CPF is computed at full rates, as from the third year.',
    ),
    ...warning(facts.workPass !== undefined, 'workPass', 'Citizens and permanent residents need no work pass.'),
    ...warning(
      (facts.levyMinor ?? 0n) > 0n,
      'levy',
      'There is no foreign worker levy for citizens and permanent residents.',
    ),
  ]
}

function ofForeigner(facts: PayFacts): Warning[] {
  const { workPass, levyMinor, raceFund = 'NONE', raceFundMinor, cpfRates, residencySince } = facts
  const isExempt = raceFund !== 'NONE' && raceFundMinor === undefined && !isLiable(raceFund, true, facts)
  return [
    ...warning(
      workPass === 'WORK_PERMIT' && levyMinor === undefined,
      'levy',
      'The levy of a work permit depends on sector, skill and quota, so it has to be given; none was computed.',
    ),
    ...warning(
      workPass === 'S_PASS' && levyMinor === undefined,
      'levy',
      "The levy of the S Pass was not given, so the table's is used.",
    ),
    ...warning(
      workPass === 'EMPLOYMENT_PASS' && (levyMinor ?? 0n) > 0n,
      'levy',
      'There is no foreign worker levy for an Employment Pass.',
    ),
    ...warning(cpfRates !== undefined, 'cpfRates', 'Foreigners do not contribute to CPF.'),
    ...warning(
      statusOf(facts) === 'FOREIGNER' && residencySince !== undefined,
      'residencySince',
      'Only permanent residents have a day of becoming one; foreigners do not contribute to CPF.',
    ),
    ...warning(
      isExempt,
      'raceFund',
      `A foreigner with this pass does not contribute to ${raceFund} unless an amount is given.`,
    ),
  ]
}

function warning(isTrue: boolean, path: string, message: string): Warning[] {
  return isTrue ? [{ code: path.replace(/[A-Z]/g, '_$&').toUpperCase(), message, path }] : []
}
