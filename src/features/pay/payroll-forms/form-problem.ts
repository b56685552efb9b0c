import { Id, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'

/** A line of the checklist of a payroll form. */
export const FormProblem = Type.Object({
  severity: Type.Unsafe<'REJECTED' | 'CHECK'>({
    ...OneOf('REJECTED', 'CHECK'),
    description: 'REJECTED: the authority refuses the form. CHECK: somebody has to look at it.',
  }),
  code: Text,
  message: Text,
  employeeId: nullable(Id),
})
export type FormProblem = Static<typeof FormProblem>

/** The most problems that a form lists. */
const problemsMax = 1_000

export const formProblems = {
  problems: Type.Array(FormProblem, {
    description: `What would be rejected or has to be checked, and why; those that are rejected first. At most ${problemsMax}.`,
  }),
  problemsIncomplete: Type.Boolean({ description: 'There are more problems than are listed.' }),
}

export const rejected = (code: string, message: string, employeeId: string | null = null): FormProblem => ({
  severity: 'REJECTED',
  code,
  message,
  employeeId,
})

export const toCheck = (code: string, message: string, employeeId: string | null = null): FormProblem => ({
  ...rejected(code, message, employeeId),
  severity: 'CHECK',
})

export const isRejected = ({ severity }: FormProblem) => severity === 'REJECTED'

/** The fields of an answer: those that are rejected first, and not more than a form lists. */
export const listedProblems = (problems: readonly FormProblem[]) => ({
  problems: [...problems.filter(isRejected), ...problems.filter((each) => !isRejected(each))].slice(0, problemsMax),
  problemsIncomplete: problems.length > problemsMax,
})
