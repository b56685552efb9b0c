import { invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { addMonths } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { type ReportContext, reportContext } from '../../../../features/books/reports/report-context.ts'
import {
  type FileFormat,
  type ReportTable,
  reportFile,
  reportFormat,
  reportOutput,
} from '../../../../features/books/reports/report-file.ts'
import { Month, payMonth } from '../../../../features/pay/payroll/month.ts'
import { listed, problemsMax } from '../../../../features/pay/payroll-forms/employee-problem.ts'
import { finalOnes, readReported } from '../../../../features/pay/payroll-forms/read-payslips.ts'
import { Form102, form102Cells, form102Columns, form102Due, form102Rows } from './form-102.ts'
import { Form106, form106Cells, form106Columns, form106Figures } from './form-106.ts'
import { Form126, form126Cells, form126Columns, form126Lines, formProblems, personOf } from './form-126.ts'

const Year = Type.Integer({ minimum: 2000, maximum: 2200, description: 'A calendar year.', examples: [2026] })
const currency = 'ILS'

export const form102 = operation({
  name: 'payroll_form_102',
  http: 'GET /api/payroll/forms/il-102',
  does: 'Shows form 102 of Israel for a month: income tax withheld, and National Insurance and health by category, rate and payer, from approved payslips.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, month: Type.Optional(Month), ...reportFormat }),
  output: reportOutput(Form102),
  async run({ db, now }, { month: text, format }) {
    const organization = await reportContext(db)
    const { month, from } = payMonth(text, { now, timezone: organization.timezone })
    const employees = await readReported(db, { from, to: from })
    const payslips = employees.flatMap((each) => finalOnes(each.payslips))
    const rows = form102Rows(payslips)
    if (format !== 'json') {
      const table = { name: `form-102-${month}`, columns: form102Columns, rows: rows.map(form102Cells) }
      return fileOf(table, organization, format)
    }
    const problems = formProblems(employees, { numbers: false })
    return {
      ...{ month, currency, payslips: payslips.length, rows, due: form102Due(month), problems: listed(problems) },
      problemsIncomplete: problems.length > problemsMax,
    }
  },
})

export const form126 = operation({
  name: 'payroll_form_126',
  http: 'GET /api/payroll/forms/il-126',
  does: 'Shows form 126 of Israel for a calendar year: a line in whole shekels for each employee, from approved payslips, and what the authority would reject.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    year: Year,
    through: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        description: 'The last month to report; 6 for the first report of the year to National Insurance.',
        examples: [12],
      }),
    ),
    ...reportFormat,
  }),
  output: reportOutput(Form126),
  async run({ db }, { year, through = 12, format }) {
    const organization = await reportContext(db)
    const from = `${year}-01-01`
    const to = addMonths(from, through - 1)
    const employees = await readReported(db, { from, to }, { openingYear: year })
    const lines = form126Lines(employees)
    if (format !== 'json') {
      const name = through === 12 ? `form-126-${year}` : `form-126-${to.slice(0, 7)}`
      const table = { name, columns: form126Columns, rows: lines.employees.map(form126Cells) }
      return fileOf(table, organization, format)
    }
    const problems = formProblems(employees, { numbers: true })
    return {
      ...{ year, through: to.slice(0, 7), currency, ...lines, problems: listed(problems) },
      problemsIncomplete: problems.length > problemsMax,
    }
  },
})

export const form106 = operation({
  name: 'payroll_form_106',
  http: 'GET /api/payroll/forms/il-106',
  does: 'Shows form 106 of Israel: the yearly statement of an employee, month by month, from approved payslips.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, year: Year, employeeId: Id, ...reportFormat }),
  output: reportOutput(Form106),
  async run({ db }, { year, employeeId, format }) {
    const organization = await reportContext(db)
    const months = { from: `${year}-01-01`, to: `${year}-12-01` }
    const { found, employer } = await pipeline({
      found: readReported(db, months, { employeeId: toUuid(employeeId), openingYear: year }),
      employer: readEmployer(db),
    })
    const [employee] = found
    if (!employee) throw invalid('employeeId', 'The employee does not exist.', 'UNKNOWN_REFERENCE')
    const figures = form106Figures(employee)
    if (format !== 'json') {
      const name = `form-106-${year}-${employee.employeeNumber ?? employee.employeeId.slice(-12)}`
      const table = { name: fileName(name), columns: form106Columns, rows: form106Cells(figures) }
      return fileOf(table, organization, format)
    }
    const problems = listed(formProblems(found, { numbers: true }))
    return { year, currency, employer, employee: personOf(employee), ...figures, problems }
  },
})

async function readEmployer(db: Database) {
  const { registrationNumber, taxNumber, ...employer } = await db
    .selectFrom('organizations')
    .select(['name', 'address', 'registrationNumber', 'taxNumber'])
    .executeTakeFirstOrThrow()
  return { ...employer, number: registrationNumber ?? taxNumber }
}

const fileOf = (table: ReportTable, { id, language }: ReportContext, format: FileFormat) =>
  reportFile(table, { format, organizationId: id, language, shortenBy: 'year' })

/** A name without characters that a file name may not have. */
const fileName = (text: string): string => text.replace(/[^A-Za-z0-9-]/g, '-')
