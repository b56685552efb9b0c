import { conflict, invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { givenColumns, textOrNull, toUuid } from '../../../../core/define/query.ts'
import { toMinor } from '../../../../core/values/money.ts'
import { isBase } from '../../../../countries/payroll/base-names.ts'
import { dayOf, type OrganizationContext } from '../../../../ledger/organization-context.ts'
import { rulesOf } from '../rules.ts'
import { type FactInput, factNames, isAmountFact, type StoredFacts, storedName } from '../stored-facts.ts'
import type { BankDetails, EmployeeChanges, NewEmployee, Opening } from './employee.ts'

type Given = Omit<EmployeeChanges, 'id'> | Omit<NewEmployee, 'organizationId'>

/** An amount in minor units; refuses fractions of one. */
export function wholeMinor(path: string, amount: number, currency: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact')
    throw invalid(path, `${path} must be an amount with no more decimal places than ${currency} has.`, 'AMOUNT')
  return Number(parsed.minor)
}

/** The name, which every counterparty has. Contact data of an employee is read and changed with payroll rights alone. */
export const partyColumns = ({ name }: Given) => givenColumns({ name })

/** The given fields that only an employee has. */
export function employeeColumns(given: Given, organization: OrganizationContext, currency: string) {
  const { userId, employeeNumber, jobTitle, idNumber, startDate, endDate, payslipLanguage } = given
  const { bankDetails, openingBalances } = given
  return givenColumns({
    userId: typeof userId === 'string' ? toUuid(userId) : userId,
    email: textOrNull(given.email),
    phone: textOrNull(given.phone),
    address: textOrNull(given.address),
    notes: textOrNull(given.notes),
    employeeNumber: textOrNull(employeeNumber),
    jobTitle: textOrNull(jobTitle),
    idNumber: textOrNull(idNumber),
    startDate: startDate === undefined ? undefined : requiredDayOf('startDate', startDate, organization),
    endDate: endDate === undefined ? undefined : dayOf('endDate', endDate, organization),
    payslipLanguage,
    opening: openingBalances && JSON.stringify(toStoredOpening(openingBalances, organization, currency)),
    ...(openingBalances === null && { opening: null }),
    ...(bankDetails !== undefined && bankColumns(bankDetails ?? {})),
  })
}

export function requiredDayOf(field: string, text: string, organization: OrganizationContext): string {
  const day = dayOf(field, text, organization)
  if (day === null) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}

const bankColumns = (bank: BankDetails) => ({
  bankName: textOrNull(bank.bankName ?? null),
  bankCode: textOrNull(bank.bankCode ?? null),
  branchCode: textOrNull(bank.branchCode ?? null),
  accountNumber: textOrNull(bank.accountNumber ?? null),
  accountName: textOrNull(bank.accountName ?? null),
  accountType: bank.accountType ?? null,
  iban: textOrNull(bank.iban ?? null),
  swiftCode: textOrNull(bank.swiftCode ?? null),
  routingNumber: textOrNull(bank.routingNumber ?? null),
})

function toStoredOpening(
  { bases = {}, amounts = {}, ...opening }: Opening,
  organization: OrganizationContext,
  currency: string,
): Opening {
  refuseUnknownBases(Object.keys(bases), organization)
  const inMinor = (field: string, given: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, amount]) => [
        name,
        wholeMinor(`openingBalances.${field}.${name}`, amount, currency),
      ]),
    )
  return { ...opening, bases: inMinor('bases', bases), amounts: inMinor('amounts', amounts) }
}

/** A base that no payslip has would be counted nowhere. */
function refuseUnknownBases(names: readonly string[], organization: OrganizationContext) {
  const { payroll } = rulesOf(organization)
  const unknown = names.find((name) => !isBase(payroll, name))
  if (unknown !== undefined)
    throw invalid(
      `openingBalances.bases.${unknown}`,
      `${unknown} is no base of payslips. The bases are ${payroll.bases.join(', ')}.`,
      'UNKNOWN_REFERENCE',
    )
}

type GivenFacts = { [K in keyof FactInput]?: FactInput[K] | null }

/** The facts after a change: given ones replace, null removes, the others stay. */
export function changedFacts(
  before: StoredFacts,
  given: GivenFacts,
  organization: OrganizationContext,
  currency: string,
) {
  const after: Record<string, unknown> = { ...before }
  for (const field of factNames) {
    const value = given[field]
    if (value === undefined) continue
    const name = storedName(field)
    if (value === null) delete after[name]
    else if (isAmountFact(field)) after[name] = wholeMinor(field, value as number, currency)
    else if (field === 'birthDate' || field === 'residencySince')
      after[name] = requiredDayOf(field, value as string, organization)
    else after[name] = value
  }
  return after as StoredFacts
}

/** Refuses a user who is no member of the organization. */
export async function requireMember(db: Database, userId: string | null | undefined) {
  if (!userId) return
  const found = await db
    .selectFrom('memberships')
    .select('userId')
    .where('userId', '=', toUuid(userId))
    .executeTakeFirst()
  if (!found) throw invalid('userId', 'The user is no member of the organization.', 'UNKNOWN_REFERENCE')
}

/** Refuses somebody who is unknown, a company, or an employee already. */
export async function requirePerson(db: Database, id: string): Promise<string> {
  const found = await db
    .selectFrom('customers')
    .select(['id', 'isEmployee'])
    .where('id', '=', toUuid(id))
    .where('kind', '=', 'INDIVIDUAL')
    .executeTakeFirst()
  if (!found) throw invalid('counterpartyId', 'The person does not exist.', 'UNKNOWN_REFERENCE')
  if (found.isEmployee) throw conflict('That person is an employee already.', 'ALREADY_EXISTS')
  return found.id
}
