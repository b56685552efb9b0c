import type { Warning } from '../../../core/define/schema.ts'
import { exact, round } from '../../../core/values/money.ts'
import type { LeaveAuthority, LeaveScheme, Pay } from '../../payroll/payroll.ts'
import { smaller } from './compare.ts'
import { dollars } from './words.ts'
import { calendarDays, daysPerWeek } from './working-days.ts'

const socialMinistry: LeaveAuthority = {
  id: '0198c1a0-5347-7000-8000-4d5346000001',
  name: 'Ministry of Social and Family Development',
}
const armedForces: LeaveAuthority = { id: '0198c1a0-5347-7000-8000-4d494e000002', name: 'MINDEF/MHA' }

/** The government pays at most this, the employer's CPF included: for a week, or for a working day and a year. */
type Cap = { weekMinor: bigint; totalMinor?: bigint } | { dayMinor: bigint; yearMinor: bigint }
type Leave = { scheme: LeaveScheme; codes: readonly string[]; names: RegExp; cap?: Cap }

const scheme = (code: string, label: string, authority = socialMinistry): LeaveScheme => ({ code, label, authority })
const anyOther = scheme('GPL', 'Government-paid leave')

// Child Development Co-Savings (Leave and Benefits) Regulations 2017; the most specific name comes first.
const leaves: readonly Leave[] = [
  {
    scheme: scheme('GPECL', 'Government-Paid Extended Childcare Leave'),
    codes: ['GPECL'],
    names: /\bextended child[- ]?care\b/i,
    cap: { dayMinor: 50_000n, yearMinor: 100_000n },
  },
  {
    scheme: scheme('SPL', 'Shared Parental Leave'),
    codes: ['SPL'],
    names: /\bshared parental\b/i,
    cap: { weekMinor: 250_000n },
  },
  {
    scheme: scheme('GPML', 'Government-Paid Maternity Leave'),
    codes: ['GPML'],
    names: /\bmaternity\b/i,
    cap: { weekMinor: 250_000n },
  },
  {
    scheme: scheme('GPPL', 'Government-Paid Paternity Leave'),
    codes: ['GPPL'],
    names: /\bpaternity\b/i,
    cap: { weekMinor: 250_000n, totalMinor: 1_000_000n },
  },
  {
    scheme: scheme('GPAL', 'Government-Paid Adoption Leave'),
    codes: ['GPAL', 'AL'],
    names: /\badoption\b/i,
    cap: { weekMinor: 250_000n },
  },
  {
    scheme: scheme('GPCL', 'Government-Paid Childcare Leave'),
    codes: ['GPCL'],
    names: /\bchild[- ]?care\b/i,
    cap: { dayMinor: 50_000n, yearMinor: 150_000n },
  },
  {
    scheme: scheme('NSMUP', 'NS Make-Up Pay', armedForces),
    codes: ['NSMUP', 'NS'],
    names: /\b(reservist|national service|make-up pay|in-camp training)\b/i,
  },
]

/** A code in the description decides, the first of several; without one, the name of a leave in it. */
export const leaveScheme = (description: string): LeaveScheme => leaveIn(description)?.scheme ?? anyOther

function leaveIn(description: string): Leave | undefined {
  for (const word of description.toUpperCase().split(/[^\p{L}\p{N}]+/u)) {
    const leave = leaves.find(({ codes }) => codes.includes(word))
    if (leave) return leave
  }
  return leaves.find(({ names }) => names.test(description))
}

/** A yearly base of leave that has a cap for the year. */
const claimBase = (code: string): string => `CLAIM_${code}`

/** What of a payslip's leave is above what the government pays, as far as the description tells how long the leave was. */
export function leaveClaimWarnings(pay: Pay, wage: ClaimWage): Warning[] {
  const warnings: Warning[] = []
  const claimed = new Map<string, bigint>()
  for (const [at, { kind, description, amountMinor }] of pay.adjustments.entries()) {
    const leave = kind === 'LEAVE_PAY' ? leaveIn(description) : undefined
    if (!leave?.cap) continue
    const code = leave.scheme.code
    const before = claimed.get(code) ?? pay.earlier[claimBase(code)] ?? 0n
    claimed.set(code, before + amountMinor)
    const ofPeriod = limitOfPeriod(leave.cap, before, pay)
    const length = lengthIn(description)
    const limit = length ? smaller(ofPeriod, claimable(length, leave.cap, wage)) : ofPeriod
    if (amountMinor <= limit) continue
    const message = `The government pays at most ${dollars(limit)} of this leave (${leave.scheme.label}), not ${dollars(amountMinor)}.`
    warnings.push({ code: 'LEAVE_CLAIM_ABOVE_LIMIT', message, path: `adjustments.${at}.amount` })
  }
  return warnings
}

/** The gross pay of a whole month with the employer's CPF on it. */
export type ClaimWage = { monthlyMinor: bigint; employerCpfMinor: bigint; daysPerWeek: number }
type Length = { count: number; unit: 'WEEK' | 'WORKING_DAY' | 'CALENDAR_DAY' }

/** Without a length: what can be paid for the whole month, or for the rest of the year. */
function limitOfPeriod(cap: Cap, before: bigint, { from, to }: Pay): bigint {
  if ('yearMinor' in cap) return cap.yearMinor > before ? cap.yearMinor - before : 0n
  const days = calendarDays({ first: from, last: to })
  const month = round(exact(cap.weekMinor).times(days).div(7), 'half-up')
  return cap.totalMinor !== undefined && cap.totalMinor < month ? cap.totalMinor : month
}

/** The pay and the employer's CPF for the length of a leave: × 12 ÷ 52 for a week, within the cap. */
function claimable({ count, unit }: Length, cap: Cap, wage: ClaimWage): bigint {
  const yearly = exact(wage.monthlyMinor + wage.employerCpfMinor).times(12)
  const perYear = { WEEK: exact(52), WORKING_DAY: exact(52).times(wage.daysPerWeek), CALENDAR_DAY: exact(365) }[unit]
  const daysOfWeek = unit === 'CALENDAR_DAY' ? 7 : wage.daysPerWeek
  const weeks = unit === 'WEEK' ? exact(count) : exact(count).div(daysOfWeek)
  const days = weeks.times(wage.daysPerWeek)
  const capped = 'dayMinor' in cap ? exact(cap.dayMinor).times(days) : exact(cap.weekMinor).times(weeks)
  return smaller(round(yearly.div(perYear).times(count), 'half-up'), round(capped, 'half-up'))
}

/** Such as "3 days", "28 calendar days" or "1.5 weeks". */
function lengthIn(description: string): Length | undefined {
  const found = /\b(\d{1,3}(?:\.\d{1,2})?)\s*(?:(calendar|working)\s+)?(day|week)s?\b/i.exec(description)
  if (!found?.[1] || !found[3]) return undefined
  const isWeek = found[3].toLowerCase() === 'week'
  const isCalendar = found[2]?.toLowerCase() === 'calendar'
  return { count: Number(found[1]), unit: isWeek ? 'WEEK' : isCalendar ? 'CALENDAR_DAY' : 'WORKING_DAY' }
}

/** What each capped leave adds to the claims of the year. */
export function claimBases({ adjustments }: Pay): Record<string, bigint> {
  const bases: Record<string, bigint> = {}
  for (const { kind, description, amountMinor } of adjustments) {
    const leave = kind === 'LEAVE_PAY' ? leaveIn(description) : undefined
    if (!leave?.cap || !('yearMinor' in leave.cap)) continue
    const name = claimBase(leave.scheme.code)
    bases[name] = (bases[name] ?? 0n) + amountMinor
  }
  return bases
}

export const claimWage = (monthlyMinor: bigint, employerCpfMinor: bigint, { facts }: Pay): ClaimWage => ({
  monthlyMinor,
  employerCpfMinor,
  daysPerWeek: daysPerWeek(facts),
})
