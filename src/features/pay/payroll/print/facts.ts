import { Temporal } from 'temporal-polyfill'
import type { Language } from '../../../../core/values/language.ts'
import { convertBy } from '../../../../core/values/money.ts'
import type { Label, LabeledValue } from '../../../selling/documents/print/print-model.ts'
import { isolate, isolateMixed, linesOf, ltr, numberText } from '../../../selling/documents/print/text.ts'
import { methodIn } from '../../../selling/documents/print/words.ts'
import { leaveBalances } from '../payslips/leave-balance.ts'
import { netOwed } from '../payslips/read.ts'
import type { PayslipContext, PayslipModel, PayTable } from './payslip-model.ts'
import { wordIn } from './words.ts'

const printOf = ({ data }: PayslipContext) => data.country.payslip

/** Digits before the last four are hidden where the law or custom wants that. */
const masked = (text: string): string => `•••• ${text.replace(/\W/g, '').slice(-4)}`

/** Name, job, address and identity number. */
export function employeeSection(context: PayslipContext): PayslipModel['employee'] {
  const { data, word, labelOf, languages } = context
  const { row, employee } = data
  const { idNumber, isMasked } = printOf(context)
  const label = labelOf((language) => idNumber[language])
  const shownLabel = label.too && languages.length > 1 ? `${label.text} / ${label.too}` : label.text
  return {
    label: word('employee'),
    name: isolate(row.employeeName ?? ''),
    lines: [
      ...(row.jobTitle ? [isolate(row.jobTitle)] : []),
      ...linesOf(employee.address),
      ...(employee.idNumber
        ? [isolate(`${shownLabel} ${ltr(isMasked ? masked(employee.idNumber) : employee.idNumber)}`)]
        : []),
    ],
  }
}

/** The period and the employment. */
export function factsSection({ data: { row }, word, day, language, amount }: PayslipContext): LabeledValue[] {
  const facts: (LabeledValue | false)[] = [
    { label: word('period'), value: `${day(row.periodStart)} – ${day(row.periodEnd)}` },
    { label: word('date'), value: day(row.issueDate) },
    row.employeeNumber !== null && { label: word('employeeNumber'), value: ltr(row.employeeNumber) },
    { label: word('startDate'), value: day(row.startDate) },
    row.endDate !== null && row.endDate <= row.periodEnd && { label: word('endDate'), value: day(row.endDate) },
    { label: word('seniority'), value: isolateMixed(seniority(row.startDate, row.periodEnd, language)) },
    { label: word('position'), value: ltr(`${numberText(row.facts.positionPercent ?? 100)}%`) },
    { label: word('monthlyWage'), value: amount(row.wageMinor) },
  ]
  return facts.filter((fact) => fact !== false)
}

/** Whole years and months of employment, the last day included. */
function seniority(startDate: string, lastDay: string, language: Language): string {
  const after = Temporal.PlainDate.from(lastDay).add({ days: 1 })
  const { years, months } = Temporal.PlainDate.from(startDate).until(after, { largestUnit: 'year' })
  const { year, month, and } = units[language]
  const parts = [...(years > 0 ? [year(years)] : []), ...(months > 0 || years === 0 ? [month(months)] : [])]
  return parts.join(and)
}

const units = {
  en: {
    year: (count: number) => `${count} ${count === 1 ? 'year' : 'years'}`,
    month: (count: number) => `${count} ${count === 1 ? 'month' : 'months'}`,
    and: ', ',
  },
  he: {
    year: (count: number) => (count === 1 ? 'שנה' : count === 2 ? 'שנתיים' : `${count} שנים`),
    month: (count: number) => (count === 1 ? 'חודש' : count === 2 ? 'חודשיים' : `${count} חודשים`),
    and: ', ',
  },
}

/** From the net pay to what is paid out: advances are taken from it. */
export function payoutSection({ data: { row }, word, day, amount }: PayslipContext): PayslipModel['payout'] {
  const advances = row.paid.filter(({ source }) => source === 'ADVANCE')
  if (advances.length === 0) return []
  const set = advances.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  return [
    { label: word('net'), value: amount(row.netMinor), weight: 'plain' },
    ...advances.map(({ paidAt, amountMinor }) => ({
      label: shortened(word('advance', { day: day(paidAt) }), day(paidAt)),
      value: amount(-amountMinor),
      weight: 'plain' as const,
    })),
    { label: word('payable'), value: amount(row.netMinor - set), weight: 'total' },
  ]
}

/** The second language does not repeat the day. */
const shortened = ({ text, too }: Label, day: string): Label => ({
  text,
  too: too?.replace(` of ${day}`, '').replace(` מיום ${day}`, '') ?? null,
})

/** When, how and where the net pay is paid. */
export function paymentSection(context: PayslipContext): PayslipModel['payment'] {
  const { data, word, day, language } = context
  const { row, employee } = data
  const payments = row.paid.filter(({ source }) => source === 'NET')
  const days = [...new Set(payments.map(({ paidAt }) => day(paidAt)))]
  const methods = [...new Set(payments.flatMap(({ method }) => (method ? [methodIn(language, method)] : [])))]
  const net = netOwed(row)
  const isOpen = net !== undefined && net.paidMinor < net.amountMinor
  const { isMasked } = printOf(context)
  const number = (text: string) => (isMasked ? masked(text) : text)
  const { bankName, bankCode, branchCode, accountNumber } = employee
  const account = [bankCode, branchCode, accountNumber && number(accountNumber)].filter(Boolean).join('-')
  const facts: (LabeledValue | false)[] = [
    { label: word('paidOn'), value: days.length > 0 ? days.join(', ') : isOpen ? wordIn(language, 'notPaid') : '–' },
    methods.length > 0 && { label: word('method'), value: methods.map(isolate).join(', ') },
    bankName !== null && { label: word('bank'), value: isolate(bankName) },
    employee.routingNumber !== null && { label: word('routing'), value: ltr(employee.routingNumber) },
    account !== '' && { label: word('account'), value: ltr(account) },
    employee.iban !== null && { label: word('iban'), value: ltr(number(employee.iban)) },
  ]
  return { title: word('payment'), facts: facts.filter((fact) => fact !== false) }
}

const noLabel = { text: '', too: null }

/** Work and leave of the month. */
export function tablesSection(context: PayslipContext): PayTable[] {
  const { data, word } = context
  const { vacation, sickLeave } = leaveBalances(data.row)
  const leave = (name: 'vacation' | 'sick', { carriedOver, accrued, used, balance }: typeof vacation) => ({
    label: word(name),
    cells: [carriedOver, accrued, used, balance].map((days) => ltr(numberText(days))),
  })
  return [
    workTable(context),
    {
      title: word('leave'),
      columns: [noLabel, word('carriedOver'), word('accrued'), word('used'), word('balance')],
      rows: [leave('vacation', vacation), leave('sick', sickLeave)],
    },
  ]
}

function workTable(context: PayslipContext): PayTable {
  const { data, word } = context
  const { work } = data.row
  const possible = possibleWork(context)
  const row = (name: 'days' | 'hours' | 'overtimeHours', worked: number | undefined, most?: number) => ({
    label: word(name),
    cells: [worked, ...(possible ? [most] : [])].map((each) => (each === undefined ? '–' : ltr(numberText(each)))),
  })
  return {
    title: word('work'),
    columns: [noLabel, word('worked'), ...(possible ? [word('possible')] : [])],
    rows: [
      row('days', work?.workedDays, possible?.days),
      row('hours', work?.workedHours, possible?.hours),
      row('overtimeHours', work?.overtimeHours),
    ],
  }
}

/**
 * The working days of the period, by the working days of a week (from Sunday on), and their share of the hours of a full month.
 * Public holidays are not taken off.
 */
function possibleWork(context: PayslipContext): { days: number; hours: number } | undefined {
  const { row } = context.data
  const { monthlyHours } = printOf(context)
  if (!monthlyHours) return undefined
  const { workDaysPerWeek = 5, positionPercent = 100 } = row.facts
  const countIn = (from: Temporal.PlainDate, to: Temporal.PlainDate) => {
    let days = 0
    for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 }))
      if (day.dayOfWeek % 7 < Math.min(7, Math.ceil(workDaysPerWeek))) days++
    return days
  }
  const first = Temporal.PlainDate.from(row.month)
  const inMonth = countIn(first, first.with({ day: first.daysInMonth }))
  const days = countIn(Temporal.PlainDate.from(row.periodStart), Temporal.PlainDate.from(row.periodEnd))
  return { days, hours: Math.round((monthlyHours * positionPercent * days) / inMonth) / 100 }
}

/** The bases of the month, and the wages that the law compares with. */
export function detailsSection(context: PayslipContext): PayslipModel['details'] {
  const { data, labelOf, word, amount } = context
  const { row, country } = data
  const { bases, monthlyHours } = printOf(context)
  const minimum = country.payroll.minimumWage?.(row.periodEnd)
  const hours = BigInt(Math.round((monthlyHours ?? 0) * (row.facts.positionPercent ?? 100)))
  const facts = bases
    .filter(([name]) => row.bases[name] !== undefined && (row.bases[name] !== 0 || name === bases[0]?.[0]))
    .map(([name, label]) => ({ label: labelOf((language) => label[language]), value: amount(row.bases[name] ?? 0) }))
  return {
    title: word('bases'),
    facts: [
      ...facts,
      ...(hours > 0n
        ? [
            {
              label: word('hourlyRate'),
              value: amount(Number(convertBy(BigInt(row.wageMinor), { rate: 100n, per: hours }))),
            },
          ]
        : []),
      ...(minimum
        ? [
            { label: word('minimumMonthly'), value: amount(Number(minimum.monthlyMinor)) },
            { label: word('minimumHourly'), value: amount(Number(minimum.hourlyMinor)) },
          ]
        : []),
      { label: word('employerCost'), value: amount(row.grossMinor + row.contributionsMinor) },
    ],
  }
}
