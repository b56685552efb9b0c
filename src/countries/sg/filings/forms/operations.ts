import { Readable } from 'node:stream'
import { invalid } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../../core/files/file.ts'
import { xlsxType } from '../../../../core/files/xlsx.ts'
import { compact } from '../../../../core/values/compact.ts'
import { reportContext } from '../../../../features/books/reports/report-context.ts'
import { reportFile, reportFormat, reportOutput } from '../../../../features/books/reports/report-file.ts'
import { Month, payMonth } from '../../../../features/pay/payroll/month.ts'
import { type FormProblem, isRejected, listedProblems } from '../../../../features/pay/payroll-forms/form-problem.ts'
import { draftProblems, monthsOf, paidEmployees, Year } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import {
  CpfForm,
  cpfCells,
  cpfColumns,
  cpfProblems,
  readEmployer,
  skillsLevyOf,
  toContributions,
  toCpfForm,
  toCpfRow,
} from './cpf.ts'
import { type Advice, ezpayFileName, ezpayRecords } from './ezpay-file.ts'
import { cells8A, columns8A, Form8A, problems8A, toRecord8A, toRow8A, totals8A } from './ir8a.ts'

export const cpf = operation({
  name: 'payroll_form_cpf',
  http: 'GET /api/payroll/forms/sg-cpf',
  does: 'Shows the CPF contributions, levies and funds of a month in Singapore for each employee, or writes the file of CPF EZPay.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    month: Type.Optional(Month),
    paymentType: defaulted(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'The letters of the CPF submission number after the UEN.' }),
      'PTE',
    ),
    serialNumber: defaulted(
      Type.String({ pattern: '^\\d{2}$', description: 'The end of the CPF submission number.' }),
      '01',
    ),
    adviceCode: defaulted(
      Type.String({ pattern: '^(?!00)\\d{2}$', description: 'Tells files for the same month apart: 01 to 99.' }),
      '01',
    ),
    format: defaulted(
      Type.Unsafe<'json' | 'csv' | 'xlsx' | 'dtl'>({
        ...OneOf('json', 'csv', 'xlsx', 'dtl'),
        description:
          'dtl is the file of CPF EZPay (FTP). csv and xlsx have the employees. Files have whole NRIC and FIN.',
      }),
      'json',
    ),
  }),
  output: orFile(CpfForm, 'text/plain', 'text/csv', xlsxType),
  async run({ db, now }, { month: text, format, paymentType, serialNumber, adviceCode }) {
    const organization = await reportContext(db)
    const month = payMonth(text, { now, timezone: organization.timezone })
    const rows = (await paidEmployees(db, { from: month.from, to: month.from })).map((each) => toCpfRow(each, month))
    if (format === 'csv' || format === 'xlsx') {
      const table = { name: `cpf-${month.month}`, columns: cpfColumns, rows: cpfCells(rows) }
      const { id: organizationId, language } = organization
      return reportFile(table, { format, organizationId, language, shortenBy: 'month' })
    }
    const employer = await readEmployer(db)
    const problems = [
      ...cpfProblems(rows, employer),
      ...(await draftProblems(db, { from: month.from, to: month.from })),
    ]
    const uen = compact(employer.registrationNumber ?? '')
    if (format === 'dtl') {
      refuseRejected(problems)
      const advice = { uen, paymentType, serialNumber, adviceCode, month: month.month, createdAt: stamp(now) }
      return inFormat(
        textFile({ ...advice, contributions: toContributions(rows), skillsLevyMinor: skillsLevyOf(rows).payableMinor }),
      )
    }
    return {
      month: month.month,
      currency: organization.rules.currency,
      submissionNumber: `${uen}${paymentType}${serialNumber}`,
      ...toCpfForm(rows),
      ...listedProblems(problems),
    }
  },
})

export const ir8a = operation({
  name: 'payroll_form_ir8a',
  http: 'GET /api/payroll/forms/sg-ir8a',
  does: 'Shows the income of each employee in Singapore for a year, for Form IR8A, and which facts are missing. Files have whole NRIC and FIN.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, year: Year, ...reportFormat }),
  output: reportOutput(Form8A),
  async run({ db }, { year, format }) {
    const organization = await reportContext(db)
    const found = await paidEmployees(db, { ...monthsOf(year), openingOf: year })
    const rows = found.map((employee) => toRow8A(employee, year))
    const employer = await readEmployer(db)
    if (format !== 'json') {
      const table = { name: `ir8a-${year}`, columns: columns8A, rows: rows.map((row) => cells8A(row, employer, year)) }
      const { id: organizationId, language } = organization
      return reportFile(table, { format, organizationId, language, shortenBy: 'year' })
    }
    return {
      ...{ year, yearOfAssessment: year + 1, currency: organization.rules.currency },
      ...{ employerName: employer.name, employerNumber: employer.registrationNumber },
      records: rows.map(toRecord8A),
      totals: totals8A(rows),
      ...listedProblems([...problems8A(rows, employer), ...(await draftProblems(db, monthsOf(year)))]),
    }
  },
})

/** The day and time in Singapore. */
const stamp = (now: Date) => new Date(now.getTime() + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14)

function refuseRejected(problems: readonly FormProblem[]) {
  const found = problems.filter(isRejected)
  const [first] = found
  if (!first) return
  const others = found.length > 1 ? ` There are ${found.length} problems; format=json lists them.` : ''
  throw invalid('format', `The CPF Board would reject the file: ${first.message}${others}`)
}

function textFile(advice: Advice) {
  const bytes = Buffer.from(
    ezpayRecords(advice)
      .map((record) => `${record}\r\n`)
      .join(''),
    'latin1',
  )
  return {
    fileName: ezpayFileName(advice),
    fileType: 'text/plain',
    fileSize: bytes.length,
    bytes,
    open: async () => Readable.from([bytes]),
  }
}
