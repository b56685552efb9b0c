import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../../core/define/page.ts'
import { containing, one, paged } from '../../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type, type Warning } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { firstDay, monthOf, today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { type OrganizationContext, organizationContext } from '../../../../ledger/organization-context.ts'
import { rulesOf } from '../rules.ts'
import { toPayFacts } from '../stored-facts.ts'
import { Employee, EmployeeChanges, NewEmployee } from './employee.ts'
import { type EmployeeRow, employeeById, employees, termsOn, toEmployee } from './read.ts'
import {
  changedFacts,
  employeeColumns,
  partyColumns,
  requiredDayOf,
  requireMember,
  requirePerson,
  wholeMinor,
} from './write.ts'

export const list = operation({
  name: 'payroll_employees_list',
  http: 'GET /api/hr/employees',
  does: 'Lists the employees of an organization, searched by name, e-mail or employee number.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    employed: Type.Optional({
      ...OneOf('true', 'false'),
      description: 'Only people who are employed today, or only others.',
    }),
    sortBy: defaulted(OneOf('name', 'startDate', 'createdAt'), 'name'),
    sortOrder: defaulted(SortOrder, 'asc'),
  }),
  output: Type.Object({ employees: Type.Array(Employee), pagination: Pagination }),
  async run({ db, now }, { organizationId: _, search, employed, sortBy, sortOrder, ...page }) {
    const day = now.toISOString().slice(0, 10)
    let query = employees(db).orderBy(sortedBy[sortBy], sortOrder).orderBy('e.id', sortOrder)
    if (search.trim())
      query = query.where((employee) =>
        employee.or(searched.map((field) => employee(field, 'ilike', containing(search.trim())))),
      )
    if (employed)
      query = query.where(
        sql<boolean>`(e.start_date <= ${day}::date and coalesce(e.end_date >= ${day}::date, true))`,
        '=',
        employed === 'true',
      )
    const { rows, pagination } = await paged(query, page)
    return { employees: rows.map((row) => toEmployee(row, day)), pagination }
  },
})

export const create = operation({
  name: 'payroll_employees_create',
  http: 'POST /api/hr/employees',
  does: 'Adds an employee with the wage and the facts for computing pay, valid from the first day of the employment.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewEmployee,
  output: Employee,
  status: 201,
  async run({ db, now }, { organizationId: _, ...given }) {
    const { organization, known } = await pipeline({
      organization: organizationContext(db),
      member: requireMember(db, given.userId),
      known: given.counterpartyId !== undefined && requirePerson(db, given.counterpartyId),
    })
    const { currency } = rulesOf(organization)
    const id = known || newId()
    const startDate = requiredDayOf('startDate', given.startDate, organization)
    const columns = { ...employeeColumns(given, organization, currency), startDate }
    refuseEarlyEnd(startDate, columns.endDate)
    const { row } = await pipeline({
      party: known
        ? db.updateTable('customers').set(partyColumns(given)).where('id', '=', id).execute()
        : insertParty(db, { id, currency, given }),
      employee: db
        .insertInto('employees')
        .values({ id, currency, ...columns })
        .execute(),
      terms: db
        .insertInto('employeeTerms')
        .values({
          employeeId: id,
          since: startDate,
          wageMinor: wholeMinor('monthlyWage', given.monthlyWage, currency),
          facts: JSON.stringify(changedFacts({}, given, organization, currency)),
        })
        .execute(),
      row: one(employeeById(db, id), 'employee'),
    })
    return shown(row, organization, now)
  },
})

export const get = operation({
  name: 'payroll_employees_get',
  http: 'GET /api/hr/employees/{id}',
  does: 'Reads one employee, with all terms by the day from which they apply.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'employees',
  input: ById,
  output: Employee,
  async run({ db, now }, { id }) {
    const { row, organization } = await pipeline({
      row: one(employeeById(db, id), 'employee'),
      organization: organizationContext(db),
    })
    return shown(row, organization, now)
  },
})

export const update = operation({
  name: 'payroll_employees_update',
  http: 'PATCH /api/hr/employees/{id}',
  does: 'Changes the given fields of an employee. A new wage and new facts apply from effectiveFrom on; what was valid before stays valid for the days before.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'employees',
  input: EmployeeChanges,
  output: Employee,
  run: change,
})

export const remove = operation({
  name: 'payroll_employees_delete',
  http: 'DELETE /api/hr/employees/{id}',
  does: 'Deletes an employee who has no payslips; one who left gets an end date instead.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'employees',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    const owed = await db
      .selectFrom('payments')
      .select('id')
      .where('counterpartyId', '=', id)
      .limit(1)
      .executeTakeFirst()
    const claim = await db
      .selectFrom('documents')
      .select('id')
      .where('counterpartyId', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (owed || claim)
      throw conflict(
        'The employee has payslips, advances or claims and cannot be deleted. Enter the last day of the employment (endDate) instead.',
        'IN_USE',
      )
    await one(db.deleteFrom('employees').where('id', '=', id).returning('id'), 'employee')
    await db
      .deleteFrom('customers')
      .where('id', '=', id)
      .where('isCustomer', '=', false)
      .where('isSupplier', '=', false)
      .execute()
    return success
  },
})

type NewParty = { id: string; currency: string; given: Omit<NewEmployee, 'organizationId'> }

const insertParty = (db: Database, { id, currency, given }: NewParty) =>
  db
    .insertInto('customers')
    .values({
      ...{ id, kind: 'INDIVIDUAL', isCustomer: false, defaultCurrencies: [currency], status: 'ACTIVE' },
      ...{ email: null, phone: null, address: null, country: null, registrationNumber: null, notes: null },
      ...partyColumns(given),
      name: given.name,
    })
    .execute()

async function change({ db, now, audit }: Inside, { id, ...given }: EmployeeChanges) {
  const { before, organization } = await pipeline({
    locked: db.selectFrom('employees').select('id').where('id', '=', id).forUpdate().execute(),
    before: one(employeeById(db, id), 'employee'),
    organization: organizationContext(db),
    member: requireMember(db, given.userId),
  })
  const { currency } = before
  const columns = employeeColumns(given, organization, currency)
  refuseEarlyEnd(
    columns.startDate ?? before.startDate,
    columns.endDate === undefined ? before.endDate : columns.endDate,
  )
  const party = partyColumns(given)
  const terms = changedTerms({ before, organization, now }, given)
  const { row } = await pipeline({
    party: Object.keys(party).length > 0 && db.updateTable('customers').set(party).where('id', '=', id).execute(),
    employee:
      Object.keys(columns).length > 0 && db.updateTable('employees').set(columns).where('id', '=', id).execute(),
    terms:
      terms &&
      db
        .insertInto('employeeTerms')
        .values({ employeeId: id, ...terms })
        .onConflict((same) =>
          same
            .columns(['organizationId', 'employeeId', 'since'])
            .doUpdateSet({ wageMinor: terms.wageMinor, facts: terms.facts }),
        )
        .execute(),
    row: one(employeeById(db, id), 'employee'),
  })
  // Names of fields alone: the audit trail is read by people who may not read payroll data.
  audit({ changed: Object.keys(given).filter((field) => given[field as keyof typeof given] !== undefined) })
  return shown(row, organization, now)
}

type Before = { before: EmployeeRow; organization: OrganizationContext; now: Date }

/** The terms that a change adds or replaces; undefined if it concerns neither the wage nor a fact. */
function changedTerms({ before, organization, now }: Before, given: Omit<EmployeeChanges, 'id'>) {
  const since = given.effectiveFrom
    ? requiredDayOf('effectiveFrom', given.effectiveFrom, organization)
    : latest(before.startDate, firstDay(monthOf(today(now, organization.timezone))))
  const valid = termsOn(before.terms, since)
  const wageMinor =
    given.monthlyWage === undefined
      ? (valid?.wageMinor ?? 0)
      : wholeMinor('monthlyWage', given.monthlyWage, before.currency)
  const facts = JSON.stringify(changedFacts(valid?.facts ?? {}, given, organization, before.currency))
  if (wageMinor === valid?.wageMinor && facts === JSON.stringify(valid.facts)) return
  if (since < before.startDate)
    throw invalid('effectiveFrom', `The employment begins on ${before.startDate}; terms cannot apply before.`)
  return { since, wageMinor, facts }
}

const latest = (a: string, b: string) => (a > b ? a : b)

function refuseEarlyEnd(startDate: string, endDate: string | null | undefined) {
  if (endDate && endDate < startDate) throw invalid('endDate', 'The employment ends before it begins.')
}

/** The employee with doubts about the facts. */
function shown(row: EmployeeRow, organization: OrganizationContext, now: Date) {
  const day = today(now, organization.timezone)
  const { payroll } = rulesOf(organization)
  const terms = termsOn(row.terms, day)
  const warnings: Warning[] = payroll.factWarnings(
    toPayFacts(terms?.facts ?? {}),
    { startDate: row.startDate, endDate: row.endDate, monthlyWageMinor: BigInt(terms?.wageMinor ?? 0) },
    day,
  )
  return withWarnings(toEmployee(row, day), warnings)
}

const sortedBy = { name: sql`lower(c.name)`, startDate: sql.ref('e.startDate'), createdAt: sql.ref('e.createdAt') }
const searched = ['c.name', 'e.email', 'e.employeeNumber'] as const
