import type { Services } from '../../../../core/define/services.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { toAttachment } from '../../../selling/documents/attachments/attachment.ts'
import { netLine } from '../kind.ts'
import { leaveBalances } from './leave-balance.ts'
import type { ListedPayslip, Payslip } from './payslip.ts'
import { type ListedRow, netOwed, type WholePayslip } from './read.ts'
import { yearToDateOf } from './year-to-date.ts'

/** A payslip in a list. */
export function toListed(row: ListedRow): ListedPayslip {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    id: row.id,
    organizationId: row.organizationId,
    counterpartyId: row.employeeId,
    employeeName: row.employeeName ?? '',
    month: row.month.slice(0, 7),
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    status: row.status,
    currency: row.currency,
    gross: major(row.grossMinor),
    net: major(row.netMinor),
    employerCost: major(row.grossMinor + row.contributionsMinor),
    isFinalPayslip: row.isFinal,
    issueDate: row.issueDate,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** A payslip with everything that is known of it. */
export function toPayslip(services: Services & { now: Date }, row: WholePayslip, country: Country): Payslip {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  const majors = (amounts: Record<string, number>) =>
    Object.fromEntries(Object.entries(amounts).map(([name, minor]) => [name, major(minor)]))
  const net = netOwed(row)
  const { lines, yearToDate } = linesOf(row, country)
  const { advances, payments } = paymentsOf(row)
  const { vacation, sickLeave } = leaveBalances(row)
  const payslip: Payslip = {
    employee: employeeOf(row),
    monthlyWage: major(row.wageMinor),
    reimbursements: major(row.reimbursementsMinor),
    deductions: major(row.deductionsMinor),
    contributions: major(row.contributionsMinor),
    netOutstanding: net ? major(net.amountMinor - net.paidMinor) : 0,
    lines,
    yearToDate,
    advances,
    payments,
    vacation,
    sickLeave,
    schemes: row.owed
      .filter(({ code }) => code !== netLine)
      .map(({ code, amountMinor, paidMinor }) => ({
        code,
        label: country.payroll.schemes.find((scheme) => scheme.code === code)?.label ?? code,
        ...{ amount: major(amountMinor), paid: major(paidMinor), outstanding: major(amountMinor - paidMinor) },
      })),
    consents: row.consents.map(({ appliedMinor, at, createdAt, ...consent }) => ({
      ...consent,
      at: at && new Date(at).toISOString(),
      applied: major(appliedMinor),
      createdAt: new Date(createdAt).toISOString(),
    })),
    corrections: Object.fromEntries(Object.entries(row.corrections).map(([month, bases]) => [month, majors(bases)])),
    bases: majors(row.bases),
    work: row.work,
    tables: row.tables,
    computedAt: row.computedAt,
    voidedAt: row.voidedAt,
    lineCount: row.lines.length,
    attachments: row.attached.map((attachment) => toAttachment(services, row, attachment)),
    ...toListed(row),
  }
  return withWarnings(payslip, row.warnings)
}

const employeeOf = (row: WholePayslip): Payslip['employee'] => ({
  id: row.employeeId,
  name: row.employeeName ?? '',
  employeeNumber: row.employeeNumber,
  jobTitle: row.jobTitle,
  startDate: row.startDate,
  endDate: row.endDate,
  payslipLanguage: row.payslipLanguage,
})

/** The lines with their steps, and the sums of the year. */
function linesOf(row: WholePayslip, country: Country): Pick<Payslip, 'lines' | 'yearToDate'> {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  const year = yearToDateOf(row, country)
  const { gross, deductions, net, contributions } = year.totals
  return {
    lines: row.lines.map(({ amountMinor, steps, ...line }) => ({
      ...line,
      amount: major(amountMinor),
      yearToDate: major(year.minorOf(line)),
      steps: steps.map(({ baseMinor, amountMinor: minor, ...step }) => ({
        ...step,
        base: baseMinor === null ? null : major(baseMinor),
        amount: major(minor),
      })),
    })),
    yearToDate: {
      ...{ gross: major(gross), deductions: major(deductions), net: major(net), contributions: major(contributions) },
      lines: year.lines.map(({ minor, ...line }) => ({ ...line, amount: major(minor) })),
    },
  }
}

/** The advances that were set off, and the payments of net pay and schemes. */
function paymentsOf({ paid, currency }: WholePayslip): Pick<Payslip, 'advances' | 'payments'> {
  const amount = (minor: number) => toMajor(BigInt(minor), currency)
  return {
    advances: paid
      .filter(({ source }) => source === 'ADVANCE')
      .map(({ paymentId, paidAt, amountMinor }) => ({ paymentId, paidAt, amount: amount(amountMinor) })),
    payments: paid.flatMap(({ amountMinor, source, ...payment }) =>
      source === 'NET' || source === 'STATUTORY' ? [{ ...payment, source, amount: amount(amountMinor) }] : [],
    ),
  }
}
