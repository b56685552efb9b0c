import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { compact } from '../../../../core/values/compact.ts'
import { add, toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import type { PayMonth } from '../../../../features/pay/payroll/month.ts'
import {
  type FormProblem,
  formProblems,
  rejected,
  toCheck,
} from '../../../../features/pay/payroll-forms/form-problem.ts'
import { amountOf, baseOf, type PaidEmployee } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import { nricProblem, uenProblem } from '../../documents/numbers.ts'
import {
  type Contribution,
  type EmploymentStatus,
  ezpayName,
  type Fund,
  fundCodes,
  isEzpayText,
  nameLength,
  paymentCodes,
  type Summary,
  summariesOf,
} from './ezpay-file.ts'

const Employee = Type.Object({
  employeeId: Id,
  name: Text,
  accountNumber: nullable(Type.String({ description: 'NRIC or FIN: its last four characters. Files have all of it.' })),
  status: {
    ...OneOf('E', 'L', 'N', 'O'),
    description: 'E: employed before and after the month; N: joined in it; L: left in it; O: both.',
  },
  ordinaryWages: Type.Number(),
  additionalWages: Type.Number(),
  cpfEmployee: Type.Number(),
  cpfEmployer: Type.Number(),
  cpf: Type.Number({ description: 'Both shares.' }),
  skillsDevelopmentLevy: Type.Number({ description: 'To the cent; the levy of the organization is whole dollars.' }),
  cdac: Type.Number(),
  ecf: Type.Number(),
  mbmf: Type.Number(),
  sinda: Type.Number(),
  foreignWorkerLevy: Type.Number({ description: 'Not part of the file: the Ministry of Manpower collects it.' }),
})

export const CpfForm = Type.Object({
  month: Text,
  currency: Text,
  submissionNumber: Type.String({ description: 'UEN, payment type and serial number (CSN).' }),
  employees: Type.Array(Employee),
  summary: Type.Array(Type.Object({ code: Text, payment: Text, amount: Type.Number(), donors: Count }), {
    description: 'The summary records of the file.',
  }),
  totals: Type.Object({
    ordinaryWages: Type.Number(),
    additionalWages: Type.Number(),
    cpf: Type.Number(),
    funds: Type.Number(),
    skillsDevelopmentLevyOfPayslips: Type.Number(),
    skillsDevelopmentLevyRounding: Type.Number({ description: 'The cents that are not paid: zero or negative.' }),
    skillsDevelopmentLevy: Type.Number({ description: 'Rounded down to the dollar.' }),
    payable: Type.Number({ description: 'What the CPF Board is paid: CPF, funds and Skills Development Levy.' }),
    foreignWorkerLevy: Type.Number(),
  }),
  ...formProblems,
})

/** What is reported of one employee, in minor units. */
export type CpfRow = Omit<Contribution, 'accountNumber' | 'name'> & {
  employee: PaidEmployee
  employeeMinor: bigint
  employerMinor: bigint
  skillsLevyMinor: bigint
  foreignLevyMinor: bigint
}

export function toCpfRow(employee: PaidEmployee, month: PayMonth): CpfRow {
  const { payslips } = employee
  const [employeeMinor, employerMinor] = [
    amountOf(payslips, 'DEDUCTION', 'CPF_EE'),
    amountOf(payslips, 'CONTRIBUTION', 'CPF_ER'),
  ]
  return {
    ...{ employee, employeeMinor, employerMinor, cpfMinor: employeeMinor + employerMinor },
    ordinaryMinor: baseOf(payslips, 'OW'),
    additionalMinor: baseOf(payslips, 'AW'),
    status: statusOf(employee, month),
    funds: Object.fromEntries(fundCodes.map((fund) => [fund, amountOf(payslips, 'DEDUCTION', fund)])) as Record<
      Fund,
      bigint
    >,
    skillsLevyMinor: amountOf(payslips, 'CONTRIBUTION', 'SDL'),
    foreignLevyMinor: amountOf(payslips, 'CONTRIBUTION', 'FWL'),
  }
}

function statusOf({ startDate, endDate }: PaidEmployee, { from, to }: PayMonth): EmploymentStatus {
  const [joined, left] = [startDate >= from && startDate <= to, endDate !== null && endDate >= from && endDate <= to]
  if (joined) return left ? 'O' : 'N'
  return left ? 'L' : 'E'
}

export type Employer = { name: string; registrationNumber: string | null }

export const readEmployer = (db: Database): Promise<Employer> =>
  db.selectFrom('organizations').select(['name', 'registrationNumber']).executeTakeFirstOrThrow()

/** What the CPF Board would reject, or somebody has to look at. */
export const cpfProblems = (rows: readonly CpfRow[], { registrationNumber }: Employer): FormProblem[] => [
  ...employerProblems(registrationNumber),
  ...rows.flatMap(rowProblems),
]

function employerProblems(uen: string | null): FormProblem[] {
  if (!uen) return [rejected('UEN_MISSING', 'The organization has no UEN (registrationNumber).')]
  const problem = uenProblem(uen)
  if (compact(uen).length > 10 || !isEzpayText(uen))
    return [rejected('UEN', problem ?? 'A UEN has 9 or 10 characters.')]
  return problem ? [toCheck('UEN', problem)] : []
}

function rowProblems({ employee, cpfMinor, ordinaryMinor, additionalMinor, funds }: CpfRow): FormProblem[] {
  const { id, idNumber, payslips } = employee
  const name = ezpayName(employee.name)
  const hasFund = fundCodes.some((fund) => funds[fund] > 0n)
  const problems: FormProblem[] = []
  if (cpfMinor > 0n || hasFund) {
    const number = idNumber ? nricProblem(idNumber) : 'The NRIC or FIN is missing (idNumber).'
    if (number) problems.push(rejected(idNumber ? 'ID_NUMBER' : 'ID_NUMBER_MISSING', number, id))
    else if (!isResident(idNumber))
      problems.push(
        cpfMinor > 0n ? rejected('ID_NUMBER', notAnAccount, id) : toCheck('FUND_OF_FOREIGNER', fundOfForeigner, id),
      )
    if (!name) problems.push(rejected('NAME_MISSING', 'The name is missing.', id))
    if (name.length > nameLength || !isEzpayText(name))
      problems.push(
        rejected(
          'NAME',
          `The name has more than ${nameLength} characters, or other letters than those of the Latin alphabet: give it as on the identity card.`,
          id,
        ),
      )
  }
  if (ordinaryMinor < 0n || additionalMinor < 0n)
    problems.push(
      rejected(
        'NEGATIVE_WAGES',
        'Corrections of earlier months make the wages negative, which the file may not have. Ask the CPF Board for a refund.',
        id,
      ),
    )
  if (payslips.some(({ hasCorrections }) => hasCorrections))
    problems.push(
      toCheck(
        'CORRECTIONS',
        'The payslip has differences of earlier months. They are in the figures of this month; the CPF Board may want them for their own months.',
        id,
      ),
    )
  return problems
}

const isResident = (idNumber: string | null) => /^[ST]/.test(compact(idNumber ?? ''))
const notAnAccount = 'CPF is paid for a number that begins with S or T, and this is the number of a foreigner.'
const fundOfForeigner =
  'A foreigner contributes to a fund. The file has the FIN in place of a CPF account number: compare it with the receipt of the CPF Board.'

/** The levy of the organization: the sum of the payslips, rounded down to the dollar. */
export function skillsLevyOf(rows: readonly CpfRow[]) {
  const exactMinor = add(rows.map(({ skillsLevyMinor }) => skillsLevyMinor))
  const payableMinor = exactMinor - (exactMinor % 100n)
  return { exactMinor, payableMinor, roundingMinor: payableMinor - exactMinor }
}

const dollars = (minor: bigint) => toMajor(minor, 'SGD')

/** The rows as the file has them. */
export const toContributions = (rows: readonly CpfRow[]): Contribution[] =>
  rows.map(({ employee, cpfMinor, ordinaryMinor, additionalMinor, status, funds }) => ({
    accountNumber: compact(employee.idNumber ?? ''),
    name: ezpayName(employee.name),
    ...{ cpfMinor, ordinaryMinor, additionalMinor, status, funds },
  }))

export function toCpfForm(rows: readonly CpfRow[]): Pick<Static<typeof CpfForm>, 'employees' | 'summary' | 'totals'> {
  const levy = skillsLevyOf(rows)
  const summaries = summariesOf({ contributions: toContributions(rows), skillsLevyMinor: levy.payableMinor })
  const sum = (of: (row: CpfRow) => bigint) => dollars(add(rows.map(of)))
  return {
    employees: rows.map(toEmployee),
    summary: summaries.map(({ code, payment, amountMinor, donors }) => ({
      code,
      payment,
      amount: dollars(amountMinor),
      donors,
    })),
    totals: {
      ordinaryWages: sum(({ ordinaryMinor }) => ordinaryMinor),
      additionalWages: sum(({ additionalMinor }) => additionalMinor),
      cpf: sum(({ cpfMinor }) => cpfMinor),
      funds: dollars(add(summaries.filter(isOfFund).map(({ amountMinor }) => amountMinor))),
      skillsDevelopmentLevyOfPayslips: dollars(levy.exactMinor),
      skillsDevelopmentLevyRounding: dollars(levy.roundingMinor),
      skillsDevelopmentLevy: dollars(levy.payableMinor),
      payable: dollars(add(summaries.map(({ amountMinor }) => amountMinor))),
      foreignWorkerLevy: sum(({ foreignLevyMinor }) => foreignLevyMinor),
    },
  }
}

const isOfFund = ({ code }: Summary) => fundCodes.some((fund) => paymentCodes[fund] === code)

const toEmployee = (row: CpfRow): Static<typeof Employee> => ({
  employeeId: row.employee.id,
  name: row.employee.name,
  accountNumber: row.employee.idNumber && maskedNumber(row.employee.idNumber),
  status: row.status,
  ordinaryWages: dollars(row.ordinaryMinor),
  additionalWages: dollars(row.additionalMinor),
  cpfEmployee: dollars(row.employeeMinor),
  cpfEmployer: dollars(row.employerMinor),
  cpf: dollars(row.cpfMinor),
  skillsDevelopmentLevy: dollars(row.skillsLevyMinor),
  cdac: dollars(row.funds.CDAC),
  ecf: dollars(row.funds.ECF),
  mbmf: dollars(row.funds.MBMF),
  sinda: dollars(row.funds.SINDA),
  foreignWorkerLevy: dollars(row.foreignLevyMinor),
})

/** Only the last three digits and the letter of a person's number are shown (Personal Data Protection Act). */
export function maskedNumber(text: string): string {
  const number = compact(text)
  return `*****${number.length > 4 ? number.slice(-4) : '****'}`
}

export const cpfColumns: readonly ReportColumn[] = [
  { key: 'accountNumber', title: 'NRIC/FIN', titleHe: 'מספר זהות', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
  { key: 'status', title: 'Employment status', titleHe: 'מצב העסקה', type: 'text' },
  { key: 'ordinaryWages', title: 'Ordinary wages', titleHe: 'שכר רגיל', type: 'money' },
  { key: 'additionalWages', title: 'Additional wages', titleHe: 'שכר נוסף', type: 'money' },
  { key: 'cpfEmployee', title: 'CPF, employee', titleHe: 'CPF, עובד', type: 'money' },
  { key: 'cpfEmployer', title: 'CPF, employer', titleHe: 'CPF, מעסיק', type: 'money' },
  { key: 'cpf', title: 'CPF', titleHe: 'CPF', type: 'money' },
  { key: 'skillsDevelopmentLevy', title: 'Skills Development Levy', titleHe: 'היטל מיומנויות', type: 'money' },
  { key: 'cdac', title: 'CDAC', titleHe: 'CDAC', type: 'money' },
  { key: 'ecf', title: 'ECF', titleHe: 'ECF', type: 'money' },
  { key: 'mbmf', title: 'MBMF', titleHe: 'MBMF', type: 'money' },
  { key: 'sinda', title: 'SINDA', titleHe: 'SINDA', type: 'money' },
  { key: 'foreignWorkerLevy', title: 'Foreign worker levy', titleHe: 'היטל עובדים זרים', type: 'money' },
]

/** The rows of a file: the employees, and the rounding of the levy as a row of its own. */
export function cpfCells(rows: readonly CpfRow[]) {
  const cells = rows.map((row) => {
    const { employeeId: _, accountNumber: __, name, status, ...amounts } = toEmployee(row)
    return [row.employee.idNumber, name, status, ...amountKeys.map((key) => amounts[key])]
  })
  const { roundingMinor } = skillsLevyOf(rows)
  const rounding = amountKeys.map((key) => (key === 'skillsDevelopmentLevy' ? dollars(roundingMinor) : 0))
  return roundingMinor === 0n ? cells : [...cells, [null, 'Rounding of the Skills Development Levy', null, ...rounding]]
}

const amountKeys = [
  'ordinaryWages', 'additionalWages', 'cpfEmployee', 'cpfEmployer', 'cpf', 'skillsDevelopmentLevy', 'cdac', 'ecf', 'mbmf', 'sinda',
  'foreignWorkerLevy',
] as const // biome-ignore format: a list of words
