import type { PayFacts } from '../../payroll/facts.ts'
import { type Days, type Part, partOf } from './working-days.ts'

/** Citizens and permanent residents contribute to CPF. Somebody with a work pass is a foreigner unless it is said otherwise. */
export const statusOf = ({ residencyStatus, workPass }: PayFacts) =>
  residencyStatus ?? (workPass ? 'FOREIGNER' : 'CITIZEN')

/** On a day; somebody who becomes a permanent resident later is still a foreigner. */
export function isForeignerOn(day: string, facts: PayFacts): boolean {
  const status = statusOf(facts)
  const { residencySince } = facts
  return (
    status === 'FOREIGNER' || (status === 'PERMANENT_RESIDENT' && residencySince !== undefined && residencySince > day)
  )
}

/**
 * The working days from the day on which somebody became a permanent resident, of those on which they were employed in that
 * month; undefined in every other month.
 */
export function partAsResident(employed: Days, facts: PayFacts): Part | undefined {
  const { residencySince } = facts
  if (statusOf(facts) !== 'PERMANENT_RESIDENT' || !residencySince || residencySince <= employed.first) return undefined
  if (residencySince > employed.last) return { days: 0, of: partOf(employed, employed, facts).of }
  return partOf({ first: residencySince, last: employed.last }, employed, facts)
}
