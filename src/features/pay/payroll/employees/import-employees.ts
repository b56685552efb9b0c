import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { shownMax } from '../../../../core/tables/field.ts'
import { firstDay, monthOf, today } from '../../../../core/values/day.ts'
import type { Importer } from '../../../platform/imports/importer.ts'
import type { Outcome, Problem, Work } from '../../../platform/imports/write.ts'
import { rulesOf } from '../rules.ts'
import type { BankDetails, NewEmployee } from './employee.ts'
import { bankFields, employeeFields, numericFields } from './import-fields.ts'
import { type EmployeeRow, employees, termsOn } from './read.ts'
import { changedFacts, employeeColumns, partyColumns, wholeMinor } from './write.ts'

/** Employees that exist are recognised, so an import needs to read them too. */
export const employeeImporter: Importer = {
  scopes: ['payroll:write', 'payroll:read'],
  reading: {
    fields: employeeFields,
    identity: [['employeeNumber'], ['idNumber'], ['name', 'startDate']],
    rowsMax: 5_000,
  },
  run: importEmployees,
}

type Given = Omit<NewEmployee, 'organizationId'>
type Row = { row: number; id: string; given: Given }
type Columns = Record<string, unknown>

/** What becomes of a row: the columns that change, and the terms that are added. */
type Planned = {
  row: number
  id: string
  action: 'CREATE' | 'UPDATE' | 'UNCHANGED'
  party: Columns
  employee: Columns
  terms: { since: string; wageMinor: number; facts: string } | null
}

/**
 * Imports employees. They are recognised by employee number, else by identity number, else by name and first day. Another wage and
 * other facts of an employee who exists apply from the first day of the current month, as those of payroll_employees_update.
 */
async function importEmployees(work: Work, now: Date): Promise<Outcome> {
  const rows = (JSON.parse(work.records) as Record<string, unknown>[]).map(toRow)
  const find = finderOf(await storedEmployees(work.db, rows))
  const month = firstDay(monthOf(today(now, work.organization.timezone)))
  const planned: Planned[] = []
  const problems: Problem[] = []
  const rowOfEmployee = new Map<string, number>()
  for (const row of rows) {
    const found = find(row.given)
    const same = found && rowOfEmployee.get(found.id)
    if (found && same === undefined) rowOfEmployee.set(found.id, row.row)
    const plan = same === undefined ? planOf(row, found, work, month) : `the row is the same record as row ${same}`
    if (typeof plan === 'string') problems.push({ row: row.row, field: null, message: plan })
    else if ('message' in plan) problems.push(plan)
    else planned.push(plan)
  }
  if (work.write && problems.length === 0) await write(work, planned)
  const count = (action: Planned['action']) => planned.filter((plan) => plan.action === action).length
  const shown = planned.slice(0, shownMax)
  return {
    created: count('CREATE'),
    updated: count('UPDATE'),
    unchanged: count('UNCHANGED'),
    rows: shown.map(({ row, action, id }) => ({ row, result: action, id: action === 'CREATE' ? null : id })),
    problems: problems.slice(0, shownMax),
    audit: auditOf(planned),
  }
}

/** The audit trail says how many employees are paid elsewhere now; it is read by people who may not read payroll data. */
function auditOf(planned: readonly Planned[]): Record<string, unknown> {
  const changed = planned.filter(
    ({ action, employee }) => action === 'UPDATE' && bankFields.some((name) => name in employee),
  ).length
  return changed === 0 ? {} : { paymentDetailsChanged: changed }
}

function toRow({ row, id, ...fields }: Record<string, unknown>): Row {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, numericFields.has(name) ? Number(value) : value]),
  )
  const bank = Object.fromEntries(bankFields.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !bankFields.includes(name)))
  const state = typeof values.state === 'string' ? { state: values.state.toUpperCase() } : {}
  const bankDetails = Object.keys(bank).length > 0 ? { bankDetails: bank as BankDetails } : {}
  return { row: row as number, id: id as string, given: { ...others, ...state, ...bankDetails } as unknown as Given }
}

/** The employees that a row may be. */
function storedEmployees(db: Database, rows: readonly Row[]): Promise<EmployeeRow[]> {
  const given = rows.map((row) => row.given)
  const texts = (of: (each: Given) => string | null | undefined) => given.flatMap((each) => of(each) ?? [])
  return employees(db)
    .where(
      sql<boolean>`(e.employee_number = any (${texts(({ employeeNumber }) => employeeNumber)}::text[])
        or e.id_number = any (${texts(({ idNumber }) => idNumber)}::text[])
        or lower(c.name) = any (${texts(({ name }) => name.toLowerCase())}::text[]))`,
    )
    .orderBy('e.createdAt')
    .orderBy('e.id')
    .execute()
}

/** A later sign counts only if the earlier ones do not contradict. */
function finderOf(stored: readonly EmployeeRow[]): (given: Given) => EmployeeRow | undefined {
  const by = (key: (row: EmployeeRow) => string | null) => {
    const map = new Map<string, EmployeeRow[]>()
    for (const row of stored) {
      const text = key(row)
      if (text !== null) map.set(text, [...(map.get(text) ?? []), row])
    }
    return map
  }
  const nameKey = (name: string | null, startDate: string) => `${(name ?? '').toLowerCase()} ${startDate}`
  const byNumber = by(({ employeeNumber }) => employeeNumber)
  const byIdentity = by(({ idNumber }) => idNumber)
  const byName = by(({ name, startDate }) => nameKey(name, startDate))
  const fits = (own: string | null, given: string | null | undefined) => own === null || !given || own === given
  return ({ employeeNumber, idNumber, name, startDate }) =>
    byNumber.get(employeeNumber ?? '')?.[0] ??
    byIdentity.get(idNumber ?? '')?.find((row) => fits(row.employeeNumber, employeeNumber)) ??
    byName
      .get(nameKey(name, startDate))
      ?.find((row) => fits(row.employeeNumber, employeeNumber) && fits(row.idNumber, idNumber))
}

/** What becomes of a row, or what is wrong with it. */
function planOf(row: Row, found: EmployeeRow | undefined, work: Work, month: string): Planned | Problem {
  try {
    return found ? planOfStored(row, found, work, month) : planOfNew(row, work)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [detail] = error.details ?? []
    return { row: row.row, field: detail?.path ?? null, message: sentence(error.message) }
  }
}

const sentence = (message: string) =>
  message.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')

function planOfNew({ row, id, given }: Row, { organization }: Work): Planned {
  const { currency } = rulesOf(organization)
  const problem = problemOf(given, null)
  if (problem) throw problem
  return {
    ...{ row, id, action: 'CREATE', party: partyColumns(given) },
    employee: { currency, ...employeeColumns(given, organization, currency) },
    terms: {
      since: given.startDate,
      wageMinor: wholeMinor('monthlyWage', given.monthlyWage, currency),
      facts: JSON.stringify(changedFacts({}, given, organization, currency)),
    },
  }
}

function planOfStored({ row, given }: Row, found: EmployeeRow, { organization }: Work, month: string): Planned {
  const { currency } = found
  const problem = problemOf(given, found.endDate)
  if (problem) throw problem
  const stored = found as unknown as Columns
  const kept = Object.fromEntries(bankFields.map((name) => [name, stored[name]]))
  const whole = given.bankDetails ? { ...given, bankDetails: { ...kept, ...given.bankDetails } } : given
  const party = differing(partyColumns(given), stored)
  const employee = differing(employeeColumns(whole, organization, currency), stored)
  const since = [given.startDate, month].sort()[1] ?? month
  const valid = termsOn(found.terms, since)
  const facts = changedFacts(valid?.facts ?? {}, given, organization, currency)
  const wageMinor = wholeMinor('monthlyWage', given.monthlyWage, currency)
  const isSame = wageMinor === valid?.wageMinor && sameFacts(facts, valid.facts)
  const isChanged = !isSame || Object.keys(party).length > 0 || Object.keys(employee).length > 0
  return {
    ...{ row, id: found.id, action: isChanged ? 'UPDATE' : 'UNCHANGED', party, employee },
    terms: isSame ? null : { since, wageMinor, facts: JSON.stringify(facts) },
  }
}

const differing = (columns: Columns, stored: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name, value]) => value !== undefined && value !== stored[name]))

const sameFacts = (one: object, other: object) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())

function problemOf({ startDate, endDate, state }: Given, storedEnd: string | null): Failure | undefined {
  const last = endDate ?? storedEnd
  const wrong = (path: string, message: string) => new Failure('VALIDATION', message, { details: [{ path, message }] })
  if (last && last < startDate) return wrong('endDate', 'The employment ends before it begins.')
  if (state && !/^[A-Z]{2}$/.test(state)) return wrong('state', 'A state is two letters, such as NY.')
  return undefined
}

/** Rows of one statement; the number of its parameters is limited. */
const rowsPerStatement = 500

async function write({ db, write: made, organization }: Work, planned: readonly Planned[]) {
  if (!made) return
  const count = (action: Planned['action']) => planned.filter((plan) => plan.action === action).length
  await sql`insert into imports (id, kind, file_name, file_size, sha256, row_count, created_count, updated_count, unchanged_count)
    values (${made.id}::uuid, ${made.kind}, ${made.fileName}, ${made.fileSize}::bigint, ${made.sha256}, ${planned.length},
      ${count('CREATE')}, ${count('UPDATE')}, ${count('UNCHANGED')})`.execute(db)
  const created = planned.filter(({ action }) => action === 'CREATE')
  const { currency } = rulesOf(organization)
  for (let at = 0; at < created.length; at += rowsPerStatement)
    await insertNew(db, created.slice(at, at + rowsPerStatement), { importId: made.id, currency })
  for (const plan of planned) if (plan.action === 'UPDATE') await update(db, plan)
}

async function insertNew(db: Database, plans: readonly Planned[], more: { importId: string; currency: string }) {
  const { importId, currency } = more
  const party = { email: null, phone: null, address: null, country: null, registrationNumber: null, notes: null }
  const role = { kind: 'INDIVIDUAL', isCustomer: false, defaultCurrencies: [currency], status: 'ACTIVE' } as const
  await db
    .insertInto('customers')
    .values(plans.map((plan) => ({ id: plan.id, ...role, ...party, ...plan.party, importId })) as never)
    .execute()
  await db
    .insertInto('employees')
    .values(plans.map((plan) => ({ id: plan.id, ...plan.employee, importId })) as never)
    .execute()
  await db
    .insertInto('employeeTerms')
    .values(plans.flatMap(({ id, terms }) => (terms ? [{ employeeId: id, ...terms }] : [])))
    .execute()
}

async function update(db: Database, { id, party, employee, terms }: Planned) {
  if (Object.keys(party).length > 0) await db.updateTable('customers').set(party).where('id', '=', id).execute()
  if (Object.keys(employee).length > 0) await db.updateTable('employees').set(employee).where('id', '=', id).execute()
  if (!terms) return
  await db
    .insertInto('employeeTerms')
    .values({ employeeId: id, ...terms })
    .onConflict((same) =>
      same
        .columns(['organizationId', 'employeeId', 'since'])
        .doUpdateSet({ wageMinor: terms.wageMinor, facts: terms.facts }),
    )
    .execute()
}
