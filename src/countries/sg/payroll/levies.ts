import { convertBy } from '../../../core/values/money.ts'
import { rowOn } from '../../dated.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { PayLine, Step } from '../../payroll/payroll.ts'
import { larger, smaller } from './compare.ts'
import { funds, skillsLevies, sPassLevies } from './tables.ts'
import { calendarDays, type Days } from './working-days.ts'

/** A line, and the table that it was read from. */
export type Levy = { line: PayLine; table: string | null }
type Fund = keyof typeof funds

/** Skills Development Levy: every employee, also foreign and part-time ones, with any wages at all. */
export function skillsLevy(day: string, totalMinor: bigint): Levy[] {
  const row = rowOn(skillsLevies, day)
  if (!row || totalMinor <= 0n) return []
  const rule = `SkillsFuture Singapore, Skills Development Levy of ${row.since}`
  const atRate = convertBy(totalMinor, { rate: row.rate, per: row.per })
  const amountMinor = smaller(larger(atRate, row.minimumMinor), row.maximumMinor)
  const step = {
    description: 'Total wages',
    baseMinor: totalMinor,
    rate: `${Number(row.rate * 100n) / Number(row.per)} %`,
    amountMinor: atRate,
    rule,
  }
  const limit: Step = {
    description: atRate < amountMinor ? 'Minimum' : 'Maximum',
    baseMinor: null,
    rate: null,
    amountMinor: amountMinor - atRate,
    rule,
  }
  const steps = atRate === amountMinor ? [step] : [step, limit]
  return [
    {
      line: { kind: 'CONTRIBUTION', code: 'SDL', description: 'Skills Development Levy', amountMinor, steps },
      table: `SDL ${row.since}`,
    },
  ]
}

/** Whether the law has the employee contribute to the fund; another amount is one that the employee chose. */
export function isLiable(fund: Fund, isForeigner: boolean, { workPass }: PayFacts): boolean {
  if (!isForeigner || fund === 'MBMF') return true
  return fund === 'SINDA' && workPass !== 'S_PASS' && workPass !== 'WORK_PERMIT'
}

/** Contributions to the self-help group of the race and, of Muslims, to the Mosque Building and Mendaki Fund. */
export function fundContributions(day: string, totalMinor: bigint, isForeigner: boolean, facts: PayFacts): Levy[] {
  if (totalMinor <= 0n) return []
  const { raceFund = 'NONE', raceFundMinor, mosqueFund, mosqueFundMinor } = facts
  const byRace = raceFund === 'MBMF'
  const ofRace = raceFund === 'NONE' || byRace ? [] : [{ fund: raceFund, ownMinor: raceFundMinor }]
  const ofMuslims = { fund: 'MBMF' as const, ownMinor: mosqueFundMinor ?? (byRace ? raceFundMinor : undefined) }
  const chosen = [...ofRace, ...(mosqueFund || byRace ? [ofMuslims] : [])]
  return chosen.flatMap(({ fund, ownMinor }) => {
    if (ownMinor === undefined && !isLiable(fund, isForeigner, facts)) return []
    return contributionTo(fund, day, totalMinor, ownMinor)
  })
}

function contributionTo(fund: Fund, day: string, totalMinor: bigint, ownMinor: bigint | undefined): Levy[] {
  const table = rowOn(funds[fund], day)
  const row = table?.rows.find(([upTo]) => upTo === null || totalMinor <= upTo)
  const amountMinor = ownMinor ?? row?.[1] ?? 0n
  if (amountMinor <= 0n) return []
  const rule =
    ownMinor === undefined
      ? `CPF Board, ${fund} contributions of ${table?.since}`
      : `${fund}: amount by the form of the fund`
  const description = ownMinor === undefined ? 'By the table, for total wages' : 'Own amount'
  const steps = [{ description, baseMinor: totalMinor, rate: null, amountMinor, rule }]
  const line: PayLine = { kind: 'DEDUCTION', code: fund, description: `${fund} contribution`, amountMinor, steps }
  return [{ line, table: ownMinor === undefined ? `${fund} ${table?.since}` : null }]
}

/** The foreign worker levy; a part of a month is paid by the day. Employment Passes have none. */
export function foreignWorkerLevy(employed: Days, month: Days, facts: PayFacts): Levy[] {
  const row = facts.workPass === 'S_PASS' && facts.levyMinor === undefined ? rowOn(sPassLevies, month.first) : undefined
  const monthly = facts.workPass === 'EMPLOYMENT_PASS' ? 0n : (facts.levyMinor ?? row?.monthlyMinor ?? 0n)
  if (monthly <= 0n) return []
  const rule = `Ministry of Manpower, foreign worker levy${row ? ` of ${row.since}` : ''}`
  const days = calendarDays(employed)
  const isWhole = days === calendarDays(month)
  const daily = (monthly * 12n + 364n) / 365n
  const amountMinor = isWhole ? monthly : smaller(daily * BigInt(days), monthly)
  const step: Step = isWhole
    ? { description: 'Monthly levy', baseMinor: null, rate: null, amountMinor, rule }
    : {
        description: 'Daily levy: monthly × 12 ÷ 365, rounded up',
        baseMinor: daily,
        rate: `${days} days`,
        amountMinor,
        rule,
      }
  const line: PayLine = {
    kind: 'CONTRIBUTION',
    code: 'FWL',
    description: 'Foreign Worker Levy',
    amountMinor,
    steps: [step],
  }
  return [{ line, table: row ? `FWL ${row.since}` : null }]
}
