import { Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { add, toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import {
  type FormProblem,
  formProblems,
  rejected,
  toCheck,
} from '../../../../features/pay/payroll-forms/form-problem.ts'
import { amountOf, openingOf, type PaidEmployee } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import { earningCodes } from '../../../payroll/payroll.ts'
import { nricProblem, uenProblem } from '../../documents/numbers.ts'
import { type Employer, maskedNumber } from './cpf.ts'

const Record8A = Type.Object({
  employeeId: Id,
  name: Text,
  idNumber: nullable(Type.String({ description: 'NRIC or FIN: its last four characters. Files have all of it.' })),
  birthDate: nullable(Text),
  designation: nullable(Text),
  address: nullable(Text),
  startDate: Type.String({ description: 'The first day of the employment.' }),
  endDate: nullable(Type.String({ description: 'The last day of the employment, if it is in the year or before.' })),
  grossSalary: Type.Number({ description: 'Item a: wages, leave pay and adjustments, without reimbursements.' }),
  bonus: Type.Number({ description: 'Item b: additional wages.' }),
  income: Type.Number({ description: 'Both together.' }),
  cpf: Type.Number({ description: "The employee's compulsory contribution to CPF." }),
  donations: Type.Number({ description: 'CDAC, ECF and SINDA.' }),
  mosqueBuildingFund: Type.Number({ description: 'MBMF.' }),
  hasOpeningBalances: Type.Boolean({ description: 'What was paid before the first payslip here is included.' }),
})

export const Form8A = Type.Object({
  year: Type.Integer({ description: 'The calendar year of the income.' }),
  yearOfAssessment: Type.Integer(),
  currency: Text,
  employerName: Text,
  employerNumber: nullable(Type.String({ description: 'The UEN.' })),
  records: Type.Array(Record8A),
  totals: Type.Object({
    grossSalary: Type.Number(),
    bonus: Type.Number(),
    income: Type.Number(),
    cpf: Type.Number(),
    donations: Type.Number(),
    mosqueBuildingFund: Type.Number(),
  }),
  ...formProblems,
})

const { wage, adjustment, leave, additional } = earningCodes
const donationFunds = ['CDAC', 'ECF', 'SINDA']
type Amounts = Record<keyof Static<typeof Form8A>['totals'], bigint>

/** What is reported of one employee, in minor units. */
export type Row8A = { employee: PaidEmployee; amounts: Amounts }

export function toRow8A(employee: PaidEmployee, year: number): Row8A {
  const { payslips, endDate } = employee
  const earned = (...codes: string[]) => amountOf(payslips, 'EARNING', ...codes) + opened(employee, codes)
  const deducted = (...codes: string[]) => amountOf(payslips, 'DEDUCTION', ...codes) + opened(employee, codes)
  const [grossSalary, bonus] = [earned(wage, adjustment, leave), earned(additional)]
  return {
    employee: { ...employee, endDate: endDate !== null && endDate <= `${year}-12-31` ? endDate : null },
    amounts: {
      ...{ grossSalary, bonus, income: grossSalary + bonus },
      cpf: deducted('CPF_EE'),
      donations: deducted(...donationFunds),
      mosqueBuildingFund: deducted('MBMF'),
    },
  }
}

/** Opening balances have the amounts by the codes of lines; where a code is missing, the base of the same meaning counts. */
function opened(employee: PaidEmployee, codes: readonly string[]): bigint {
  const amounts = employee.opening?.amounts ?? {}
  const bases: Record<string, string> = { [wage]: 'OW', [additional]: 'AW' }
  return add(
    codes.map((code) =>
      amounts[code] === undefined
        ? openingOf(employee, 'bases', bases[code] ?? code)
        : openingOf(employee, 'amounts', code),
    ),
  )
}

const dollars = (minor: bigint) => toMajor(minor, 'SGD')
const inDollars = (amounts: Amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([name, minor]) => [name, dollars(minor)])) as Record<
    keyof Amounts,
    number
  >

const birthDateOf = ({ payslips }: PaidEmployee): string | null => payslips.at(-1)?.facts.birthDate ?? null

export const toRecord8A = ({ employee, amounts }: Row8A): Static<typeof Record8A> => ({
  employeeId: employee.id,
  name: employee.name,
  idNumber: employee.idNumber && maskedNumber(employee.idNumber),
  birthDate: birthDateOf(employee),
  designation: employee.jobTitle,
  address: employee.address,
  startDate: employee.startDate,
  endDate: employee.endDate,
  ...inDollars(amounts),
  hasOpeningBalances: employee.opening !== null,
})

export function totals8A(rows: readonly Row8A[]): Static<typeof Form8A>['totals'] {
  const sum = (name: keyof Amounts) => add(rows.map(({ amounts }) => amounts[name]))
  const [grossSalary, bonus, income, cpf] = [sum('grossSalary'), sum('bonus'), sum('income'), sum('cpf')]
  const funds = { donations: sum('donations'), mosqueBuildingFund: sum('mosqueBuildingFund') }
  return inDollars({ grossSalary, bonus, income, cpf, ...funds })
}

/** What IRAS would reject, and which facts are missing. */
export function problems8A(rows: readonly Row8A[], { registrationNumber }: Employer): FormProblem[] {
  const uen = registrationNumber && uenProblem(registrationNumber)
  return [
    ...(registrationNumber ? [] : [rejected('UEN_MISSING', 'The organization has no UEN (registrationNumber).')]),
    ...(uen ? [toCheck('UEN', uen)] : []),
    ...rows.flatMap(rowProblems),
    ...(rows.length === 0 ? [] : [byHand]),
  ]
}

function rowProblems({ employee, amounts }: Row8A): FormProblem[] {
  const { id, idNumber, name, jobTitle, address, opening, endDate } = employee
  const number = idNumber && nricProblem(idNumber)
  const isForeigner = idNumber !== null && /^[FGM]/i.test(idNumber.trim())
  return [
    ...(idNumber ? [] : [rejected('ID_NUMBER_MISSING', 'The NRIC or FIN is missing (idNumber).', id)]),
    ...(number ? [rejected('ID_NUMBER', number, id)] : []),
    ...(name ? [] : [rejected('NAME_MISSING', 'The name is missing.', id)]),
    ...(birthDateOf(employee) ? [] : [rejected('BIRTH_DATE_MISSING', 'The date of birth is missing (birthDate).', id)]),
    ...(jobTitle ? [] : [toCheck('DESIGNATION_MISSING', 'The designation is missing (jobTitle).', id)]),
    ...(address ? [] : [toCheck('ADDRESS_MISSING', 'The address is missing (address).', id)]),
    ...(Object.values(amounts).some((minor) => minor < 0n)
      ? [rejected('NEGATIVE_AMOUNT', 'Corrections make an amount negative: amend the record of the earlier year.', id)]
      : []),
    ...(isForeigner && endDate
      ? [toCheck('TAX_CLEARANCE', 'A foreigner left in the year: Form IR21 is filed instead of IR8A.', id)]
      : []),
    ...(opening ? [toCheck('OPENING_BALANCES', `The opening balances of ${opening.year} are included.`, id)] : []),
  ]
}

const byHand = toCheck(
  'FILL_IN_BY_HAND',
  "Kontor has no sex and nationality of employees, no dates on which a bonus was decided and paid, no benefits in kind, stock options, director's fees, pensions and lump sums: add them where they apply.",
)

export const columns8A: readonly ReportColumn[] = [
  { key: 'year', title: 'Year', titleHe: 'שנה', type: 'number' },
  { key: 'employerNumber', title: 'UEN', titleHe: 'מספר מעסיק', type: 'text' },
  { key: 'idNumber', title: 'NRIC/FIN', titleHe: 'מספר זהות', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
  { key: 'birthDate', title: 'Date of birth', titleHe: 'תאריך לידה', type: 'date' },
  { key: 'designation', title: 'Designation', titleHe: 'תפקיד', type: 'text' },
  { key: 'address', title: 'Address', titleHe: 'כתובת', type: 'text' },
  { key: 'startDate', title: 'Commencement', titleHe: 'תחילת העסקה', type: 'date' },
  { key: 'endDate', title: 'Cessation', titleHe: 'סיום העסקה', type: 'date' },
  { key: 'grossSalary', title: 'a Gross salary', titleHe: 'שכר ברוטו', type: 'money' },
  { key: 'bonus', title: 'b Bonus', titleHe: 'בונוס', type: 'money' },
  { key: 'cpf', title: 'CPF, employee', titleHe: 'CPF, עובד', type: 'money' },
  { key: 'donations', title: 'Donations', titleHe: 'תרומות', type: 'money' },
  { key: 'mosqueBuildingFund', title: 'MBMF', titleHe: 'MBMF', type: 'money' },
]

export function cells8A(row: Row8A, { registrationNumber }: Employer, year: number) {
  const { name, birthDate, designation, address, startDate, endDate, ...shown } = toRecord8A(row)
  const { grossSalary, bonus, cpf, donations, mosqueBuildingFund } = shown
  const who = [
    year,
    registrationNumber,
    row.employee.idNumber,
    name,
    birthDate,
    designation,
    address,
    startDate,
    endDate,
  ]
  return [...who, grossSalary, bonus, cpf, donations, mosqueBuildingFund]
}
