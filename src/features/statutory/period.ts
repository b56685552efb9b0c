import { invalid } from '../../core/define/failure.ts'
import { Type } from '../../core/define/schema.ts'
import { addDays, addMonths } from '../../core/values/day.ts'
import { requiredDay } from '../../ledger/organization-context.ts'
import { type ReportContext, ReportDay } from '../reports/report-context.ts'

/** The fields of a period: `quarter`, or `from` and `to`. */
export const periodFields = {
  quarter: Type.Optional(
    Type.String({ pattern: '^\\d{4}-?Q[1-4]$', description: 'A quarter of a calendar year.', examples: ['2026-Q1'] }),
  ),
  from: Type.Optional(ReportDay),
  to: Type.Optional(ReportDay),
}

type Given = { quarter?: string | undefined; from?: string | undefined; to?: string | undefined }

/** The days of the quarter or of `from` and `to`, whichever is given; the days win where they are given, too. */
export function periodOf({ quarter, ...days }: Given, organization: ReportContext): { from: string; to: string } {
  const ofQuarter = quarter === undefined ? undefined : daysOf(quarter)
  const first = days.from ?? ofQuarter?.from
  const last = days.to ?? ofQuarter?.to
  if (first === undefined) throw invalid('from', 'Give quarter, or from and to.')
  if (last === undefined) throw invalid('to', 'Give quarter, or from and to.')
  const [from, to] = [requiredDay('from', first, organization), requiredDay('to', last, organization)]
  if (to < from) throw invalid('to', 'to is before from.')
  return { from, to }
}

function daysOf(quarter: string) {
  const [year, number] = [quarter.slice(0, 4), Number(quarter.slice(-1))]
  const from = `${year}-${String(number * 3 - 2).padStart(2, '0')}-01`
  return { from, to: addDays(addMonths(from, 3), -1) }
}
