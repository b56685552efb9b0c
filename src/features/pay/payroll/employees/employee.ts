import {
  EmailOrEmpty,
  Id,
  identity,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  storable,
  Type,
  Warnings,
} from '../../../../core/define/schema.ts'
import { factFields } from '../stored-facts.ts'

const Short = Type.String({ maxLength: 200, pattern: storable })
const Day = Type.String({ maxLength: 40, description: 'A calendar day, such as 2026-01-31.', examples: ['2026-01-01'] })
const Wage = Type.Number({
  minimum: 0,
  maximum: 1e9,
  description: 'The full wage of a month, in major units.',
  examples: [5_000],
})

/** Where the net pay goes. */
const BankDetails = Type.Object(
  optional({
    bankName: nullable(Short),
    bankCode: nullable(Short),
    branchCode: nullable(Short),
    accountNumber: nullable(Short),
    accountName: nullable(Short),
    accountType: nullable(OneOf('CHECKING', 'SAVINGS')),
    iban: nullable(Short),
    swiftCode: nullable(Short),
    routingNumber: nullable(Short),
  }),
)
export type BankDetails = Static<typeof BankDetails>

const Amounts = Type.Record(Type.String({ maxLength: 60 }), Type.Number({ minimum: -1e9, maximum: 1e9 }))

/** What was paid this year before the first payslip here, and leave that was carried over. */
const OpeningBalances = Type.Object({
  year: Type.Integer({ minimum: 2000, maximum: 2100, description: 'The calendar year of the amounts.' }),
  ...optional({
    bases: { ...Amounts, description: 'By the names of the bases of payslips, such as SS_WAGES.' },
    amounts: { ...Amounts, description: 'By the codes of payslip lines, such as WAGE or FIT.' },
    vacationDays: Type.Number({ minimum: -1_000, maximum: 1_000 }),
    sickDays: Type.Number({ minimum: -1_000, maximum: 1_000 }),
  }),
})

/** The opening balances as they are stored: amounts in minor units. */
export type Opening = Static<typeof OpeningBalances>

const details = optional({
  email: nullable(EmailOrEmpty),
  phone: nullable(Short),
  address: nullable(Type.String({ maxLength: 1_000, pattern: storable })),
  notes: nullable(Type.String({ maxLength: 10_000, pattern: storable })),
  userId: nullable({ ...Id, description: 'The member of the organization that this employee is.' }),
  employeeNumber: nullable(Short),
  jobTitle: nullable(Short),
  idNumber: nullable({ ...Short, description: 'Identity number, FIN or social security number.' }),
  endDate: nullable({ ...Day, description: 'The last day of the employment.' }),
  payslipLanguage: nullable({ ...OneOf('en', 'he', 'both'), description: 'The language of the payslip.' }),
  bankDetails: nullable(BankDetails),
  openingBalances: nullable(OpeningBalances),
})

const facts = Type.Partial(Type.Object(factFields)).properties
const nullableFacts = Object.fromEntries(
  Object.entries(factFields).map(([field, schema]) => [field, Type.Optional(nullable(schema))]),
) as unknown as { [K in keyof typeof factFields]: ReturnType<typeof nullable<(typeof factFields)[K]>> }

export const NewEmployee = Type.Object({
  organizationId: Type.Optional(Id),
  name: NonEmpty,
  startDate: { ...Day, description: 'The first day of the employment.' },
  monthlyWage: Wage,
  counterpartyId: Type.Optional({
    ...Id,
    description: 'A person who is known already, such as a claimant, and is employed now.',
  }),
  ...details,
  ...facts,
})
export type NewEmployee = Static<typeof NewEmployee>

export const EmployeeChanges = Type.Object({
  id: Id,
  ...optional({
    name: NonEmpty,
    startDate: { ...Day, description: 'The first day of the employment.' },
    monthlyWage: Wage,
    effectiveFrom: {
      ...Day,
      description:
        'The day from which the wage and the facts of this change apply; the first day of the current month unless given. A day in a month that has a payslip makes a difference on the next one.',
    },
  }),
  ...details,
  ...optional(nullableFacts),
})
export type EmployeeChanges = Static<typeof EmployeeChanges>

const Terms = Type.Object({ since: Type.String(), monthlyWage: Type.Number(), ...facts })

export const Employee = Type.Object({
  ...identity,
  counterpartyId: Id,
  name: Type.String(),
  email: nullable(Type.String()),
  phone: nullable(Type.String()),
  address: nullable(Type.String()),
  notes: nullable(Type.String()),
  userId: nullable(Id),
  employeeNumber: nullable(Type.String()),
  jobTitle: nullable(Type.String()),
  idNumber: nullable(Type.String()),
  startDate: Type.String(),
  endDate: nullable(Type.String()),
  currency: Type.String(),
  monthlyWage: { ...Type.Number(), description: 'As of today.' },
  payslipLanguage: nullable(OneOf('en', 'he', 'both')),
  bankDetails: nullable(BankDetails),
  openingBalances: nullable(OpeningBalances),
  ...facts,
  terms: Type.Array(Terms, {
    description: 'The wage and the facts by the day from which they apply, the earliest first.',
  }),
  warnings: Type.Optional(Warnings),
})
export type Employee = Static<typeof Employee>
