import type { JournalRow } from '../reports/journal.ts'
import { type FileProblem, toCheck } from './file-problem.ts'

/** Who may not read payroll gets one entry a month for all wages; the authority wants the entries of the books. */
export const payrollProblems = (lines: readonly Pick<JournalRow, 'event'>[]): FileProblem[] =>
  lines.some(({ event }) => event === 'PAYROLL') ? [summed] : []

const summed = toCheck(
  'PAYROLL_SUMMED',
  'You may not read payroll, so the wages of each month are one entry. Have the file made by somebody who may.',
)
