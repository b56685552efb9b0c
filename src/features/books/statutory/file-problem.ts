import { Id, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'

/** A line of the checklist of a statutory file. */
export const FileProblem = Type.Object({
  severity: Type.Unsafe<'REJECTED' | 'CHECK'>({
    ...OneOf('REJECTED', 'CHECK'),
    description:
      'REJECTED: the authority refuses the file, or the figures are wrong. CHECK: somebody has to look at it.',
  }),
  code: Text,
  message: Text,
  field: nullable(
    Type.String({ description: 'The field of the file or of the document; null if it is about no single field.' }),
  ),
  documentId: nullable(Id),
  supplierId: nullable(Id),
})
export type FileProblem = Static<typeof FileProblem>

/** The most problems that a report lists. */
export const fileProblemsMax = 1_000

export const FileProblems = Type.Array(FileProblem, {
  description: `What would be rejected or has to be checked, and why; those that are rejected first. At most ${fileProblemsMax}.`,
})

type Of = { field?: string; documentId?: string | null; supplierId?: string | null }

export const rejected = (
  code: string,
  message: string,
  { field, documentId = null, supplierId = null }: Of = {},
): FileProblem => ({
  severity: 'REJECTED',
  code,
  message,
  field: field ?? null,
  documentId,
  supplierId,
})

export const toCheck = (code: string, message: string, of: Of = {}): FileProblem => ({
  ...rejected(code, message, of),
  severity: 'CHECK',
})

/** Those that are rejected first, and not more than a report lists. */
export const listed = (problems: readonly FileProblem[]): FileProblem[] =>
  [...problems.filter(isRejected), ...problems.filter((problem) => !isRejected(problem))].slice(0, fileProblemsMax)

const isRejected = ({ severity }: FileProblem) => severity === 'REJECTED'
