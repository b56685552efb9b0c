import type { Warning } from '../../../../core/define/schema.ts'
import { addDays } from '../../../../core/values/day.ts'
import { add, toMinor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import {
  type Adjustment,
  type ComputedPay,
  earningCodes,
  type Pay,
  type PayLine,
  type Step,
} from '../../../../countries/payroll/payroll.ts'
import type { TermsRow } from '../employees/read.ts'
import { termsOn } from '../employees/read.ts'
import type { PayMonth } from '../month.ts'
import type { RunInputs } from '../run-inputs.ts'
import { type StoredFacts, toPayFacts } from '../stored-facts.ts'

/** What pay is computed from: the employment, its terms, and the bases of the year before the month. */
export type Employed = {
  startDate: string
  endDate: string | null
  currency: string
  terms: readonly TermsRow[]
}

/** The pay of one employee for a month, before corrections of earlier months. */
export type MonthlyPay = {
  periodStart: string
  periodEnd: string
  isFinal: boolean
  wageMinor: number
  facts: StoredFacts
  lines: readonly CorrectingLine[]
  bases: Readonly<Record<string, bigint>>
  warnings: readonly Warning[]
  tables: string
}

type Asked = {
  month: PayMonth
  inputs: RunInputs
  earlier: Readonly<Record<string, bigint>>
  knownOn: string
  /** Differences of the wage of earlier months that are paid as wages of this one. */
  arrears?: readonly Arrears[]
}

/** The difference of the wage of an earlier month, and as which wages it is paid. */
export type Arrears = { month: string; amountMinor: bigint; as: 'WAGES' | 'ADDITIONAL_WAGES' }

/** Computes the pay of one employee for a month, or says in a sentence why it cannot be computed. */
export function computeMonth(
  { payroll, currency }: Pick<Country, 'payroll' | 'currency'>,
  employee: Employed,
  { month, inputs, earlier, knownOn, arrears = [] }: Asked,
): MonthlyPay | { problem: string } {
  const periodStart = latest(employee.startDate, month.from)
  const leaves = employee.endDate !== null && employee.endDate <= month.to
  const periodEnd = leaves && employee.endDate ? employee.endDate : month.to
  if (periodStart > periodEnd) return { problem: `The person is not employed in ${month.month}.` }
  if (employee.currency !== currency)
    return { problem: `Pay is computed in ${currency}, and this employee is paid in ${employee.currency}.` }
  const terms = termsOn(employee.terms, periodEnd)
  if (!terms) return { problem: 'The employee has no wage.' }
  const given = minorInputs(inputs, currency)
  if ('problem' in given) return given
  const facts = toPayFacts(terms.facts)
  const pay: Pay = {
    period: 'MONTHLY',
    from: month.from,
    to: month.to,
    payDay: month.to,
    wages: [...wagesOf(employee.terms, { payroll }, { periodStart, periodEnd }), ...arrearsAs(arrears, 'WAGES')],
    ...given,
    additionalWageMinor:
      given.additionalWageMinor + add(arrearsAs(arrears, 'ADDITIONAL_WAGES').map((each) => each.amountMinor)),
    facts,
    employment: { startDate: employee.startDate, endDate: employee.endDate },
    earlier,
    knownOn,
  }
  const computed: ComputedPay | { problem: string } = payroll.compute(pay)
  if ('problem' in computed) return computed
  const lines = markArrears(computed.lines, arrears, given.additionalWageMinor)
  return { periodStart, periodEnd, isFinal: leaves, wageMinor: terms.wageMinor, facts: terms.facts, ...computed, lines }
}

/** The wages that an employee should have had for a month, by the terms that are known now. */
export function wageDue(country: Pick<Country, 'payroll'>, employee: Employed, month: PayMonth): bigint {
  const periodStart = latest(employee.startDate, month.from)
  const periodEnd = employee.endDate !== null && employee.endDate < month.to ? employee.endDate : month.to
  if (periodStart > periodEnd) return 0n
  return add(wagesOf(employee.terms, country, { periodStart, periodEnd }).map(({ amountMinor }) => amountMinor))
}

const arrearsAs = (arrears: readonly Arrears[], as: Arrears['as']) =>
  arrears
    .filter((each) => each.as === as)
    .map(({ month, amountMinor }) => ({
      description: arrearsText(month),
      amountMinor,
      steps: [arrearsStep(month, amountMinor)],
    }))

const arrearsText = (month: string) => `Wage: difference for ${month.slice(0, 7)}`
const arrearsStep = (month: string, amountMinor: bigint): Step => ({
  ...{ description: arrearsText(month), baseMinor: null, rate: null, amountMinor },
  rule: 'The wage of that month by the terms that are known now, less what was paid for it',
})

/** Marks the lines of arrears with their month. Those within the additional wage become lines of their own. */
function markArrears(lines: readonly PayLine[], arrears: readonly Arrears[], bonusMinor: bigint): CorrectingLine[] {
  const monthOfText = new Map(arrears.map(({ month }) => [arrearsText(month), month]))
  const additional = arrearsAs(arrears, 'ADDITIONAL_WAGES')
  return lines.flatMap((line): CorrectingLine[] => {
    const corrects = monthOfText.get(line.description)
    if (corrects !== undefined && line.code === earningCodes.wage) return [{ ...line, corrects }]
    if (line.code !== earningCodes.additional || additional.length === 0) return [line]
    const bonus = bonusMinor === 0n ? [] : [{ ...line, amountMinor: bonusMinor, steps: [] }]
    const parts = additional.map((part) => ({
      ...part,
      ...{ kind: line.kind, code: earningCodes.wage, corrects: monthOfText.get(part.description) ?? '' },
    }))
    return [...bonus, ...parts]
  })
}

/** A line of a payslip; one that is a difference names the month that it is for. */
export type CorrectingLine = PayLine & { corrects?: string }

const latest = (a: string, b: string) => [a, b].sort()[1] ?? a

type Days = { periodStart: string; periodEnd: string }

/** The wages of the days of a month: one for each wage that was valid in it. */
function wagesOf(terms: readonly TermsRow[], { payroll }: Pick<Country, 'payroll'>, days: Days): Pay['wages'] {
  const parts = wageParts(terms, days)
  return parts.map(({ first, last, row }) => {
    const { amountMinor, step } = payroll.prorate({
      wageMinor: BigInt(row.wageMinor),
      facts: toPayFacts(row.facts),
      first,
      last,
    })
    const steps: Step[] = [step]
    return { description: parts.length === 1 ? 'Wage' : `Wage from ${first} to ${last}`, amountMinor, steps }
  })
}

/** The days of each wage; a change of facts alone does not divide them. */
function wageParts(terms: readonly TermsRow[], { periodStart, periodEnd }: Days) {
  const parts: { first: string; last: string; row: TermsRow }[] = []
  for (const [at, row] of terms.entries()) {
    const next = terms[at + 1]
    const first = at === 0 || row.since < periodStart ? periodStart : row.since
    const last = next && next.since <= periodEnd ? addDays(next.since, -1) : periodEnd
    if (first > last) continue
    const before = parts.at(-1)
    if (before && before.row.wageMinor === row.wageMinor) before.last = last
    else parts.push({ first, last, row })
  }
  return parts
}

type MinorInputs = { additionalWageMinor: bigint; adjustments: Adjustment[] }

function minorInputs(
  { additionalWage = 0, adjustments }: RunInputs,
  currency: string,
): MinorInputs | { problem: string } {
  const amounts = [additionalWage, ...adjustments.map(({ amount }) => amount)].map((amount) =>
    toMinor(amount, currency),
  )
  if (amounts.some((amount) => amount.kind !== 'exact'))
    return { problem: `Amounts have no more decimal places than ${currency} has.` }
  if (adjustments.some(({ kind, amount }) => kind === 'REIMBURSEMENT' && amount < 0))
    return { problem: 'A reimbursement is a positive amount.' }
  const minors = amounts.map((amount) => (amount.kind === 'exact' ? amount.minor : 0n))
  return {
    additionalWageMinor: minors[0] ?? 0n,
    adjustments: adjustments.map(({ description, kind }, at) => ({
      description,
      kind,
      amountMinor: minors[at + 1] ?? 0n,
    })),
  }
}
