import { type Database, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { addDays, addMonths } from '../../../../core/values/day.ts'
import { reportContext } from '../../../../features/books/reports/report-context.ts'
import { reportFile, reportFormat, reportOutput } from '../../../../features/books/reports/report-file.ts'
import { listedProblems } from '../../../../features/pay/payroll-forms/form-problem.ts'
import { draftProblems, monthsOf, paidEmployees, Year } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import { dollars, employerProblems, lineCells, lineColumns, readEmployer, tablesOf } from './employer.ts'
import { Form940, figuresOf940, linesOf940, problemsOf940, reductionsOf } from './form-940.ts'
import {
  Form941,
  figuresOf,
  liabilitiesOf,
  linesOf,
  monthsOfQuarter,
  openingNotCounted,
  problemsOf941,
} from './form-941.ts'
import { FormsW2, FormW3, isReported, toFormW2, toW2, toW3, w2Cells, w2Columns, w2Problems, w3Cells } from './w2.ts'

export const form941 = operation({
  name: 'payroll_form_941',
  http: 'GET /api/payroll/forms/us-941',
  does: 'Shows the lines of Form 941 of the United States for a quarter: wages, income tax, Social Security and Medicare, and the tax of each month.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    year: Year,
    quarter: Type.Integer({ minimum: 1, maximum: 4, examples: [1] }),
    ...reportFormat,
  }),
  output: reportOutput(Form941),
  async run({ db }, { year, quarter, format }) {
    const organization = await reportContext(db)
    const tables = tablesOf(year)
    const months = monthsOfQuarter(year, quarter)
    const [from = '', , last = ''] = months
    const found = await paidEmployees(db, { from, to: last, openingOf: year })
    const figures = figuresOf(found, months, tables)
    const lines = linesOf(figures)
    if (format !== 'json')
      return asFile(
        { name: `form-941-${year}-q${quarter}`, columns: lineColumns, rows: lineCells(lines) },
        format,
        organization,
      )
    const problems = [
      ...employerProblems(await readEmployer(db)),
      ...problemsOf941(figures),
      ...(found.some(({ opening }) => opening !== null) ? [openingNotCounted] : []),
      ...(await draftProblems(db, { from, to: last })),
    ]
    return {
      ...{ year, quarter, from, to: addDays(addMonths(last, 1), -1), currency: 'USD', lines },
      employees: figures.employees,
      liabilities: liabilitiesOf(figures),
      total: dollars(figures.total),
      ...listedProblems(problems),
    }
  },
})

export const form940 = operation({
  name: 'payroll_form_940',
  http: 'GET /api/payroll/forms/us-940',
  does: 'Shows the lines of Form 940 of the United States for a year: federal unemployment tax with the credit reductions by state.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, year: Year, ...reportFormat }),
  output: reportOutput(Form940),
  async run({ db }, { year, format }) {
    const organization = await reportContext(db)
    const tables = tablesOf(year)
    const figures = figuresOf940(await paidEmployees(db, { ...monthsOf(year), openingOf: year }), year, tables)
    const lines = linesOf940(figures)
    if (format !== 'json')
      return asFile({ name: `form-940-${year}`, columns: lineColumns, rows: lineCells(lines) }, format, organization)
    const problems = [
      ...employerProblems(await readEmployer(db)),
      ...problemsOf940(figures, year),
      ...(await draftProblems(db, monthsOf(year))),
    ]
    return {
      ...{ year, currency: 'USD', lines, creditReductions: reductionsOf(figures) },
      liabilities: figures.liabilities.map((minor, at) => ({ quarter: at + 1, amount: dollars(minor) })),
      total: dollars(figures.total),
      onPayslips: dollars(figures.onPayslips),
      difference: dollars(figures.rest),
      ...listedProblems(problems),
    }
  },
})

export const formW2 = operation({
  name: 'payroll_form_w2',
  http: 'GET /api/payroll/forms/us-w2',
  does: 'Shows the boxes of Form W-2 of the United States for each employee of a year. Files have whole social security numbers.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, year: Year, employeeId: Type.Optional(Id), ...reportFormat }),
  output: reportOutput(FormsW2),
  async run({ db }, { year, employeeId, format }) {
    const organization = await reportContext(db)
    const forms = await readW2(db, year, employeeId)
    const employer = await readEmployer(db)
    if (format !== 'json') {
      const rows = forms.flatMap((form) => w2Cells(form, employer, year))
      return asFile({ name: `w-2-${year}`, columns: w2Columns, rows }, format, organization)
    }
    return {
      ...{ year, currency: 'USD', employerName: employer.name, employerNumber: employer.taxNumber },
      forms: forms.map(toFormW2),
      ...listedProblems([
        ...employerProblems(employer),
        ...w2Problems(forms),
        ...(await draftProblems(db, monthsOf(year))),
      ]),
    }
  },
})

export const formW3 = operation({
  name: 'payroll_form_w3',
  http: 'GET /api/payroll/forms/us-w3',
  does: 'Shows Form W-3 of the United States for a year: the totals of all forms W-2.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, year: Year, ...reportFormat }),
  output: reportOutput(FormW3),
  async run({ db }, { year, format }) {
    const organization = await reportContext(db)
    const forms = await readW2(db, year)
    const totals = toW3(forms)
    if (format !== 'json')
      return asFile({ name: `w-3-${year}`, columns: lineColumns, rows: w3Cells(totals) }, format, organization)
    const problems = [
      ...employerProblems(await readEmployer(db)),
      ...w2Problems(forms),
      ...(await draftProblems(db, monthsOf(year))),
    ]
    return { year, currency: 'USD', ...totals, ...listedProblems(problems) }
  },
})

async function readW2(db: Database, year: number, employeeId?: string) {
  const id = employeeId === undefined ? undefined : toUuid(employeeId)
  if (id !== undefined) await one(db.selectFrom('employees').select('id').where('id', '=', id), 'employee')
  const found = await paidEmployees(db, { ...monthsOf(year), employeeId: id, openingOf: year })
  return found.map(toW2).filter(isReported)
}

type Table = Parameters<typeof reportFile>[0]

const asFile = (table: Table, format: 'csv' | 'xlsx', { id, language }: Awaited<ReturnType<typeof reportContext>>) =>
  reportFile(table, { format, organizationId: id, language, shortenBy: 'year' })
