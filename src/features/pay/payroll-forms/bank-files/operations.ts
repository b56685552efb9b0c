import { Readable } from 'node:stream'
import { conflict, Failure, invalid } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Count, defaulted, Id, OneOf, optional, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../../core/files/file.ts'
import { today } from '../../../../core/values/day.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { countries } from '../../../../countries/countries.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext, requiredDay } from '../../../../ledger/organization-context.ts'
import { Month, payMonth } from '../../payroll/month.ts'
import { rulesOf } from '../../payroll/rules.ts'
import { EmployeeProblem, isRejected, listed, problemsMax, rejected } from '../employee-problem.ts'
import { type AskedFile, type BankFormat, type BankFormats, totalOf } from './bank-file.ts'
import { readPayees, readPayer } from './read-payees.ts'

const numbers = optional({
  institutionNumber: Type.String({
    maxLength: 20,
    description: 'Masav: the number of the institution, 8 digits.',
    examples: ['12345678'],
  }),
  senderNumber: Type.String({
    maxLength: 20,
    description: 'Masav: the number of the sender, 5 digits.',
    examples: ['12345'],
  }),
  immediateDestination: Type.String({
    maxLength: 20,
    description:
      "Nacha: the routing number that the file is sent to; that of the organization's bank account if not given.",
    examples: ['021000021'],
  }),
  immediateOrigin: Type.String({
    pattern: '^[A-Za-z0-9]{1,10}$',
    description: 'Nacha: who sends the file, as the bank issued it; 1 and the EIN if not given.',
    examples: ['1123456789'],
  }),
  companyNumber: Type.String({
    pattern: '^[A-Za-z0-9]{1,12}$',
    description: 'Nacha: the company id, 1 and the EIN if not given. DBS: the organization id.',
    examples: ['1123456789'],
  }),
})

const Checklist = Type.Object({
  month: Text,
  format: Text,
  paidOn: Text,
  currency: Text,
  payees: Type.Array(Type.Object({ employeeId: Id, name: Text, amount: Type.Number() }), {
    description: 'The employees in the file, by name, with what is outstanding of their net pay.',
  }),
  totals: Type.Object({ count: Count, amount: Type.Number() }),
  problems: Type.Array(EmployeeProblem, {
    description: `What the bank would reject or somebody has to look at. At most ${problemsMax}.`,
  }),
  problemsIncomplete: Type.Boolean(),
})

/** The operations of bank files, with the layouts of each country. */
export const bankFileOperations = (formats: BankFormats) => [bankFileIn(formats)]

const bankFileIn = (formats: BankFormats) =>
  operation({
    name: 'payroll_bank_file',
    http: 'GET /api/payroll/bank-file',
    does: 'Makes the file with which a bank pays what is outstanding of the net pay of the approved payslips of a month: Masav, GIRO or FAST, Nacha. It records no payment; payroll_pay does.',
    scope: 'payroll:read',
    role: 'CONTRIBUTOR',
    within: 'organizationId',
    rate: 'heavyReads',
    heavy: true,
    input: Type.Object({
      organizationId: Id,
      month: Type.Optional(Month),
      format: Type.Optional({
        ...OneOf(...Object.values(formats).flatMap((ofCountry) => ofCountry.map(({ id }) => id))),
        description: `The layout; if not given ${defaultsOf(formats)}.`,
      }),
      answer: defaulted(
        Type.Unsafe<'file' | 'checklist'>({
          ...OneOf('file', 'checklist'),
          description: 'file: the file, or a refusal that says what is wrong. checklist: payees, totals and problems.',
        }),
        'file',
      ),
      paidOn: Type.Optional(
        Type.String({
          maxLength: 40,
          description: 'The day on which the employees are paid; today if not given.',
          examples: ['2026-03-31'],
        }),
      ),
      bankAccountId: Type.Optional({
        ...Id,
        description: 'The account that is debited; the default one if not given.',
      }),
      ...numbers,
      serialNumber: defaulted(
        Type.Integer({ minimum: 1, maximum: 999, description: 'Masav: which file of the day it is.' }),
        1,
      ),
      fileModifier: defaulted(
        Type.String({
          pattern: '^[A-Z0-9]$',
          description: 'Nacha: A for the first file of the day, then B.',
          examples: ['A'],
        }),
        'A',
      ),
    }),
    output: orFile(Checklist, 'text/plain', 'text/csv'),
    async run(
      { db, now },
      { format: named, answer, month: text, paidOn: day, bankAccountId, organizationId: _, ...given },
    ) {
      const organization = await organizationContext(db)
      const { code, currency } = rulesOf(organization)
      const format = formats[code].find(({ id }) => named === undefined || id === named)
      if (!format)
        throw invalid('format', `A bank in the country of the organization does not take the format ${named}.`)
      const { timezone } = organization
      const month = payMonth(text, { now, timezone })
      const createdOn = today(now, timezone)
      const paidOn = day === undefined ? createdOn : requiredDay('paidOn', day, organization)
      const { payer, payees } = await pipeline({ payer: readPayer(db, bankAccountId), payees: readPayees(db, month) })
      const asked: AskedFile = { month, paidOn, createdOn, createdAt: clockTime(now, timezone), payer, payees, given }
      const problems = problemsOf(format, asked)
      if (answer === 'file') return inFormat(fileOf(format, asked, problems))
      return {
        ...{ month: month.month, format: format.id, paidOn, currency },
        payees: payees.map(({ employeeId, name, amountMinor }) => ({
          ...{ employeeId, name, amount: toMajor(BigInt(amountMinor), currency) },
        })),
        totals: { count: payees.length, amount: toMajor(totalOf(payees), currency) },
        problems: listed(problems),
        problemsIncomplete: problems.length > problemsMax,
      }
    },
  })

/** `masav in Israel, giro in Singapore`: the layout that each country has without a name. */
const defaultsOf = (formats: BankFormats): string =>
  Object.values(countries)
    .flatMap(({ code, facts }) => (formats[code][0] ? [`${formats[code][0].id} in ${facts.name.en}`] : []))
    .join(', ')

const nothing = (month: string) => `Nothing of the net pay of approved payslips of ${month} is outstanding.`

const problemsOf = (format: BankFormat, asked: AskedFile): EmployeeProblem[] => [
  ...(asked.payees.length === 0 ? [rejected('month', 'NOTHING_OPEN', nothing(asked.month.month))] : []),
  ...format.problems(asked),
]

/** The file; refuses one that the bank would reject, and names every employee and field. */
function fileOf({ id, fileType, ending, write }: BankFormat, asked: AskedFile, problems: readonly EmployeeProblem[]) {
  if (asked.payees.length === 0) throw conflict(nothing(asked.month.month), 'NOTHING_OPEN')
  const wrong = listed(problems.filter(isRejected))
  const ofRequest = wrong.filter(({ employeeId }) => employeeId === null)
  if (wrong.length > 0)
    throw new Failure(ofRequest.length > 0 ? 'VALIDATION' : 'CONFLICT', refusal(wrong), {
      details: wrong.map(toDetail),
    })
  const bytes = Buffer.from(write(asked), 'latin1')
  const fileName = `${id}-${asked.month.month}.${ending}`
  return { fileName, fileType, fileSize: bytes.length, bytes, open: async () => Readable.from([bytes]) }
}

const refusal = (wrong: readonly EmployeeProblem[]) =>
  `The bank would reject the file: ${wrong.length === 1 ? 'one field is' : `${wrong.length} fields are`} missing or wrong. The details name each.`

type Problem = Static<typeof EmployeeProblem>

const toDetail = ({ field, message, employeeId, employeeName }: Problem) =>
  employeeId === null
    ? { path: field, message }
    : { path: `employees.${employeeId}.${field}`, message: `${employeeName}: ${message}` }

/** The time of day, such as 0915. */
const clockTime = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    .format(now)
    .replace(':', '')
