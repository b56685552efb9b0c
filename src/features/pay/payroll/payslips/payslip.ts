import {
  Count,
  Id,
  Instant,
  nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../../core/define/schema.ts'
import type { Step as ComputedStep, PayLine } from '../../../../countries/payroll/payroll.ts'
import { Attachment } from '../../../selling/documents/attachments/attachment.ts'
import { payslipKind } from '../kind.ts'
import { Work } from '../run-inputs.ts'

export type LineKind = PayLine['kind']

/** A step as it is stored: amounts are numbers of minor units. */
export type StoredStep = Omit<ComputedStep, 'baseMinor' | 'amountMinor'> & {
  baseMinor: number | null
  amountMinor: number
}

export const Status = OneOf(...payslipKind.statuses)
const Kind = OneOf('EARNING', 'REIMBURSEMENT', 'DEDUCTION', 'CONTRIBUTION')
const Amounts = Type.Record(Type.String(), Type.Number())

const Step = Type.Object({
  description: Type.String(),
  base: nullable(Type.Number()),
  rate: nullable(Type.String()),
  amount: Type.Number(),
  rule: Type.String({ description: 'The law, table or form that says so.' }),
})

const Line = Type.Object({
  kind: Kind,
  code: Type.String(),
  description: Type.String(),
  amount: Type.Number(),
  corrects: nullable(Type.String({ description: 'The earlier month whose difference the line is.' })),
  yearToDate: Type.Number({
    description:
      'Everything of this kind in the calendar year, with this payslip and the opening balances. Lines of one code have the same; adjustments are told apart by their description.',
  }),
  steps: Type.Array(Step, { description: 'How the amount was computed.' }),
})

const shown = {
  id: Id,
  organizationId: Id,
  counterpartyId: { ...Id, description: 'The employee.' },
  employeeName: Type.String(),
  month: Type.String({ examples: ['2026-03'] }),
  periodStart: Type.String(),
  periodEnd: Type.String(),
  status: Status,
  currency: Type.String(),
  gross: Type.Number(),
  net: Type.Number(),
  employerCost: Type.Number(),
  isFinalPayslip: Type.Boolean(),
  issueDate: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
}

export const ListedPayslip = Type.Object(shown)
export type ListedPayslip = Static<typeof ListedPayslip>

/** A payslip in the list of its employee. */
export const OwnPayslip = Type.Object({
  id: Id,
  status: Type.String(),
  currency: Type.String(),
  total: Type.Number({ description: 'The net pay.' }),
  periodStart: nullable(Type.String()),
  periodEnd: nullable(Type.String()),
  issueDate: Type.String(),
})

const Leave = Type.Object({
  carriedOver: Type.Number({ description: 'The balance before the month.' }),
  accrued: Type.Number(),
  used: Type.Number(),
  balance: Type.Number(),
})

export const Payslip = Type.Object({
  ...shown,
  employee: Type.Object({
    id: Id,
    name: Type.String(),
    employeeNumber: nullable(Type.String()),
    jobTitle: nullable(Type.String()),
    startDate: Type.String(),
    endDate: nullable(Type.String()),
    payslipLanguage: nullable(OneOf('en', 'he', 'both')),
  }),
  monthlyWage: Type.Number(),
  reimbursements: Type.Number(),
  deductions: Type.Number(),
  contributions: Type.Number({ description: 'What the employer pays beside the gross pay.' }),
  netOutstanding: Type.Number(),
  lines: Type.Array(Line),
  schemes: Type.Array(
    Type.Object({
      code: Type.String(),
      label: Type.String(),
      amount: Type.Number(),
      paid: Type.Number(),
      outstanding: Type.Number(),
    }),
    { description: 'What is owed to authorities and funds because of the payslip.' },
  ),
  advances: Type.Array(Type.Object({ paymentId: Id, paidAt: Type.String(), amount: Type.Number() }), {
    description: 'Advances that are set off against the net pay.',
  }),
  payments: Type.Array(
    Type.Object({
      paymentId: Id,
      source: OneOf('NET', 'STATUTORY'),
      paidAt: Type.String(),
      method: nullable(Text),
      amount: Type.Number(),
    }),
  ),
  consents: Type.Array(
    Type.Object({
      affirmed: Type.Boolean(),
      at: nullable(Instant),
      attachmentId: nullable(Id),
      authorizeFinalPaySetoff: Type.Boolean(),
      applied: Type.Number(),
      rule: Type.String(),
      createdAt: Instant,
    }),
  ),
  corrections: Type.Record(Type.String(), Amounts, {
    description: 'By the first day of an earlier month: what this payslip adds to the bases of that month.',
  }),
  bases: { ...Amounts, description: 'What the payslip adds to the bases of the year, such as taxable income.' },
  yearToDate: Type.Object({
    gross: Type.Number(),
    deductions: Type.Number(),
    net: Type.Number(),
    contributions: Type.Number(),
    lines: Type.Array(
      Type.Object({ kind: Kind, code: Type.String(), description: Type.String(), amount: Type.Number() }),
    ),
  }),
  work: nullable(Work),
  vacation: Leave,
  sickLeave: Leave,
  tables: Type.String({ description: 'The version of the tables that the payslip was computed with.' }),
  computedAt: Instant,
  voidedAt: nullable(Instant),
  attachments: Type.Array(Attachment),
  lineCount: Count,
  warnings: Type.Optional(Warnings),
})
export type Payslip = Static<typeof Payslip>
