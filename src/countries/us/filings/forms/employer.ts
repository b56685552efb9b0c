import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import { type FormProblem, rejected, toCheck } from '../../../../features/pay/payroll-forms/form-problem.ts'
import { einProblem } from '../../documents/numbers.ts'
import { type Tables, tablesOn } from '../../payroll/tables.ts'

export type Employer = { name: string; taxNumber: string | null; address: string | null }

export const readEmployer = (db: Database): Promise<Employer> =>
  db.selectFrom('organizations').select(['name', 'taxNumber', 'address']).executeTakeFirstOrThrow()

export function employerProblems({ taxNumber, address }: Employer): FormProblem[] {
  const problem = taxNumber && einProblem(taxNumber)
  return [
    ...(taxNumber ? [] : [rejected('EIN_MISSING', 'The organization has no EIN (taxNumber).')]),
    ...(problem ? [toCheck('EIN', problem)] : []),
    ...(address ? [] : [rejected('ADDRESS_MISSING', 'The organization has no address.')]),
  ]
}

/** The rates of a year. They are the same in all its months. */
export function tablesOf(year: number): Tables {
  const tables = tablesOn(`${year}-12-31`)
  if (!tables) throw invalid('year', `No payroll tables of the United States are known for ${year}.`)
  return tables
}

export const dollars = (minor: bigint) => toMajor(minor, 'USD')

/** A form as a table of its lines. */
export const lineColumns: readonly ReportColumn[] = [
  { key: 'line', title: 'Line', titleHe: 'שורה', type: 'text' },
  { key: 'description', title: 'Description', titleHe: 'תיאור', type: 'text' },
  { key: 'wages', title: 'Wages', titleHe: 'שכר', type: 'money' },
  { key: 'amount', title: 'Amount', titleHe: 'סכום', type: 'money' },
]

export type FormLine = { line: string; description: string; wages: number | null; amount: number | null }

export const lineCells = (lines: readonly FormLine[]) =>
  lines.map(({ line, description, wages, amount }) => [line, description, wages, amount])
