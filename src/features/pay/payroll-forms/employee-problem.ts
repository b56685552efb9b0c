import { Id, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'

/** Why a bank or an authority would reject a file or form made from payslips, or what somebody has to look at. */
export const EmployeeProblem = Type.Object({
  severity: Type.Unsafe<'REJECTED' | 'CHECK'>({
    ...OneOf('REJECTED', 'CHECK'),
    description: 'REJECTED: it cannot be used as it is. CHECK: somebody has to look at it.',
  }),
  code: Text,
  message: Text,
  field: Type.String({ description: 'The field of the employee, of the request or of the organization.' }),
  employeeId: nullable(Id),
  employeeName: nullable(Text),
})
export type EmployeeProblem = Static<typeof EmployeeProblem>

/** Whom a problem is about; nobody if it is about the file as a whole. */
export type Concerned = { employeeId: string; name: string } | null

export const rejected = (field: string, code: string, message: string, of: Concerned = null): EmployeeProblem => ({
  ...{ severity: 'REJECTED', code, message, field },
  ...{ employeeId: of?.employeeId ?? null, employeeName: of?.name ?? null },
})

export const toCheck = (field: string, code: string, message: string, of: Concerned = null): EmployeeProblem => ({
  ...rejected(field, code, message, of),
  severity: 'CHECK',
})

export const isRejected = ({ severity }: EmployeeProblem): boolean => severity === 'REJECTED'

/** The most problems that an answer lists. */
export const problemsMax = 1_000

/** Those that are rejected first, and not more than an answer lists. */
export const listed = (problems: readonly EmployeeProblem[]): EmployeeProblem[] =>
  problems.toSorted((a, b) => Number(isRejected(b)) - Number(isRejected(a))).slice(0, problemsMax)
