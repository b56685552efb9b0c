import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId } from '../../../../core/define/query.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { type StoredFacts, toShownFacts } from '../stored-facts.ts'
import type { BankDetails, Employee, Opening } from './employee.ts'

/** Terms as they are read: dates as text, amounts in minor units. */
export type TermsRow = { since: string; wageMinor: number; facts: StoredFacts }

const bankColumns = [
  'e.bankName', 'e.bankCode', 'e.branchCode', 'e.accountNumber', 'e.accountName', 'e.accountType', 'e.iban', 'e.swiftCode',
  'e.routingNumber',
] as const // biome-ignore format: a list of words

export const employees = (db: Database) =>
  db
    .selectFrom('employees as e')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.organizationId', '=', 'e.organizationId').onRef('c.id', '=', 'e.id'),
    )
    .select([
      'e.id',
      'e.organizationId',
      'e.createdAt',
      'e.updatedAt',
      'c.name',
      'e.email',
      'e.phone',
      'e.address',
      'e.notes',
      'e.userId',
      'e.employeeNumber',
      'e.jobTitle',
      'e.idNumber',
      'e.startDate',
      'e.endDate',
      'e.currency',
      'e.payslipLanguage',
      ...bankColumns,
    ])
    .select([
      sql<Opening | null>`e.opening`.as('opening'),
      sql<
        TermsRow[]
      >`(select jsonb_agg(jsonb_build_object('since', t.since, 'wageMinor', t.wage_minor, 'facts', t.facts) order by t.since)
        from employee_terms t where t.organization_id = e.organization_id and t.employee_id = e.id)`.as('terms'),
    ])

export const employeeById = byId((db, id) => employees(db).where('e.id', '=', id))
export type EmployeeRow = Awaited<ReturnType<ReturnType<typeof employees>['executeTakeFirstOrThrow']>>

/** The terms of a day: the latest that have begun, or the first ones before that. */
export const termsOn = <T extends { since: string }>(terms: readonly T[], day: string): T | undefined =>
  terms.findLast(({ since }) => since <= day) ?? terms[0]

/** An employee as the API shows them; wage and facts are those of the day. */
export function toEmployee(row: EmployeeRow, day: string): Employee {
  const { terms, opening, currency, ...columns } = row
  const { bankName, bankCode, branchCode, accountNumber, accountName, accountType, iban, ...others } = columns
  const { swiftCode, routingNumber, ...shown } = others
  const account = { accountNumber, accountName, accountType, iban, swiftCode, routingNumber }
  const bank: BankDetails = { bankName, bankCode, branchCode, ...account }
  const current = termsOn(terms, day)
  return {
    ...shown,
    counterpartyId: row.id,
    name: row.name ?? '',
    currency,
    ...toShownTerms(current, currency),
    bankDetails: Object.values(bank).every((value) => value === null) ? null : bank,
    openingBalances: opening && toShownOpening(opening, currency),
    terms: terms.map((each) => ({ since: each.since, ...toShownTerms(each, currency) })),
  }
}

const toShownTerms = (terms: TermsRow | undefined, currency: string) => ({
  monthlyWage: toMajor(BigInt(terms?.wageMinor ?? 0), currency),
  ...toShownFacts(terms?.facts ?? {}, currency),
})

const inMajor = (amounts: Record<string, number>, currency: string) =>
  Object.fromEntries(Object.entries(amounts).map(([name, minor]) => [name, toMajor(BigInt(minor), currency)]))

const toShownOpening = ({ bases, amounts, ...opening }: Opening, currency: string): Opening => ({
  ...opening,
  ...(bases && { bases: inMajor(bases, currency) }),
  ...(amounts && { amounts: inMajor(amounts, currency) }),
})
