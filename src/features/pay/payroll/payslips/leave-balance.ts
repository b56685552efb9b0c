import { exact } from '../../../../core/values/money.ts'
import type { WholePayslip } from './read.ts'

/** Days of leave: what was left before the month, what the month adds and takes, and what is left. */
export type LeaveBalance = { carriedOver: number; accrued: number; used: number; balance: number }

type Source = Pick<WholePayslip, 'leaveBefore' | 'opening' | 'work' | 'month'>

/** The balances after a payslip: opening balance, earlier payslips and the payslip itself. */
export function leaveBalances({ leaveBefore, opening, work, month }: Source) {
  const isOpen = opening !== null && Number(month.slice(0, 4)) >= opening.year
  return {
    vacation: balanceOf(
      [isOpen ? opening.vacationDays : 0, leaveBefore.vacationAccrued, -leaveBefore.vacationUsed],
      work?.vacationAccrued,
      work?.vacationUsed,
    ),
    sickLeave: balanceOf(
      [isOpen ? opening.sickDays : 0, leaveBefore.sickAccrued, -leaveBefore.sickUsed],
      work?.sickAccrued,
      work?.sickUsed,
    ),
  }
}

function balanceOf(before: readonly (number | undefined)[], accrued = 0, used = 0): LeaveBalance {
  const carriedOver = sum(before.map((each) => each ?? 0))
  return { carriedOver, accrued, used, balance: sum([carriedOver, accrued, -used]) }
}

/** Days have decimals, which floating-point numbers would not add exactly. */
const sum = (days: readonly number[]) => days.reduce((total, each) => total.plus(each), exact(0)).toNumber()
