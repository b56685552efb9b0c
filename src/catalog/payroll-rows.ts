import type { ColumnType } from 'kysely'
import type { Language } from '../core/values/language.ts'
import type { Opening } from '../features/pay/payroll/employees/employee.ts'
import type { LineKind, StoredStep } from '../features/pay/payroll/payslips/payslip.ts'
import type { RunInputs, Work } from '../features/pay/payroll/run-inputs.ts'
import type { StoredFacts } from '../features/pay/payroll/stored-facts.ts'

type Generated<T> = ColumnType<T, T | undefined, T>
type Computed<T> = ColumnType<T, never, never>
/** Written as JSON text, read as a value. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

/** The rows of employees and their pay. */
export type PayrollTables = {
  employees: EmployeeRow
  employeeTerms: {
    organizationId: Generated<string>
    employeeId: string
    since: string
    wageMinor: number
    facts: Json<StoredFacts>
    changedBy: Generated<string | null>
    createdAt: Generated<string>
    updatedAt: Generated<string>
  }
  payslips: PayslipRow
  payslipLines: {
    organizationId: Generated<string>
    payslipId: string
    position: number
    kind: LineKind
    code: string
    description: string
    amountMinor: number
    corrects: Generated<string | null>
    steps: Json<StoredStep[]>
  }
  payslipConsents: {
    organizationId: Generated<string>
    id: string
    payslipId: string
    affirmed: boolean
    consentedAt: string | null
    attachmentId: string | null
    finalAuthorized: boolean
    appliedMinor: number
    rule: string
    createdBy: Generated<string | null>
    createdAt: Generated<string>
  }
  leaveClaims: {
    organizationId: Generated<string>
    id: string
    payslipId: string
    scheme: string
    coversUntil: string
  }
}

type EmployeeRow = {
  organizationId: Generated<string>
  id: string
  userId: Generated<string | null>
  employeeNumber: Generated<string | null>
  jobTitle: Generated<string | null>
  idNumber: Generated<string | null>
  email: Generated<string | null>
  phone: Generated<string | null>
  address: Generated<string | null>
  notes: Generated<string | null>
  startDate: string
  endDate: Generated<string | null>
  currency: string
  payslipLanguage: Generated<Language | 'both' | null>
  bankName: Generated<string | null>
  bankCode: Generated<string | null>
  branchCode: Generated<string | null>
  accountNumber: Generated<string | null>
  accountName: Generated<string | null>
  accountType: Generated<'CHECKING' | 'SAVINGS' | null>
  iban: Generated<string | null>
  swiftCode: Generated<string | null>
  routingNumber: Generated<string | null>
  opening: JsonOrNull<Opening>
  importId: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

type PayslipRow = {
  organizationId: Generated<string>
  id: string
  employeeId: string
  month: string
  periodStart: string
  periodEnd: string
  isFinal: boolean
  grossMinor: number
  reimbursementsMinor: number
  deductionsMinor: number
  netMinor: number
  contributionsMinor: number
  wageMinor: number
  tables: string
  facts: Json<StoredFacts>
  bases: Json<Record<string, number>>
  corrections: Json<Record<string, Record<string, number>>>
  inputs: Json<RunInputs>
  work: JsonOrNull<Work>
  warnings: Json<{ code: string; message: string; path: string }[]>
  termsAt: string
  computedAt: Generated<string>
  voidedAt: Computed<string | null>
}
